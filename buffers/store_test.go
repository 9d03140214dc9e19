package buffers

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// open opens a file of the world in the store, as an editor would: with the
// text that it read.
func (w *world) open(s *Store, name, content string) string {
	w.t.Helper()
	p := w.path(name)
	o := Opening{URI: p.URI, Path: p, Version: 1, Text: content}
	if h, err := w.gate.OpenDocument(p); err == nil {
		o.OnDisk, o.Real = h.ID, h.Real
		h.Close()
	}
	s.Open(o)
	return p.Key()
}

// saved is the state of a file after the editor wrote raw into it.
func (w *world) saved(name, raw string) Saved {
	w.t.Helper()
	w.write(name, []byte(raw))
	h, err := w.gate.OpenDocument(w.path(name))
	if err != nil {
		w.t.Fatal(err)
	}
	defer h.Close()
	return Saved{OnDisk: h.ID, Real: h.Real}
}

func at(line, char uint32) text.Position { return text.Position{Line: line, Character: char} }

func insert(line, char uint32, s string) Change {
	return Change{Range: &Range{Start: at(line, char), End: at(line, char)}, Text: s}
}

func TestChangesOfOneNotificationApplyInOrder(t *testing.T) {
	w, s := newWorld(t), NewStore()
	w.write("f.txt", []byte("one\n"))
	key := w.open(s, "f.txt", "one\n")
	err := s.Change(key, 5, text.UTF16, []Change{
		insert(0, 0, "zero\n"),
		insert(1, 3, " two"), // counts on the line that the first one made
	})
	if err != nil {
		t.Fatal(err)
	}
	d := s.Overlay().Get(key)
	if got := d.Text.String(); got != "zero\none two\n" || d.Version != 5 {
		t.Errorf("%q at version %d", got, d.Version)
	}
}

func TestAnOverlayNeverChanges(t *testing.T) {
	w, s := newWorld(t), NewStore()
	key := w.open(s, "f.txt", "one\n")
	before := s.Overlay()
	if err := s.Change(key, 2, text.UTF16, []Change{insert(0, 0, "x")}); err != nil {
		t.Fatal(err)
	}
	s.Close(key)
	if d := before.Get(key); d == nil || d.Text.String() != "one\n" || d.Version != 1 {
		t.Error("an older overlay shows what came later")
	}
}

func TestWhatCannotBeFollowedIsOutOfSync(t *testing.T) {
	backwards := Change{Range: &Range{Start: at(0, 3), End: at(0, 1)}, Text: "x"}
	cases := map[string]func(s *Store, key string) error{
		"version goes back":       func(s *Store, key string) error { return s.Change(key, 1, text.UTF16, []Change{insert(0, 0, "x")}) },
		"range ends before start": func(s *Store, key string) error { return s.Change(key, 3, text.UTF16, []Change{backwards}) },
		"second change is the bad": func(s *Store, key string) error {
			return s.Change(key, 3, text.UTF16, []Change{insert(0, 0, "x"), backwards})
		},
	}
	for name, bad := range cases {
		t.Run(name, func(t *testing.T) {
			w, s := newWorld(t), NewStore()
			key := w.open(s, "f.txt", "one\n")
			if err := s.Change(key, 2, text.UTF16, []Change{insert(0, 3, "!")}); err != nil {
				t.Fatal(err)
			}
			if err := bad(s, key); fault.KindOf(err) != fault.BufferUnsure {
				t.Fatalf("got %v", err)
			}
			d := s.Overlay().Get(key)
			if d.OutOfSync == "" || d.Text.String() != "one!\n" {
				t.Errorf("unsure %q, text %q; the last known text must stay", d.OutOfSync, d.Text.String())
			}
		})
	}
}

