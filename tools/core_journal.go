package tools

import (
	"path/filepath"

	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// openJournal opens what lets a restart mend the disk after an interrupted
// call, and mends what an earlier process left. Without it everything else
// works.
func (c *Core) openJournal() {
	if !filepath.IsAbs(c.config.StateHome) {
		return
	}
	journal, err := workspace.OpenJournal(filepath.Join(c.config.StateHome, "agent-lsp", "journal"))
	if err != nil {
		c.config.Log.Warn("calls that are interrupted cannot be undone", "error", err)
		return
	}
	c.journal = journal
	for _, r := range journal.Recover() {
		c.config.Log.Warn("a call was interrupted", "outcome", r.Outcome, "files", r.Files,
			"changed_since", r.NotRestored, "kept", r.Kept, "journal", r.Journal, "error", r.Err)
	}
}
