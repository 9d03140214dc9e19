package toolcall

import (
	"fmt"
	"strings"

	"github.com/agent-lsp/agent-lsp/tools/wording"
)

const (
	// deltaLines is how many lines an answer that is about something else tells of
	// what was broken and mended.
	deltaLines = 3
	// maxDiagnosisText is how much of a message is told there, in bytes.
	maxDiagnosisText = 200
)

// Lines tells a delta in at most three lines, what was broken first. ids are those of
// the edits that it is of.
func (d *Delta) Lines(ids []string) []string {
	if d == nil {
		return nil
	}
	var all []string
	for _, x := range d.New {
		all = append(all, "broke "+x.InOneLine())
	}
	for _, x := range d.Gone {
		all = append(all, "mended "+x.InOneLine())
	}
	if len(all) > deltaLines {
		left := len(all) - deltaLines + 1
		all = append(all[:deltaLines-1], fmt.Sprintf("… and %d more: diagnostics with since %s", left, ids[0]))
	}
	return all
}

// InOneLine tells a diagnosis with its place, cut where it is long.
func (x Diagnosis) InOneLine() string {
	message, _, _ := strings.Cut(x.Message, "\n")
	if n := wording.CutAt([]byte(message), maxDiagnosisText); n < len(message) {
		message = message[:n] + "…"
	}
	s := fmt.Sprintf("%s:%d %s: %s", wording.OneLine(x.Path), x.Line, x.Severity, message)
	if x.Source != "" {
		s += " [" + wording.OneLine(x.Source) + "]"
	}
	return s
}
