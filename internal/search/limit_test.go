package search

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// TestMoreIsToldOfOneFile: a page that ends within a file says so, whatever
// the page's size.
func TestMoreIsToldOfOneFile(t *testing.T) {
	f := newField(t)
	f.write("a.txt", text.Format{Encoding: text.EncodingUTF8}, strings.Repeat("x\n", 100_050))
	m, err := Compile(Pattern{Text: "x"})
	must(t, err)
	snap := f.snapshot()
	defer snap.Close()
	a, err := f.searcher(false).Search(t.Context(), snap, Request{Matcher: m, Max: 100_000})
	must(t, err)
	if !a.More || len(a.Files) != 1 || len(a.Files[0].Hits) != 100_000 {
		t.Errorf("more %v, %d files", a.More, len(a.Files))
	}
}

// TestLongestLine: lines that are too long are passed over, and told of; those
// beside them are found, with their places.
func TestLongestLine(t *testing.T) {
	f := newField(t)
	long := strings.Repeat("needle ", 3000)
	for _, content := range []string{
		"needle 1\n" + long + "\nneedle 3\n", long + "\nx\nneedle 3\n", "needle 1\nx\n" + long,
		"needle 1\n" + strings.Repeat("x\n", 2000) + long + "\n" + long + "\nneedle 2004",
	} {
		f.write("a.txt", text.Format{Encoding: text.EncodingUTF8}, content)
		m, err := Compile(Pattern{Text: `^\w+ \d+$`})
		must(t, err)
		snap := f.snapshot()
		s := f.searcher(false)
		s.sizes = sizes{whole: 100, piece: 1 << 10, part: 4 << 10, longest: 8 << 10, most: 1 << 20}
		a, err := s.Search(t.Context(), snap, Request{Matcher: m, Max: 10})
		must(t, err)
		snap.Close()
		var want, got []string
		for i, line := range strings.Split(content, "\n") {
			if strings.HasPrefix(line, "needle ") && len(line) < 20 {
				want = append(want, fmt.Sprint(i+1, line))
			}
		}
		for _, h := range a.Files[0].Hits {
			got = append(got, fmt.Sprint(h.Line, h.Text))
		}
		if !slices.Equal(got, want) || len(a.Problems) != 1 {
			t.Errorf("%q, not %q; %v", got, want, a.Problems)
		}
	}
}

// TestLargeBinariesAreLeftOut: of a large file as much is read as shows that it
// is not for searching; what does not begin as a binary is named. Who names it
// gets its hits.
func TestLargeBinariesAreLeftOut(t *testing.T) {
	const text = "needle in a line\n"
	long := strings.Repeat(text, 5<<20/len(text))
	f := newField(t)
	files := map[string]struct {
		content string
		size    int64 // with a hole up to it, if that is more
		problem string
		hits    int // where it is named
	}{
		"begins.bin": {"\x00" + text, 2 << 30, "", 0},
		"dense.bin":  {"\x7fELF\x00" + long, 0, "", 0},
		"hole.txt":   {strings.Repeat(text, 4000), 8 << 20, "zero byte at 68000", 4000},
		"zero.txt":   {long[:1<<20] + "\x00\n" + long[1<<20:], 0, "zero byte at 1048576", strings.Count(long, text)},
		"small.txt":  {text + strings.Repeat("x", 9000) + "\n\x00" + text, 0, "", 2},
		"most.txt":   {long, usualSizes.most + 1, "over 268435456", -1},
		"plain.txt":  {long, 0, "", strings.Count(long, "\n")},
	}
	for name, file := range files {
		path := filepath.Join(f.dir, name)
		must(t, os.WriteFile(path, []byte(file.content), 0o600))
		if file.size > 0 {
			must(t, os.Truncate(path, file.size))
		}
	}
	m, err := Compile(Pattern{Text: "needle"})
	must(t, err)
	for _, indexed := range []bool{false, true} {
		s, snap := f.searcher(indexed), f.snapshot()
		a, err := s.Search(t.Context(), snap, Request{Matcher: m, Unit: Counts, Max: 100})
		must(t, err)
		found, problems := map[string]int{}, map[string]string{}
		for _, file := range a.Files {
			found[file.Path.Rel] = file.Count
		}
		for _, p := range a.Problems {
			problems[fault.From(p).Path] = fault.From(p).Message
		}
		for name, file := range files {
			if problem := problems[name]; (problem != "") != (file.problem != "") || !strings.Contains(problem, file.problem) {
				t.Errorf("index %v: %s has the problem %q, not %q", indexed, name, problem, file.problem)
			}
			want := file.hits
			if file.problem != "" {
				want = 0
			}
			if found[name] != want {
				t.Errorf("index %v: %s has %d hits, not %d", indexed, name, found[name], want)
			}
			if file.hits < 0 {
				continue // it takes long
			}
			path, err := f.gate.Resolve(name, func(string) bool { return false })
			must(t, err)
			a, err := s.Search(t.Context(), snap, Request{Matcher: m, Unit: Counts, Max: 100, Under: &path})
			must(t, err)
			got := 0
			for _, file := range a.Files {
				got = file.Count
			}
			if got != file.hits || len(a.Problems) > 0 {
				t.Errorf("index %v: %s, named, has %d hits, not %d; %v", indexed, name, got, file.hits, a.Problems)
			}
		}
		snap.Close()
	}
}

// TestGrowingFilesAreSearched: whatever is appended meanwhile, the hits and
// the hash are those of what stood there.
func TestGrowingFilesAreSearched(t *testing.T) {
	f := newField(t)
	f.write("a.log", text.Format{Encoding: text.EncodingUTF8}, strings.Repeat("needle in a line\n", 20_000))
	m, err := Compile(Pattern{Text: "needle"})
	must(t, err)
	stop := make(chan struct{})
	done := make(chan error)
	go func() {
		file, err := os.OpenFile(filepath.Join(f.dir, "a.log"), os.O_APPEND|os.O_WRONLY, 0)
		for err == nil {
			select {
			case <-stop:
				done <- file.Close()
				return
			default:
				_, err = file.WriteString("grown\n")
			}
		}
		done <- err
	}()
	s := f.searcher(false)
	for range 30 {
		snap := f.snapshot()
		a, err := s.Search(t.Context(), snap, Request{Matcher: m, Max: 10})
		must(t, err)
		if len(a.Problems) > 0 || len(a.Files) != 1 {
			t.Errorf("%d files, %v", len(a.Files), a.Problems)
			break
		}
		raw, err := os.ReadFile(filepath.Join(f.dir, "a.log"))
		must(t, err)
		if got := a.Files[0]; text.HashBytes(raw[:got.ID.Size]) != got.Hash {
			t.Error("the hash is not that of what stood there")
		}
		snap.Close()
	}
	close(stop)
	must(t, <-done)
}
