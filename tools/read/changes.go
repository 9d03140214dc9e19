package read

import (
	"strings"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// changesContext is how many lines stand around what changed: enough to find the
// place in a text that was shown without numbers.
const changesContext = 1

// maxDiffed is the largest text that is compared, in bytes.
const maxDiffed = 2 << 20

// shorten puts what changed in the file since the text that the caller has in
// the place of what it asked for, where that is shorter. It says nothing of what
// the caller was shown: had is what it says that it has.
func (o *Output) shorten(env *toolcall.Env, f *buffers.File, had text.Hash) {
	if had == (text.Hash{}) || o.Content == nil && o.Outline == nil {
		return
	}
	size := len(o.outlineText)
	if o.Content != nil {
		size += len(*o.Content)
	}
	changes := changesSince(env, f, had)
	if changes == "" || len(changes) >= size {
		return
	}
	d := toolcall.Describe(f)
	d.ContentType, d.Language = o.ContentType, o.Language
	*o = Output{
		FileState: d.FileState, TextFormat: d.TextFormat, Extent: d.Extent, ReadMode: o.ReadMode, Notes: d.Notes,
		Changes: changes, since: had.String(), found: o.found,
	}
}

// changesSince returns what changed in a file since the text of a hash, as hunks;
// "" where that text is not remembered as one of this file, or either is too
// large to be compared.
func changesSince(e *toolcall.Env, f *buffers.File, had text.Hash) string {
	if e.Texts.Key(had) != f.Path.Key() || f.Content.Len() > maxDiffed {
		return ""
	}
	old, known := e.Texts.Lookup(had)
	if !known || old.Len() > maxDiffed {
		return ""
	}
	present, err := toolcall.WholeText(f)
	if err != nil {
		return ""
	}
	d := diff.Unified(f.Path.Rel, old, diff.Compute(old.String(), present.String()), changesContext)
	return d[max(0, strings.Index(d, "@@")):]
}
