package find

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/catalog"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/tools/fuzzy"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// Scope is the files that a call is about.
type Scope struct {
	Files      *catalog.Files
	listed     bool   // files are the catalog's list
	Start, End int    // of the list
	Folder     string // its path as shown, "" for all roots
	prefix     string // of the paths below it, with the slash; a walk through a link leads elsewhere
	EditorOnly []editorFile
	Masks      *fuzzy.PathMasks
}

// editorFile is an open document without a file.
type editorFile struct {
	Document *buffers.Document
	Rel      string
}

// NewScope returns the files below a folder, or of all roots: with the ignored
// ones, if all.
func NewScope(ctx context.Context, env *toolcall.Env, path string, all bool) (*Scope, error) {
	gate := env.Snapshot.Gate
	if path == "" || path == "." {
		return NewRootScope(ctx, env, all)
	}
	p, err := env.Snapshot.Resolve(path)
	if err != nil {
		return nil, err
	}
	s := &Scope{listed: true, Masks: env.Paths, Folder: p.Rel}
	if s.Files, err = env.Catalog.Files(ctx, gate); err != nil {
		return nil, err
	}
	root, rel, ok := s.Files.Place(p)
	if ok {
		s.prefix = s.Files.Base(root)
	}
	if rel != "" {
		s.prefix += rel + "/"
	}
	s.Start, s.End = s.Files.Below(p)
	s.addEditorFiles(env, p, all)
	isFile := s.End == s.Start+1 && s.Files.List[s.Start].Rel == rel
	if s.Start < s.End && !all && !isFile {
		return s, nil
	}
	_, err = env.Catalog.List(ctx, gate, p)
	switch {
	case fault.KindOf(err) == fault.NotFound && len(s.EditorOnly) > 0:
		return s, nil
	case err != nil:
		return nil, err
	}
	// The folder itself is ignored, has no files, or its ignored ones count.
	s.Files, err = env.Catalog.Walk(ctx, gate, p, all)
	if err != nil {
		return nil, err
	}
	s.Start, s.End, s.listed, s.Masks = 0, len(s.Files.List), false, nil
	return s, nil
}

// NewRootScope returns the files of all roots: with the ignored ones, if all.
func NewRootScope(ctx context.Context, env *toolcall.Env, all bool) (*Scope, error) {
	s := &Scope{listed: true, Masks: env.Paths}
	var err error
	if s.Files, err = env.Catalog.Files(ctx, env.Snapshot.Gate); err != nil {
		return nil, err
	}
	if all {
		if s.Files, err = env.Catalog.WalkAll(ctx, env.Snapshot.Gate); err != nil {
			return nil, err
		}
		s.listed, s.Masks = false, nil
	}
	s.End = len(s.Files.List)
	s.addEditorFiles(env, workspace.Path{}, all)
	return s, nil
}

// addEditorFiles adds what exists only in the editor: documents below the
// folder that were not saved yet, and untitled ones where no folder is named.
func (s *Scope) addEditorFiles(env *toolcall.Env, folder workspace.Path, all bool) {
	everywhere := folder == (workspace.Path{})
	for _, d := range env.Snapshot.Overlay.Documents() {
		if d.Path.Untitled() {
			if everywhere {
				s.EditorOnly = append(s.EditorOnly, editorFile{d, strings.TrimPrefix(d.Path.Rel, "untitled:")})
			}
			continue
		}
		root, rel, ok := s.Files.Place(d.Path)
		below := everywhere || strings.HasPrefix(d.Path.Abs, folder.Abs+string(filepath.Separator))
		if !ok || !below || !all && hasHiddenName(rel) || s.Files.Find(d.Path) >= 0 ||
			env.Snapshot.Gate.CheckRead(d.Path) != nil || env.HasFile(d) {
			continue
		}
		s.EditorOnly = append(s.EditorOnly, editorFile{d, s.Files.Base(root) + rel})
	}
}

func hasHiddenName(rel string) bool {
	return slices.ContainsFunc(strings.Split(rel, "/"), func(name string) bool { return strings.HasPrefix(name, ".") })
}

// Problems notes what could not be looked at.
func (s *Scope) Problems() []string {
	problems := s.Files.Problems
	if s.listed && s.Folder != "" {
		problems = s.Files.ProblemsBelow(workspace.Path{Rel: s.Folder})
	}
	if len(problems) == 0 {
		return nil
	}
	note := wording.Plural(len(problems), "folder", "folders") + " could not be read: " +
		wording.OneLine(fault.From(problems[0]).Advise("").Error())
	return []string{note}
}

// Below returns a path as it is below the folder asked for.
func (s *Scope) Below(rel string) string { return strings.TrimPrefix(rel, s.prefix) }

// ModTime returns when the i-th file was changed; what is only in the editor is
// newer than all.
func (s *Scope) ModTime(i int) int64 {
	if i >= len(s.Files.List) {
		return math.MaxInt64
	}
	return s.Files.List[i].ID.Mtime
}
