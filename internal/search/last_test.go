package search

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// TestLast: the last hits are the end of all hits, whatever the text is read in.
func TestLast(t *testing.T) {
	f := newField(t)
	var b strings.Builder
	for i := range 400 {
		fmt.Fprintf(&b, "line %d%s\n", i, strings.Repeat(" needle", i%3))
	}
	f.write("a.log", text.Format{Encoding: text.EncodingUTF8}, b.String())
	f.write("b.log", text.Format{Encoding: text.EncodingUTF16LE, BOM: true}, strings.ReplaceAll(b.String(), "\n", "\r\n"))
	f.write("c.txt", text.Format{Encoding: text.EncodingUTF8}, "one needle")
	f.open("d.log", b.String()+strings.Repeat("long needle ", 5000)+"\nneedle")
	for _, indexed := range []bool{false, true} {
		s := f.searcher(indexed)
		for _, small := range []sizes{usualSizes, {whole: 100, piece: 64, part: 100, longest: 1 << 20, most: 1 << 20}} {
			s.sizes = small
			for _, pattern := range []Pattern{{Text: "needle"}, {Text: `needle\nline`, Multiline: true}, {Text: "^", Literal: false}, {Text: "no such"}} {
				m, err := Compile(pattern)
				must(t, err)
				all, err := s.Search(t.Context(), f.snapshot(), Request{Matcher: m, Max: 1 << 20})
				must(t, err)
				for _, n := range []int{1, 2, 7, 300, 1 << 19} {
					got, err := s.Search(t.Context(), f.snapshot(), Request{Matcher: m, Max: n, Last: true})
					must(t, err)
					want, more := theLast(all.Files, n)
					if !reflect.DeepEqual(placesOf(got.Files), want) || got.More != more {
						t.Fatalf("%v, the last %d of %q: more %v, %d hits, want %v, %d", small, n, pattern.Text, got.More, len(placesOf(got.Files)), more, len(want))
					}
				}
			}
		}
	}
}

func theLast(files []FileHits, n int) (places []string, more bool) {
	places = placesOf(files)
	if len(places) > n {
		return places[len(places)-n:], true
	}
	return places, false
}

func placesOf(files []FileHits) (places []string) {
	for _, f := range files {
		for _, h := range f.Hits {
			places = append(places, fmt.Sprint(f.Path.Rel, h))
		}
	}
	return places
}

// TestLastReadsTheEnd: what stands before the hits that are wanted is not read.
func TestLastReadsTheEnd(t *testing.T) {
	m, err := Compile(Pattern{Text: "needle"})
	must(t, err)
	c := &watched{Text: text.New(strings.Repeat("a needle\n", 10_000)), first: 1 << 30}
	s := scan{matcher: m, after: -1, keep: 3, ends: true, last: true}
	if _, err := s.whole(t.Context(), c, sizes{piece: 1000, longest: 1 << 20}, nil); err != nil || len(s.hits) < 3 {
		t.Fatalf("%d hits, %v", len(s.hits), err)
	}
	if c.first < c.Len()-3000 {
		t.Errorf("read from byte %d of %d on", c.first, c.Len())
	}
}

// watched is a text that knows where it was read.
type watched struct {
	text.Text
	first int
}

func (w *watched) Append(dst []byte, s text.Span) []byte {
	w.first = min(w.first, s.Start)
	return w.Text.Append(dst, s)
}
