package tools

import (
	"context"
	"fmt"
	"io/fs"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/tools/change"
	"github.com/agent-lsp/agent-lsp/tools/locate"
	"github.com/agent-lsp/agent-lsp/tools/schema"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

var applyPatch = tool[patchInput, *change.Output]{
	name: "apply_patch",
	doc: `Edit, add, delete, move several files by one patch, all or nothing. Read them first. A unified or git diff, or ` +
		`"*** Begin Patch" … "*** End Patch" with "*** Update File: PATH" ("*** Move to: PATH"; hunks: "@@ line of the function", then lines with blank, - or +), ` +
		`"*** Add File: PATH" and "*** Delete File: PATH".`,
	changes:  true,
	about:    aboutPatch,
	terminal: Terminal{Arguments: []string{"patch"}, Stdin: []string{"patch"}, Files: []string{"patch"}},
	run:      runApplyPatch,
}

type patchInput struct {
	Patch          string            `json:"patch" jsonschema:"The patch; its paths are relative to the workspace root."`
	ExpectedHashes map[string]string `json:"expected_hashes,omitempty" brief:"by path" jsonschema:"By path, the content_hash; by default that of your last read_file."`
	OnStale        change.StaleMode  `json:"on_stale,omitempty" jsonschema:"When a text is another by now: reject (the default) or merge."`
	DryRun         bool              `json:"dry_run,omitempty" jsonschema:"Answer with the diff and change nothing."`
	Save           change.SaveMode   `json:"save,omitempty" brief:"-" jsonschema:"Save open files: auto (the default: those without unsaved changes), always, never."`
}

func runApplyPatch(ctx context.Context, env *toolcall.Env, in patchInput) (*change.Output, error) {
	p, err := diff.ParsePatch(in.Patch)
	if err != nil {
		return nil, err
	}
	c := patchCall{env: env, patch: p}
	if err := c.resolve(); err != nil {
		return nil, err
	}
	if err := c.guard(ctx, in.ExpectedHashes); err != nil {
		return nil, err
	}
	w := change.Request{Tool: "apply_patch", OnStale: in.OnStale, DryRun: in.DryRun, Save: in.Save, Named: true}
	for i := range p.Files {
		if err := c.checkDeleted(ctx, i); err != nil {
			return nil, err
		}
		w.Files = append(w.Files, c.fileRequest(ctx, i))
	}
	notes := c.followMoves(ctx, &w)
	out, err := w.Run(ctx, env)
	if err == nil {
		out.Notes = append(out.Notes, notes...)
	}
	return out, err
}

// aboutPatch names the files of the argument patch. Those that a file is moved
// to are among them; a patch that cannot be read names none.
func aboutPatch(arguments wire.RawValue, s schema.Schema) Subject {
	patch := schema.Argument(arguments, s.Schema, "patch")
	if patch == "" {
		return Subject{}
	}
	p, err := diff.ParsePatch(patch)
	if err != nil {
		return Subject{}
	}
	var subject Subject
	for _, f := range p.Files {
		subject.Paths = append(subject.Paths, f.Path)
		if f.Op == diff.PatchMove {
			subject.Paths = append(subject.Paths, f.To)
		}
	}
	return subject
}

// patchCall is a patch on its way.
type patchCall struct {
	env   *toolcall.Env
	patch diff.Patch
	// keys and hashes are of the patch's files: of their paths, and of the
	// texts that they are changed from. Added files have no hash.
	keys, hashes []string
	// lastRead tells of which files the hash is that of what the caller read last.
	lastRead []bool
}

// resolve finds out which files the patch names. All names are those from
// before the patch: each file is named once, and each name given once, to a
// file that is added or moved. A name is given anew where its file is moved
// away, as two files can change names with each other.
func (c *patchCall) resolve() error {
	names := patchNames{make(map[string]*diff.FilePatch), make(map[string]*diff.FilePatch)}
	for i := range c.patch.Files {
		f := &c.patch.Files[i]
		p, err := c.env.Snapshot.Resolve(f.Path)
		if err != nil {
			return err
		}
		c.keys = append(c.keys, p.Key())
		to := p
		if f.Op == diff.PatchMove {
			if to, err = c.env.Snapshot.Resolve(f.To); err != nil {
				return err
			}
			if to.Key() == p.Key() {
				return fault.New(fault.InvalidPatch, "line %d of the patch: the file is moved to where it is; nothing was changed", f.Line).At(p.Rel).
					Advise("Leave the move out.").With("patch_line", f.Line)
			}
		}
		if line := names.take(f, p.Key(), to.Key()); line > 0 {
			return fault.New(fault.InvalidPatch, "line %d of the patch: the file is named on line %d already; nothing was changed", f.Line, line).At(p.Rel).
				Advise("Put all hunks of a file together; to write it anew use write_file.").With("patch_line", f.Line)
		}
	}
	return nil
}

// patchNames are the files of a patch by the keys of the names that they have
// before it, and by those that they are given.
type patchNames struct{ before, given map[string]*diff.FilePatch }

// take notes the names of a file. Where one is taken it returns the line of the
// patch on which it was named; else 0.
func (n patchNames) take(f *diff.FilePatch, path, to string) int {
	if f.Op != diff.PatchAdd {
		if other := n.before[path]; other != nil {
			return other.Line
		}
		if other := n.given[path]; other != nil && !makesRoom(f, other) {
			return other.Line
		}
		n.before[path] = f
	}
	if f.Op == diff.PatchAdd || f.Op == diff.PatchMove {
		if other := n.given[to]; other != nil {
			return other.Line
		}
		if other := n.before[to]; other != nil && !makesRoom(other, f) {
			return other.Line
		}
		n.given[to] = f
	}
	return 0
}

// makesRoom reports whether the name of the file before may be given to the file
// after. To delete a file and add it anew is no more than to write it.
func makesRoom(before, after *diff.FilePatch) bool {
	return before.Op == diff.PatchMove || before.Op == diff.PatchDelete && after.Op == diff.PatchMove
}

// guard decides which text of each file the patch is for.
func (c *patchCall) guard(ctx context.Context, given map[string]string) error {
	c.hashes, c.lastRead = make([]string, len(c.keys)), make([]bool, len(c.keys))
	for path, hash := range given {
		p, err := c.env.Snapshot.Resolve(path)
		if err != nil {
			return err
		}
		i := -1
		for j, key := range c.keys {
			if key == p.Key() && (i < 0 || c.patch.Files[j].Op != diff.PatchAdd) {
				i = j
			}
		}
		if i < 0 {
			return fault.New(fault.InvalidParams, `"expected_hashes" names a file that the patch does not`).At(p.Rel)
		}
		c.hashes[i] = hash
	}
	var unread []map[string]string
	for i, f := range c.patch.Files {
		if f.Op == diff.PatchAdd || c.hashes[i] != "" {
			continue
		}
		h, read := c.env.LastRead(c.keys[i])
		if read && !c.env.ReadGuards {
			c.hashes[i], c.lastRead[i] = h.String(), true
			continue
		}
		present, err := c.env.File(ctx, f.Path, "")
		switch {
		case err != nil:
			return err
		case c.env.ReadGuards && !present.Dirty && present.OutOfSync() == "":
			c.hashes[i] = present.Hash.String()
			continue
		case read:
			c.hashes[i], c.lastRead[i] = h.String(), true
			continue
		}
		unread = append(unread, map[string]string{"path": present.Path.Rel, "actual": present.Hash.String()})
	}
	if len(unread) > 0 {
		return hashesRequired(unread)
	}
	return nil
}

func hashesRequired(unread []map[string]string) error {
	var names []string
	for _, u := range unread[:min(len(unread), wording.MaxNamed)] {
		names = append(names, u["path"])
	}
	if len(unread) > wording.MaxNamed {
		names = append(names, fmt.Sprintf("… (%d in all)", len(unread)))
	}
	return fault.New(fault.HashRequired, "not read yet: %s; nothing was changed", strings.Join(names, ", ")).
		Advise(`Read what the patch changes first, or give the hash of each in "expected_hashes".`).
		With("files", unread)
}

// checkDeleted makes sure that a diff that deletes a file has all of its
// lines. A text that is not the one the patch is for is the guard's business.
func (c *patchCall) checkDeleted(ctx context.Context, i int) error {
	f := &c.patch.Files[i]
	if f.Op != diff.PatchDelete || len(f.Hunks) == 0 {
		return nil
	}
	file, err := c.env.File(ctx, f.Path, "")
	if err != nil {
		return err
	}
	if expected, ok, err := c.env.HashNamed("expected_hashes", c.hashes[i], file); err != nil || !ok || expected != file.Hash {
		return err
	}
	old, err := toolcall.WholeText(file)
	if err != nil {
		return err
	}
	edits, _, err := locateHunks(ctx, f, old)
	if err == nil && diff.Apply(old, edits).Len() > 0 {
		err = fault.New(fault.TextNotFound, "line %d of the patch: the file has more lines than those it deletes; nothing was changed", f.Line).
			Advise(`Give all lines of the file, or use "*** Delete File: PATH".`).With("patch_line", f.Line)
	}
	if err != nil {
		return fault.From(err).At(file.Path.Rel)
	}
	return nil
}

// fileRequest is what the patch asks for of one file.
func (c *patchCall) fileRequest(ctx context.Context, i int) change.FileRequest {
	f := &c.patch.Files[i]
	w := change.FileRequest{Path: f.Path, To: f.To, Expected: c.hashes[i], LastRead: c.lastRead[i]}
	if len(f.Hunks) > 0 {
		w.Find = func(t text.Text) ([]diff.Edit, locate.Match, error) { return locateHunks(ctx, f, t) }
	}
	switch f.Op {
	case diff.PatchAdd:
		w.Kind, w.Content, w.Find = change.KindCreate, f.Content(), nil
	case diff.PatchDelete:
		w.Kind = change.KindDelete
	case diff.PatchMove:
		w.Kind = change.KindMove
	}
	if f.Mode != diff.ModeUnsaid {
		w.Mode = func(now fs.FileMode) fs.FileMode { return change.WithMode(now, f.Mode) }
	}
	return w
}

// matchNames are the names of how literally a hunk was found.
var matchNames = map[diff.Match]locate.Match{
	diff.MatchExact: locate.MatchExact, diff.MatchLineEnding: locate.MatchLineEnding, diff.MatchBlanks: locate.MatchBlanks, diff.MatchIndentation: locate.MatchIndentation,
}

// locateHunks finds the edits of a text that a patch's hunks ask for. What is
// not found is shown beside what is most like it.
func locateHunks(ctx context.Context, f *diff.FilePatch, t text.Text) ([]diff.Edit, locate.Match, error) {
	edits, match, err := f.Locate(ctx, t)
	if err == nil {
		named := matchNames[match]
		if len(edits) == 0 {
			named = locate.MatchNone
		}
		return edits, named, nil
	}
	e := fault.From(err)
	if i, ok := e.Details["hunk"].(int); ok && e.Kind == fault.TextNotFound && e.Hint == "" {
		near := locate.TextNotFound(&locate.Haystack{Text: t}, f.Hunks[i-1].Old(locate.MaxComparedLines))
		e = e.Advise("%s", near.Hint)
		if line, ok := near.Details["near_line"]; ok {
			e = e.With("near_line", line)
		}
	}
	return nil, locate.MatchNone, e
}
