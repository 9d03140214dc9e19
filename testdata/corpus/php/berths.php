<?php

declare(strict_types=1);

namespace Harbour\Berths;

use DateTimeImmutable;
use Harbour\{Ship, Pilot as HarbourPilot};
use function Harbour\knots;
use const Harbour\MAX_DRAUGHT;

const TIDE_TABLE = 'tides.csv';
const LOW = 0.4, HIGH = 3.1;

define('HARBOUR_DEBUG', false);

/**
 * What can be booked for a ship.
 *
 * @template T of Ship
 */
interface Bookable extends \Countable, \JsonSerializable
{
    public const PREFIX = 'B-';

    /** @return list<T> */
    public function ships(): array;

    public function book(Ship $ship, ?DateTimeImmutable $from = null): static;
}

enum Weather: string implements Describable
{
    case Calm = 'calm';
    // Wind of force seven and more.
    case Storm = 'storm';
    #[Deprecated]
    case Fog = 'fog';

    const DEFAULT = self::Calm;

    public static function fromForce(int $force): self
    {
        return match (true) {
            $force >= 7 => self::Storm,
            default => self::Calm,
        };
    }

    public function label(): string
    {
        return ucfirst($this->value);
    }
}

enum Side { case Port; case Starboard; }

// Remembers what happened.
trait Logs
{
    /** @var string[] */
    private array $log = [];

    abstract protected function clock(): DateTimeImmutable;

    protected function log(string ...$lines): void
    {
        foreach ($lines as $line) {
            $this->log[] = $this->clock()->format('c') . " $line";
        }
    }

    public static function quiet(): callable
    {
        return static fn (string $line): bool => $line === '';
    }
}

#[Entity(table: 'berths')]
#[Cached]
abstract class Berth implements Bookable
{
    use Logs, Counts {
        Logs::log as protected note;
        Counts::log insteadof Logs;
    }

    final public const MAX = 12;
    private const A = 1, B = 2;

    public static int $built = 0;
    protected ?Ship $ship = null, $guest = null;
    var $legacy;
    public readonly string $code;

    /**
     * @param positive-int $number
     */
    public function __construct(
        private readonly int $number,
        #[SensitiveParameter]
        protected ?string $owner = null,
        public Weather $weather = Weather::Calm,
        int $unused = 0,
    ) {
        $this->code = self::PREFIX . $number;
        static::$built++;
    }

    public function __destruct()
    {
        static::$built--;
    }

    abstract public function depth(): float;

    #[\Override]
    #[Route(path: '/berths/{id}', methods: ['GET'])]
    final public function ships(): array
    {
        return array_filter([$this->ship, $this->guest]);
    }

    // & returns by reference
    public function &ref(): ?Ship
    {
        return $this->ship;
    }

    public function inspector(): object
    {
        return new class ($this->number) implements Inspector {
            public function __construct(private int $number) {}

            public function inspect(Berth $berth): bool
            {
                return $berth->depth() > MAX_DRAUGHT;
            }
        };
    }

    public function sql(): string
    {
        return <<<SQL
            SELECT * FROM berths
            -- function fake() { class Fake {} }
            WHERE number = {$this->number}
            SQL;
    }

    public function jsonSerialize(): mixed { return ['code' => $this->code]; }

    function count(): int
    {
        $count = function () use (&$count): int {
            return 1;
        };
        return $count() |> abs(...);
    }
}

final class Pier extends Berth
{
    public function depth(): float { return 4.5; }

    public function list(): void {}

    public static function __callStatic(string $name, array $arguments): mixed
    {
        return (new self(...$arguments))->{$name}();
    }
}

readonly class Money implements \Stringable
{
    public function __construct(public int $cents, public string $currency = 'EUR') {}

    public function __toString(): string
    {
        return sprintf('%.2f %s', $this->cents / 100, $this->currency);
    }
}

/** Tells the fee for a night. */
#[Pure]
function fee(Berth $berth, int|float $nights = 1, Money ...$extras): Money
{
    function rounding(float $x): int
    {
        return (int) round($x);
    }

    $total = array_sum(array_map(fn (Money $m) => $m->cents, $extras));

    return new Money(rounding($total + $nights * 1500));
}

if (! function_exists('Harbour\Berths\knots')) {
    function knots(float $kmh): float
    {
        return $kmh / 1.852;
    }
}

$handlers = [
    'arrive' => function (Ship $ship) { return $ship->arrive(); },
    'leave' => fn (Ship $ship) => $ship->leave(),
];

namespace Harbour\Berths\Legacy;

class Überfahrt
{
    public $preis;

    function Preis()
    {
        return $this->preis;
    }
}

return new Überfahrt();
