package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/catalog"
	"github.com/agent-lsp/agent-lsp/internal/parallel"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// field is a workspace with open documents, for searching.
type field struct {
	t     testing.TB
	dir   string
	gate  *workspace.Gate
	store *buffers.Store
	disk  *buffers.Disk
	texts map[string]string // what a search must see, by path; binaries lack
}

func newField(t testing.TB) *field {
	f := &field{t: t, dir: t.TempDir(), store: buffers.NewStore(), disk: buffers.NewDisk(time.Now), texts: map[string]string{}}
	var problems []error
	f.gate, problems = workspace.NewGate(nil, []workspace.Folder{{Path: f.dir}}, settings.Default())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return f
}

func (f *field) write(rel string, format text.Format, content string) {
	f.t.Helper()
	raw, err := format.Encode(text.New(content))
	must(f.t, err)
	path := filepath.Join(f.dir, rel)
	must(f.t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(f.t, os.WriteFile(path, raw, 0o600))
	f.texts[rel] = content
}

// open opens a document, over a file or where there is none.
func (f *field) open(rel, content string) {
	f.t.Helper()
	uri := workspace.FileURI(filepath.Join(f.dir, rel))
	p, err := f.gate.FromURI(uri)
	must(f.t, err)
	o := buffers.Opening{URI: uri, Path: p, Version: 1, Text: content}
	if h, err := f.gate.Open(p); err == nil {
		o.OnDisk, o.Real = h.ID, h.Real
		must(f.t, h.Close())
	}
	f.store.Open(o)
	f.texts[rel] = content
}

func (f *field) snapshot() *buffers.Snapshot {
	return buffers.NewSnapshot(f.store.Overlay(), f.gate, f.disk)
}

// searcher returns a searcher, with an index that holds all files or none.
func (f *field) searcher(indexed bool) *Searcher {
	cat := catalog.New()
	f.t.Cleanup(cat.Close)
	if !indexed {
		return New(cat, nil)
	}
	group := parallel.NewGroup(context.Background(), 2, 100, func(err error) { f.t.Error(err) })
	f.t.Cleanup(group.Wait)
	x := NewIndexer(nil, group.Go, func() time.Time { return time.Now().Add(time.Hour) })
	f.t.Cleanup(x.Close)
	files, err := cat.Files(context.Background(), f.gate)
	must(f.t, err)
	x.View(files)
	must(f.t, x.Wait(context.Background()))
	return New(cat, x)
}

// search returns all hits as "path:line:column:offset:text", by pages of max.
func (f *field) search(s *Searcher, r Request, max int) (found []string) {
	f.t.Helper()
	for {
		r.Max = max
		snap := f.snapshot()
		a, err := s.Search(context.Background(), snap, r)
		snap.Close()
		must(f.t, err)
		if len(a.Problems) > 0 {
			f.t.Fatal(a.Problems)
		}
		for _, file := range a.Files {
			for _, h := range file.Hits {
				found = append(found, fmt.Sprintf("%s:%d:%d:%d:%s", file.Path.Rel, h.Line, h.Column, h.Offset, h.Text))
			}
			if file.Document == nil {
				f.checkHash(&file)
			}
		}
		if !a.More {
			return found
		}
		r.After = a.Next
	}
}

func (f *field) checkHash(file *FileHits) {
	f.t.Helper()
	raw, err := os.ReadFile(file.Path.Abs)
	must(f.t, err)
	if file.Hash != text.HashBytes(raw) {
		f.t.Errorf("%s: the hash is not that of the file", file.Path.Rel)
	}
}

// naive finds the same by looking at every line of every text.
func (f *field) naive(re *regexp.Regexp) (found []string) {
	paths := make([]string, 0, len(f.texts))
	for rel := range f.texts {
		paths = append(paths, rel)
	}
	slices.SortFunc(paths, catalog.ComparePaths)
	for _, rel := range paths {
		rest, at := []byte(f.texts[rel]), 0
		for line := 1; len(rest) > 0; line++ {
			n := text.LineLen(rest)
			body := strings.TrimRight(string(rest[:n]), "\r\n")
			if loc := re.FindStringIndex(body); loc != nil {
				found = append(found, fmt.Sprintf("%s:%d:%d:%d:%s", rel, line, loc[0]+1, at+loc[0], body))
			}
			rest, at = rest[n:], at+n
		}
	}
	return found
}

// randomField fills a field with texts of all sorts.
func randomField(t testing.TB, r *rand.Rand) *field {
	f := newField(t)
	formats := []text.Format{
		{Encoding: text.EncodingUTF8}, {Encoding: text.EncodingUTF8}, {Encoding: text.EncodingUTF8, BOM: true},
		{Encoding: text.EncodingUTF16LE, BOM: true},
	}
	for i := range 60 {
		rel := fmt.Sprintf("%s%02d.txt", []string{"", "a/", "a/b/", "a-b/"}[r.IntN(4)], i)
		f.write(rel, formats[r.IntN(len(formats))], randomLines(r, r.IntN(100)))
	}
	f.write("large.txt", text.Format{Encoding: text.EncodingUTF8}, randomLines(r, 2000))
	f.write("a/opened.txt", text.Format{Encoding: text.EncodingUTF8}, "needle on disk\n")
	f.open("a/opened.txt", randomLines(r, 50))
	f.open("a/unborn.txt", randomLines(r, 50))
	f.open("large-unborn.txt", randomLines(r, 2000))
	binary := filepath.Join(f.dir, "binary.dat")
	must(t, os.WriteFile(binary, []byte("needle\x00\n"), 0o600))
	return f
}

func randomLines(r *rand.Rand, n int) string {
	words := []string{"needle", "Needle", "hay", "stack", "é", "语", "x1", "42", "func f()", "  ", "end"}
	ends := []string{"\n", "\n", "\n", "\r\n", "\r"}
	end := ends[r.IntN(len(ends))]
	mixed := r.IntN(4) == 0
	var b strings.Builder
	for range n {
		for range r.IntN(6) {
			w := words[r.IntN(len(words))]
			if w == "needle" && r.IntN(20) > 0 {
				w = "noodle"
			}
			b.WriteString(w + " ")
		}
		if mixed {
			end = ends[r.IntN(len(ends))]
		}
		b.WriteString(end)
	}
	if r.IntN(2) == 0 {
		b.WriteString("needle without an end")
	}
	return b.String()
}

func TestSearchFindsWhatIsThere(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	f := randomField(t, r)
	for _, indexed := range []bool{false, true} {
		s := f.searcher(indexed)
		s.sizes = sizes{whole: 8 << 10, piece: 1 << 10, part: 4 << 10, longest: maxMultiline, most: 1 << 20}
		for _, pattern := range []string{`needle`, `^needle`, `needle\b.*end$`, `é|语`, `x\d hay`, `n..dle 42`, `nowhere`} {
			m, err := Compile(Pattern{Text: pattern, Case: CaseSensitive})
			must(t, err)
			want := f.naive(regexp.MustCompile(pattern))
			for _, page := range []int{1 << 30, 1 + len(want)/3, 1 + len(want)/50} {
				got := f.search(s, Request{Matcher: m}, page)
				if !slices.Equal(got, want) {
					i := 0
					for i < min(len(got), len(want)) && got[i] == want[i] {
						i++
					}
					t.Fatalf("%q, indexed %v, pages of %d: %d hits, want %d; hit %d is %q, want %q", pattern, indexed, page,
						len(got), len(want), i, at(got, i), at(want, i))
				}
			}
		}
	}
}

func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return "none"
}

