package tools

// The arguments with a closed list of values. The empty value is the default,
// the first of each list.
type (
	expandMode  string
	renderStyle string
	outlineMode string
)

const (
	expandSyntax expandMode = "syntax" // widen a byte window to whole definitions
	expandLines  expandMode = "lines"  // whole lines only

	numbered  renderStyle = "numbered" // N|line
	plainText renderStyle = "plain"    // the text alone
	xmlStyle  renderStyle = "xml"      // <file …> with right-aligned numbers

	outlineAuto   outlineMode = "auto" // of what a truncated answer does not show
	outlineAlways outlineMode = "always"
	outlineNever  outlineMode = "never"
)

// UnmarshalText refuses what is not in the list.
func (m *expandMode) UnmarshalText(b []byte) error { return oneOf(m, b, expandSyntax, expandLines) }

// UnmarshalText refuses what is not in the list.
func (s *renderStyle) UnmarshalText(b []byte) error {
	return oneOf(s, b, numbered, plainText, xmlStyle)
}

// UnmarshalText refuses what is not in the list.
func (m *outlineMode) UnmarshalText(b []byte) error {
	return oneOf(m, b, outlineAuto, outlineAlways, outlineNever)
}
