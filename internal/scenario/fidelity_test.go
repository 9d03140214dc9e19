package scenario

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fakeeditor"
	"github.com/agent-lsp/agent-lsp/internal/testscale"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// script is an encoding with characters of those that it can hold.
type script struct {
	encoding text.Encoding
	letters  string
	bom      bool
	// editor tells that the fake editor can open it.
	editor bool
}

var scripts = []script{
	{encoding: "utf-8", letters: "aé漢\U0001F600 ", editor: true},
	{encoding: "utf-8", letters: "aé漢\U0001F600 ", bom: true, editor: true},
	{encoding: "utf-16le", letters: "aé漢\U0001F600 ", bom: true, editor: true},
	{encoding: "utf-16be", letters: "aé漢\U0001F600 ", bom: true, editor: true},
	{encoding: "utf-16le", letters: "aé漢 "},
	{encoding: "utf-32le", letters: "aé漢\U0001F600 ", bom: true},
	{encoding: "utf-32be", letters: "aé漢\U0001F600 ", bom: true},
	{encoding: "iso-8859-1", letters: "aéü£ ", editor: true},
	{encoding: "windows-1252", letters: "aé€“ "},
	{encoding: "windows-1251", letters: "aжЯ№ "},
	{encoding: "koi8-r", letters: "aжЯъ "},
	{encoding: "gb18030", letters: "a汉字é "},
	{encoding: "big5", letters: "a漢字臺 "},
	{encoding: "shift_jis", letters: "a日本ｱ "},
	{encoding: "euc-jp", letters: "a日本語 "},
	{encoding: "euc-kr", letters: "a한국어 "},
}

const token = "TOKEN"

// TestFidelity edits a place in files of every encoding, mark and line end, on
// disk and in the editor: the bytes before and behind it stay as they are, or
// the call is refused and all of them do.
func TestFidelity(t *testing.T) {
	for seed := range uint64(testscale.Of(2, 1)) {
		for _, sc := range scripts {
			for _, open := range []bool{false, true} {
				if open && !sc.editor {
					continue
				}
				name := fmt.Sprintf("%s bom=%t open=%t seed=%d", sc.encoding, sc.bom, open, seed)
				t.Run(name, func(t *testing.T) { sc.rounds(t, open, rand.New(rand.NewPCG(seed, 7))) })
			}
		}
	}
}

// openWorld returns an empty workspace and an editor's session in it, which end with
// the test.
func openWorld(t *testing.T) (*world, Surface) {
	t.Helper()
	w, err := newWorld(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.close)
	options := clientOptions()
	options.Roots = []fakeeditor.Root{{Name: "ws", Dir: w.work}}
	s, err := OpenLSP(t.Context(), t, Workspace{Editor: options, StateDir: w.state})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close(context.WithoutCancel(t.Context())) })
	return w, s
}

func (sc script) rounds(t *testing.T, open bool, r *rand.Rand) {
	w, s := openWorld(t)
	refused := 0
	rounds := testscale.Of(25, 10)
	for i := range rounds {
		if sc.round(t, w, s, fmt.Sprintf("f%d.txt", i), open, r) {
			refused++
		}
	}
	t.Logf("%d of %d edits were refused", refused, rounds)
	if refused == rounds {
		t.Errorf("every edit was refused")
	}
}

// round edits one file and reports whether that was refused.
func (sc script) round(t *testing.T, w *world, s Surface, name string, open bool, r *rand.Rand) (refused bool) {
	before, after := sc.text(r, 6), sc.text(r, 6)
	fresh := strings.ReplaceAll(sc.text(r, 1), "\r", "\n")
	if r.IntN(5) == 0 {
		fresh = "\U0001F600 漢 ж é" // more than most encodings hold
	}
	first := sc.bytes(t, before, sc.bom)
	last := sc.bytes(t, after, false)
	raw := slices.Concat(first, sc.bytes(t, token, false), last)
	path := w.path(name)
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	args := map[string]any{"path": name, "expected_hash": hashOf(raw), "old_text": token, "new_text": fresh, "save": "always"}
	if open {
		if _, err := s.Editor().OpenAs(path, "text", fakeeditor.Format{Encoding: string(sc.encoding), BOM: sc.bom}); err != nil {
			t.Fatal(err)
		}
	} else if named := r.IntN(4) > 0; named {
		args["encoding"] = string(sc.encoding)
	}
	arguments, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := s.Begin("edit_file", arguments).Answer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	now, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if answer.IsError {
		sc.checkRefusal(t, answer, raw, now)
		return true
	}
	middle, starts := bytes.CutPrefix(now, first)
	middle, ends := bytes.CutSuffix(middle, last)
	if !starts || !ends || !sc.holds(t, middle, fresh) {
		t.Errorf("%q + %q + %q became %q; the new text is %q", before, token, after, now, fresh)
	}
	return false
}

// checkRefusal: nothing is changed, for a reason that encodings are.
func (sc script) checkRefusal(t *testing.T, answer Answer, raw, now []byte) {
	t.Helper()
	var structured struct{ Error struct{ Kind string } }
	if err := json.Unmarshal(answer.Structured, &structured); err != nil {
		t.Fatal(err)
	}
	kinds := []string{"encoding_error", "encoding_lossy", "text_not_found", "binary_file"}
	if !bytes.Equal(raw, now) || !slices.Contains(kinds, structured.Error.Kind) {
		t.Errorf("refused by %s, and %q became %q", answer.Structured, raw, now)
	}
}

// holds reports whether raw is the new text, with whatever line ends it was
// given.
func (sc script) holds(t *testing.T, raw []byte, fresh string) bool {
	for _, end := range []string{"\n", "\r\n", "\r"} {
		if s := strings.ReplaceAll(fresh, "\n", end); sc.encodes(s) && bytes.Equal(raw, sc.bytes(t, s, false)) {
			return true
		}
	}
	return false
}

func (sc script) encodes(s string) bool {
	_, err := text.Format{Encoding: sc.encoding}.Encode(text.New(s))
	return err == nil
}

func (sc script) bytes(t *testing.T, s string, bom bool) []byte {
	t.Helper()
	raw, err := text.Format{Encoding: sc.encoding, BOM: bom}.Encode(text.New(s))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// text is some random lines with ends of any kind.
func (sc script) text(r *rand.Rand, lines int) string {
	letters := []rune(sc.letters)
	var b strings.Builder
	for range r.IntN(lines + 1) {
		for range r.IntN(8) {
			b.WriteRune(letters[r.IntN(len(letters))])
		}
		b.WriteString([]string{"\n", "\r\n", "\r", ""}[r.IntN(4)])
	}
	return b.String()
}
