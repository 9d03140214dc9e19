package wording

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plural returns the number n with the word for one or for many.
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// SplitEnd divides a line into its text and its end.
func SplitEnd(line []byte) (body, end []byte) {
	n := len(line)
	if n > 0 && line[n-1] == '\n' {
		n--
	}
	if n > 0 && line[n-1] == '\r' {
		n--
	}
	return line[:n], line[n:]
}

// CutAt returns the length of the first max characters of b.
func CutAt(b []byte, max int) int {
	if len(b) <= max {
		return len(b)
	}
	n := 0
	for range max {
		if n >= len(b) {
			return len(b)
		}
		_, size := utf8.DecodeRune(b[n:])
		n += size
	}
	return n
}

// OneLine returns a path for a header: quoted when a character of it would
// break the line.
func OneLine(path string) string {
	if strings.ContainsFunc(path, unicode.IsControl) {
		return strconv.Quote(path)
	}
	return path
}

// CommaList is a list as people read it.
func CommaList[T any](values []T) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = fmt.Sprint(v)
	}
	return strings.Join(words, ", ")
}

// Shortened cuts a name that is shown back to the caller.
func Shortened(name string) string {
	if n := CutAt([]byte(name), MaxShownName); n < len(name) {
		return name[:n] + "…"
	}
	return name
}

// MaxShownName is how much of a name is shown and compared, in bytes.
const MaxShownName = 64

// MaxNamed is how many files the words of an error name.
const MaxNamed = 20
