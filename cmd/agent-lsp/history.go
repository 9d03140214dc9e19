package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/ledger"
	"github.com/agent-lsp/agent-lsp/internal/statedir"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/tools/core"
)

type blameCommand struct {
	File string `arg:"" help:"The file."`
	All  bool   `help:"Print lines of which nobody is known to have written them, too."`
}

// Run prints who wrote the lines of a file, as far as that is known.
func (c blameCommand) Run() error {
	path, err := filepath.Abs(c.File)
	if err != nil {
		return err
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return fault.From(err).At(c.File)
	}
	decoded, err := text.Decode(raw, "")
	if err != nil {
		return err
	}
	authors, known := blamed(path, decoded.Text.String())
	if !known {
		fmt.Fprintln(os.Stderr, "no agent is known to have changed it")
		return nil
	}
	out := tabwriter.NewWriter(os.Stdout, 0, 1, 2, ' ', 0)
	for i, line := range slices.Collect(strings.Lines(decoded.Text.String())) {
		if by := authors[i]; by != nil || c.All {
			fmt.Fprintf(out, "%d\t%s\t%s\n", i+1, describeOrigin(by), strings.TrimRight(line, "\r\n"))
		}
	}
	return out.Flush()
}

// describeOrigin says who wrote a line.
func describeOrigin(by *ledger.Origin) string {
	if by == nil {
		return "-"
	}
	who := map[ledger.Kind]string{ledger.Editor: "editor", ledger.Program: "other program", ledger.Agent: "agent " + by.Client}[by.Kind]
	if !by.Time.IsZero() {
		who += by.Time.Local().Format(" 2006-01-02 15:04")
	}
	if by.Edit != "" {
		who += " " + by.Edit
	}
	return oneLine(who)
}

// blamed returns who wrote each line of a file that holds content; nil for those of
// nobody known. known is false where nothing is known of the file.
func blamed(path, content string) (authors []*ledger.Origin, known bool) {
	real, err := fsys.RealPath(path)
	if err != nil {
		real = path
	}
	var last *ledger.Track
	for _, folder := range historyFolders() {
		state, _, err := ledger.Read(folder)
		if err != nil {
			continue
		}
		for _, t := range state.Tracks {
			if (t.Path == path || t.Path == real) && (last == nil || t.Newest().After(last.Newest())) {
				last = t
			}
		}
	}
	if last == nil {
		return nil, false
	}
	lines := slices.Clone(last.Lines())
	for _, s := range slices.Backward(ledger.SplicesOfSums(last.Sums(), ledger.SumsOf(content))) {
		lines = slices.Replace(lines, s.At, s.At+s.Del, make([]ledger.Line, len(s.Add))...)
	}
	for _, l := range lines {
		if l.By != nil && l.By.Kind == "" {
			l.By = nil
		}
		authors = append(authors, l.By)
	}
	return authors, true
}

// historyFolders returns where the changes in workspaces are kept.
func historyFolders() (folders []*statedir.KeptFolder) {
	home := filepath.Dir(core.HistoryFolder(stateHome(), nil))
	entries, err := os.ReadDir(home)
	if err != nil {
		return nil // nothing was kept yet
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		if folder, err := statedir.OpenKeptFolder(filepath.Join(home, e.Name())); err == nil {
			folders = append(folders, folder)
		}
	}
	return folders
}

type historyCommand struct {
	Clear historyClearCommand `cmd:"" help:"Forget what agents changed in a workspace: history, review, blame."`
}

type historyClearCommand struct {
	Root string `help:"The workspace's folder; the working directory when absent." placeholder:"DIR"`
	All  bool   `help:"Of all workspaces."`
}

// Run removes what is kept of the changes in a workspace.
func (c historyClearCommand) Run() error {
	root, err := filepath.Abs(c.Root)
	if err != nil {
		return err
	}
	if real, err := fsys.RealPath(root); err == nil {
		root = real
	}
	cleared, left := 0, 0
	for _, folder := range historyFolders() {
		_, roots, err := ledger.Read(folder)
		if err != nil || !c.All && !slices.ContainsFunc(roots, func(r string) bool { return sameFolder(r, root) }) {
			continue
		}
		n, err := ledger.Clear(folder)
		if err != nil {
			return err
		}
		cleared, left = cleared+1, left+n
	}
	if left > 0 {
		return fault.New(fault.NotApplied, "an editor has the history open, and its part was not removed").Advise("Clear it there (in VS Code and Neovim: the command to clear the history), or close the editor and call again.")
	}
	fmt.Printf("%d cleared\n", cleared)
	return nil
}

func sameFolder(a, b string) bool {
	if real, err := fsys.RealPath(a); err == nil {
		a = real
	}
	return a == b
}
