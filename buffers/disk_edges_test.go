package buffers

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// TestBytesThatAreNoTextReadAsDecoded: what cannot be decoded is replaced at
// the same places however the file is cut into blocks, at its end too.
func TestBytesThatAreNoTextReadAsDecoded(t *testing.T) {
	for _, tt := range []struct {
		forced text.Encoding
		unit   string // repeated
		end    string
	}{
		{text.EncodingUTF8, "abc\xff語\r\n", "\xe8\xaa"},
		{text.EncodingUTF16LE, "a\x00\r\x00\n\x00\x00\xd8", "b"},
		{text.EncodingUTF16LE, "a\x00\r\x00", "\x3d\xd8"},
		{text.EncodingUTF16LE, "\x00\xd8\r\x00", ""}, // half a pair, then a CR where a block would end
		{text.EncodingUTF32LE, "a\x00\x00\x00\r\x00\x00\x00\xff\xff\xff\xff", "a\x00\x00"},
		{text.EncodingShiftJIS, "a\x81\r\n\xff", "\x81"},
	} {
		for _, size := range []int{1, 100, blockBytes, blockBytes + 3, scanBytes + blockBytes + 1} {
			raw := append(bytes.Repeat([]byte(tt.unit), 1+size/len(tt.unit)), tt.end...)
			want, _, _ := text.Format{Encoding: tt.forced}.NewDecoder().Append(nil, raw, true)
			w := newWorld(t)
			w.write("f.txt", raw)
			f := w.file(NewStore(), "f.txt", tt.forced)
			got := f.Content.Append(nil, text.Span{End: f.Content.Len()})
			if !bytes.Equal(got, want) || !f.Lossy {
				t.Errorf("%s, %d bytes: %d bytes of text, want %d, the same before %d", tt.forced, len(raw), len(got), len(want), len(commonPrefix(got, want)))
			}
			// In parts, block by block.
			for o := 0; o < len(want); o += blockBytes / 3 {
				end := min(len(want), o+100)
				if part := f.Content.Append(nil, text.Span{Start: o, End: end}); !bytes.Equal(part, want[o:end]) {
					t.Fatalf("%s, %d bytes: the part at %d is %q, want %q", tt.forced, len(raw), o, part, want[o:end])
				}
			}
			if err := f.Err(); err != nil {
				t.Error(err)
			}
		}
	}
}

func commonPrefix(a, b []byte) []byte {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return a[:n]
}

// TestBinaryFiles: they have a hash and bytes, but no text, unless an encoding
// is named.
func TestBinaryFiles(t *testing.T) {
	w := newWorld(t)
	raw := bytes.Repeat([]byte("\x00\x01\xff\xfe\x7f"), scanBytes) // several reads
	w.write("f.bin", raw)
	f := w.file(NewStore(), "f.bin", "")
	if !f.Binary || f.Content != nil || f.Hash != sha256.Sum256(raw) || f.Magic != string(raw[:magicBytes]) || f.OutOfSync() != "" || f.Err() != nil {
		t.Errorf("binary %v, magic %q, right hash %v", f.Binary, f.Magic, f.Hash == sha256.Sum256(raw))
	}
	for _, tt := range []struct{ off, n, from, to int }{{0, 3, 0, 3}, {7, 100, 7, 107}, {len(raw) - 2, 9, len(raw) - 2, len(raw)}, {len(raw) + 5, 9, 0, 0}} {
		got, err := f.ReadRaw([]byte("before"), int64(tt.off), tt.n)
		if err != nil || string(got) != "before"+string(raw[tt.from:tt.to]) {
			t.Errorf("%d bytes from %d: %d bytes, %v", tt.n, tt.off, len(got), err)
		}
	}
	if f := w.file(NewStore(), "f.bin", text.EncodingLatin1); f.Binary || f.Content.Len() == 0 {
		t.Error("with its encoding named, it counts as binary")
	}
	w.write("f.bin", append(raw[:10:10], 'x'))
	if got, err := f.ReadRaw([]byte("before"), 0, 3); !IsChanged(err) || string(got) != "before" {
		t.Errorf("rewritten: %q, %v", got, err)
	}
	f.handle.File.Close()
	if got, err := f.ReadRaw([]byte("before"), 0, 3); !errors.Is(err, os.ErrClosed) || string(got) != "before" {
		t.Errorf("unreadable: %q, %v", got, err)
	}
}

