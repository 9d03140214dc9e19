package fakeeditor

import (
	"slices"
	"strings"
)

// document is one open buffer. The text is UTF-8 with the line ends it has.
type document struct {
	uri, path string // path is empty for a document that is not a file
	language  string
	text      string
	base      string // the text as of open, save or reload
	unsaved   bool   // there never was a file to compare with
	version   int
	format    Format
	undo      []string // texts before each step, oldest first
	held      bool     // changes are collected in waiting until flush
	waiting   []contentChange
	applied   int // edits of the server that changed the text
}

func (d *document) dirty() bool { return d.unsaved || d.text != d.base }

// contentChange is one element of didChange's contentChanges; without a range
// it is the whole text.
type contentChange struct {
	Range *Range `json:"range,omitempty"`
	Text  string `json:"text"`
}

// splice replaces the bytes [start,end) of the text that it is applied to.
type splice struct {
	start, end int
	text       string
}

func (s splice) apply(text string) string { return text[:s.start] + s.text + text[s.end:] }

// minimal returns the smallest splice that makes after of before, cut at
// characters; a CRLF is never cut in two.
func minimal(before, after string) splice {
	b, a := []rune(before), []rune(after)
	pre := 0
	for pre < len(b) && pre < len(a) && b[pre] == a[pre] {
		pre++
	}
	if pre > 0 && b[pre-1] == '\r' {
		pre--
	}
	post := 0
	for post < len(b)-pre && post < len(a)-pre && b[len(b)-1-post] == a[len(a)-1-post] {
		post++
	}
	if post > 0 && b[len(b)-post] == '\n' {
		post--
	}
	return splice{
		start: len(string(b[:pre])),
		end:   len(string(b[:len(b)-post])),
		text:  string(a[pre : len(a)-post]),
	}
}

// descending orders splices that all refer to one text so that applying them
// one after the other leaves the offsets of the rest valid. Insertions at one
// place keep their order in the result, as the specification asks.
func descending(splices []splice) []splice {
	out := slices.Clone(splices)
	slices.SortStableFunc(out, func(a, b splice) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return a.end - b.end
	})
	slices.Reverse(out)
	return out
}

// overlapping says whether two of the splices touch the same bytes; order is
// that of descending.
func overlapping(order []splice) bool {
	for i := 1; i < len(order); i++ {
		if order[i].end > order[i-1].start {
			return true
		}
	}
	return false
}

// lineEnding is the line end that an editor which knows only one per document
// would choose for text under the given line rule.
func lineEnding(text, rule string) string {
	crlf := strings.Count(text, "\r\n")
	lf := strings.Count(text, "\n") - crlf
	if rule == OnlyLF && crlf > 0 && lf == 0 {
		return "\r\n" // Neovim: dos only when every line says so
	}
	if rule == AnyLineEnd && crlf > lf {
		return "\r\n"
	}
	return "\n"
}

// normalise gives every line of text the ending eol.
func normalise(text, eol string) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	return strings.ReplaceAll(text, "\n", eol)
}
