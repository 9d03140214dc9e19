package toolcall

import (
	"fmt"
	"math"
	"slices"

	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// OneOf reads an argument with a closed list of values. The empty value is the
// default, the first of the list.
func OneOf[T ~string](to *T, b []byte, values ...T) error {
	if *to = T(b); len(b) == 0 || slices.Contains(values, *to) { // empty: the default, which some hosts send
		return nil
	}
	return fmt.Errorf("must be one of %s", wording.CommaList(values))
}

// CountOf returns how many of something a call asks for in an argument, def when
// it does not say, or says 0, as some hosts do for what is not given. More than
// most are most, and a note says so.
func CountOf(argument string, v *uint64, def, most int) (n int, notes []string) {
	n = NumberOr(NonZero(v), def)
	if n > most {
		return most, []string{fmt.Sprintf("%q is %d at most.", argument, most)}
	}
	return n, nil
}

// NonZero returns v, nil where it is 0: of an argument of which 0 means nothing.
func NonZero(v *uint64) *uint64 {
	if v != nil && *v == 0 {
		return nil
	}
	return v
}

// NumberOr returns what an optional argument says, or def. Numbers larger than
// any text are clamped, so that sums of two do not overflow.
func NumberOr(v *uint64, def int) int {
	if v == nil {
		return def
	}
	return int(min(*v, math.MaxInt/4))
}
