package tools

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/pathmatch"
	"github.com/agent-lsp/agent-lsp/tools/find"
	"github.com/agent-lsp/agent-lsp/tools/fuzzy"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// How many files an answer of find_files holds.
const (
	defaultGlobbed = 100
	// defaultFound is less: of what matches words the best is meant.
	defaultFound = 30
	maxFound     = 1000
	// plainlyMeant is how many files may have all words in their names for no
	// others to be meant. mostShown is how many a model is shown at most by default.
	plainlyMeant = 5
	mostShown    = 10
)

// What is added to the score of a file that has all words, as they are, in its
// path, and of one that has them in its name.
const (
	inPath = 1 << 31
	inName = 1 << 32
)

var findFiles = tool[findInput, *findOutput]{
	name: "find_files",
	doc: `Find files by name: by glob ("*.go" at any depth, "src/**/*.{ts,tsx}" below the root; newest first), ` +
		`or words matched loosely ("user serv" finds src/UserService.ts; best first; 'exact ^start end$ !not). ` +
		`Ignored and hidden files are not found.`,
	about:    aboutFolder("pattern"),
	terminal: Terminal{Arguments: []string{"pattern", "path"}},
	run:      runFindFiles,
}

type findInput struct {
	Pattern        string  `json:"pattern" jsonschema:"A glob, when it holds one of * ? [ {: without a slash it is held against names, with one against paths below the root; after a ! all others are found. Else words, all of which must match."`
	Path           string  `json:"path,omitempty" brief:"only below it" jsonschema:"Only below this folder."`
	Limit          *uint64 `json:"limit,omitempty" jsonschema:"How many files to show at most; the default is 100 for a glob; for words what is plainly meant, else 10."`
	IncludeIgnored bool    `json:"include_ignored,omitempty" jsonschema:"Find what ignore files and hidden names leave out, too."`
}

// findOutput is what find_files gives.
type findOutput struct {
	Files []foundFile `json:"files" jsonschema:"Of a glob the newest first, of words the best first."`
	Total int         `json:"total" jsonschema:"How many files match."`
	More  bool        `json:"more,omitzero" jsonschema:"Some are not shown: narrow the pattern, or raise limit."`
	Notes []string    `json:"notes,omitempty"`

	asked findInput
	glob  bool
	shown int // how many a model is shown
}

type foundFile struct {
	Path     string `json:"path"`
	Size     int64  `json:"size"`
	Modified string `json:"modified,omitempty"`
	Open     bool   `json:"open,omitzero" jsonschema:"The editor has it open."`
	Dirty    bool   `json:"dirty,omitzero" jsonschema:"The editor has unsaved changes of it."`
	Unsaved  bool   `json:"unsaved,omitzero" jsonschema:"It exists in the editor only."`
}

func runFindFiles(ctx context.Context, env *toolcall.Env, in findInput) (*findOutput, error) {
	if strings.TrimSpace(in.Pattern) == "" {
		return nil, fault.New(fault.InvalidParams, `"pattern" is empty`).Advise(`Give a glob like "*.go", or a part of the name; list_directory shows a folder.`)
	}
	glob, most := pathmatch.IsGlob(in.Pattern), defaultFound
	if glob {
		most = defaultGlobbed
	}
	keep, notes := toolcall.CountOf("limit", in.Limit, most, maxFound)
	s, err := find.NewScope(ctx, env, in.Path, in.IncludeIgnored)
	if err != nil {
		return nil, err
	}
	out := &findOutput{asked: in, glob: glob, Notes: append(notes, s.Problems()...)}
	f := finding{scope: s, keep: keep}
	if out.glob {
		err = f.byGlob(ctx, in.Pattern, out)
	} else {
		err = f.byWords(ctx, in.Pattern, out)
	}
	if err != nil {
		return nil, err
	}
	out.Total, out.Files = f.total, make([]foundFile, len(f.best.items))
	out.More = len(out.Files) < out.Total
	out.shown = len(out.Files)
	if !glob && toolcall.NonZero(in.Limit) == nil {
		out.shown = f.worthShowing()
	}
	for n, hit := range f.best.items {
		out.Files[n] = found(ctx, s, env, hit.index)
	}
	return out, nil
}

