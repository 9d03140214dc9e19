package atomicfile

import "github.com/agent-lsp/agent-lsp/internal/fsys"

// copyAttributes gives the file what belongs to from beside its text. To be
// called after the last write. It is an error when any of it does not take.
func (d dirWriter) copyAttributes(from, to int, _ fsys.RawStat) error {
	return d.CopyRights(from, to)
}
