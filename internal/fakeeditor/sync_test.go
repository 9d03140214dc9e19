package fakeeditor

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMirrorFollows types, replaces and undoes at random; a server that
// applies each change in turn must hold the same text.
func TestMirrorFollows(t *testing.T) {
	pieces := []string{"a", "é", "\U0001F600", "\n", "\r\n", "\r", "xyz", ""}
	for _, units := range []string{UTF8, UTF16, UTF32} {
		for _, lines := range []string{AnyLineEnd, OnlyLF} {
			t.Run(units+" "+lines, func(t *testing.T) {
				e, p := start(t, Options{Encodings: []string{units}, LineRule: lines}, units)
				uri := "untitled:Untitled-1"
				if err := e.OpenText(uri, "text", "one\r\ntwo\n"); err != nil {
					t.Fatal(err)
				}
				const seed = 7
				rnd := rand.New(rand.NewPCG(seed, seed))
				for range 300 {
					randomStep(t, e, uri, rnd, pieces)
				}
				_ = e.Flush(uri)
				doc, _ := e.Document(uri)
				if got := p.text(e, uri); got != doc.Text {
					t.Errorf("seed %d: the server has\n%q\nthe editor\n%q", seed, got, doc.Text)
				}
				wantClean(t, e)
			})
		}
	}
}

func randomStep(t *testing.T, e *Editor, uri string, rnd *rand.Rand, pieces []string) {
	doc, _ := e.Document(uri)
	switch rnd.IntN(10) {
	case 0:
		_ = e.Undo(uri) // there may be nothing to undo
	case 1:
		_ = e.Hold(uri)
	case 2:
		_ = e.Flush(uri)
	default:
		human := coordinates{UTF32, AnyLineEnd}
		a, b := randomOffset(doc.Text, rnd), randomOffset(doc.Text, rnd)
		pa, pb := human.position(doc.Text, min(a, b)), human.position(doc.Text, max(a, b))
		from, to := Point{pa.Line + 1, pa.Character + 1}, Point{pb.Line + 1, pb.Character + 1}
		text := pieces[rnd.IntN(len(pieces))] + pieces[rnd.IntN(len(pieces))]
		if err := e.Replace(uri, from, to, text); err != nil {
			t.Fatal(err)
		}
	}
}

func randomOffset(text string, rnd *rand.Rand) int {
	n := rnd.IntN(len([]rune(text)) + 1)
	return len(string([]rune(text)[:n]))
}

func TestVersions(t *testing.T) {
	tests := []struct {
		name string
		opts Options
		want string
	}{
		{"one an event", VSCode(), "1 2 4 5 6"},
		{"one a change", Neovim(), "3 4 6 7 9"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e, p := start(t, tt.opts, tt.opts.Encodings[0])
			uri := "untitled:u"
			do(t, e.OpenText(uri, "text", "ab\n"))
			do(t, e.Type(uri, Point{1, 1}, "x"))
			do(t, e.Hold(uri))
			do(t, e.Type(uri, Point{1, 1}, "y"))
			do(t, e.Type(uri, Point{1, 1}, "z"))
			do(t, e.Flush(uri)) // two events, one notification
			do(t, e.ReplaceAll(uri, "all\n"))
			doc, _ := e.Document(uri)
			p.ask("workspace/applyEdit", editParams(uri, doc.Version, // one event, two changes
				textEdit{Range{Position{0, 0}, Position{0, 0}}, "<"},
				textEdit{Range{Position{0, 3}, Position{0, 3}}, ">"}))
			if got := strings.Join(versions(t, e, p), " "); got != tt.want {
				t.Errorf("versions %s, want %s", got, tt.want)
			}
		})
	}
}

func versions(t *testing.T, e *Editor, p *peer) []string {
	var out []string
	for _, method := range []string{"textDocument/didOpen", "textDocument/didChange"} {
		for _, m := range p.messages(e, method) {
			var v struct {
				Document struct {
					Version json.RawMessage `json:"version"`
				} `json:"textDocument"`
			}
			do(t, json.Unmarshal(m.Params, &v))
			out = append(out, string(v.Document.Version))
		}
	}
	return out
}

func do(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestSaveAndReload(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.txt")
	do(t, os.WriteFile(path, []byte("\xef\xbb\xbfone\n"), 0o644))
	e, p := start(t, VSCode(), UTF16)
	uri, err := e.Open(path, "text")
	do(t, err)
	wantState(t, e, p, uri, false)
	do(t, e.Type(path, Point{1, 4}, "!"))
	do(t, e.State(uri, nil))
	wantState(t, e, p, uri, true)
	do(t, e.Save(uri))
	wantState(t, e, p, uri, false)
	if raw, _ := os.ReadFile(path); string(raw) != "\xef\xbb\xbfone!\n" {
		t.Errorf("saved %q", raw)
	}
	do(t, os.WriteFile(path, []byte("two\n"), 0o644))
	if got := p.ask("agent/reload", map[string]any{"uri": uri}); got != `{"reloaded":true}` {
		t.Errorf("agent/reload: %s", got)
	}
	if got := p.text(e, uri); got != "two\n" {
		t.Errorf("reloaded %q", got)
	}
	do(t, e.Undo(uri))
	if got := p.ask("agent/reload", map[string]any{"uri": uri}); got != `{"reloaded":false}` {
		t.Errorf("agent/reload of a dirty buffer: %s", got)
	}
	if got := p.ask("agent/save", map[string]any{"uri": uri}); got != `{"saved":true}` {
		t.Errorf("agent/save: %s", got)
	}
	if raw, _ := os.ReadFile(path); string(raw) != "one!\n" {
		t.Errorf("saved %q", raw)
	}
	wantClean(t, e)
}

// wantState checks the last agent/documentState.
func wantState(t *testing.T, e *Editor, p *peer, uri string, dirty bool) {
	t.Helper()
	states := p.messages(e, "agent/documentState")
	if len(states) == 0 {
		t.Fatal("no agent/documentState")
	}
	var s struct {
		URI   string
		Dirty bool
		BOM   bool
		Hash  string `json:"text_hash"`
	}
	do(t, json.Unmarshal(states[len(states)-1].Params, &s))
	doc, _ := e.Document(uri)
	if s.URI != uri || s.Dirty != dirty || !s.BOM || s.Hash != textHash(doc.Text) {
		t.Errorf("agent/documentState %+v for %+v", s, doc)
	}
}

func TestWireVersion(t *testing.T) {
	e, p := start(t, Options{}, UTF16)
	do(t, e.OpenText("untitled:u", "text", ""))
	for i, lie := range []func(int) *int{
		func(int) *int { return nil },
		func(v int) *int { v -= 5; return &v },
		nil,
	} {
		e.Behave(Behaviour{WireVersion: lie})
		do(t, e.Type("untitled:u", Point{1, 1}, fmt.Sprint(i)))
	}
	if got := strings.Join(versions(t, e, p), " "); got != "1  -2 4" {
		t.Errorf("versions %q", got)
	}
}

func TestVSCodeMakesMixedLineEndsEqual(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.txt")
	do(t, os.WriteFile(path, []byte("a\r\nb\n"), 0o644))
	e, p := start(t, VSCode(), UTF16)
	uri, err := e.Open(path, "text")
	do(t, err)
	if got := p.text(e, uri); got != "a\nb\n" {
		t.Errorf("opened %q", got)
	}
	if d, _ := e.Document(uri); d.Dirty {
		t.Error("opening made it dirty")
	}
	do(t, e.Reload(uri))
	if got := p.text(e, uri); got != "a\nb\n" {
		t.Errorf("reloaded %q", got)
	}
}
