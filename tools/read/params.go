package read

import (
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// The arguments with a closed list of values. The empty value is the default,
// the first of each list.
type (
	// ExpandMode says how far a window is widened.
	ExpandMode string
	// RenderStyle says how text is shown.
	RenderStyle string
	// OutlineMode says whether an outline stands beside the text.
	OutlineMode string
)

// The values of each.
const (
	ExpandSyntax ExpandMode = "syntax" // widen a byte window to whole definitions
	ExpandLines  ExpandMode = "lines"  // whole lines only

	Numbered  RenderStyle = "numbered" // N|line
	PlainText RenderStyle = "plain"    // the text alone
	XMLStyle  RenderStyle = "xml"      // <file …> with right-aligned numbers

	OutlineAuto   OutlineMode = "auto" // of what a truncated answer does not show
	OutlineAlways OutlineMode = "always"
	OutlineNever  OutlineMode = "never"
)

// UnmarshalText refuses what is not in the list.
func (m *ExpandMode) UnmarshalText(b []byte) error {
	return toolcall.OneOf(m, b, ExpandSyntax, ExpandLines)
}

// UnmarshalText refuses what is not in the list.
func (s *RenderStyle) UnmarshalText(b []byte) error {
	return toolcall.OneOf(s, b, Numbered, PlainText, XMLStyle)
}

// UnmarshalText refuses what is not in the list.
func (m *OutlineMode) UnmarshalText(b []byte) error {
	return toolcall.OneOf(m, b, OutlineAuto, OutlineAlways, OutlineNever)
}
