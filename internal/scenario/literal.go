package scenario

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sizes beyond which a text is shortened for the reader; its hash then stands
// for the rest.
const (
	maxLines   = 40 // lines shown whole
	headLines  = 12
	tailLines  = 4
	maxColumns = 240 // bytes of a line shown whole
	headBytes  = 80
	tailBytes  = 40
)

// literal renders a text as lines, verbatim or each as a Go string. Long texts
// lose their middle and gain their hash.
func literal(text string, verbatim bool) []string {
	if text == "" {
		return nil
	}
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	var out []string
	for i, line := range lines {
		if len(lines) > maxLines && i == headLines {
			out = append(out, fmt.Sprintf("… %d lines, the whole: %d bytes %s",
				len(lines)-headLines-tailLines, len(text), hashOf([]byte(text))))
		}
		if len(lines) > maxLines && i >= headLines && i < len(lines)-tailLines {
			continue
		}
		out = append(out, literalLine(line, verbatim))
	}
	return out
}

func literalLine(line string, verbatim bool) string {
	if len(line) > maxColumns {
		head, tail := strings.ToValidUTF8(line[:headBytes], ""), strings.ToValidUTF8(line[len(line)-tailBytes:], "")
		long := fmt.Sprintf("… %d bytes %s …", len(line), hashOf([]byte(line)))
		if verbatim {
			return head + long + strings.TrimSuffix(tail, "\n")
		}
		return strconv.Quote(head) + long + strconv.Quote(tail)
	}
	if verbatim {
		return strings.TrimSuffix(line, "\n")
	}
	return strconv.Quote(line)
}

// isPlain says whether a reader sees all of text when it stands there as it
// is: nothing invisible, no trailing blanks, and no line that txtar would take
// for a section.
func isPlain(text string) bool {
	if !utf8.ValidString(text) || !strings.HasSuffix(text, "\n") {
		return false
	}
	for _, r := range text {
		if r != '\n' && r != '\t' && !unicode.IsPrint(r) {
			return false
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, "-- ") && strings.HasSuffix(line, " --") || strings.HasSuffix(line, " ") {
			return false
		}
	}
	return true
}

// section renders a text for a section of its own: verbatim when every
// character can be seen and the text ends in a line end, otherwise each line
// as a Go string.
func section(text string) string {
	lines := literal(text, isPlain(text))
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

func hashOf(raw []byte) string {
	sum := sha256.Sum256(raw)
	return "sha256:" + hex.EncodeToString(sum[:])
}