// TestSearchSeesChangesAtOnce: files written after they were indexed are found
// by what they hold now.
func TestSearchSeesChangesAtOnce(t *testing.T) {
	f := newField(t)
	plain := text.Format{Encoding: text.EncodingUTF8}
	for i := range 50 {
		f.write(fmt.Sprintf("%02d.txt", i), plain, fmt.Sprintf("old text %d\n", i))
	}
	s := f.searcher(true)
	m, err := Compile(Pattern{Text: "fresh"})
	must(t, err)
	for i := range 50 {
		f.write(fmt.Sprintf("%02d.txt", i), plain, fmt.Sprintf("fresh text %d\n", i))
		if got := f.search(s, Request{Matcher: m}, 1000); len(got) != i+1 {
			t.Fatalf("after %d changes %d are found", i+1, len(got))
		}
	}
}

// TestSearchEndsWithItsContext: a search under way stops soon.
func TestSearchEndsWithItsContext(t *testing.T) {
	f := randomField(t, rand.New(rand.NewPCG(1, 2)))
	s := f.searcher(false)
	m, err := Compile(Pattern{Text: `(n|o){1,50}d.*(x|y){1,100}z`})
	must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	snap := f.snapshot()
	defer snap.Close()
	if _, err := s.Search(ctx, snap, Request{Matcher: m, Max: 10}); err == nil {
		t.Error("a cancelled search has an answer")
	}
}
