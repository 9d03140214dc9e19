package buffers

import "github.com/agent-lsp/agent-lsp/internal/text"

// Content is a text to read from: the rope of an open document, or a file on
// disk of which only the asked parts are loaded. Offsets are bytes of the
// decoded text, lines are 0-based and end as [text.Text.Lines] says.
//
// A file can fail to be read or change at any moment. Its methods then give
// arbitrary but bounded values, and [File.Err] tells; so nothing that was read
// may be served before Err was asked.
type Content interface {
	// Len returns the length in bytes.
	Len() int
	// Lines returns the number of lines.
	Lines() int
	// LineStart returns where a line begins; Len() past the last line.
	LineStart(line int) text.Offset
	// LineAt returns the line that holds the byte at o; the last line for
	// Len() and beyond, 0 for an empty text.
	LineAt(o text.Offset) int
	// FloorChar returns the start of the character that holds the byte at o.
	FloorChar(o text.Offset) text.Offset
	// Append appends the bytes of s to dst.
	Append(dst []byte, s text.Span) []byte
}

var _ Content = text.Text{}