func TestResyncHealsWithWhatCameMeanwhile(t *testing.T) {
	w, s := newWorld(t), NewStore()
	key := w.open(s, "f.txt", "one\n")
	_ = s.Change(key, 1, text.UTF16, []Change{insert(0, 0, "lost")})
	asked := s.Overlay().Get(key)
	// The person types on while the editor is asked for its text.
	_ = s.Change(key, 7, text.UTF16, []Change{insert(0, 0, "A")})
	_ = s.Change(key, 8, text.UTF16, []Change{insert(0, 0, "B")})
	if !s.Resync(asked, 7, text.UTF16, text.AnyLineEnd, "Anew\n") {
		t.Fatal("not healed")
	}
	d := s.Overlay().Get(key)
	if d.OutOfSync != "" || d.Text.String() != "BAnew\n" || d.Version != 8 {
		t.Errorf("unsure %q, text %q, version %d", d.OutOfSync, d.Text.String(), d.Version)
	}
}

func TestAWholeTextHealsAndAnOlderAnswerDoesNotUndoIt(t *testing.T) {
	w, s := newWorld(t), NewStore()
	key := w.open(s, "f.txt", "one\n")
	_ = s.Change(key, 1, text.UTF16, []Change{insert(0, 0, "lost")})
	asked := s.Overlay().Get(key)
	if err := s.Change(key, 9, text.UTF16, []Change{{Text: "whole\n"}, insert(0, 0, "the ")}); err != nil {
		t.Fatal(err)
	}
	if !s.Resync(asked, 5, text.UTF16, text.AnyLineEnd, "old\n") {
		t.Error("a document that healed otherwise counts as unsure")
	}
	if d := s.Overlay().Get(key); d.OutOfSync != "" || d.Text.String() != "the whole\n" {
		t.Errorf("unsure %q, text %q", d.OutOfSync, d.Text.String())
	}
}

func TestTheQueueOfADocumentOutOfSyncIsBounded(t *testing.T) {
	w, s := newWorld(t), NewStore()
	key := w.open(s, "f.txt", "one\n")
	_ = s.Change(key, 1, text.UTF16, []Change{insert(0, 0, "lost")})
	asked := s.Overlay().Get(key)
	for v := range int32(maxQueuedChanges + 10) {
		_ = s.Change(key, v+2, text.UTF16, []Change{insert(0, 0, "x")})
	}
	if n := len(s.Overlay().Get(key).queue); n > maxQueuedChanges {
		t.Errorf("%d changes are queued", n)
	}
	if s.Resync(asked, 2, text.UTF16, text.AnyLineEnd, "text\n") {
		t.Error("healed though changes were dropped")
	}
	if !s.Resync(s.Overlay().Get(key), maxQueuedChanges+20, text.UTF16, text.AnyLineEnd, "text\n") {
		t.Error("the next answer does not heal")
	}
}

func TestEventsOfAClosedDocumentAreRefused(t *testing.T) {
	w, s := newWorld(t), NewStore()
	key := w.path("f.txt").Key()
	for name, err := range map[string]error{
		"change": s.Change(key, 1, text.UTF16, []Change{insert(0, 0, "x")}),
		"save":   s.Save(key, Saved{}),
		"state":  s.State(key, State{}),
	} {
		if fault.KindOf(err) != fault.NotFound {
			t.Errorf("%s: %v", name, err)
		}
	}
	if s.Close(key) {
		t.Error("close says that it was open")
	}
}

