package tools

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/catalog"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/reinterpret"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// compareListed orders the entries of a folder: directories first, then by
// natural order of their names.
func compareListed(a, b listed) int {
	if x, y := a.Type == catalog.Directory, b.Type == catalog.Directory; x != y {
		if x {
			return -1
		}
		return 1
	}
	return catalog.CompareNatural(a.Name, b.Name)
}

// listCursor names the entry behind which a listing goes on. It means the same
// when entries came and went.
type listCursor struct {
	given     bool
	name      string
	directory bool
}

func listCursorOf(last listed) string {
	sort := "f/"
	if last.Type == catalog.Directory {
		sort = "d/"
	}
	return sort + url.PathEscape(last.Name)
}

func parseListCursor(s string) (listCursor, error) {
	if s == "" {
		return listCursor{}, nil
	}
	sort, name, ok := strings.Cut(s, "/")
	name, err := url.PathUnescape(name)
	if !ok || err != nil || name == "" || sort != "d" && sort != "f" {
		return listCursor{}, fault.New(fault.InvalidParams, `"cursor": %q is none`, wording.Shortened(s)).
			Advise("Give the cursor that an answer gave, or none to begin at the top.")
	}
	return listCursor{true, name, sort == "d"}, nil
}

// in returns the index of the first entry behind the cursor.
func (c listCursor) in(list []listed) int {
	if !c.given {
		return 0
	}
	if at := slices.IndexFunc(list, func(e listed) bool { return e.Name == c.name }); at >= 0 {
		return at + 1
	}
	gone := listed{Entry: &catalog.Entry{Name: c.name, Type: catalog.RegularFile}}
	if c.directory {
		gone.Type = catalog.Directory
	}
	at, _ := slices.BinarySearchFunc(list, gone, compareListed)
	return at
}

func (o *listOutput) Render(toolcall.ShowHash) toolcall.Rendering {
	counted := wording.Plural(o.Total, "entry", "entries")
	var said []string
	if o.More || o.shown.count < o.Total {
		counted = fmt.Sprintf("%d of %s", o.shown.count, counted)
	}
	if o.More || o.shown.count == 0 || o.shown.count < o.Total {
		said = append(said, counted)
	}
	if o.Ignored > 0 {
		said = append(said, fmt.Sprintf("%d ignored left out", o.Ignored))
	}
	if o.Hidden > 0 {
		said = append(said, fmt.Sprintf("%d hidden by policy", o.Hidden))
	}
	if o.Depth > 0 {
		said = append(said, fmt.Sprintf("only %s shown: list a folder in it, or raise limit", wording.Plural(o.Depth, "level is", "levels are")))
	}
	if o.More {
		said = append(said, fmt.Sprintf("go on with cursor=%q", o.Cursor))
	}
	for _, n := range o.Notes {
		said = append(said, "note: "+n)
	}
	return toolcall.Rendering{
		Header: strings.Join(said, "; "), Summary: wording.OneLine(o.Path) + ": " + counted,
		After: strings.TrimSuffix(reinterpret.String(o.shown.text), "\n"),
	}
}
