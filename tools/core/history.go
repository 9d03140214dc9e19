package core

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/ledger"
	"github.com/agent-lsp/agent-lsp/internal/statedir"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// HistoryFolder is where what agents changed in workspace folders is kept, below
// [Config.StateHome].
func HistoryFolder(stateHome string, roots []string) string {
	return filepath.Join(stateHome, "agent-lsp", "history", workspaceName(roots))
}

// workspaceName is a name for workspace folders, whatever order they are in.
func workspaceName(roots []string) string {
	real := make([]string, len(roots))
	for i, r := range roots {
		if real[i] = r; filepath.IsAbs(r) {
			if p, err := fsys.RealPath(r); err == nil {
				real[i] = p
			}
		}
	}
	slices.Sort(real)
	sum := sha256.Sum256([]byte(strings.Join(slices.Compact(real), "\x00")))
	return hex.EncodeToString(sum[:12])
}

// OpenHistory has the core go on with what earlier processes knew of the changes in
// the workspace, and keep what comes, where the settings want that. It is called
// once, when the workspace is known; calls of tools that come meanwhile wait.
// Without it everything works, until the process ends.
func (c *Core) OpenHistory() {
	c.historyOpen.Do(c.openHistory)
}

func (c *Core) openHistory() {
	roots := folderPaths(c.Gate())
	if c.history == nil || !filepath.IsAbs(c.config.StateHome) || len(roots) == 0 || !c.Gate().Settings().History.Enabled {
		return
	}
	folder, err := statedir.OpenKeptFolder(HistoryFolder(c.config.StateHome, roots))
	if err != nil {
		c.historyProblem(err.Error())
		return
	}
	log, opened, err := ledger.Open(folder, roots, ledger.DefaultLimit, c.config.Now, ledger.Shrunk)
	if err != nil {
		c.historyProblem(err.Error())
		if log == nil {
			return
		}
	}
	if opened.Damaged > 0 {
		c.historyProblem(fmt.Sprintf("%d of its entries are damaged, and what they told is lost", opened.Damaged))
	}
	if len(opened.Newer) > 0 {
		c.historyProblem("what a newer version of this program kept is left alone: " + someOf(opened.Newer))
	}
	c.reviews.Restore(log, opened.State, c.historyPath, c.config.Background, c.history.Kept)
	c.history.Restore(opened.State.Changes, c.reviews.Record)
}

// ClearHistory forgets what agents changed, and what of that was kept. What calls
// change from now on is known again.
func (c *Core) ClearHistory() {
	if c.history == nil {
		return
	}
	c.history.Forget()
	c.reviews.Clear()
}

// historyProblem notes what is wrong with the history that is kept.
func (c *Core) historyProblem(why string) {
	c.config.Log.Warn("the history of changes", "problem", why)
	c.problems = append(c.problems, "the history of changes in this workspace: "+why)
}

// HistoryProblems are what was wrong with what earlier processes had kept.
func (c *Core) HistoryProblems() []string { return c.problems }

// historyPath returns the path of a file that was kept track of, if policy lets
// agents read it still.
func (c *Core) historyPath(key string) (workspace.Path, bool) {
	g := c.Gate()
	p := g.Path(key)
	return p, g.CheckRead(p) == nil
}

// folderPaths returns the paths of the workspace folders.
func folderPaths(g *workspace.Gate) []string {
	var paths []string
	for _, f := range g.Folders() {
		paths = append(paths, f.Path)
	}
	return paths
}