// TestMirrorFollowsAnEditor drives the store as an editor would, in all
// position encodings and line rules, and holds it against the editor's text.
func TestMirrorFollowsAnEditor(t *testing.T) {
	for _, enc := range []text.PositionEncoding{text.UTF8, text.UTF16, text.UTF32} {
		for _, rule := range []text.LineRule{text.AnyLineEnd, text.OnlyLF} {
			t.Run(fmt.Sprintf("%v %v", enc, rule), func(t *testing.T) {
				r := rand.New(rand.NewPCG(7, uint64(enc)<<8|uint64(rule)))
				coord := text.Coord{Encoding: enc, Lines: rule}
				editors := text.New(randomText(r, 500, []string{"a\n", "b\r\n", "c", "\r", "é", "😀"}))
				w, s := newWorld(t), NewStore()
				p := w.path("f.txt")
				s.Open(Opening{URI: p.URI, Path: p, Version: 0, Text: editors.String(), Lines: rule})
				for version := int32(1); version < 500; version++ {
					var changes []Change
					for range 1 + r.IntN(3) {
						a := editors.FloorChar(r.IntN(editors.Len() + 1))
						b := editors.FloorChar(min(editors.Len(), a+r.IntN(20)))
						from, to := editors.PositionAt(a, coord), editors.PositionAt(b, coord)
						a, b = editors.OffsetAt(from, coord), editors.OffsetAt(to, coord)
						fresh := randomText(r, r.IntN(12), []string{"x", "\n", "\r\n", "語", "😀"})
						changes = append(changes, Change{Range: &Range{Start: from, End: to}, Text: fresh})
						editors = editors.Replace(text.Span{Start: a, End: b}, fresh)
					}
					if err := s.Change(p.Key(), version, enc, changes); err != nil {
						t.Fatal(err)
					}
					if got := s.Overlay().Get(p.Key()).Text; !got.Equal(editors) {
						t.Fatalf("version %d: %q, want %q", version, got.String(), editors.String())
					}
				}
			})
		}
	}
}

func TestWatchSeesEveryTextOnTheWay(t *testing.T) {
	w, s := newWorld(t), NewStore()
	key := w.open(s, "f.txt", "0")
	watch, now := s.Watch(key)
	defer watch.Close()
	if now.Text.String() != "0" {
		t.Fatalf("begins at %q", now.Text.String())
	}
	_ = s.Change(key, 2, text.UTF16, []Change{insert(0, 1, "1"), insert(0, 2, "2")})
	_ = s.Change(key, 3, text.UTF16, []Change{{Text: "whole"}})
	s.Close(key)
	var seen []string
	for {
		x, ok := watch.Next(t.Context())
		if !ok {
			break
		}
		seen = append(seen, x.Text.String())
	}
	if got := strings.Join(seen, " "); got != "01 012 whole" {
		t.Errorf("saw %q", got)
	}
}

func TestWatchEndsWithItsContext(t *testing.T) {
	w, s := newWorld(t), NewStore()
	watch, _ := s.Watch(w.open(s, "f.txt", ""))
	defer watch.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, ok := watch.Next(ctx); ok {
		t.Error("saw something")
	}
}

func TestReadersAndWriterRace(t *testing.T) {
	w, s := newWorld(t), NewStore()
	w.write("f.txt", []byte(strings.Repeat("line\n", 1000)))
	key := w.open(s, "f.txt", strings.Repeat("line\n", 1000))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				snapshot := NewSnapshot(s.Overlay(), w.gate, w.disk)
				f, err := snapshot.File(t.Context(), w.path("f.txt"), "")
				if err != nil {
					t.Error(err)
				} else if want, _ := f.Format.Hash(f.Document.Text); want != f.Hash {
					t.Error("hash and text are of different states")
				}
				snapshot.Close()
			}
		})
	}
	for v := range int32(500) {
		if err := s.Change(key, v+2, text.UTF16, []Change{insert(uint32(v), 0, "x")}); err != nil {
			t.Fatal(err)
		}
	}
	wg.Wait()
}

