package setup

import (
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// Level is how much a host may call without asking the person.
type Level string

// The levels. None of them covers a tool that runs commands.
const (
	AllowNone Level = "none"
	AllowRead Level = "read" // what changes nothing
	AllowAll  Level = "all"  // and what changes files
)

// Tools are the names of the tools that a person may let a host call without asking.
type Tools struct{ Reads, Changes []string }

// at returns the tools of a level.
func (t Tools) at(l Level) []string {
	switch l {
	case AllowRead:
		return t.Reads
	case AllowAll:
		return slices.Concat(t.Reads, t.Changes)
	}
	return nil
}

// permit is where and how a host is told which tools it may call without asking. The
// zero one is a host that is told nowhere.
type permit struct {
	files []string // as those of a Host; none where it is the file of the entry
	lines lines
	// changesAlone tells that the host never asks before it calls a tool which
	// says of itself that it changes nothing.
	changesAlone bool
	// wholeServer tells that the host cannot tell one tool from another: it is
	// told something at AllowAll alone.
	wholeServer bool
}

// lines are the permission lines of a host, one or more for a tool. What is
// there with another value than setup writes is the person's, and stays.
type lines interface {
	// add returns src with the lines of tools.
	add(src []byte, p Places, tools []string) ([]byte, error)
	// cut returns src without the lines of tools; everywhere: also of other
	// projects, where one file tells of all.
	cut(src []byte, p Places, tools []string, everywhere bool) ([]byte, error)
}

// allowed returns the tools of a level that the host is told.
func (t permit) allowed(o Order) []string {
	allowed := o.Tools.at(o.Allow)
	switch {
	case t.wholeServer && o.Allow != AllowAll:
		return nil
	case t.changesAlone:
		return slices.DeleteFunc(slices.Clone(allowed), func(name string) bool { return slices.Contains(o.Tools.Reads, name) })
	}
	return allowed
}

// set returns src with the lines of a level. What goes beyond it is cut, unless
// more is kept.
func (t permit) set(src []byte, p Places, o Order) ([]byte, error) {
	allowed := t.allowed(o)
	out, err := src, error(nil)
	if len(allowed) > 0 {
		out, err = t.lines.add(src, p, allowed)
	}
	beyond := slices.DeleteFunc(o.Tools.at(AllowAll), func(name string) bool { return slices.Contains(allowed, name) })
	if err == nil && len(beyond) > 0 && !o.KeepMore {
		out, err = t.lines.cut(out, p, beyond, false)
	}
	if err != nil {
		return nil, fault.New(fault.InvalidParams, "the permissions cannot be written: %s", err).
			Advise("Mend the file, or call with --allow none.")
	}
	return out, nil
}
