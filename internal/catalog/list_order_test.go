package catalog

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// compareEntries is what sortEntries must agree with.
func compareEntries(a, b Entry) int {
	if a.Type != b.Type && (a.Type == Directory || b.Type == Directory) {
		if a.Type == Directory {
			return -1
		}
		return 1
	}
	return CompareNatural(a.Name, b.Name)
}

// TestSortEntries: many names that are nearly alike, against comparing each
// with each.
func TestSortEntries(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"a", "A", "b", "0", "00", "1", "9", "10", "007", "file", "File", ".", "-", "/", ":", "é", "É", "\u212a", "k", "\u200d", "\xff", "\x80", "\U0010ffff", "日本"}
	for range 300 {
		seen := make(map[string]bool)
		var entries []Entry
		front := []string{"", "file", "x0"}[r.IntN(3)]
		for range r.IntN(60) {
			name := front
			for range 1 + r.IntN(4) {
				name += pieces[r.IntN(len(pieces))]
			}
			if !seen[name] {
				seen[name] = true
				entries = append(entries, Entry{Name: name, Type: []Type{RegularFile, Directory, Symlink}[r.IntN(3)]})
			}
		}
		want := slices.Clone(entries)
		slices.SortStableFunc(want, compareEntries)
		if got := sortEntries(entries); !slices.Equal(got, want) {
			t.Fatalf("\ngot  %+q\nwant %+q", namesOf(got), namesOf(want))
		}
	}
}

func FuzzNaturalKey(f *testing.F) {
	f.Add("file10", "File9")
	f.Add("a01", "a1b")
	f.Add("\xff\x80", "é")
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a) > 1<<15 || len(b) > 1<<15 {
			t.Skip("no file has such a name")
		}
		x, y := Entry{Name: a}, Entry{Name: b}
		if got := sortEntries([]Entry{x, y}); compareEntries(got[0], got[1]) > 0 {
			t.Errorf("%q stands before %q", got[0].Name, got[1].Name)
		}
	})
}

func namesOf(entries []Entry) (names []string) {
	for _, e := range entries {
		names = append(names, string(e.Type)+" "+e.Name)
	}
	return names
}