func TestStateOfABufferAgainstItsFile(t *testing.T) {
	const disk = "one\n"
	yes, no := true, false
	type expect struct{ dirty, diskChanged, unknown, lossy bool }
	cases := []struct {
		name string
		raw  string // the file when the document is opened
		text string // what the editor opened
		do   func(w *world, s *Store, key string)
		want expect
	}{
		{"as opened", disk, disk, nil, expect{}},
		{"typed", disk, disk, func(w *world, s *Store, key string) {
			_ = s.Change(key, 2, text.UTF16, []Change{insert(0, 0, "x")})
		}, expect{dirty: true}},
		{"typed and taken back", disk, disk, func(w *world, s *Store, key string) {
			_ = s.Change(key, 2, text.UTF16, []Change{insert(0, 0, "x")})
			_ = s.Change(key, 3, text.UTF16, []Change{{Range: &Range{End: at(0, 1)}}})
		}, expect{}},
		{"typed and saved", disk, disk, func(w *world, s *Store, key string) {
			_ = s.Change(key, 2, text.UTF16, []Change{insert(0, 0, "x")})
			_ = s.Save(key, w.saved("f.txt", "xone\n"))
		}, expect{}},
		{"file changed", disk, disk, func(w *world, s *Store, key string) {
			w.file(s, "f.txt", "")
			w.write("f.txt", []byte("other\n"))
		}, expect{diskChanged: true}},
		{"file changed before anybody looked", disk, disk, func(w *world, s *Store, key string) {
			w.write("f.txt", []byte("other!\n"))
		}, expect{dirty: true, diskChanged: true, unknown: true, lossy: true}},
		{"file changed before anybody looked, client tells", disk, disk, func(w *world, s *Store, key string) {
			_ = s.State(key, State{Version: 1, Dirty: &no, Format: &text.Format{Encoding: text.EncodingUTF8}, OnDisk: w.saved("f.txt", disk)})
			w.write("f.txt", []byte("other!\n"))
		}, expect{diskChanged: true}},
		{"saved, and file changed before anybody looked", disk, disk, func(w *world, s *Store, key string) {
			_ = s.Change(key, 2, text.UTF16, []Change{insert(0, 0, "x")})
			_ = s.Save(key, w.saved("f.txt", "xone\n"))
			w.write("f.txt", []byte("others\n"))
		}, expect{diskChanged: true, unknown: true, lossy: true}},
		{"file changed before anybody looked, client tells, and changed back while typing", disk, disk, func(w *world, s *Store, key string) {
			_ = s.State(key, State{Version: 1, Dirty: &no, Format: &text.Format{Encoding: text.EncodingUTF8}, OnDisk: w.saved("f.txt", disk)})
			w.write("f.txt", []byte("other!\n"))
			w.file(s, "f.txt", "")
			_ = s.Change(key, 2, text.UTF16, []Change{insert(0, 0, "x")})
			w.write("f.txt", []byte(disk))
		}, expect{dirty: true}},
		{"clean in another version", disk, disk, func(w *world, s *Store, key string) {
			_ = s.Change(key, 2, text.UTF16, []Change{insert(0, 0, "x")})
			_ = s.State(key, State{Version: 1, Dirty: &no, OnDisk: w.saved("f.txt", disk)})
		}, expect{dirty: true}},
		{"without a file, empty", "", "", withoutFile(nil), expect{}},
		{"without a file, typed", "", "x", withoutFile(nil), expect{dirty: true}},
		{"without a file, empty, file made by another", "", "", withoutFile(func(w *world) { w.write("f.txt", []byte("x\n")) }), expect{diskChanged: true}},
		{"without a file, typed, file made by another", "", "x", withoutFile(func(w *world) { w.write("f.txt", []byte("y\n")) }), expect{dirty: true, diskChanged: true}},
		{"diverged", disk, disk, func(w *world, s *Store, key string) {
			w.file(s, "f.txt", "")
			w.write("f.txt", []byte("other\n"))
			_ = s.Change(key, 2, text.UTF16, []Change{insert(0, 0, "x")})
		}, expect{dirty: true, diskChanged: true}},
		{"both changed to the same", disk, disk, func(w *world, s *Store, key string) {
			w.file(s, "f.txt", "")
			w.write("f.txt", []byte("xone\n"))
			_ = s.Change(key, 2, text.UTF16, []Change{insert(0, 0, "x")})
		}, expect{}},
		{"reloaded", disk, disk, func(w *world, s *Store, key string) {
			w.file(s, "f.txt", "")
			on := w.saved("f.txt", "other\n")
			_ = s.Change(key, 2, text.UTF16, []Change{{Text: "other\n"}})
			_ = s.State(key, State{Version: 2, Dirty: &no, OnDisk: on})
		}, expect{}},
		{"unsaved text restored at opening", disk, "restored\n", nil, expect{dirty: true, unknown: true, lossy: true}},
		{"unsaved text restored, client tells", disk, "restored\n", func(w *world, s *Store, key string) {
			_ = s.State(key, State{Version: 1, Dirty: &yes, Format: &text.Format{Encoding: text.EncodingUTF8}})
		}, expect{dirty: true}},
		{"file with a mark", "\uFEFFone\n", disk, nil, expect{}},
		{"file in Latin-1", "caf\xe9\n", "café\n", nil, expect{}},
		{"file in UTF-16", "\xff\xfea\x00\n\x00", "a\n", nil, expect{}},
		{"bytes that are no text", "bad \xff\xfe utf-8 \x81\n", "bad \uFFFD\uFFFD utf-8 \uFFFD\n", nil, expect{dirty: true, unknown: true, lossy: true}},
		{"character that the encoding lacks", "caf\xe9\n", "café\n", func(w *world, s *Store, key string) {
			w.file(s, "f.txt", "")
			_ = s.Change(key, 2, text.UTF16, []Change{insert(0, 0, "語")})
		}, expect{dirty: true, unknown: true, lossy: true}},
		{"file deleted", disk, disk, func(w *world, s *Store, key string) {
			w.file(s, "f.txt", "")
			os.Remove(filepath.Join(w.dir, "f.txt"))
		}, expect{diskChanged: true}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w, s := newWorld(t), NewStore()
			w.write("f.txt", []byte(c.raw))
			old := w.now.Add(-2 * time.Hour) // so that a later write shows in the times
			if err := os.Chtimes(filepath.Join(w.dir, "f.txt"), old, old); err != nil {
				t.Fatal(err)
			}
			key := w.open(s, "f.txt", c.text)
			if c.do != nil {
				c.do(w, s, key)
			}
			f := w.file(s, "f.txt", "")
			got := expect{f.Dirty, f.DiskChanged, f.Unknown, f.Lossy}
			if got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
			if !f.Unknown && !f.Dirty && !f.DiskChanged && f.DiskHash != nil && f.Hash != *f.DiskHash {
				t.Error("an unchanged buffer and its file have different hashes")
			}
		})
	}
}

