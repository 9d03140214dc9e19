package core

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/atomicfile"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// JournalFolder is where calls that change the disk write down what they are
// about to do, below [Config.StateHome].
func JournalFolder(stateHome string) string { return filepath.Join(stateHome, "agent-lsp", "journal") }

// openJournal opens what lets a restart mend the disk after an interrupted
// call, and mends what an earlier process left. Without it everything else
// works.
func (c *Core) openJournal() {
	if !filepath.IsAbs(c.config.StateHome) {
		return
	}
	journal, err := atomicfile.OpenJournal(JournalFolder(c.config.StateHome))
	if err != nil {
		c.config.Log.Warn("calls that are interrupted cannot be undone", "error", err)
		return
	}
	c.journal = journal
	for _, r := range journal.Recover(c.own()...) {
		c.config.Log.Warn("a call was interrupted", "outcome", r.Outcome, "files", r.Files,
			"changed_since", r.NotRestored, "refused", r.Refused, "kept", r.Kept, "journal", r.Journal, "error", r.Err)
		c.recovered = append(c.recovered, r)
	}
}

// Recovered tells the person, a sentence each, of the calls of earlier
// processes that were interrupted and that this core has dealt with. What is to
// be tried again is told where it is about a folder of theirs.
func (c *Core) Recovered() []string {
	var told []string
	for _, r := range c.recovered {
		if r.Outcome == atomicfile.RecoveryPostponed && len(c.shown(r.Files)) == 0 {
			continue
		}
		told = append(told, DescribeRecovered(r))
	}
	return told
}

// Notices tells whoever calls first the same, by the names that their files
// have in the workspace, and whoever calls first in a workspace that holds the
// person's home folder, that it does, but for commands: who gives one knows
// where. Nothing is told of files that callers may not read.
func (c *Core) Notices() []string { return c.noticesIn(c.Gate()) }

// noticesIn is Notices for a call through g.
func (c *Core) noticesIn(g *workspace.Gate) []string {
	var told []string
	if len(c.recovered) > 0 && !c.noticed.Swap(true) {
		told = c.recoveredFor()
	}
	if c.config.OneCall || c.warned.Load() {
		return told
	}
	if wide := WideRoot(g, c.config.Home); wide != "" && !c.warned.Swap(true) {
		told = append(told, wide)
	}
	return told
}

// WideRoot says of a gate whose workspace folders hold the home folder, or
// everything, that they do; "" where they do not.
func WideRoot(g *workspace.Gate, home string) string {
	for _, f := range g.Folders() {
		switch real, err := fsys.RealPath(f.Path); {
		case err != nil:
		case filepath.Dir(real) == real:
			return "the workspace is the whole disk (" + f.Path + "): searches and edits reach everything on it that policy does not name; a project's folder is the better workspace"
		case home != "" && holdsHome(real, home):
			return "the workspace holds the person's home folder (" + f.Path + "): searches and edits reach everything in it that policy does not name; a project's folder is the better workspace"
		}
	}
	return ""
}

func holdsHome(real, home string) bool {
	home, err := fsys.RealPath(home)
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(real, home)
	return err == nil && filepath.IsLocal(rel)
}

// recoveredFor tells callers of interrupted calls.
func (c *Core) recoveredFor() []string {
	var told []string
	for _, r := range c.recovered {
		if r.Files = c.shown(r.Files); len(r.Files) == 0 {
			continue
		}
		r.NotRestored, r.Refused, r.Kept, r.Journal = c.shown(r.NotRestored), c.shown(r.Refused), c.shown(r.Kept), ""
		told = append(told, DescribeRecovered(r))
	}
	return told
}

// shown returns the names of those files that callers may read.
func (c *Core) shown(files []string) (names []string) {
	s := c.Snapshot()
	defer s.Close()
	env := toolcall.Env{Snapshot: s}
	for _, f := range files {
		if p, err := s.Resolve(f); err == nil && env.CheckShow(p) == nil {
			names = append(names, p.Rel)
		}
	}
	return names
}

// DescribeRecovered says in a sentence or two what became of an interrupted
// call.
func DescribeRecovered(r atomicfile.Recovered) string {
	said := "an earlier call was interrupted, as its process ended; "
	switch r.Outcome {
	case atomicfile.RecoveryFinished:
		said += "it is finished now: " + someOf(r.Files)
	case atomicfile.RecoveryUndone:
		said += "it was undone: " + someOf(r.Files)
	case atomicfile.RecoveryPostponed:
		said += "it could not be undone (" + fault.From(r.Err).Message + "), the next start tries again: " + someOf(r.Files)
	case atomicfile.RecoveryUnreadable:
		said += "what it wrote down is damaged, or not of this program's writing, so that it was not undone"
	}
	if len(r.NotRestored) > 0 {
		said += "; left as another program has made it since: " + someOf(r.NotRestored)
	}
	if len(r.Refused) > 0 {
		said += "; left as they are, for changing them needs the person's consent: " + someOf(r.Refused)
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
