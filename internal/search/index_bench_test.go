package search

import (
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/catalog"
)

func benchDisk(b *testing.B) (*disk, *catalog.Files) {
	d := &disk{t: b, cache: openCache(b, b.TempDir())}
	d.open(librarySource(b))
	return d, d.list()
}

func BenchmarkBuild(b *testing.B) {
	d, files := benchDisk(b)
	for b.Loop() {
		d.cache = openCache(b, b.TempDir())
		x := d.indexer()
		built(b, x, files)
		b.StopTimer()
		s := x.State()
		b.ReportMetric(100*float64(s.DiskBytes)/float64(s.TextBytes), "%text")
		b.ReportMetric(float64(s.TextBytes)/1e6, "MB-text")
		b.ReportMetric(float64(s.HeapBytes)/1e6, "MB-heap")
		b.SetBytes(s.TextBytes)
		x.Close()
		b.StartTimer()
	}
}

func BenchmarkOpenSaved(b *testing.B) {
	d, files := benchDisk(b)
	built(b, d.indexer(), files)
	for b.Loop() {
		x := d.indexer()
		if n := len(x.View(files).Unindexed(files)); n > 100 { // policy keeps some from being read
			b.Fatal(n, "files are unindexed")
		}
		x.Close()
	}
}

func BenchmarkRelate(b *testing.B) {
	d, files := benchDisk(b)
	v := built(b, d.indexer(), files)
	for b.Loop() {
		v.relate(files)
	}
	b.ReportMetric(float64(len(files.List)), "files")
}

func BenchmarkCandidates(b *testing.B) {
	d, files := benchDisk(b)
	v := built(b, d.indexer(), files)
	for _, c := range []struct {
		name     string
		required [][]Literal
		perFile  bool
	}{
		{"rare", [][]Literal{literals("findrunnable")}, false},
		{"capitals", [][]Literal{literals("EPROTONOSUPPORT")}, false},
		{"common", [][]Literal{literals("context.Context")}, false},
		{"folded", [][]Literal{{{"deadline exceeded", true}}}, false},
		{"choice", [][]Literal{literals("ErrNotExist", "ErrInvalid", "ErrClosed")}, false},
		{"two", [][]Literal{literals("func ("), literals(") Read")}, false},
		{"anchored", [][]Literal{literals("\ntype "), literals(" struct")}, false},
		{"nothing", [][]Literal{literals("XyzzyPlugh")}, false},
		{"lines", [][]Literal{literals("if err != nil {\n"), literals("\n\t\treturn err\n")}, true},
		{"word", [][]Literal{literals("err")}, false},
	} {
		b.Run(c.name, func(b *testing.B) {
			n, bytes := 0, int64(0)
			for b.Loop() {
				n, bytes = 0, 0
				err := v.Candidates(b.Context(), files, c.required, c.perFile, func(i int, blocks []Block) bool {
					n++
					for _, k := range blocks {
						bytes += k.End - k.Start
					}
					if blocks == nil {
						bytes += files.List[i].ID.Size
					}
					return true
				})
				must(b, err)
			}
			b.ReportMetric(float64(n), "files")
			b.ReportMetric(float64(bytes)/1e6, "MB")
		})
	}
}
