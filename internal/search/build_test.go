package search

import (
	"fmt"
	"strings"
	"testing"
)

// TestLongFiles: files of several windows, with lines, characters and line
// ends that windows cut in two.
func TestLongFiles(t *testing.T) {
	contents := map[string]string{
		"characters": strings.Repeat("日本語\n", 150_000) + "needle one",
		"a line":     strings.Repeat("é", 1_500_000) + "needle two\nnext",
	}
	for cut := range 4 { // places of the line end around a window's end
		for name, end := range map[string]string{"cr": "\r", "crlf": "\r\n", "lf": "\n", "crs": "\r\r"} {
			contents[fmt.Sprint(name, cut)] = strings.Repeat("x", windowBytes-cut) + end + "needle three" + end + strings.Repeat("y", windowBytes) + end
		}
	}
	d := newDisk(t, contents)
	files := d.list()
	v := built(t, d.indexer(), files)
	truths := truthsOf(files, contents)
	for i, f := range files.List {
		for _, p := range v.of(files).parts {
			for n, place := range p.place {
				if int(place) == i && p.kind(n) != plain {
					t.Errorf("%s is of kind %d", f.Rel, p.kind(n))
				}
			}
		}
	}
	for _, l := range []string{"needle one\n", "\nneedle three\n", "yyy\n", "本語\n", "\nnext\n"} {
		checkLines(t, v, files, truths, [][]Literal{literals(l)})
	}
	if got := len(candidates(t, v, files, [][]Literal{literals("needle three")}, false)); got != 16 {
		t.Errorf("%d candidates", got)
	}
	if got := names(files, candidates(t, v, files, [][]Literal{literals("needle two")}, false)); got != "a line" {
		t.Errorf("candidates %s", got)
	}
}

// TestKindsOfFiles: what is known about files that are not plain UTF-8.
func TestKindsOfFiles(t *testing.T) {
	german := "Es grünt so grün, wenn Spaniens Blüten blühen.\n"
	latin := strings.NewReplacer("ü", "\xfc").Replace(german)
	d := newDisk(t, map[string]string{
		"plain":       german,
		"marked":      "\xef\xbb\xbf" + german,
		"latin":       latin,
		"large latin": strings.Repeat(latin, maxGuessed/len(latin)+1),
		"late latin":  strings.Repeat("x\n", windowBytes) + latin,
		"damaged":     strings.Repeat(german, maxGuessed/len(german)+1) + "\xff",
		"zero":        "\x00" + german,
		"nothing":     "",
	})
	files := d.list()
	v := built(t, d.indexer(), files)
	got := map[string]kind{}
	for _, p := range v.of(files).parts {
		for n, place := range p.place {
			if place >= 0 {
				got[files.List[place].Rel] = p.kind(n)
			}
		}
	}
	want := map[string]kind{
		"plain": plain, "marked": decoded, "latin": decoded, "large latin": opaque,
		"late latin": opaque, "damaged": opaque, "zero": binary_, "nothing": plain,
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("kinds %v, want %v", got, want)
	}
	for _, c := range []struct{ literal, want string }{
		{"Blüten", "damaged large latin late latin latin marked plain"},
		{"absent", "damaged large latin late latin"},
	} {
		all := candidates(t, v, files, [][]Literal{literals(c.literal)}, false)
		if got := names(files, all); got != c.want {
			t.Errorf("%s: candidates %s, want %s", c.literal, got, c.want)
		}
		for i, blocks := range all {
			if (blocks != nil) != (files.List[i].Rel == "plain") {
				t.Errorf("%s has blocks %v", files.List[i].Rel, blocks)
			}
		}
	}
}
