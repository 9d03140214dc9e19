package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/rpc/session"
)

// sessionFolders are where the processes beside editors are found.
func sessionFolders() []string {
	return session.Folders(os.Getenv("XDG_RUNTIME_DIR"), os.TempDir())
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
	Sessions []session.Registration `json:"sessions"`
	Removed  []string               `json:"removed"`  // files that were left behind
	Problems []string               `json:"problems"` // places that cannot be used
}

func printFound(to io.Writer, found session.Found) error {
	out := foundSessions{Sessions: found.Live}
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

func versionOf(s session.Registration) string {
	if s.Protocol == session.Protocol {
		return s.Version
	}
	return fmt.Sprintf("%s (speaks protocol %d, this program %d)", s.Version, s.Protocol, session.Protocol)
}

func or(text, without string) string {
	if text == "" {
		return without
	}
	return text
}
