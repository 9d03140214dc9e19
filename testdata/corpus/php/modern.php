<?php
namespace App\Views {
    /** Renders a page. */
    class Page
    {
        public string $title {
            get => ucfirst($this->title);
            set (string $value) {
                $this->title = trim($value);
            }
        }

        public private(set) int $views = 0;

        public function __construct(
            public string $body { get => trim($this->body); },
        ) {
        }

        public function render(): string
        {
            return $this->title;
        }
    }

    interface HasTitle
    {
        public string $title { get; }

        public function slug(): string;
    }
}

namespace {
    use App\Views\Page;

    const ANSWER = 42;

    function page(string $title): Page
    {
        return new Page($title)->render();
    }

    final class Clock
    {
        const string ZONE = 'UTC';
        public function now(): int { return time(); }
    }
?>
<html>
  <body>
    <?php function footer(): void { ?>
      <footer>function not_php() {}</footer>
    <?php } ?>
  </body>
</html>
<?php
    function after(): void {}
}
