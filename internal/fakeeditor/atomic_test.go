package fakeeditor

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestWhatIsFoundIsChanged: many change one document at once, each at the end of
// what it finds, and nothing is lost or told wrongly.
func TestWhatIsFoundIsChanged(t *testing.T) {
	e, p := start(t, Options{Remembers: 3}, UTF16)
	const uri = "untitled:Untitled-1"
	if err := e.OpenText(uri, "text", "x"); err != nil {
		t.Fatal(err)
	}
	var typists sync.WaitGroup
	for range 8 {
		typists.Go(func() {
			for range 20 {
				if err := e.Change(uri, func(text string) (int, int, string) { return len(text), len(text), "é" }); err != nil {
					t.Error(err)
				}
			}
		})
	}
	typists.Wait()
	d, asked, err := e.CallAbout(uri, "read_file", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := asked.Wait(guard(t)); err != nil {
		t.Fatal(err)
	}
	if want := "x" + strings.Repeat("é", 160); d.Text != want || p.text(e, uri) != want {
		t.Errorf("the editor has %q, the server %q", d.Text, p.text(e, uri))
	}
	if d.UndoSteps > 6 || len(e.Log()) > 6 {
		t.Errorf("%d steps and %d messages are kept", d.UndoSteps, len(e.Log()))
	}
}

func TestSaveAndClose(t *testing.T) {
	e, _ := start(t, Options{}, UTF16)
	path := filepath.Join(t.TempDir(), "a.txt")
	if err := os.WriteFile(path, []byte("one\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Open(path, "text"); err != nil {
		t.Fatal(err)
	}
	if err := e.Type(path, Point{Line: 1, Column: 1}, "typed "); err != nil {
		t.Fatal(err)
	}
	if err := e.SaveAndClose(path); err != nil {
		t.Fatal(err)
	}
	if raw, _ := os.ReadFile(path); string(raw) != "typed one\n" {
		t.Errorf("the file has %q", raw)
	}
	if _, open := e.Document(path); open {
		t.Error("it is open")
	}
}
