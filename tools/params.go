package tools

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/output"
)

// The arguments with a closed list of values. The empty value is the default,
// the first of each list.
type (
	expandMode  string
	renderStyle string
	saveMode    string
	outlineMode string
	outputLevel string
)

const (
	expandSyntax expandMode = "syntax" // widen a byte window to whole definitions
	expandLines  expandMode = "lines"  // whole lines only

	numbered  renderStyle = "numbered" // N|line
	plainText renderStyle = "plain"    // the text alone
	xmlStyle  renderStyle = "xml"      // <file …> with right-aligned numbers

	saveAuto   saveMode = "auto"   // save what was clean before and is only edited by us
	saveAlways saveMode = "always" // save, or refuse the call
	saveNever  saveMode = "never"

	outlineAuto   outlineMode = "auto" // of what a truncated answer does not show
	outlineAlways outlineMode = "always"
	outlineNever  outlineMode = "never"

	outputConcise = outputLevel(output.Concise)
	outputSilent  = outputLevel(output.Silent)
	outputNormal  = outputLevel(output.Normal)
	outputVerbose = outputLevel(output.Verbose)
	outputFull    = outputLevel(output.Full)
)

// UnmarshalText refuses what is not in the list.
func (m *expandMode) UnmarshalText(b []byte) error { return oneOf(m, b, expandSyntax, expandLines) }

// UnmarshalText refuses what is not in the list.
func (s *renderStyle) UnmarshalText(b []byte) error {
	return oneOf(s, b, numbered, plainText, xmlStyle)
}

// UnmarshalText refuses what is not in the list.
func (m *saveMode) UnmarshalText(b []byte) error {
	return oneOf(m, b, saveAuto, saveAlways, saveNever)
}

// UnmarshalText refuses what is not in the list.
func (m *outlineMode) UnmarshalText(b []byte) error {
	return oneOf(m, b, outlineAuto, outlineAlways, outlineNever)
}

// UnmarshalText refuses what is not in the list.
func (l *outputLevel) UnmarshalText(b []byte) error {
	return oneOf(l, b, outputConcise, outputSilent, outputNormal, outputVerbose, outputFull)
}

func oneOf[T ~string](to *T, b []byte, values ...T) error {
	if *to = T(b); len(b) == 0 || slices.Contains(values, *to) { // empty: the default, which some hosts send
		return nil
	}
	return fmt.Errorf("must be one of %s", commaList(values))
}

// commaList is a list as people read it.
func commaList[T any](values []T) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = fmt.Sprint(v)
	}
	return strings.Join(words, ", ")
}

// countOf returns how many of something a call asks for in an argument, def when
// it does not say, or says 0, as some hosts do for what is not given. More than
// most are most, and a note says so.
func countOf(argument string, v *uint64, def, most int) (n int, notes []string) {
	n = number(given(v), def)
	if n > most {
		return most, []string{fmt.Sprintf("%q is %d at most.", argument, most)}
	}
	return n, nil
}

// given returns v, nil where it is 0: of an argument of which 0 means nothing.
func given(v *uint64) *uint64 {
	if v != nil && *v == 0 {
		return nil
	}
	return v
}

// number returns what an optional argument says, or def. Numbers larger than
// any text are clamped, so that sums of two do not overflow.
func number(v *uint64, def int) int {
	if v == nil {
		return def
	}
	return int(min(*v, math.MaxInt/4))
}
