package change

import (
	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/tools/locate"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// StaleMode says what becomes of an edit that was made for an older text.
type StaleMode string

// What becomes of such an edit.
const (
	StaleReject StaleMode = "reject"
	StaleMerge  StaleMode = "merge" // made on the older text, and merged into the present one
)

// UnmarshalText refuses what is not in the list.
func (m *StaleMode) UnmarshalText(b []byte) error {
	return toolcall.OneOf(m, b, StaleReject, StaleMerge)
}

const (
	// maxMerges is how often an edit is merged again because the text changed
	// while it was on its way: assistants make many edits of a file at once.
	maxMerges = 30
	// maxMerged is the largest text that is merged, and maxTried the largest
	// of which a refusal says whether it could be, in bytes.
	maxMerged = 64 << 20
	maxTried  = 2 << 20
	// maxConflicts is how many conflicts an error lists, and maxSide how much
	// of each side it shows.
	maxConflicts = 10
	maxSide      = 1 << 10
)

// rebase finds the edits of the present text that do what is asked for, which
// was meant for the text that has the hash expected. Where nobody remembers
// that, or the edits do not go together with what changed since, or merging is
// not wanted, it is stale_file or merge_conflict.
func (b *batch) rebase(f *buffers.File, present text.Text, expected text.Hash, find FindEdits) ([]diff.Edit, locate.Match, error) {
	refusal := stale(f.Path.Rel, expected.String(), f.Hash.String())
	base, known := b.env.Texts.Lookup(expected)
	if !known && b.merges(b.env) {
		refusal = refusal.Advise("The older text is not known here any more, so the edit cannot be merged. Read the file again and make the edit for its present text; its hash is %s.", f.Hash)
	}
	if !known || b.Encoding != "" {
		return nil, "", refusal
	}
	if other := b.otherFile(f, expected); other != "" && !b.merges(b.env) {
		refusal = fault.New(fault.StaleFile, "the expected_hash is that of %s; nothing was changed", other).At(f.Path.Rel)
		return nil, "", refusal.Advise("Give the hash of this file: %s.", f.Hash).With("expected", expected.String()).With("actual", f.Hash.String())
	}
	refusal = refusal.With("diff", since(f.Path.Rel, base, present))
	wanted := b.merges(b.env)
	if size := max(base.Len(), present.Len()); size > maxMerged || !wanted && size > maxTried {
		return nil, "", refusal
	}
	edits, match, err := find(base)
	if err != nil {
		return nil, "", refusal.With("mergeable", false)
	}
	was, is := base.String(), present.String()
	merged, conflicts := diff.Merge(was, is, diff.Apply(base, edits).String())
	switch {
	case !wanted && len(conflicts) == 0:
		return nil, "", refusal.With("mergeable", true).
			Advise(`Its hash is %s now. The edit goes together with what changed: call again with "on_stale": "merge".`, f.Hash)
	case !wanted:
		return nil, "", refusal.With("mergeable", false)
	case len(conflicts) > 0:
		return nil, "", conflictError(f, base, expected, conflicts)
	}
	return diff.Compute(is, merged), match, nil
}

// otherFile names the file whose hash was given for f by mistake: of f the
// caller knows the present text. It is "" where it is no such mistake.
func (b *batch) otherFile(f *buffers.File, expected text.Hash) string {
	key := b.env.Texts.Key(expected)
	now, known := b.env.LastRead(f.Path.Key())
	if key == f.Path.Key() || !known || now != f.Hash || !b.env.CanRead(key) {
		return ""
	}
	p, err := b.env.Snapshot.Resolve(key)
	if err != nil {
		return ""
	}
	return p.Rel
}

// since shows what changed between two texts, within an error's size.
func since(path string, base, present text.Text) string {
	edits := diff.Compute(base.String(), present.String())
	d := diff.Unified(path, base, edits, toolcall.DiffContext)
	if n := wording.CutAt([]byte(d), maxErrorDiff); n < len(d) {
		return d[:n] + "…"
	}
	return d
}

// conflictError names the parts that both changed, with both sides.
func conflictError(f *buffers.File, base text.Text, expected text.Hash, conflicts []diff.Conflict) *fault.Error {
	sides := make([]map[string]any, 0, maxConflicts)
	for _, c := range conflicts[:min(len(conflicts), maxConflicts)] {
		sides = append(sides, map[string]any{
			"start_line": base.LineAt(c.Base.Start) + 1, "end_line": base.LineAt(max(c.Base.Start, c.Base.End-1)) + 1,
			"base": side(c.Old), "present": side(c.Ours), "edit": side(c.Theirs),
		})
	}
	return fault.New(fault.MergeConflict, "the text changed where the edit does, at %s, first on line %d; nothing was changed",
		wording.Plural(len(conflicts), "place", "places"), sides[0]["start_line"]).At(f.Path.Rel).
		Advise("Read the file again and make the edit for its present text; its hash is %s.", f.Hash).
		With("expected", expected.String()).With("actual", f.Hash.String()).With("conflicts", sides)
}

func side(s string) string {
	if n := wording.CutAt([]byte(s), maxSide); n < len(s) {
		return s[:n] + "…\n"
	}
	return s
}
