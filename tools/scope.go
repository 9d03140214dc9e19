package tools

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
)

// scope is the files that a call is about.
type scope struct {
	files      *catalog.Files
	listed     bool   // files are the catalog's list
	start, end int    // of the list
	folder     string // its path as shown, "" for all roots
	prefix     string // of the paths below it, with the slash; a walk through a link leads elsewhere
	only       []editorFile
	masks      *PathMasks
}

// editorFile is an open document without a file.
type editorFile struct {
	document *buffers.Document
	rel      string
}

// scopeOf returns the files below a folder, or of all roots: with the ignored
// ones, if all.
func scopeOf(ctx context.Context, env *Env, path string, all bool) (*scope, error) {
	gate := env.Snapshot.Gate
	if path == "" || path == "." {
		return rootScope(ctx, env, all)
	}
	p, err := env.Snapshot.Resolve(path)
	if err != nil {
		return nil, err
	}
	s := &scope{listed: true, masks: env.Paths, folder: p.Rel}
	if s.files, err = env.Catalog.Files(ctx, gate); err != nil {
		return nil, err
	}
	root, rel, ok := s.files.Place(p)
	if ok {
		s.prefix = s.files.Base(root)
	}
	if rel != "" {
		s.prefix += rel + "/"
	}
	s.start, s.end = s.files.Below(p)
	s.addEditorFiles(env, p, all)
	isFile := s.end == s.start+1 && s.files.List[s.start].Rel == rel
	if s.start < s.end && !all && !isFile {
		return s, nil
	}
	_, err = env.Catalog.List(ctx, gate, p)
	switch {
	case fault.KindOf(err) == fault.NotFound && len(s.only) > 0:
		return s, nil
	case err != nil:
		return nil, err
	}
	// The folder itself is ignored, has no files, or its ignored ones count.
	s.files, err = env.Catalog.Walk(ctx, gate, p, all)
	if err != nil {
		return nil, err
	}
	s.start, s.end, s.listed, s.masks = 0, len(s.files.List), false, nil
	return s, nil
}

func rootScope(ctx context.Context, env *Env, all bool) (*scope, error) {
	s := &scope{listed: true, masks: env.Paths}
	var err error
	if s.files, err = env.Catalog.Files(ctx, env.Snapshot.Gate); err != nil {
		return nil, err
	}
	if all {
		if s.files, err = env.Catalog.WalkAll(ctx, env.Snapshot.Gate); err != nil {
			return nil, err
		}
		s.listed, s.masks = false, nil
	}
	s.end = len(s.files.List)
	s.addEditorFiles(env, workspace.Path{}, all)
	return s, nil
}

// addEditorFiles adds what exists only in the editor: documents below the
// folder that were not saved yet, and untitled ones where no folder is named.
func (s *scope) addEditorFiles(env *Env, folder workspace.Path, all bool) {
	everywhere := folder == (workspace.Path{})
	for _, d := range env.Snapshot.Overlay.Documents() {
		if d.Path.Untitled() {
			if everywhere {
				s.only = append(s.only, editorFile{d, strings.TrimPrefix(d.Path.Rel, "untitled:")})
			}
			continue
		}
		root, rel, ok := s.files.Place(d.Path)
		below := everywhere || strings.HasPrefix(d.Path.Abs, folder.Abs+string(filepath.Separator))
		if !ok || !below || !all && hasHiddenName(rel) || s.files.Find(d.Path) >= 0 ||
			env.Snapshot.Gate.CheckRead(d.Path) != nil || env.hasFile(d) {
			continue
		}
		s.only = append(s.only, editorFile{d, s.files.Base(root) + rel})
	}
}

func hasHiddenName(rel string) bool {
	return slices.ContainsFunc(strings.Split(rel, "/"), func(name string) bool { return strings.HasPrefix(name, ".") })
}

// problems notes what could not be looked at.
func (s *scope) problems() []string {
	problems := s.files.Problems
	if s.listed && s.folder != "" {
		problems = s.files.ProblemsBelow(workspace.Path{Rel: s.folder})
	}
	if len(problems) == 0 {
		return nil
	}
	note := plural(len(problems), "folder", "folders") + " could not be read: " +
		oneLine(fault.From(problems[0]).Advise("").Error())
	return []string{note}
}

// below returns a path as it is below the folder asked for.
func (s *scope) below(rel string) string { return strings.TrimPrefix(rel, s.prefix) }

// mtime returns when the i-th file was changed; what is only in the editor is
// newer than all.
func (s *scope) mtime(i int) int64 {
	if i >= len(s.files.List) {
		return math.MaxInt64
	}
	return s.files.List[i].ID.Mtime
}
