package tools

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// JournalFolder is where calls that change the disk write down what they are
// about to do, below [CoreConfig.StateHome].
func JournalFolder(stateHome string) string { return filepath.Join(stateHome, "agent-lsp", "journal") }

// openJournal opens what lets a restart mend the disk after an interrupted
// call, and mends what an earlier process left. Without it everything else
// works.
func (c *Core) openJournal() {
	if !filepath.IsAbs(c.config.StateHome) {
		return
	}
	journal, err := workspace.OpenJournal(JournalFolder(c.config.StateHome))
	if err != nil {
		c.config.Log.Warn("calls that are interrupted cannot be undone", "error", err)
		return
	}
	c.journal = journal
	for _, r := range journal.Recover() {
		c.config.Log.Warn("a call was interrupted", "outcome", r.Outcome, "files", r.Files,
			"changed_since", r.NotRestored, "kept", r.Kept, "journal", r.Journal, "error", r.Err)
		c.recovered = append(c.recovered, r)
	}
}

// Recovered tells the person, a sentence each, of the calls of earlier
// processes that were interrupted and that this core has dealt with. What is to
// be tried again is told where it is about a folder of theirs.
func (c *Core) Recovered() []string {
	var told []string
	for _, r := range c.recovered {
		if r.Outcome == workspace.RecoveryPostponed && len(c.shown(r.Files)) == 0 {
			continue
		}
		told = append(told, DescribeRecovered(r))
	}
	return told
}

// Notices tells whoever calls first the same, by the names that their files
// have in the workspace. Nothing is told of files that they may not read.
func (c *Core) Notices() []string {
	if len(c.recovered) == 0 || c.noticed.Swap(true) {
		return nil
	}
	var told []string
	for _, r := range c.recovered {
		if r.Files = c.shown(r.Files); len(r.Files) == 0 {
			continue
		}
		r.NotRestored, r.Kept, r.Journal = c.shown(r.NotRestored), c.shown(r.Kept), ""
		told = append(told, DescribeRecovered(r))
	}
	return told
}

// shown returns the names of those files that callers may read.
func (c *Core) shown(files []string) (names []string) {
	s := c.Snapshot()
	defer s.Close()
	env := Env{Snapshot: s}
	for _, f := range files {
		if p, err := s.Resolve(f); err == nil && env.mayShow(p) == nil {
			names = append(names, p.Rel)
		}
	}
	return names
}

// DescribeRecovered says in a sentence or two what became of an interrupted
// call.
func DescribeRecovered(r workspace.Recovered) string {
	said := "an earlier call was interrupted, as its process ended; "
	switch r.Outcome {
	case workspace.RecoveryFinished:
		said += "it is finished now: " + someOf(r.Files)
	case workspace.RecoveryUndone:
		said += "it was undone: " + someOf(r.Files)
	case workspace.RecoveryPostponed:
		said += "it could not be undone (" + fault.From(r.Err).Message + "), the next start tries again: " + someOf(r.Files)
	case workspace.RecoveryUnreadable:
		said += "what it wrote down is damaged, so that it was not undone"
	}
	if len(r.NotRestored) > 0 {
		said += "; left as another program has made it since: " + someOf(r.NotRestored)
	}
	if len(r.Kept) > 0 {
		said += "; kept for what it holds: " + someOf(r.Kept)
	}
	if r.Journal != "" {
		said += "; its journal: " + r.Journal
	}
	return said
}

// someOf names the first of many files.
func someOf(files []string) string {
	const most = 5
	if len(files) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(files[:most], ", "), len(files)-most)
	}
	return strings.Join(files, ", ")
}
