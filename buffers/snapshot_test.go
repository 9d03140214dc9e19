package buffers

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

func (w *world) in(name string) string { return filepath.Join(w.dir, name) }

func (w *world) do(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// TestOneFileUnderOtherNames: a file is the document that has it open, by
// whatever name, and no other one.
func TestOneFileUnderOtherNames(t *testing.T) {
	for name, tt := range map[string]struct {
		opened string
		after  func(w *world)
		read   string
		want   Source
	}{
		"a hard link":  {"hard.txt", nil, "f.txt", FromBuffer},
		"a link":       {"link.txt", nil, "f.txt", FromBuffer},
		"its target":   {"f.txt", nil, "link.txt", FromBuffer},
		"another file": {"f.txt", nil, "other.txt", FromDisk},
		"a link that leads elsewhere by now": {"link.txt", func(w *world) {
			w.do(os.Remove(w.in("link.txt")))
			w.do(os.Symlink("other.txt", w.in("link.txt")))
		}, "f.txt", FromDisk},
		"a link that is gone": {"link.txt", func(w *world) { w.do(os.Remove(w.in("link.txt"))) }, "f.txt", FromDisk},
		"a file that became a link later": {"other.txt", func(w *world) {
			w.do(os.Remove(w.in("other.txt")))
			w.do(os.Symlink("f.txt", w.in("other.txt")))
		}, "f.txt", FromDisk},
		"a new document whose file is a link by now": {"new.txt", func(w *world) {
			w.do(os.Symlink("f.txt", w.in("new.txt")))
		}, "f.txt", FromDisk},
		"a file that was saved by renaming": {"link.txt", func(w *world) {
			w.write("new", []byte("new\n"))
			w.do(os.Rename(w.in("new"), w.in("f.txt")))
		}, "f.txt", FromBuffer},
	} {
		t.Run(name, func(t *testing.T) {
			w, s := newWorld(t), NewStore()
			w.write("f.txt", []byte("one\n"))
			w.write("other.txt", []byte("other\n"))
			w.do(os.Link(w.in("f.txt"), w.in("hard.txt")))
			w.do(os.Symlink("f.txt", w.in("link.txt")))
			w.write("a.txt", []byte("a\n"))
			w.open(s, "a.txt", "others are looked at before\n")
			w.open(s, "unrelated.txt", "and without a file\n")
			key := w.open(s, tt.opened, "unsaved\n")
			if tt.after != nil {
				tt.after(w)
			}
			f := w.file(s, tt.read, "")
			if f.Source != tt.want || f.Source == FromBuffer && f.Document.Key() != key {
				t.Errorf("read from the %s", f.Source)
			}
		})
	}
}

// TestALinkThatCameToLeadToAPrivateFile is refused, though the document was
// opened when it led elsewhere.
func TestALinkThatCameToLeadToAPrivateFile(t *testing.T) {
	w, s := newWorld(t), NewStore()
	w.write("f.txt", []byte("one\n"))
	w.write(".env", []byte("secret\n"))
	w.do(os.Symlink("f.txt", w.in("link.txt")))
	w.open(s, "link.txt", "one\n")
	w.file(s, "link.txt", "")
	w.do(os.Remove(w.in("link.txt")))
	w.do(os.Symlink(".env", w.in("link.txt")))
	if f, err := w.snapshot(s).File(t.Context(), w.path("link.txt"), ""); fault.KindOf(err) != fault.PermissionDenied {
		t.Errorf("%+v, %v", f, err)
	}
}

// TestTheLargestFile may have as many bytes as the setting says.
func TestTheLargestFile(t *testing.T) {
	w := newWorld(t)
	cfg := settings.Default()
	cfg.Read.MaxFileBytes = 100
	gate, problems := workspace.NewGate(nil, []workspace.Folder{{Name: "root", Path: w.dir}}, cfg)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	w.gate = gate
	w.write("f.txt", make([]byte, 100))
	w.file(NewStore(), "f.txt", "")
	w.write("f.txt", make([]byte, 101))
	if _, err := w.snapshot(NewStore()).File(t.Context(), w.path("f.txt"), ""); fault.KindOf(err) != fault.FileTooLarge {
		t.Errorf("one byte more: %v", err)
	}
}

// TestWhatTheEditorShowsWithoutItsText: cells and tabs mark the file by each of
// its names, as long as they are open.
func TestWhatTheEditorShowsWithoutItsText(t *testing.T) {
	w, s := newWorld(t), NewStore()
	w.write("n.ipynb", []byte("{}"))
	w.write("other.ipynb", []byte("{}"))
	w.do(os.Symlink("n.ipynb", w.in("link.ipynb")))
	key := w.path("n.ipynb").Key()
	check := func(when string, notebook, unsynced bool) {
		t.Helper()
		for _, name := range []string{"n.ipynb", "link.ipynb"} {
			if f := w.file(s, name, ""); f.NotebookOpen != notebook || f.Unsynced != unsynced {
				t.Errorf("%s, %s: notebook %v, unsynced %v", when, name, f.NotebookOpen, f.Unsynced)
			}
		}
		if f := w.file(s, "other.ipynb", ""); f.NotebookOpen || f.Unsynced {
			t.Errorf("%s: another file is marked", when)
		}
	}
	check("nothing open", false, false)
	s.OpenCell(key, "cell:1")
	s.OpenCell(key, "cell:2")
	s.OpenCell(key, "cell:2") // again
	check("two cells", true, false)
	if !s.CloseCell("cell:1") {
		t.Error("the first cell was not open")
	}
	check("the second cell", true, false)
	if s.CloseCell("cell:1") || !s.CloseCell("cell:2") || s.CloseCell("cell:2") {
		t.Error("a cell closes as often as it was opened")
	}
	check("both closed", false, false)
	s.ShowTabs([]Tab{{key, true}})
	check("a notebook's tab", true, false)
	s.ShowTabs([]Tab{{key, false}})
	check("a text's tab", false, true)
	s.OpenCell(key, "cell:1")
	check("a text's tab and a cell", true, true)
	s.ShowTabs(nil)
	s.CloseCell("cell:1")
	// A link that is shown marks the link alone: it may be read by itself.
	s.ShowTabs([]Tab{{w.path("link.ipynb").Key(), false}})
	if w.file(s, "n.ipynb", "").Unsynced || !w.file(s, "link.ipynb", "").Unsynced {
		t.Error("a link's tab")
	}
}

// TestPeerDocumentsHaveTheirFilesState: its size and identity are those on
// disk; without a file it has none.
func TestPeerDocumentsHaveTheirFilesState(t *testing.T) {
	w := newWorld(t)
	w.write("f.txt", []byte("on disk\n"))
	snap := w.snapshot(NewStore())
	p := w.path("f.txt")
	untitled, err := w.gate.FromURI("untitled:u")
	w.do(err)
	snap.Show([]PeerDocument{{URI: p.URI, Text: "theirs"}, {URI: "untitled:u", Text: "u", OutOfSync: "lost"}})
	f, err := snap.File(t.Context(), p, "")
	w.do(err)
	id, err := w.gate.Stat(p)
	w.do(err)
	if f.ID != id || f.SizeBytes != 8 || f.OutOfSync() != "" {
		t.Errorf("%+v", f)
	}
	f, err = snap.File(t.Context(), untitled, "")
	w.do(err)
	if f.ID != (fsys.ID{}) || f.SizeBytes != 0 || f.OutOfSync() != "lost" {
		t.Errorf("%+v", f)
	}
}

// TestACancelledCallLearnsNothing: the next one knows the file as if there had
// been none.
func TestACancelledCallLearnsNothing(t *testing.T) {
	w, s := newWorld(t), NewStore()
	w.write("f.txt", []byte("caf\xe9\n"))
	w.open(s, "f.txt", "café\n")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if f, err := w.snapshot(s).File(ctx, w.path("f.txt"), ""); fault.KindOf(err) != fault.Cancelled {
		t.Errorf("%+v, %v", f, err)
	}
	if f := w.file(s, "f.txt", ""); f.Dirty || f.DiskChanged || f.Unknown || f.Format.Encoding != text.EncodingWindows1252 {
		t.Errorf("%+v", f)
	}
}

// TestHashesGoByFormat: the same text has another hash when it is to be
// written in another encoding.
func TestHashesGoByFormat(t *testing.T) {
	w, s := newWorld(t), NewStore()
	w.write("f.txt", []byte("é\n"))
	key := w.open(s, "f.txt", "é\n")
	for _, tt := range []struct {
		encoding text.Encoding
		raw      string
	}{{text.EncodingUTF8, "é\n"}, {text.EncodingLatin1, "\xe9\n"}, {text.EncodingUTF16LE, "\xe9\x00\n\x00"}, {text.EncodingUTF8, "é\n"}} {
		// A word about the format alone, as when the person changes it.
		w.do(s.State(key, State{Version: 1, Format: &text.Format{Encoding: tt.encoding}}))
		for range 2 {
			if f := w.file(s, "f.txt", ""); f.Hash != text.HashBytes([]byte(tt.raw)) || f.Format.Encoding != tt.encoding {
				t.Errorf("%s: another hash, or format %v", tt.encoding, f.Format)
			}
		}
	}
	// What a caller has learned is taken for the format that it names only.
	w.do(s.Change(key, 2, text.UTF16, []Change{{Text: "ü\n"}}))
	s.Overlay().Get(key).LearnHash(text.Format{Encoding: text.EncodingLatin1}, text.HashBytes([]byte("\xfc\n")))
	if f := w.file(s, "f.txt", ""); f.Hash != text.HashBytes([]byte("ü\n")) {
		t.Error("the hash of another format is served")
	}
}

func TestEmptyUntitledDocumentsAreNotDirty(t *testing.T) {
	w, s := newWorld(t), NewStore()
	p, err := w.gate.FromURI("untitled:Untitled-1")
	w.do(err)
	s.Open(Opening{URI: "untitled:Untitled-1", Path: p, Version: 1})
	f, err := w.snapshot(s).File(t.Context(), p, "")
	w.do(err)
	if f.Dirty {
		t.Error("it is")
	}
}
