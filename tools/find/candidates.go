package find

import (
	"context"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/parallel"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/outline"
	"github.com/agent-lsp/agent-lsp/syntax"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// Candidate is a file of a scope that may have symbols.
type Candidate struct {
	Rel  string // below its root
	path workspace.Path
	Size int64
	At   int // in the scope's list; -1 for an open document
	open *buffers.Document
}

// Candidates returns the files of a scope in languages that define something,
// in order; those with keys alone count too where keys is set. Paths of files
// that are not open are still to be made: see locate.
func (s *Scope) Candidates(env *toolcall.Env, keys bool) []Candidate {
	open := make(map[int]*buffers.Document)
	for _, d := range env.Snapshot.Overlay.Documents() {
		if i := s.Files.Find(d.Path); i >= 0 {
			open[i] = d
		}
	}
	var all []Candidate
	kinds := make(map[string]bool) // by the end of the name: most names share one
	suits := func(rel string) bool {
		name := rel[strings.LastIndexByte(rel, '/')+1:]
		end := path.Ext(name)
		if end == "" || end == ".h" {
			return definesSomething(name, keys)
		}
		known, ok := kinds[end]
		if !ok {
			known = definesSomething("x"+end, keys)
			kinds[end] = known
		}
		return known && !strings.Contains(name, ".min.")
	}
	for i := s.Start; i < s.End; i++ {
		e := &s.Files.List[i]
		if d := open[i]; d != nil {
			if documentSuits(d, keys) {
				all = append(all, Candidate{Rel: e.Rel, path: d.Path, Size: int64(d.Text.Len()), At: -1, open: d})
			}
		} else if suits(e.Rel) && e.ID.Size > 0 {
			all = append(all, Candidate{Rel: e.Rel, Size: e.ID.Size, At: i})
		}
	}
	for _, e := range s.EditorOnly {
		if documentSuits(e.Document, keys) {
			all = append(all, Candidate{Rel: e.Rel, path: e.Document.Path, Size: int64(e.Document.Text.Len()), At: -1, open: e.Document})
		}
	}
	return all
}

func definesSomething(name string, keys bool) bool {
	return languageDefines(syntax.Choose("", name, nil), keys)
}

func documentSuits(d *buffers.Document, keys bool) bool {
	head := d.Text.Append(nil, text.Span{End: min(d.Text.Len(), syntax.HeadBytes)})
	return languageDefines(syntax.Choose(d.LanguageID, path.Base(d.Path.Rel), head), keys)
}

func languageDefines(l *syntax.Language, keys bool) bool {
	if l == nil {
		return false
	}
	t := toolcall.TypeOf(l)
	return t == toolcall.TypeSource || t == toolcall.TypeText && l.Name == "markdown" || t == toolcall.TypeConfig && keys
}

// locate makes the path of a candidate.
func (s *Scope) locate(c *Candidate) workspace.Path {
	if c.At >= 0 {
		c.path = s.Files.Path(c.At)
	}
	return c.path
}

// File is a file with its outline.
type File struct {
	Path    workspace.Path
	Hash    string
	Dirty   bool
	Outline *outline.Outline
}

// Outlines outlines candidates, several at a time. Those that cannot be read
// any more, or hold no text, stay nil.
func (s *Scope) Outlines(ctx context.Context, env *toolcall.Env, list []Candidate) ([]*File, error) {
	out := make([]*File, len(list))
	err := parallel.ForEach(ctx, runtime.GOMAXPROCS(0), len(list), func(ctx context.Context, i int) error {
		snapshot := env.Snapshot.Fork()
		defer snapshot.Close()
		f, err := snapshot.File(ctx, s.locate(&list[i]), "")
		if err != nil {
			return ctx.Err()
		}
		if toolcall.HoldsNoText(f) {
			return nil
		}
		var form toolcall.TextFormat
		if form.ContentType, form.Language = toolcall.Classify(f); form.NoStructure() != "" {
			return nil
		}
		o, err := toolcall.OutlineOf(ctx, env, f)
		if err != nil {
			return ctx.Err()
		}
		out[i] = &File{Path: f.Path, Hash: f.Hash.String(), Dirty: f.Dirty, Outline: o}
		return nil
	})
	return out, err
}

// IsFolder reports whether a path argument names a folder, or everything.
func IsFolder(ctx context.Context, e *toolcall.Env, arg string) (bool, error) {
	if arg == "" || filepath.Clean(arg) == "." {
		return true, nil
	}
	p, err := e.Snapshot.Resolve(arg)
	if err != nil {
		return false, err
	}
	_, err = e.Snapshot.File(ctx, p, "")
	switch fault.KindOf(err) {
	case fault.IsDirectory:
		return true, nil
	case fault.NotFound:
		prefix := p.Abs + string(filepath.Separator)
		return !p.Untitled() && len(toolcall.DocumentsBelow(e.Snapshot.Overlay.Documents(), prefix)) > 0, nil
	}
	return false, nil // whatever it is, it is told when the file is read
}
