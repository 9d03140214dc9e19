package toolcall

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// BesideBytes is what stands beside a content at most, but for notes.
const BesideBytes = HeaderBytes + RestOutlineBytes

// RoomFor returns how many bytes of content an answer has by default, where a tool
// gives most by itself.
func (c Client) RoomFor(most int) int {
	if c.Room == 0 {
		return most
	}
	return min(most, max(c.Room-BesideBytes, leastOutlineBytes))
}

// larger are the arguments by which a call asks for a size.
func larger() []string {
	return []string{"max_bytes", "max_results", "limit", "end_line", "context", "before", "after", "last", "depth", "output"}
}

// Within adapts an answer that is longer than what the client shows of one. A list
// that nobody asked to be so long ends before; else the header stands behind the
// answer, too: what hosts leave out is the middle, or all but the beginning.
func (r Result) Within(c Client, arguments wire.RawValue) Result {
	size := len(r.Header) + len(r.Body) + len(r.After)
	if c.Room == 0 || size <= c.Room {
		return r
	}
	if r.Body == "" && !asksFor(arguments, larger()) {
		return r.shortened(c.Room - BesideBytes)
	}
	if r.Summary != "" && !strings.HasPrefix(r.Header, r.Summary) {
		r.Header = strings.TrimSuffix(r.Summary+"; "+r.Header, "; ")
	}
	r.Header += fmt.Sprintf("; longer than the %[2]d bytes that %[1]s is taken to show: ask for less where a part is missing", wording.OneLine(c.Name), c.Room)
	r.After = strings.TrimPrefix(r.After+"\n\n", "\n\n") + "[the end of " + r.Header + "]"
	return r
}

// shortened keeps the first lines of a list.
func (r Result) shortened(room int) Result {
	kept := r.After[:max(0, min(room, len(r.After)))]
	kept = kept[:strings.LastIndexByte(kept, '\n')+1]
	left := 1 + strings.Count(r.After[len(kept):], "\n")
	r.After = kept + fmt.Sprintf("[%s left out: narrow the call, or say how many it shall answer]", wording.Plural(left, "line is", "lines are"))
	return r
}

// asksFor reports whether arguments, a JSON object, have one of the names.
func asksFor(arguments wire.RawValue, names []string) bool {
	var given map[string]json.RawMessage
	if wire.Unmarshal(arguments, &given) != nil {
		return false
	}
	return slices.ContainsFunc(names, func(name string) bool { return given[name] != nil })
}
