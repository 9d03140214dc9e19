package buffers

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// world is a workspace folder with the parts that look at it.
type world struct {
	t    *testing.T
	dir  string
	gate *workspace.Gate
	disk *Disk
	now  time.Time
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir(), now: time.Now().Add(time.Hour)}
	gate, problems := workspace.NewGate(nil, []workspace.Folder{{Name: "root", Path: w.dir}}, settings.Default())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	w.gate = gate
	w.disk = NewDisk(func() time.Time { return w.now })
	return w
}

func (w *world) write(name string, raw []byte) {
	w.t.Helper()
	if err := os.WriteFile(filepath.Join(w.dir, name), raw, 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) path(name string) workspace.Path {
	w.t.Helper()
	p, err := w.gate.Resolve(name, func(string) bool { return false })
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

func (w *world) snapshot(s *Store) *Snapshot {
	snapshot := NewSnapshot(s.Overlay(), w.gate, w.disk)
	w.t.Cleanup(snapshot.Close)
	return snapshot
}

func (w *world) file(s *Store, name string, forced text.Encoding) *File {
	w.t.Helper()
	f, err := w.snapshot(s).File(w.t.Context(), w.path(name), forced)
	if err != nil {
		w.t.Fatal(err)
	}
	return f
}

// randomText is heavy in what is hard: line ends of all kinds and characters
// of all lengths, with runs of plain text between.
func randomText(r *rand.Rand, bytes int, alphabet []string) string {
	return textWithRuns(r, bytes, bytes/40, alphabet)
}

// textWithRuns is randomText with runs of at most 12 times run bytes.
func textWithRuns(r *rand.Rand, bytes, run int, alphabet []string) string {
	var b strings.Builder
	for b.Len() < bytes {
		if r.IntN(40) == 0 {
			b.WriteString(strings.Repeat("plain text. ", r.IntN(1+run)))
		}
		b.WriteString(alphabet[r.IntN(len(alphabet))])
	}
	return b.String()
}

func TestDiskTextIsTheTextOfItsBytes(t *testing.T) {
	wide := []string{"\n", "\r\n", "\r", "a", "b", "é", "語", "😀", "\r\r\n"}
	narrow := []string{"\n", "\r\n", "\r", "a", "b", "é", "ü"}
	formats := []struct {
		format   text.Format
		forced   text.Encoding
		alphabet []string
	}{
		{text.Format{Encoding: text.EncodingUTF8}, "", wide},
		{text.Format{Encoding: text.EncodingUTF8}, "", []string{"x", "line\n", "longer line\n"}},
		{text.Format{Encoding: text.EncodingUTF8, BOM: true}, "", wide},
		{text.Format{Encoding: text.EncodingUTF16LE, BOM: true}, "", wide},
		{text.Format{Encoding: text.EncodingUTF16BE, BOM: true}, "", wide},
		{text.Format{Encoding: text.EncodingUTF32LE, BOM: true}, "", wide},
		{text.Format{Encoding: text.EncodingWindows1252}, text.EncodingWindows1252, narrow},
		{text.Format{Encoding: text.EncodingShiftJIS}, text.EncodingShiftJIS, []string{"\n", "\r\n", "a", "語", "表", "ソ"}},
		{text.Format{Encoding: text.EncodingGB18030}, text.EncodingGB18030, []string{"\n", "\r\n", "a", "语", "😀", "é"}},
	}
	for _, f := range formats {
		for _, size := range []int{0, 1, 10, 1000, blockBytes - 1, blockBytes, blockBytes + 1, 3 * scanBytes} {
			t.Run(fmt.Sprintf("%s bom=%v %d", f.format.Encoding, f.format.BOM, size), func(t *testing.T) {
				r := rand.New(rand.NewPCG(1, uint64(size)))
				checkDiskText(t, r, text.New(randomText(r, size, f.alphabet)), f.format, f.forced)
			})
		}
		t.Run(fmt.Sprintf("%s bom=%v dense", f.format.Encoding, f.format.BOM), func(t *testing.T) {
			r := rand.New(rand.NewPCG(2, 0))
			checkDiskText(t, r, text.New(textWithRuns(r, scanBytes+5*blockBytes, 2, f.alphabet)), f.format, f.forced)
		})
	}
}

func checkDiskText(t *testing.T, r *rand.Rand, want text.Text, format text.Format, forced text.Encoding) {
	raw, err := format.Encode(want)
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	w.write("f.txt", raw)
	f := w.file(NewStore(), "f.txt", forced)
	if f.Binary || f.Lossy || f.Format != format {
		t.Fatalf("read as %+v, binary %v, lossy %v", f.Format, f.Binary, f.Lossy)
	}
	if f.Hash != sha256.Sum256(raw) {
		t.Error("the hash is not that of the bytes")
	}
	if f.EOL != want.EOL() || f.FinalNewline != want.FinalNewline() {
		t.Errorf("line ends %v, final %v; want %v, %v", f.EOL, f.FinalNewline, want.EOL(), want.FinalNewline())
	}
	c := f.Content
	if c.Len() != want.Len() || c.Lines() != want.Lines() {
		t.Fatalf("%d bytes, %d lines; want %d, %d", c.Len(), c.Lines(), want.Len(), want.Lines())
	}
	if got := c.Append(nil, text.Span{End: c.Len()}); string(got) != want.String() {
		t.Fatal("the whole text differs")
	}
	offsets := []text.Offset{0, 1, want.Len()} // and around the places where blocks join
	for _, p := range f.disk.facts.index.points {
		offsets = append(offsets, max(0, p.text-1), p.text, p.text+1)
	}
	for i := range 200 + len(offsets) {
		o, line := r.IntN(want.Len()+2), want.Lines()+1-i
		if i < len(offsets) {
			o = offsets[i]
		}
		if line < 0 || i > 3 {
			line = r.IntN(want.Lines() + 2)
		}
		end := min(want.Len(), o+r.IntN(2*blockBytes))
		if got, want := c.LineAt(o), want.LineAt(o); got != want {
			t.Fatalf("LineAt(%d) = %d, want %d", o, got, want)
		}
		if got, want := c.LineStart(line), want.LineStart(line); got != want {
			t.Fatalf("LineStart(%d) = %d, want %d", line, got, want)
		}
		if got, want := c.FloorChar(o), want.FloorChar(o); got != want {
			t.Fatalf("FloorChar(%d) = %d, want %d", o, got, want)
		}
		if got, want := c.Append(nil, text.Span{Start: o, End: end}), want.Slice(text.Span{Start: min(o, want.Len()), End: max(o, end)}); o <= end && string(got) != want {
			t.Fatalf("Append [%d,%d) differs", o, end)
		}
	}
	if err := f.Err(); err != nil {
		t.Fatal(err)
	}
}

func TestBytesThatAreNotUTF8AreDetected(t *testing.T) {
	w := newWorld(t)
	raw := append([]byte(strings.Repeat("all ASCII\n", 50_000)), "caf\xe9 cr\xe8me\n"...)
	w.write("late.txt", raw)
	f := w.file(NewStore(), "late.txt", "")
	if !f.Detected || f.Lossy || !strings.HasSuffix(string(f.Content.Append(nil, text.Span{End: f.Content.Len()})), "café crème\n") {
		t.Errorf("read as %v, detected %v, lossy %v", f.Format, f.Detected, f.Lossy)
	}
	if f.Hash != sha256.Sum256(raw) {
		t.Error("the hash is not that of the bytes")
	}
	f = w.file(NewStore(), "late.txt", text.EncodingUTF8)
	if !f.Lossy || f.Detected {
		t.Errorf("forced to UTF-8: lossy %v, detected %v", f.Lossy, f.Detected)
	}
}

// TestBytesEarlyOnThatAreNotUTF8: reading goes on for the hash alone, and all
// of the text is in the encoding that is then detected.
func TestBytesEarlyOnThatAreNotUTF8(t *testing.T) {
	w := newWorld(t)
	ascii := strings.Repeat("all ASCII\n", sniffBytes/5)
	raw := []byte(ascii + "caf\xe9 cr\xe8me\n" + strings.Repeat(ascii, 3*scanBytes/len(ascii)))
	w.write("early.txt", raw)
	f := w.file(NewStore(), "early.txt", "")
	got := string(f.Content.Append(nil, text.Span{End: f.Content.Len()}))
	if want := strings.NewReplacer("\xe9", "é", "\xe8", "è").Replace(string(raw)); !f.Detected || f.Lossy || got != want {
		t.Errorf("read as %v, detected %v, lossy %v", f.Format, f.Detected, f.Lossy)
	}
	if f.Hash != sha256.Sum256(raw) {
		t.Error("the hash is not that of the bytes")
	}
}

func TestFactsAreKeptWhileTheFileIsTheSame(t *testing.T) {
	w := newWorld(t)
	w.write("f.txt", []byte("one\n"))
	first := w.file(NewStore(), "f.txt", "")
	second := w.file(NewStore(), "f.txt", "")
	if first.disk.facts != second.disk.facts {
		t.Error("the file was scanned twice")
	}
	w.write("f.txt", []byte("two\n"))
	if third := w.file(NewStore(), "f.txt", ""); third.Hash == first.Hash {
		t.Error("a changed file has the old hash")
	}
}

func TestFactsOfAFreshFileAreNotTrusted(t *testing.T) {
	w := newWorld(t)
	w.now = time.Now().Add(-time.Hour) // as if the file was written in this very tick
	w.write("f.txt", []byte("one\n"))
	first := w.file(NewStore(), "f.txt", "")
	second := w.file(NewStore(), "f.txt", "")
	if first.disk.facts == second.disk.facts {
		t.Error("facts were kept though a write in the same tick could not be told")
	}
}

func TestFactsStayWithinTheirBudget(t *testing.T) {
	w := newWorld(t)
	long := bytes.Repeat([]byte("x\n"), blockBytes) // 2 blocks
	for i := range 40 {
		name := fmt.Sprintf("f%d.txt", i)
		w.write(name, long)
		w.file(NewStore(), name, "")
	}
	each := w.disk.recent.Front().Value.(*keptFacts).size()
	if w.disk.bytes != 40*each {
		t.Fatalf("40 files of %d bytes of facts count as %d", each, w.disk.bytes)
	}
	w.disk.bytes = diskBudget - each // as if there were many more
	w.write("full.txt", long)
	w.file(NewStore(), "full.txt", "")
	if n := w.disk.recent.Len(); n != 41 {
		t.Errorf("%d of 41 files are kept within the budget", n)
	}
	w.disk.bytes += diskBudget
	w.write("more.txt", long)
	w.file(NewStore(), "more.txt", "")
	if n := w.disk.recent.Len(); n != 1 {
		t.Errorf("%d files are kept over the budget", n)
	}
}

func TestAFileThatShrinksWhileReadIsAnError(t *testing.T) {
	w := newWorld(t)
	w.write("f.txt", bytes.Repeat([]byte("0123456789\n"), 100_000))
	f := w.file(NewStore(), "f.txt", "")
	if err := os.Truncate(filepath.Join(w.dir, "f.txt"), 10); err != nil {
		t.Fatal(err)
	}
	f.Content.LineStart(90_000)
	f.Content.Append(nil, text.Span{Start: 500_000, End: 600_000})
	if err := f.Err(); fault.KindOf(err) != fault.IO {
		t.Errorf("got %v", err)
	}
}

func TestCancelledScanEndsAndLeavesNothing(t *testing.T) {
	w := newWorld(t)
	w.write("f.txt", bytes.Repeat([]byte("0123456789\n"), 100_000))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := w.snapshot(NewStore())
	if _, err := s.File(ctx, w.path("f.txt"), ""); fault.KindOf(err) != fault.Cancelled {
		t.Fatalf("got %v", err)
	}
	if len(w.disk.reading) > 0 || len(w.disk.kept) > 0 {
		t.Error("a cancelled scan left something behind")
	}
	w.file(NewStore(), "f.txt", "")
}
