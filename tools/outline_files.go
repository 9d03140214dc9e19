package tools

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
)

// candidate is a file of a scope that may have symbols.
type candidate struct {
	rel  string // below its root
	path workspace.Path
	size int64
	at   int // in the scope's list; -1 for an open document
	open *buffers.Document
}

// candidates returns the files of a scope in languages that define something,
// in order; those with keys alone count too where keys is set. Paths of files
// that are not open are still to be made: see locate.
func (s *scope) candidates(env *Env, keys bool) []candidate {
	open := make(map[int]*buffers.Document)
	for _, d := range env.Snapshot.Overlay.Documents() {
		if i := s.files.Find(d.Path); i >= 0 {
			open[i] = d
		}
	}
	var all []candidate
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
	for i := s.start; i < s.end; i++ {
		e := &s.files.List[i]
		if d := open[i]; d != nil {
			if documentSuits(d, keys) {
				all = append(all, candidate{rel: e.Rel, path: d.Path, size: int64(d.Text.Len()), at: -1, open: d})
			}
		} else if suits(e.Rel) && e.ID.Size > 0 {
			all = append(all, candidate{rel: e.Rel, size: e.ID.Size, at: i})
		}
	}
	for _, e := range s.only {
		if documentSuits(e.document, keys) {
			all = append(all, candidate{rel: e.rel, path: e.document.Path, size: int64(e.document.Text.Len()), at: -1, open: e.document})
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
	t := typeOf(l)
	return t == typeSource || t == typeText && l.Name == "markdown" || t == typeConfig && keys
}

// locate makes the path of a candidate.
func (s *scope) locate(c *candidate) workspace.Path {
	if c.at >= 0 {
		c.path = s.files.Path(c.at)
	}
	return c.path
}

// filed is a file with its outline.
type filed struct {
	path    workspace.Path
	hash    string
	dirty   bool
	outline *outline.Outline
}

// outlines outlines candidates, several at a time. Those that cannot be read
// any more, or hold no text, stay nil.
func (s *scope) outlines(ctx context.Context, env *Env, list []candidate) ([]*filed, error) {
	out := make([]*filed, len(list))
	err := parallel.ForEach(ctx, runtime.GOMAXPROCS(0), len(list), func(ctx context.Context, i int) error {
		snapshot := env.Snapshot.Fork()
		defer snapshot.Close()
		f, err := snapshot.File(ctx, s.locate(&list[i]), "")
		if err != nil {
			return ctx.Err()
		}
		if holdsNoText(f) {
			return nil
		}
		var form textFormat
		if form.ContentType, form.Language = classify(f); form.noStructure() != "" {
			return nil
		}
		o, err := outlineOf(ctx, env, f)
		if err != nil {
			return ctx.Err()
		}
		out[i] = &filed{path: f.Path, hash: f.Hash.String(), dirty: f.Dirty, outline: o}
		return nil
	})
	return out, err
}

// isFolder tells whether a path argument names a folder, or everything.
func (e *Env) isFolder(ctx context.Context, arg string) (bool, error) {
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
		return !p.Untitled() && len(documentsBelow(e.Snapshot.Overlay.Documents(), prefix)) > 0, nil
	}
	return false, nil // whatever it is, it is told when the file is read
}
