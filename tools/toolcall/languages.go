package toolcall

import (
	"context"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// Languages is what the attached editor's language servers know. What they say fits
// the texts of the snapshot that is given; else the error is one that
// [buffers.IsChanged] reports. Other errors: no_editor when the editor's client does
// not ask them, timeout, and not_applied in the words of a server that refuses.
type Languages interface {
	// Places returns what stands in a relation to what is at a place.
	Places(ctx context.Context, s *buffers.Snapshot, at Place, relation string) (*Places, error)
	// Rename returns what renaming what is at a place changes.
	Rename(ctx context.Context, s *buffers.Snapshot, at Place, name string) (*ServerEdit, error)
	// WillRename returns what servers change elsewhere when files are moved, by the
	// paths before and after. It returns nothing where nobody is asked.
	WillRename(ctx context.Context, s *buffers.Snapshot, moves [][2]workspace.Path) ([]ServerEdit, error)
	// Actions returns the titles of what servers offer to do about lines.
	Actions(ctx context.Context, s *buffers.Snapshot, about ActionRange) (*Actions, error)
	// Act returns what the action of a title changes.
	Act(ctx context.Context, s *buffers.Snapshot, about ActionRange, title string) (*ServerEdit, error)
}

// Place is a place in the text of a file.
type Place struct {
	File   *buffers.File
	Offset text.Offset // a byte of the text
}

// ActionRange is a part of a file that actions are asked for, and of which kind,
// with those below it; "" is any.
type ActionRange struct {
	File *buffers.File
	Span text.Span
	Kind string
}

// ServerRange is a part of a file as a language server tells it: what it is in bytes
// depends on the text, which is read where it is needed. End is not below Start.
type ServerRange struct {
	Path       workspace.Path
	Start, End text.Position
	Coord      text.Coord
}

// In returns the bytes of the range in the file's text. It reports whether they are
// there: a server may speak of another text.
func (r ServerRange) In(t text.Text) (text.Span, bool) {
	span := text.Span{Start: t.OffsetAt(r.Start, r.Coord), End: t.OffsetAt(r.End, r.Coord)}
	there := t.PositionAt(span.Start, r.Coord) == r.Start
	ends := t.PositionAt(span.End, r.Coord) == r.End || span.End == t.Len() // "all" is often told by a line past the last
	return span, there && ends && span.Start <= span.End
}

// Places is what language servers answer about a place.
type Places struct {
	By    []string // the servers that answered; none knows the language where it is empty
	Busy  string   // what a server is busy with, such as loading; "" with nothing
	Found []ServerRange
	// Elsewhere counts what is at no path of a file.
	Elsewhere int
}

// ServerEdit is a change that a language server makes of it.
type ServerEdit struct {
	By      string // "" where no server knows the language
	Busy    string
	Files   []ServerFileEdit // in the server's order
	Command string           // what only the server can run; there are no files then
	Found   bool             // there is such an action
}

// ServerFileEdit is what becomes of one file: its edits, or with Kind what is done
// with the file itself.
type ServerFileEdit struct {
	Path, To workspace.Path
	Kind     string // "create", "rename", "delete"; "" for edits
	Edits    []ServerTextEdit
}

// ServerTextEdit replaces a range.
type ServerTextEdit struct {
	Range ServerRange
	New   string
}

// Actions is what language servers offer.
type Actions struct {
	By   []string
	Busy string
	List []Action
}

// Action is one of them.
type Action struct {
	Title    string `json:"title"`
	Kind     string `json:"kind,omitempty"`
	By       string `json:"by"`
	Disabled string `json:"disabled,omitempty" jsonschema:"Why it cannot be applied now."`
}

// ErrNoLanguages tells that nobody can be asked what language servers know.
var ErrNoLanguages = fault.New(fault.NoEditor, "no editor is attached, and its language servers know this").
	Advise("Open the workspace in an editor that runs agent-lsp, with a language server; or use references, which needs none, and edits.")
