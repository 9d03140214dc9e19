package workspace

import (
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
)

func benchGate(b *testing.B) (*Gate, Path) {
	dir := disktest.Tree(b, map[string]string{"pkg/inner/file.go": "package inner\n"})
	g := gateOn(b, nil, dir)
	p, err := g.Resolve("pkg/inner/file.go", nil)
	disktest.Must(b, err)
	return g, p
}

func BenchmarkResolve(b *testing.B) {
	g, _ := benchGate(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := g.Resolve("pkg/inner/file.go", nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOpen(b *testing.B) {
	g, p := benchGate(b)
	b.ReportAllocs()
	for b.Loop() {
		h, err := g.Open(p)
		if err != nil {
			b.Fatal(err)
		}
		h.Close()
	}
}

func BenchmarkStat(b *testing.B) {
	g, p := benchGate(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := g.Stat(p); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheckRead(b *testing.B) {
	g, p := benchGate(b)
	b.ReportAllocs()
	for b.Loop() {
		if err := g.CheckRead(p); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheckWrite(b *testing.B) {
	g, p := benchGate(b)
	b.ReportAllocs()
	for b.Loop() {
		if err := g.CheckWrite(p); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkHidden(b *testing.B) {
	g, _ := benchGate(b)
	b.ReportAllocs()
	for b.Loop() {
		at := g.roots[0].placeAt("pkg/inner/file.go")
		if _, ok := g.policy.hidden(at); ok {
			b.Fatal("hidden")
		}
	}
}

// warmGate is benchGate once nothing in its folder is new.
func warmGate(b *testing.B) (*Gate, Path) {
	g, p := benchGate(b)
	time.Sleep(80 * time.Millisecond)
	return g, p
}

// BenchmarkGateHidden is the whole policy for one path at depth 3, ignore
// files on disk included.
func BenchmarkGateHidden(b *testing.B) {
	g, _ := warmGate(b)
	at := g.roots[0].placeAt("pkg/inner/file.go")
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := g.hidden(at); ok {
			b.Fatal("hidden")
		}
	}
}

// BenchmarkGateHiddenByFiles is the same below two agents' ignore files.
func BenchmarkGateHiddenByFiles(b *testing.B) {
	g, _ := warmGate(b)
	disktest.Plant(b, g.roots[0].Path, ".agentignore", "*.sql\n/secret/\nbuild/\nprivate/**\n")
	disktest.Plant(b, g.roots[0].Path, "pkg/.cursorignore", "*.key\n")
	time.Sleep(80 * time.Millisecond)
	at := g.roots[0].placeAt("pkg/inner/file.go")
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := g.hidden(at); ok {
			b.Fatal("hidden")
		}
	}
}
