package buffers

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// meddled is a file to which something is done before a read of it.
type meddled struct {
	*os.File
	reads, at int
	do        func()
}

func (m *meddled) ReadAt(p []byte, off int64) (int, error) {
	if m.reads++; m.reads == m.at {
		m.do()
	}
	return m.File.ReadAt(p, off)
}

// TestWhatGrowsIsReadAsOpened: what is appended to a file after it was opened
// does not matter, neither to its facts nor to what is read of it.
func TestWhatGrowsIsReadAsOpened(t *testing.T) {
	body := bytes.Repeat([]byte("a line of a log, é\n"), 3*scanBytes/20)
	for name, tt := range map[string]struct {
		change func(t *testing.T, file string)
		fails  bool
	}{
		"appended to":            {func(t *testing.T, file string) { appendTo(t, file, "more\n") }, false},
		"touched":                {touch, false},
		"shortened":              {func(t *testing.T, file string) { must(t, os.Truncate(file, 100)) }, true},
		"rewritten":              {func(t *testing.T, file string) { must(t, overwrite(file, 5, "other")) }, true},
		"rewritten and appended": {func(t *testing.T, file string) { must(t, overwrite(file, 5, "other")); appendTo(t, file, "more\n") }, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.write("a.log", body)
			f := w.file(NewStore(), "a.log", "")
			tt.change(t, filepath.Join(w.dir, "a.log"))
			got := f.Content.Append(nil, text.Span{End: f.Content.Len()})
			switch err := f.Err(); {
			case tt.fails != IsChanged(err):
				t.Fatalf("what was read of it: %v", err)
			case !tt.fails && (!bytes.Equal(got, body) || f.Hash != text.HashBytes(body)):
				t.Error("it is not read as it was opened")
			}
		})
	}
}

// TestWhatGrowsIsScannedAsOpened: the same while the facts are being read.
func TestWhatGrowsIsScannedAsOpened(t *testing.T) {
	body := bytes.Repeat([]byte("a line of a log, é\n"), 3*scanBytes/20)
	for name, tt := range map[string]struct {
		change func(t *testing.T, file string)
		fails  bool
	}{
		"appended to": {func(t *testing.T, file string) { appendTo(t, file, "more\n") }, false},
		"shortened":   {func(t *testing.T, file string) { must(t, os.Truncate(file, 100)) }, true},
		"rewritten":   {func(t *testing.T, file string) { must(t, overwrite(file, 5, "other")); appendTo(t, file, "x") }, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.write("a.log", body)
			h, err := w.gate.Open(w.path("a.log"))
			must(t, err)
			defer h.Close()
			r := &meddled{File: h.File, at: 3, do: func() { tt.change(t, filepath.Join(w.dir, "a.log")) }}
			f, err := scan(t.Context(), r, h, "", true)
			switch {
			case tt.fails && !IsChanged(err):
				t.Errorf("%v", err)
			case !tt.fails && (err != nil || f.hash != text.HashBytes(body) || f.id != h.ID):
				t.Errorf("%v", err)
			}
		})
	}
}

// TestBinaryThatGrows: the bytes of what is no text are those of its hash.
func TestBinaryThatGrows(t *testing.T) {
	w := newWorld(t)
	w.write("a.bin", []byte("\x00\x01\x02\x03"))
	f := w.file(NewStore(), "a.bin", "")
	appendTo(t, filepath.Join(w.dir, "a.bin"), "more")
	if got, err := f.ReadRaw(nil, 0, 100); err != nil || string(got) != "\x00\x01\x02\x03" {
		t.Errorf("%q, %v", got, err)
	}
	must(t, overwrite(filepath.Join(w.dir, "a.bin"), 1, "x"))
	if _, err := f.ReadRaw(nil, 0, 100); !IsChanged(err) || fault.KindOf(err) != fault.IO {
		t.Errorf("rewritten: %v", err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func appendTo(t *testing.T, file, s string) {
	t.Helper()
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	defer f.Close()
	_, err = f.WriteString(s)
	must(t, err)
}

func overwrite(file string, at int64, s string) error {
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteAt([]byte(s), at)
	return err
}

func touch(t *testing.T, file string) {
	t.Helper()
	info, err := os.Stat(file)
	must(t, err)
	must(t, os.Chtimes(file, info.ModTime().Add(-1e9), info.ModTime().Add(-1e9)))
}
