package fault

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"syscall"
)

// Kind tells what sort of failure an [Error] is. Callers branch on it, so
// kinds are never renamed.
type Kind string

// The kinds, each with what the caller can do about it.
const (
	NotFound           Kind = "not_found"           // the path names nothing; near names are in the hint
	IsDirectory        Kind = "is_directory"        // a file was wanted
	NotDirectory       Kind = "not_directory"       // a directory was wanted
	NotAFile           Kind = "not_a_file"          // FIFO, device or socket
	OutsideWorkspace   Kind = "outside_workspace"   // in no root, or a link leads out of one
	AmbiguousRoot      Kind = "ambiguous_root"      // a relative path fits in several roots
	PermissionDenied   Kind = "permission_denied"   // a policy rule or the system refuses; the rule is named
	BinaryFile         Kind = "binary_file"         // needs allow_binary
	FileTooLarge       Kind = "file_too_large"      // over a stated limit
	InvalidParams      Kind = "invalid_params"      // the call's arguments are wrong
	InvalidPattern     Kind = "invalid_pattern"     // a search pattern does not parse
	SymbolNotFound     Kind = "symbol_not_found"    // no definition of that name
	AmbiguousSymbol    Kind = "ambiguous_symbol"    // several definitions of that name
	StaleFile          Kind = "stale_file"          // the hash names another text than the present one
	HashRequired       Kind = "hash_required"       // the edit names no text to guard
	MergeConflict      Kind = "merge_conflict"      // both sides changed the same lines
	TextNotFound       Kind = "text_not_found"      // old_text, or the lines of a hunk, do not occur
	AmbiguousMatch     Kind = "ambiguous_match"     // old_text, or the lines of a hunk, occur more than once
	OverlappingEdits   Kind = "overlapping_edits"   // two edits of one call touch the same text
	InvalidPatch       Kind = "invalid_patch"       // a patch does not parse
	AlreadyExists      Kind = "already_exists"      // creation would replace something
	EncodingError      Kind = "encoding_error"      // the file's encoding cannot hold a character
	EncodingLossy      Kind = "encoding_lossy"      // the file's bytes cannot be reproduced from its text
	ReadOnly           Kind = "read_only"           // the file, folder or session cannot be written
	NotApplied         Kind = "not_applied"         // the editor did not take the edit; nothing changed
	OutcomeUnknown     Kind = "outcome_unknown"     // the editor did not say what became of the edit
	PartiallyApplied   Kind = "partially_applied"   // several files; each one's state is listed
	BufferUnsure       Kind = "buffer_unsure"       // the mirrored text may differ from the editor's
	BufferDirty        Kind = "buffer_dirty"        // the document has unsaved changes
	RejectedByUser     Kind = "rejected_by_user"    // the person said no
	ConflictingBuffers Kind = "conflicting_buffers" // two editors hold different texts for one path
	NotebookOpen       Kind = "notebook_open"       // an open notebook is not edited as text
	NoEditor           Kind = "no_editor"           // needs an attached editor
	NotSupported       Kind = "not_supported"       // no language server of the editor does it
	SessionUnreachable Kind = "session_unreachable" // an editor is registered that this process cannot talk to
	IO                 Kind = "io_error"            // the system failed to read or write
	DiskFull           Kind = "disk_full"           // no space, or over a quota
	Timeout            Kind = "timeout"             // a stated time limit passed
	Cancelled          Kind = "cancelled"           // the caller cancelled
	Internal           Kind = "internal"            // a bug in this program
)

// Error is a failure with a kind, what it is about, and what to do next.
type Error struct {
	Kind    Kind
	Path    string // as shown to people; empty when the failure is about no file
	Message string // what is wrong, without the kind and without a final stop
	Hint    string // what to do next; may be empty
	// Details are further facts for programs, by their protocol name
	// ("actual", "lines", …). Values must be marshallable to JSON.
	Details map[string]any
}

// New returns an error of the given kind; format and args make its message.
func New(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// At returns a copy of e that names path.
func (e *Error) At(path string) *Error {
	c := *e
	c.Path = path
	return &c
}

// Advise returns a copy of e with a hint that says what to do next.
func (e *Error) Advise(format string, args ...any) *Error {
	c := *e
	c.Hint = fmt.Sprintf(format, args...)
	return &c
}

// With returns a copy of e with one more detail.
func (e *Error) With(key string, value any) *Error {
	c := *e
	c.Details = maps.Clone(e.Details)
	if c.Details == nil {
		c.Details = make(map[string]any, 1)
	}
	c.Details[key] = value
	return &c
}

// Error renders e on one or two lines: "kind: path: message", then the hint.
func (e *Error) Error() string {
	s := string(e.Kind) + ": "
	if e.Path != "" {
		s += e.Path + ": "
	}
	s += e.Message
	if e.Hint != "" {
		s += "\n" + e.Hint
	}
	return s
}

// KindOf returns the kind of the first *Error in err's chain, the kind that
// [From] would give another error, and "" for nil.
func KindOf(err error) Kind {
	if err == nil {
		return ""
	}
	return From(err).Kind
}

// From returns the *Error in err's chain or maps a system error to one; nil
// stays nil. What it cannot place is [IO] for file system errors and
// [Internal] otherwise.
func From(err error) *Error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	kind := systemKind(err)
	return &Error{Kind: kind, Message: systemMessage(err), Hint: systemHints[kind]}
}

// systemHints tell what to do about a system that refuses, where it is the same
// whatever was tried.
var systemHints = map[Kind]string{
	DiskFull: "Ask the person to make room (disk, quota, or a limit on the size of files); then try again.",
	ReadOnly: "It is mounted so that it can only be read: ask the person to change that, or write elsewhere.",
}

func systemKind(err error) Kind {
	for _, of := range [][]systemError{ownKinds, systemKinds} {
		for _, m := range of {
			if errors.Is(err, m.target) {
				return m.kind
			}
		}
	}
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return IO
	}
	if _, ok := errors.AsType[syscall.Errno](err); ok {
		return IO
	}
	return Internal
}

// systemError is an error of the system and the kind that it is.
type systemError struct {
	target error
	kind   Kind
}

// systemKinds, after what one system alone has, is read from the top: EROFS and ENOSPC also count as the
// broader errors below them.
var systemKinds = []systemError{
	{context.Canceled, Cancelled},
	{context.DeadlineExceeded, Timeout},
	{syscall.ENOSPC, DiskFull},
	{syscall.EDQUOT, DiskFull},
	{syscall.EFBIG, DiskFull},
	{syscall.EROFS, ReadOnly},
	{syscall.EISDIR, IsDirectory},
	{errNotDirectory, NotDirectory},
	{syscall.ENAMETOOLONG, InvalidParams},
	{fs.ErrNotExist, NotFound},
	{fs.ErrExist, AlreadyExists},
	{fs.ErrPermission, PermissionDenied},
}

// systemMessage drops the path of a path error: an [Error] has its own.
func systemMessage(err error) string {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Op + ": " + pe.Err.Error()
	}
	return err.Error()
}
