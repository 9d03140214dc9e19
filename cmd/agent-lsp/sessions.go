package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/rpc/session"
)

// sessionFolders are where the processes beside editors are found.
func sessionFolders() []string {
	return session.FindFolders(os.Getenv("XDG_RUNTIME_DIR"), os.TempDir(), stateHome())
}

// ownSessionFolders are where the process beside an editor is registered.
func ownSessionFolders() []string {
	state := stateHome()
	if err := os.MkdirAll(filepath.Join(state, "agent-lsp"), 0o700); err != nil {
		state = ""
	}
	return session.ServeFolders(os.Getenv("XDG_RUNTIME_DIR"), os.TempDir(), state)
}

type sessionsCommand struct {
	JSON bool `name:"json" help:"Print what is found as JSON."`
}

// Run lists the editors whose sessions live, and cleans up after those that
// ended without doing so.
func (c sessionsCommand) Run() error {
	found := session.Find(context.Background(), sessionFolders())
	if c.JSON {
		return printFound(os.Stdout, found)
	}
	showFound(os.Stdout, found)
	if len(found.Problems) > 0 {
		return exitCode(codeToolError)
	}
	return nil
}

// foundSessions is what sessions --json prints.
type foundSessions struct {
	Sessions  []session.Registration `json:"sessions"`
	Elsewhere []session.Registration `json:"elsewhere"` // on other machines or in containers
	Removed   []string               `json:"removed"`   // files that were left behind
	Problems  []string               `json:"problems"`  // places that cannot be used
}

func printFound(to io.Writer, found session.Found) error {
	out := foundSessions{Sessions: found.Live, Elsewhere: found.Elsewhere}
	for _, s := range found.Stale {
		if s.Removed {
			out.Removed = append(out.Removed, s.File)
		}
	}
	for _, p := range found.Problems {
		out.Problems = append(out.Problems, fault.From(p).Error())
	}
	raw, err := wire.Marshal(out)
	if err == nil {
		_, err = fmt.Fprintf(to, "%s\n", raw)
	}
	return err
}

func showFound(to io.Writer, found session.Found) {
	if len(found.Live) == 0 {
		fmt.Fprintln(to, "No editor runs agent-lsp now.")
	} else {
		table := tabwriter.NewWriter(to, 0, 8, 2, ' ', 0)
		fmt.Fprintln(table, "PID\tEDITOR\tVERSION\tSINCE\tFOLDERS")
		for _, s := range found.Live {
			fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s\n", s.PID, or(s.Editor, "unnamed"), versionOf(s),
				s.Started.Local().Format("2006-01-02 15:04:05"), or(strings.Join(s.Roots, ", "), "none"))
		}
		_ = table.Flush()
	}
	for _, s := range found.Elsewhere {
		fmt.Fprintln(to, "Passed over, it runs on another machine or in a container:", described(s))
	}
	for _, s := range found.Stale {
		if s.Removed {
			fmt.Fprintln(to, "Removed what a session that ended left behind:", s.File)
		} else {
			fmt.Fprintln(to, "Left behind by a session that ended, and cannot be removed:", s.File)
		}
	}
	for _, p := range found.Problems {
		fmt.Fprintln(to, "PROBLEM:", oneLine(fault.From(p).Error()))
	}
}

// described is a session in a line.
func described(s session.Registration) string {
	return fmt.Sprintf("%s (process %d), %s", or(s.Editor, "an editor"), s.PID, or(strings.Join(s.Roots, ", "), "no folder"))
}

func versionOf(s session.Registration) string {
	if err := s.Compatible(); err != nil {
		return s.Version + " (another protocol)"
	}
	return s.Version
}

func or(text, without string) string {
	if text == "" {
		return without
	}
	return text
}
