package reference

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/tools"
)

var update = flag.Bool("update", false, "write the pages")

func TestPagesAreFresh(t *testing.T) {
	source, err := os.ReadFile("../fault/fault.go")
	if err != nil {
		t.Fatal(err)
	}
	toolPage, err := Tools()
	if err != nil {
		t.Fatal(err)
	}
	errorPage, err := Errors(source)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"tools.md": toolPage, "settings.md": Settings(), "errors.md": errorPage,
	} {
		path := "../../docs/" + name
		if *update {
			if err := os.WriteFile(path, []byte(want), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("docs/%s is not fresh: make generate writes it", name)
		}
	}
}

func TestPagesNameWhatThereIs(t *testing.T) {
	page, err := Tools()
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools.All() {
		if !strings.Contains(page, "\n## "+tool.Name+"\n") {
			t.Errorf("the page lacks %s", tool.Name)
		}
	}
	source, err := os.ReadFile("../fault/fault.go")
	if err != nil {
		t.Fatal(err)
	}
	page, err = Errors(source)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []fault.Kind{fault.NotFound, fault.StaleFile, fault.Internal} {
		if !strings.Contains(page, "| `"+string(kind)+"` |") {
			t.Errorf("the page lacks %s", kind)
		}
	}
}
