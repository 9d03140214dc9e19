package catalog

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/gatetest"
	"github.com/agent-lsp/agent-lsp/internal/parallel"
)

// bigTree makes 4,000 folders with 25,000 files of some kilobytes.
func bigTree(tb testing.TB) string {
	tb.Helper()
	dir, err := filepath.EvalSymlinks(tb.TempDir())
	disktest.Must(tb, err)
	text := bytes.Repeat([]byte("some words of a text\n"), 240)
	for i := range 4000 {
		at := filepath.Join(dir, fmt.Sprintf("group%02d/part%d/folder%d", i%40, i%400/40, i))
		disktest.Must(tb, os.MkdirAll(at, 0o755))
		for j := range 6 + (i%4+1)/4 {
			disktest.Must(tb, os.WriteFile(filepath.Join(at, fmt.Sprintf("file_%d_of_it.go", j)), text[:(i*37+j*911)%len(text)], 0o600))
		}
	}
	return dir
}

// BenchmarkFiles measures lists of 25,000 files.
func BenchmarkFiles(b *testing.B) {
	dir := bigTree(b)
	g := gatetest.New(b, nil, dir)
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			c := New()
			listFiles(b, c, g)
			b.StopTimer()
			c.Close()
			b.StartTimer()
		}
	})
	b.Run("first, not watched", func(b *testing.B) {
		for b.Loop() {
			listFiles(b, New(WithoutWatching()), g)
		}
	})
	c := New()
	defer c.Close()
	f := listFiles(b, c, g)
	b.Logf("%+v", c.State())
	b.Run("nothing changed", func(b *testing.B) {
		for b.Loop() {
			if listFiles(b, c, g) != f {
				b.Fatal("another list")
			}
		}
	})
	b.Run("one file changed", func(b *testing.B) {
		p, n := f.Path(12345), 0
		for b.Loop() {
			b.StopTimer()
			n++
			disktest.Must(b, os.WriteFile(p.Abs, make([]byte, n%100), 0o600))
			c.Touched(p)
			b.StartTimer()
			listFiles(b, c, g)
		}
	})
	b.Run("restart", func(b *testing.B) {
		// The folders are old enough by now for their times to be trusted.
		first := New(WithoutWatching())
		listFiles(b, first, g)
		saved := first.Save(dir)
		b.Logf("%d bytes", len(saved))
		for b.Loop() {
			c := New()
			c.Load(saved)
			listFiles(b, c, g)
			b.StopTimer()
			c.Close()
			b.StartTimer()
		}
	})
	b.Run("save", func(b *testing.B) {
		for b.Loop() {
			c.Save(dir)
		}
	})
	b.Run("comparing times", func(b *testing.B) {
		c := New(WithoutWatching())
		listFiles(b, c, g)
		for b.Loop() {
			listFiles(b, c, g)
		}
	})
}

// BenchmarkReader reads 25,000 files in the order of the list.
func BenchmarkReader(b *testing.B) {
	g := gatetest.New(b, nil, bigTree(b))
	c := New(WithoutWatching())
	f := listFiles(b, c, g)
	read := func(r *Reader, buf []byte, i int) {
		id, err := r.Open(i)
		disktest.Must(b, err)
		_, err = r.ReadAt(buf[:id.Size], 0)
		disktest.Must(b, err)
	}
	b.Run("one", func(b *testing.B) {
		b.ReportAllocs()
		r, buf, i := f.NewReader(), make([]byte, 1<<20), 0
		defer r.Close()
		for b.Loop() {
			read(r, buf, i%len(f.List))
			i++
		}
	})
	b.Run("all, in parallel", func(b *testing.B) {
		for b.Loop() {
			workers := runtime.GOMAXPROCS(0)
			disktest.Must(b, parallel.ForEach(b.Context(), workers, workers, func(_ context.Context, w int) error {
				r, buf := f.NewReader(), make([]byte, 1<<20)
				defer r.Close()
				for i := len(f.List) * w / workers; i < len(f.List)*(w+1)/workers; i++ {
					read(r, buf, i)
				}
				return nil
			}))
		}
	})
}

// BenchmarkList lists a folder of 5,000 files.
func BenchmarkList(b *testing.B) {
	dir := disktest.Tree(b, nil)
	for i := range 5000 {
		disktest.Must(b, os.WriteFile(filepath.Join(dir, fmt.Sprintf("File%d.go", i)), nil, 0o600))
	}
	g := gatetest.New(b, nil, dir)
	p, err := g.Resolve(".", nil)
	disktest.Must(b, err)
	b.Run("cold", func(b *testing.B) {
		for b.Loop() {
			_, err := New(WithoutWatching()).List(b.Context(), g, p)
			disktest.Must(b, err)
		}
	})
	b.Run("watched", func(b *testing.B) {
		c := New()
		defer c.Close()
		for b.Loop() {
			_, err := c.List(b.Context(), g, p)
			disktest.Must(b, err)
		}
	})
}
