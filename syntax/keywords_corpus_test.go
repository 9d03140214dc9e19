package syntax

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

func TestMeasureH6(t *testing.T) {
	dirs, _ := os.ReadDir("../testdata/corpus")
	for _, d := range dirs {
		marked, _ := filepath.Glob(filepath.Join("../testdata/corpus", d.Name(), "*.symbols"))
		want, have, right, rightKind, rightEnd, rightCont, invented := 0, 0, 0, 0, 0, 0, 0
		var missing, inv, ends []string
		for _, mk := range marked {
			if strings.Contains(mk, "modern") {
				continue
			}
			file := strings.TrimSuffix(mk, ".symbols")
			src, _ := os.ReadFile(file)
			l := Detect(file, src)
			type sym struct{ line, end, kind, cont string }
			all := map[string][]sym{}
			b, _ := os.ReadFile(mk)
			for _, line := range strings.Split(string(b), "\n") {
				f := append(strings.Split(line, "\t"), "", "")
				if len(f) < 5 {
					continue
				}
				k, _ := ParseKind(f[1])
				a, e, _ := strings.Cut(f[0], "-")
				all[f[2]] = append(all[f[2]], sym{a, e, f[1], f[3]})
				if k.IsFunction() || k.IsType() || k == Module || k == Namespace || k == String {
					want++
				}
			}
			for _, x := range keywordDefinitions(l, src, text.Span{End: len(src)}) {
				strong := x.Kind.IsFunction() || x.Kind.IsType() || x.Kind == Module || x.Kind == Namespace || x.Kind == String
				start, end := 1+strings.Count(string(src[:x.Span.Start]), "\n"), 1+strings.Count(string(src[:x.Span.End]), "\n")
				hit := -1
				for i, s := range all[x.Name] {
					if s.line == strconv.Itoa(start) {
						hit = i
					}
				}
				if hit < 0 {
					if strong {
						have++
						invented++
						inv = append(inv, fmt.Sprintf("%s:%d-%d %s %s", filepath.Base(file), start, end, x.Kind, x.Name))
					}
					continue
				}
				s := all[x.Name][hit]
				k, _ := ParseKind(s.kind)
				if !(k.IsFunction() || k.IsType() || k == Module || k == Namespace || k == String) {
					continue
				}
				have++
				right++
				all[x.Name] = append(all[x.Name][:hit:hit], all[x.Name][hit+1:]...)
				if s.kind == x.Kind.String() {
					rightKind++
				} else {
					ends = append(ends, fmt.Sprintf("%d %s: %s not %s", start, x.Name, x.Kind, s.kind))
				}
				if s.end == strconv.Itoa(end) {
					rightEnd++
				} else {
					ends = append(ends, fmt.Sprintf("%s %d-%d not %s", x.Name, start, end, s.end))
				}
				if s.cont == x.Container {
					rightCont++
				} else {
					ends = append(ends, fmt.Sprintf("%s %d in %q not %q", x.Name, start, x.Container, s.cont))
				}
			}
			for n, ss := range all {
				for _, s := range ss {
					k, _ := ParseKind(s.kind)
					if k.IsFunction() || k.IsType() || k == Module || k == Namespace || k == String {
						missing = append(missing, fmt.Sprintf("%s:%s-%s %s %s", filepath.Base(file), s.line, s.end, s.kind, n))
					}
				}
			}
		}
		sort.Strings(missing)
		fmt.Printf("%-16s want %3d found %3d kind %3d end %3d container %3d invented %d\n", d.Name(), want, right, rightKind, rightEnd, rightCont, invented)
		if os.Getenv("SHOW") == d.Name() {
			fmt.Println("missing:\n ", strings.Join(missing, "\n  "))
			fmt.Println("invented:\n ", strings.Join(inv, "\n  "))
			fmt.Println("differ:\n ", strings.Join(ends, "\n  "))
		}
	}
}