func (f *finding) byGlob(ctx context.Context, pattern string, out *findOutput) error {
	asked, not := strings.CutPrefix(pattern, "!")
	g, err := pathmatch.CompileGlob(asked)
	if err != nil {
		return err
	}
	err = f.run(ctx, 0, func(rel string, i int) (int64, bool) {
		below := f.scope.Below(rel)
		ok := g.Match(rel) || rel == pattern || len(below) < len(rel) && (g.Match(below) || below == pattern) ||
			rel[strings.LastIndexByte(rel, '/')+1:] == pattern // "[id].tsx" is a name too
		return f.scope.ModTime(i), ok != not
	})
	if f.total == 0 && strings.ContainsAny(pattern, `\$^|(+`) {
		out.Notes = append(out.Notes, `The pattern is a glob, not a regular expression: "*.go", not ".*\\.go$".`)
	}
	return err
}

func (f *finding) byWords(ctx context.Context, pattern string, out *findOutput) error {
	f.short = true
	for _, anyCase := range []bool{false, true} {
		p := fuzzy.Parse(pattern, anyCase)
		if len(p) == 0 {
			return fault.New(fault.InvalidParams, `"pattern" %q has no word to look for`, wording.Shortened(pattern)).
				Advise("Of ! ' ^ $ alone nothing is found; give a part of the name.")
		}
		err := f.run(ctx, p.Mask(), func(rel string, _ int) (int64, bool) {
			path := f.scope.Below(rel)
			base := strings.LastIndexByte(path, '/') + 1
			score, ok := p.Score(path, base)
			switch {
			case !ok:
				return 0, false
			case p.StandIn(path[base:]):
				return int64(score) + inName, true
			case p.StandIn(path):
				return int64(score) + inPath, true
			}
			return int64(score), true
		})
		if err != nil {
			return err
		}
		if f.total > 0 && anyCase {
			out.Notes = append(out.Notes, "Nothing matches in this case; these match in any.")
		}
		if f.total > 0 || strings.ToLower(pattern) == pattern {
			return nil
		}
	}
	return nil
}

// worthShowing returns how many of the best files are enough for who did not
// say how many: few where names tell which are meant.
func (f *finding) worthShowing() int {
	named := 0
	for _, h := range f.best.items {
		if h.score >= inName {
			named++
		}
	}
	most := mostShown
	if named > 0 && named <= plainlyMeant {
		most = named
	}
	return min(most, len(f.best.items))
}

// found describes the i-th file of a scope.
func found(ctx context.Context, s *find.Scope, env *toolcall.Env, i int) foundFile {
	if n := i - len(s.Files.List); n >= 0 {
		d := s.EditorOnly[n].Document
		return foundFile{Path: d.Path.Rel, Size: int64(d.Text.Len()), Open: true, Unsaved: true}
	}
	e, p := &s.Files.List[i], s.Files.Path(i)
	f := foundFile{Path: p.Rel, Size: e.ID.Size, Modified: time.Unix(0, e.ID.Mtime).UTC().Format(time.RFC3339)}
	if d := env.Snapshot.Overlay.Get(p.Key()); d != nil {
		f.Open, f.Dirty = true, env.IsDirty(ctx, d)
	}
	return f
}

func (o *findOutput) Render(toolcall.ShowHash) toolcall.Rendering {
	var b strings.Builder
	counted := wording.Plural(o.Total, "file", "files")
	var said []string
	if o.Total == 0 || o.shown == o.Total && o.Total > fewResults {
		said = append(said, counted)
	}
	if o.Total == 0 && !o.asked.IncludeIgnored {
		said = append(said, "ignored and hidden files need include_ignored")
	}
	for _, n := range o.Notes {
		said = append(said, "note: "+n)
	}
	for _, f := range o.Files[:o.shown] {
		b.WriteString(wording.OneLine(f.Path))
		if marks := toolcall.OpenMarks(f.Open, f.Dirty, f.Unsaved); marks != "" {
			b.WriteString("  " + marks)
		}
		b.WriteByte('\n')
	}
	if more := o.Total - o.shown; more > 0 {
		fmt.Fprintf(&b, "… %d more\n", more)
	}
	return toolcall.Rendering{Header: strings.Join(said, "; "), Summary: counted, After: strings.TrimSuffix(b.String(), "\n")}
}