// withoutFile opens the document anew, when it has no file, and then does more.
func withoutFile(then func(w *world)) func(w *world, s *Store, key string) {
	return func(w *world, s *Store, key string) {
		os.Remove(filepath.Join(w.dir, "f.txt"))
		w.open(s, "f.txt", s.Overlay().Get(key).Text.String())
		if then != nil {
			then(w)
		}
	}
}

// TestSavedWhereThereIsNoFile: a document whose file is gone right after it was
// saved keeps its encoding.
func TestSavedWhereThereIsNoFile(t *testing.T) {
	w, s := newWorld(t), NewStore()
	w.write("f.txt", []byte("caf\xe9\n"))
	key := w.open(s, "f.txt", "café\n")
	w.file(s, "f.txt", "")
	os.Remove(filepath.Join(w.dir, "f.txt"))
	if err := s.Save(key, Saved{}); err != nil {
		t.Fatal(err)
	}
	if f := w.file(s, "f.txt", ""); f.Hash != text.HashBytes([]byte("caf\xe9\n")) || f.Format.Encoding != text.EncodingWindows1252 {
		t.Errorf("as %v", f.Format)
	}
}

// TestWhatIsOlderThanAWholeTextTellsNothing: doubts and answers about a
// document that was opened anew since are about another text.
func TestWhatIsOlderThanAWholeTextTellsNothing(t *testing.T) {
	w, s := newWorld(t), NewStore()
	key := w.open(s, "f.txt", "one\n")
	first := s.Overlay().Get(key)
	if !s.MarkOutOfSync(first, "lost") || s.Overlay().Get(key).OutOfSync != "lost" {
		t.Fatal("a doubt does not count")
	}
	asked := s.Overlay().Get(key)
	w.open(s, "f.txt", "two\n")
	if s.MarkOutOfSync(first, "late") || s.Overlay().Get(key).OutOfSync != "" {
		t.Error("a doubt about an older text counts")
	}
	if !s.MarkOutOfSync(s.Overlay().Get(key), "lost again") {
		t.Fatal("a doubt does not count")
	}
	if !s.MarkOutOfSync(first, "late") || s.Overlay().Get(key).OutOfSync != "lost again" {
		t.Error("a late doubt does not tell that the document is unsure, or says why anew")
	}
	if s.Resync(asked, 9, text.UTF16, text.AnyLineEnd, "old\n") || s.Overlay().Get(key).Text.String() != "two\n" {
		t.Error("an answer about an older text counts")
	}
	if !s.Close(key) || s.MarkOutOfSync(first, "closed") {
		t.Error("a document that is closed")
	}
}

