package tools

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// splitEnd divides a line into its text and its end.
func splitEnd(line []byte) (body, end []byte) {
	n := len(line)
	if n > 0 && line[n-1] == '\n' {
		n--
	}
	if n > 0 && line[n-1] == '\r' {
		n--
	}
	return line[:n], line[n:]
}

// cutAt returns the length of the first max characters of b.
func cutAt(b []byte, max int) int {
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

// oneLine returns a path for a header: quoted when a character of it would
// break the line.
func oneLine(path string) string {
	if strings.ContainsFunc(path, unicode.IsControl) {
		return strconv.Quote(path)
	}
	return path
}

// commaList is a list as people read it.
func commaList[T any](values []T) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = fmt.Sprint(v)
	}
	return strings.Join(words, ", ")
}

// shortened cuts a name that is shown back to the caller.
func shortened(name string) string {
	if n := cutAt([]byte(name), maxShownName); n < len(name) {
		return name[:n] + "…"
	}
	return name
}

// maxShownName is how much of a name is shown and compared, in bytes.
const maxShownName = 64

// maxNamed is how many files the words of an error name.
const maxNamed = 20
