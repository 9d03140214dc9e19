package toolcall

import (
	"context"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// HasFile reports whether there is a file under an open document.
func (e *Env) HasFile(d *buffers.Document) bool {
	if d.Path.Untitled() {
		return false
	}
	_, err := e.Snapshot.Gate.StatDocument(d.Path)
	return fault.KindOf(err) != fault.NotFound && fault.KindOf(err) != fault.NotDirectory
}

// IsDirty reports whether an open document has unsaved changes. What cannot be
// found out counts as none.
func (e *Env) IsDirty(ctx context.Context, d *buffers.Document) bool {
	f, err := e.Snapshot.File(ctx, d.Path, "")
	return err == nil && f.Dirty
}

// DocumentsBelow returns the documents of files whose path begins with prefix,
// of all, which are ordered by path.
func DocumentsBelow(all []*buffers.Document, prefix string) []*buffers.Document {
	start, _ := slices.BinarySearchFunc(all, prefix, func(d *buffers.Document, p string) int { return strings.Compare(d.Key(), p) })
	end := start
	for end < len(all) && strings.HasPrefix(all[end].Key(), prefix) {
		end++
	}
	return all[start:end]
}

// OpenMarks tells for a listing how a file stands in the editor; "" when it is
// not open.
func OpenMarks(open, dirty, unsaved bool) string {
	switch {
	case unsaved && open:
		return "[open, not on disk]"
	case unsaved:
		return "[not on disk]"
	case dirty:
		return "[open, unsaved changes]"
	case open:
		return "[open]"
	}
	return ""
}
