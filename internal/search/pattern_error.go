package search

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// patternError says what is wrong with p, where, and what to write instead.
func patternError(p Pattern, flags syntax.Flags, err error) error {
	var se *syntax.Error
	if !errors.As(err, &se) {
		return fault.New(fault.InvalidPattern, "%v", err)
	}
	message := string(se.Code)
	if fragment := se.Expr; fragment != "" && len(fragment) < min(len(p.Text), 80) {
		message += ": " + fragment
	}
	f := fault.New(fault.InvalidPattern, "%s", message).Advise("%s", hintFor(se))
	return atPosition(f, position(p.Text, flags, se))
}

// atPosition adds to f where in the pattern it is, for programs and in words;
// -1 is nowhere.
func atPosition(f *fault.Error, at int) *fault.Error {
	if at < 0 {
		return f
	}
	f = f.With("position", at)
	f.Message += fmt.Sprintf(", at byte %d", at)
	return f
}

const plainHint = "To search for plain text set literal:true; in an expression put \\ before characters that are meant as such."

func hintFor(se *syntax.Error) string {
	switch se.Code {
	case syntax.ErrInvalidPerlOp:
		if len(se.Expr) < 3 || strings.IndexByte("=!<>", se.Expr[2]) < 0 {
			return "After (? stand flags (?i), a group's :, or P<name>: (?i), (?s:…), (?P<name>…). " + plainHint
		}
		return "RE2 syntax has neither lookahead nor lookbehind nor atomic groups: search for a wider pattern and look at the lines found."
	case syntax.ErrInvalidEscape:
		if len(se.Expr) > 1 && se.Expr[1] >= '1' && se.Expr[1] <= '9' {
			return "RE2 syntax has no backreferences: search for a wider pattern and look at the lines found."
		}
		return `RE2 syntax has no such escape; \d \s \w \b \A \z \pL \Q…\E are there. ` + plainHint
	case syntax.ErrInvalidRepeatOp:
		return "RE2 syntax has no possessive or repeated repetitions: use one of * + ? {n,m}, or a group."
	case syntax.ErrInvalidRepeatSize:
		return "Counts in {n,m} go up to 1000, those of one in another multiplied, and n is not above m."
	case syntax.ErrInvalidCharRange, syntax.ErrInvalidCharClass:
		return `In [ ] a range goes from the lower to the higher character; classes are \d, \s, \w, [:alpha:], \p{Greek}.`
	case syntax.ErrInvalidNamedCapture:
		return "Write (?P<name>…) with letters, digits and _; RE2 syntax has no lookbehind."
	case syntax.ErrLarge, syntax.ErrNestingDepth:
		return "Use smaller counts in {n,m}, fewer groups in groups, or search for a part of it."
	case syntax.ErrInvalidUTF8:
		return "Write the pattern in UTF-8."
	}
	return plainHint
}

// position returns the byte offset in pattern of what se is about, or -1 when
// it cannot be told.
func position(pattern string, flags syntax.Flags, se *syntax.Error) int {
	switch se.Code {
	case syntax.ErrMissingParen, syntax.ErrUnexpectedParen:
		return unbalanced(pattern)
	case syntax.ErrTrailingBackslash:
		return len(pattern) - 1
	case syntax.ErrMissingBracket:
		return len(pattern) - len(se.Expr)
	case syntax.ErrInvalidUTF8:
		return invalidUTF8(pattern)
	case syntax.ErrLarge, syntax.ErrNestingDepth, syntax.ErrInternalError:
		return -1
	}
	return fragmentAt(pattern, flags, se)
}

// maxTries bounds the places of a fragment that are tried.
const maxTries = 64

// fragmentAt returns where the fragment that se names is wrong: at the first
// of its occurrences up to whose end the pattern fails alike.
func fragmentAt(pattern string, flags syntax.Flags, se *syntax.Error) int {
	if se.Expr == "" {
		return -1
	}
	from := 0
	for range maxTries {
		i := strings.Index(pattern[from:], se.Expr)
		if i < 0 {
			return -1
		}
		at := from + i
		var got *syntax.Error
		if _, err := syntax.Parse(pattern[:at+len(se.Expr)], flags); errors.As(err, &got) && got.Code == se.Code {
			return at
		}
		from = at + 1
	}
	return -1
}

func invalidUTF8(s string) int {
	for i, r := range s {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(s[i:]); size == 1 {
				return i
			}
		}
	}
	return -1
}

// unbalanced returns the offset of the parenthesis without a partner: the
// first ")" too many, or the last "(" that is open at the end.
func unbalanced(pattern string) int {
	var open []int
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '\\':
			if strings.HasPrefix(pattern[i:], `\Q`) {
				quoted, _, _ := strings.Cut(pattern[i:], `\E`)
				i += len(quoted)
			}
			i++
		case '[':
			i += bracketSize(pattern[i:]) - 1
		case '(':
			open = append(open, i)
		case ')':
			if len(open) == 0 {
				return i
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) == 0 {
		return -1
	}
	return open[len(open)-1]
}

// bracketSize is the size of the character class that s begins with.
func bracketSize(s string) int {
	i := 1
	if strings.HasPrefix(s[i:], "^") {
		i++
	}
	for first := true; i < len(s); first = false {
		switch {
		case s[i] == ']' && !first:
			return i + 1
		case s[i] == '\\':
			i += 2
		case strings.HasPrefix(s[i:], "[:") && strings.Contains(s[i:], ":]"):
			i += strings.Index(s[i:], ":]") + 2
		default:
			i++
		}
	}
	return len(s)
}