// TestTheQueueHoldsWhatItsLimitsSay, and not one change or byte more.
func TestTheQueueHoldsWhatItsLimitsSay(t *testing.T) {
	for _, more := range []bool{false, true} {
		w, s := newWorld(t), NewStore()
		key := w.open(s, "f.txt", "one\n")
		s.MarkOutOfSync(s.Overlay().Get(key), "lost")
		asked := s.Overlay().Get(key)
		whole := strings.Repeat("x", maxQueuedBytes/2)
		end := whole
		if more {
			end += "x"
		}
		_ = s.Change(key, 2, text.UTF16, []Change{insert(0, 0, whole)})
		_ = s.Change(key, 3, text.UTF16, []Change{insert(0, 0, end)})
		if s.Resync(asked, 1, text.UTF16, text.AnyLineEnd, "") == more {
			t.Errorf("bytes, one more: %v", more)
		}

		key = w.open(s, "g.txt", "one\n")
		s.MarkOutOfSync(s.Overlay().Get(key), "lost")
		asked = s.Overlay().Get(key)
		n := int32(maxQueuedChanges)
		if more {
			n++
		}
		for v := range n {
			_ = s.Change(key, v+2, text.UTF16, []Change{insert(0, 0, "x")})
		}
		if s.Resync(asked, 1, text.UTF16, text.AnyLineEnd, "") == more {
			t.Errorf("changes, one more: %v", more)
		}
	}
}

// TestWatchesAreApart: each sees until it is closed, whatever others do.
func TestWatchesAreApart(t *testing.T) {
	w, s := newWorld(t), NewStore()
	key := w.open(s, "f.txt", "0")
	first, _ := s.Watch(key)
	second, _ := s.Watch(key)
	first.Close()
	_ = s.Change(key, 2, text.UTF16, []Change{{Text: "1"}})
	if x, ok := second.Next(t.Context()); !ok || x.Text.String() != "1" {
		t.Errorf("the second sees %q, %v", x.Text.String(), ok)
	}
	if len(first.seen) != 0 {
		t.Error("a closed one still sees")
	}
	second.Close()
	if len(s.watches) != 0 {
		t.Error("nobody watches, and something is kept")
	}
}

func TestOneFileUnderTwoNamesIsOneDocument(t *testing.T) {
	w, s := newWorld(t), NewStore()
	w.write("target.txt", []byte("one\n"))
	if err := os.Symlink("target.txt", filepath.Join(w.dir, "link.txt")); err != nil {
		t.Fatal(err)
	}
	key := w.open(s, "link.txt", "one\n")
	_ = s.Change(key, 2, text.UTF16, []Change{insert(0, 0, "unsaved ")})
	if f := w.file(s, "target.txt", ""); f.Source != FromBuffer || f.Document.Key() != key {
		t.Errorf("the target is read from the %s", f.Source)
	}
}

func TestUntitledDocuments(t *testing.T) {
	w, s := newWorld(t), NewStore()
	p, err := w.gate.FromURI("untitled:Untitled-1")
	if err != nil {
		t.Fatal(err)
	}
	s.Open(Opening{URI: "untitled:Untitled-1", Path: p, Version: 1, Text: "é\n"})
	f, err := w.snapshot(s).File(t.Context(), p, "")
	if err != nil {
		t.Fatal(err)
	}
	if f.Hash != text.HashBytes([]byte("é\n")) || f.Unknown || f.Lossy || !f.Dirty {
		t.Errorf("%+v", f)
	}
}
