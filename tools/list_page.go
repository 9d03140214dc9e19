package tools

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// compareListed orders the entries of a folder: directories first, then by
// natural order of their names.
func compareListed(a, b listed) int {
	if x, y := a.Type == workspace.Directory, b.Type == workspace.Directory; x != y {
		if x {
			return -1
		}
		return 1
	}
	return workspace.CompareNatural(a.Name, b.Name)
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
	if last.Type == workspace.Directory {
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
		return listCursor{}, fault.New(fault.InvalidParams, `"cursor": %q is none`, shortened(s)).
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
	gone := listed{Entry: &workspace.Entry{Name: c.name, Type: workspace.RegularFile}}
	if c.directory {
		gone.Type = workspace.Directory
	}
	at, _ := slices.BinarySearchFunc(list, gone, compareListed)
	return at
}

func (o *listOutput) render() Rendering {
	var h, b strings.Builder
	h.WriteString(oneLine(o.Path) + ": ")
	if o.More || len(o.Entries) < o.Total {
		fmt.Fprintf(&h, "%d of ", len(o.Entries))
	}
	h.WriteString(plural(o.Total, "entry", "entries"))
	if o.Ignored > 0 {
		fmt.Fprintf(&h, "; %d ignored left out", o.Ignored)
	}
	if o.Hidden > 0 {
		fmt.Fprintf(&h, "; %d hidden by policy", o.Hidden)
	}
	if o.Depth > 0 {
		fmt.Fprintf(&h, "; only %s shown: list a folder in it, or raise limit", plural(o.Depth, "level is", "levels are"))
	}
	if o.More {
		fmt.Fprintf(&h, "; go on with cursor=%q", o.Cursor)
	}
	for _, n := range o.Notes {
		h.WriteString("; note: " + n)
	}
	for i := range o.Entries {
		o.Entries[i].line(&b, o.tree)
	}
	return Rendering{Header: h.String(), After: strings.TrimSuffix(b.String(), "\n")}
}

// line renders an entry; times are left out in a tree.
func (e *listEntry) line(b *strings.Builder, tree bool) {
	b.WriteString(strings.Repeat("  ", e.Depth))
	if e.URI != "" {
		b.WriteString(e.URI)
	} else {
		b.WriteString(oneLine(e.Name))
	}
	switch e.Type {
	case workspace.Directory:
		b.WriteByte('/')
	case workspace.Symlink:
		b.WriteString(" -> " + oneLine(e.Target))
	case workspace.Other:
		b.WriteString("  (no file)")
	}
	if e.Size != nil {
		b.WriteString("  " + humanSize(*e.Size))
	}
	if e.Modified != "" && e.Type == workspace.RegularFile && !tree {
		b.WriteString("  " + strings.Replace(e.Modified[:len("2006-01-02T15:04")], "T", " ", 1))
	}
	if marks := openMarks(e.Open, e.Dirty, e.Unsaved); marks != "" {
		b.WriteString("  " + marks)
	}
	if e.Ignored {
		b.WriteString("  [ignored]")
	}
	b.WriteByte('\n')
}

// humanSize renders a number of bytes with at most three digits.
func humanSize(n int64) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	size, unit := float64(n), 0
	for size >= 999.5 {
		size, unit = size/1024, unit+1
	}
	if size < 9.95 {
		return fmt.Sprintf("%.1f%c", size, " KMGTPE"[unit])
	}
	return fmt.Sprintf("%.0f%c", size, " KMGTPE"[unit])
}
