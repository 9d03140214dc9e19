package workspace

import (
	"testing"
)

func benchGate(b *testing.B) (*Gate, Path) {
	dir := tree(b, map[string]string{"pkg/inner/file.go": "package inner\n"})
	g := gateOn(b, nil, dir)
	p, err := g.Resolve("pkg/inner/file.go", nil)
	must(b, err)
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