// TestAFileThatChangesBetweenOpeningAndReading is neither served nor kept.
func TestAFileThatChangesBetweenOpeningAndReading(t *testing.T) {
	for name, other := range map[string]string{"the same length": "other", "shorter": "x", "empty": ""} {
		w := newWorld(t)
		w.write("f.txt", []byte("first"))
		old := w.now.Add(-2 * time.Hour)
		if err := os.Chtimes(filepath.Join(w.dir, "f.txt"), old, old); err != nil {
			t.Fatal(err)
		}
		h, err := w.gate.Open(w.path("f.txt"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { h.Close() })
		w.write("f.txt", []byte(other))
		s := w.snapshot(NewStore())
		key := diskKey{h.ID.Dev, h.ID.Ino, ""}
		if _, done := w.disk.lookUp(key, h.ID); done != nil {
			t.Fatal("somebody else reads it")
		}
		w.disk.finish(key, nil)
		if f := w.file(NewStore(), "f.txt", ""); f.Hash != sha256.Sum256([]byte(other)) {
			t.Errorf("%s: the old text is served", name)
		}
		if _, known := s.disk.knownHash(h.ID); known {
			t.Errorf("%s: the hash of a state that nobody saw is known", name)
		}
	}
	if IsChanged(fault.New(fault.IO, "another")) || IsChanged(nil) || !IsChanged(fmt.Errorf("in %w", errChanged)) {
		t.Error("IsChanged is not about changed files")
	}
	p := make([]byte, 4)
	if err := readAt(strings.NewReader("abc"), p, 0); !IsChanged(err) {
		t.Errorf("a file that ends early: %v", err)
	}
}

// TestFilesThatTurnToRubbish: what is read of a file that was rewritten in
// place is bounded, whatever stands there now, and Err tells.
func TestFilesThatTurnToRubbish(t *testing.T) {
	for _, line := range []string{"one line\r\n", "old mac\r", "unix\n"} {
		for _, rubbish := range []string{"\x80", "\r", "\n", "\r\n"} {
			w := newWorld(t)
			raw := bytes.Repeat([]byte(line), 2*blockBytes/len(line))
			w.write("f.txt", raw)
			f := w.file(NewStore(), "f.txt", "")
			c := f.Content
			lines := c.Lines()
			w.write("f.txt", bytes.Repeat([]byte(rubbish), len(raw)/len(rubbish)))
			for o := range 20 {
				if got := c.FloorChar(o); got < 0 || got > o {
					t.Fatalf("%q, %q: FloorChar(%d) = %d", line, rubbish, o, got)
				}
				c.LineAt(blockBytes + o)
			}
			for n := lines - 5; n <= lines; n++ {
				if got := c.LineStart(n); got < 0 || got > c.Len() {
					t.Fatalf("%q, %q: LineStart(%d) = %d", line, rubbish, n, got)
				}
			}
			if !IsChanged(f.Err()) {
				t.Fatalf("%v", f.Err())
			}
		}
	}
}

// TestTheFirstFailureStays: what cannot be read is zero bytes, and Err tells
// the first reason, not what follows from it.
func TestTheFirstFailureStays(t *testing.T) {
	w := newWorld(t)
	w.write("f.txt", []byte("some text\n"))
	f := w.file(NewStore(), "f.txt", "")
	f.handle.File.Close()
	if got := f.Content.Append(nil, text.Span{End: 4}); string(got) != "\x00\x00\x00\x00" {
		t.Errorf("reads %q", got)
	}
	f.disk.fail(errChanged)
	if err := f.Err(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("says %v", err)
	}
}

// TestFactsAreStable: facts are kept when a write that came now would show.
func TestFactsAreStable(t *testing.T) {
	const second, ms = int64(time.Second), int64(time.Millisecond)
	for _, tt := range []struct {
		mtime, ctime, now int64
		want              bool
	}{
		{5*second + 1, 5*second + 1, 5*second + 1 + 20*ms, false},
		{5*second + 1, 5*second + 1, 5*second + 2 + 20*ms, true},
		{5 * second, 5*second + 1, 5*second + 2 + 20*ms, true}, // only one is whole by chance
		{4*second + 1, 5 * second, 5*second + 1 + 20*ms, true},
		{5 * second, 5 * second, 7 * second, false}, // whole seconds are counted
		{5 * second, 5 * second, 7*second + 1, true},
		{5 * second, 6 * second, 7*second + 1, false}, // the later one counts
		{9 * second, 5 * second, 7*second + 1, false},
	} {
		d := NewDisk(func() time.Time { return time.Unix(0, tt.now) })
		if got := d.stable(fsys.ID{Mtime: tt.mtime, Ctime: tt.ctime}); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}

// TestHashOf: a file is read for its hash once in each of its states, however
// many others were asked for in between.
func TestHashOf(t *testing.T) {
	w := newWorld(t)
	s := w.snapshot(NewStore())
	reads := 0
	hashOf := func(id fsys.ID, content string) text.Hash {
		h, err := s.HashOf(id, func() ([]byte, error) { reads++; return []byte(content), nil })
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	first := fsys.ID{Dev: 1, Ino: 2, Size: 3, Mtime: 4, Ctime: 5}
	for range 3 {
		if hashOf(first, "one") != text.HashBytes([]byte("one")) || reads != 1 {
			t.Fatalf("read %d times, or another hash", reads)
		}
	}
	changed := first
	changed.Mtime++
	if hashOf(changed, "two") != text.HashBytes([]byte("two")) || reads != 2 {
		t.Errorf("a changed file: %d reads, or the old hash", reads)
	}
	// What is asked for now and then outlasts many others, and they go.
	for i := range uint64(3 * hashesKept) {
		hashOf(fsys.ID{Dev: 7, Ino: i}, "x")
		if i%1000 == 0 {
			hashOf(changed, "two")
		}
		if n := len(w.disk.hashes.young) + len(w.disk.hashes.old); n > 2*hashesKept {
			t.Fatalf("%d hashes are kept", n)
		}
	}
	if reads != 2+3*hashesKept {
		t.Errorf("%d reads, want %d", reads, 2+3*hashesKept)
	}
	if hashOf(fsys.ID{Dev: 7, Ino: 0}, "x"); reads != 3+3*hashesKept {
		t.Error("a hash that nobody asked for was not forgotten")
	}
	broken := errors.New("broken")
	if _, err := s.HashOf(fsys.ID{Dev: 9}, func() ([]byte, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}

	// What was read as a text is known already, while it is the same.
	w.write("f.txt", []byte("text\n"))
	f := w.file(NewStore(), "f.txt", "")
	reads = 0
	if hashOf(f.ID, "never read") != f.Hash || reads != 0 {
		t.Error("the hash of a file that was read is not known")
	}
	other := f.ID
	other.Ctime++
	if hashOf(other, "anew") == f.Hash || reads != 1 {
		t.Error("the hash of a file that changed is taken for known")
	}
}
