package session

import (
	"cmp"
	"context"
	"time"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/rpc/form"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// Protocol is the newest version of the frames and their meaning that this
// program speaks, OldestProtocol the oldest. Each end tells both, and two ends talk
// where one version is in both ranges, whatever their own versions are: an editor's
// server and an assistant's program are seldom updated at the same time. Programs
// of 0.1 tell and know one version alone; what they take for it is the oldest.
const (
	Protocol       = 1
	OldestProtocol = 1
)

// Call is a call of a tool.
type Call struct {
	Tool      string
	Arguments wire.RawValue // a JSON object; empty is one without members
	Client    toolcall.Client
	Form      form.Form
	// Roots are the folders that the call is about and that its paths are
	// relative to; empty for those of who answers.
	Roots []workspace.Folder
	// Progress is told how far the call is; nil when nobody listens.
	Progress func(message string, done, total int)
	// Ask asks the person behind the caller for their consent to a change that
	// no editor can ask about; nil where nobody can be asked. Sessions ask it, too,
	// but never about protected files: these are for the editor's person alone.
	Ask func(context.Context, toolcall.ConfirmRequest) (toolcall.Decision, error)
	// Quiet is for what the program asks by itself, over and over: nobody is told
	// of it, and it is not counted.
	Quiet bool
	// ReadGuards is [toolcall.Env.ReadGuards].
	ReadGuards bool
	// Extra are documents that other sessions have open, and Notes what the
	// answer shall say beside its own; who sends the call to a session sets both.
	Extra []PeerDocument
	Notes []string

	// Changes tells that it may change files: what becomes of it is waited for,
	// cancelled or not. Who sends the call to a session sets it.
	Changes bool
}

// Answer is what a call gave, ready to be passed on.
type Answer struct {
	// Raw is the result in the form that the call asked for. It belongs to who
	// gets it.
	Raw []byte
	// Kind is the kind of the error; "" when the tool did not fail.
	Kind fault.Kind
	// Header and Body are, in form text, how many bytes of Raw the header and
	// the body are; between the parts stands an empty line. 0 in other forms.
	Header, Body int
	// Session is who answered; nil when it was answered from disk.
	Session *Registration
}

// IsError reports whether the tool failed.
func (a Answer) IsError() bool { return a.Kind != "" }

// Host is the editor's server behind a socket.
type Host interface {
	// Call runs a tool on the editor's state as of now. Local tools are
	// refused.
	Call(ctx context.Context, c Call) (Answer, error)
	// Documents returns the open documents that q asks for; see [Documents].
	Documents(ctx context.Context, q Query) []PeerDocument
	// Command takes note of a command of a host, for the history.
	Command(ctx context.Context, client toolcall.Client, c Command)
	// Feed tells of the documents as they change. The caller closes it.
	Feed() *buffers.Feed
	// Hides reports whether policy keeps an open document from agents.
	Hides(d *buffers.Document) bool
}

// Command is a line of shell that a host runs by a tool of its own.
type Command struct {
	ID    string `json:"id,omitempty"` // as the host names the call
	Line  string `json:"line"`
	Ended bool   `json:"ended,omitzero"` // else it is about to begin
}

// Query asks for open documents.
type Query struct {
	// Of names those that are asked for; all when it is nil.
	Of []Name `json:"of,omitempty"`
	// Below keeps to files below these real paths, where it is not nil, and
	// Untitled adds the documents that have no file.
	Below    []string `json:"below,omitempty"`
	Untitled bool     `json:"untitled,omitzero"`
	// Texts asks for the texts of those that differ from their files, and for
	// no others; with All for those of all. Of All those for which there is no
	// room come without their texts.
	Texts bool `json:"texts,omitzero"`
	All   bool `json:"all,omitzero"`
}

// Name is what a document may go by: any that fits names it.
type Name struct {
	Path string `json:"path,omitempty"` // absolute
	Real string `json:"real,omitempty"` // with links resolved
	URI  string `json:"uri,omitempty"`  // of documents without a file
	// Dev and Ino are the file's identity; 0 when there is none.
	Dev uint64 `json:"dev,omitzero"`
	Ino uint64 `json:"ino,omitzero"`
}

// Document is an open document of a session.
type Document struct {
	URI string `json:"uri"` // as the editor spells it
	// Path is the absolute path; "" for documents without a file. Real is the
	// file's real path, "" where there is none.
	Path      string `json:"path,omitempty"`
	Real      string `json:"real,omitempty"`
	Language  string `json:"language,omitempty"`
	Version   int32  `json:"version"`
	Dirty     bool   `json:"dirty,omitzero"`
	OutOfSync string `json:"unsure,omitempty"`
	Hash      string `json:"hash,omitempty"` // "" where it was not asked for
	Bytes     int    `json:"bytes"`          // length of the text
	// DiskChanged: the file is not what the document was read from.
	DiskChanged bool `json:"disk_changed,omitzero"`
	// Closed: it is open no more.
	Closed bool `json:"closed,omitzero"`
	// Session is the process that has it open.
	Session int `json:"session,omitzero"`
}

// Key returns the name by which texts of one file are known as such.
func (d *Document) Key() string { return cmp.Or(d.Real, d.Path, d.URI) }

// PeerDocument is a document with its text, as another session has it.
type PeerDocument struct {
	Document
	Text string
}

// Registration is what a session tells of itself in its file.
type Registration struct {
	PID      int       `json:"pid"`
	Version  string    `json:"version"`  // the program's
	Protocol int       `json:"protocol"` // the oldest that it speaks; see [Protocol]
	Newest   int       `json:"newest"`   // the newest that it speaks; 0 where that is the oldest
	Roots    []string  `json:"roots"`    // absolute paths
	Editor   string    `json:"editor"`   // as it named itself
	Started  time.Time `json:"started"`
	Socket   string    `json:"socket"` // absolute path
	// Machine and Boot tell on which machine the session runs, and since which
	// start of it; "" where that is not known. See [fsys.MachineID].
	Machine string `json:"machine,omitempty"`
	Boot    string `json:"boot,omitempty"`
}
