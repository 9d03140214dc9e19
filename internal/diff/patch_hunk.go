package diff

import (
	"iter"
	"strconv"
	"strings"
)

// Hunk is some lines of a file, which of them go and which come. It shares
// memory with the patch.
type Hunk struct {
	// Line is where it begins in the patch, 1-based.
	Line int

	at      int      // 0-based line of the old text where it begins; -1 when not known for sure
	numbers bool     // its header has line numbers, be they right or wrong
	anchors []string // lines before which it cannot stand, each within what the one before begins
	atEnd   bool     // its old lines are the last of the text

	body     string // its lines with their marks
	crlf     bool
	old, new int // lines of the old and of the new text
}

// hunkLine is a line of a hunk.
type hunkLine struct {
	mark  byte   // ' ', '-' or '+'
	text  string // without the LF
	noEnd bool   // no LF ends it in the text

	start, end int // of its bytes in the hunk's body
}

// isOld and isNew tell which of the two texts has the line.
func (l hunkLine) isOld() bool { return l.mark != '+' }
func (l hunkLine) isNew() bool { return l.mark != '-' }

// lines yields the hunk's lines.
func (h *Hunk) lines() iter.Seq[hunkLine] {
	return func(yield func(hunkLine) bool) {
		for at := 0; at < len(h.body); {
			l := h.lineAt(at)
			if at = l.end; l.mark != '\\' && !yield(l) {
				return
			}
		}
	}
}

// lineAt returns the line that begins at an offset of the body.
func (h *Hunk) lineAt(start int) hunkLine {
	line := firstLine(h.body[start:])
	l := hunkLine{mark: ' ', start: start, end: start + len(line)} // a context line that is empty may have lost its blank
	line = strings.TrimSuffix(line, "\n")
	if h.crlf {
		line = strings.TrimSuffix(line, "\r")
	}
	if strings.Trim(line, "\r") != "" {
		l.mark, line = line[0], line[1:]
	}
	l.text, l.noEnd = line, strings.HasPrefix(h.body[l.end:], `\`)
	return l
}

// Old returns the lines that the hunk expects, each ended by LF, up to limit
// lines.
func (h *Hunk) Old(limit int) string {
	var b strings.Builder
	for l := range h.lines() {
		if !l.isOld() {
			continue
		}
		if limit--; limit < 0 {
			break
		}
		b.WriteString(l.text)
		b.WriteByte('\n')
	}
	return b.String()
}

// Content returns the text of an added file.
func (f *FilePatch) Content() string {
	var b strings.Builder
	for i := range f.Hunks {
		for l := range f.Hunks[i].lines() {
			b.WriteString(l.text)
			if !l.noEnd {
				b.WriteByte('\n')
			}
		}
	}
	return b.String()
}

// hunkHead is what the lines before a hunk's own say.
type hunkHead struct {
	line     int
	numbers  bool // they are there
	start    int  // 1-based, as written
	old, new int  // counts
	anchors  []string
}

// header reads the "@@" lines at the reader's place. Several are several
// anchors.
func (r *patchReader) header() (h hunkHead, err error) {
	h.line = r.line
	for strings.HasPrefix(r.peek(), "@@") && !h.numbers {
		line := r.peek()
		if strings.HasPrefix(line, "@@@") {
			return h, badPatch(r.line, "combined diffs, of merges, are not taken").Advise("Make a diff against one parent.")
		}
		if !h.ranges(line) {
			anchor := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(line[2:]), "@@"))
			if strings.Trim(anchor, ".… ") != "" && !isSpoiledRange(anchor) {
				h.anchors = append(h.anchors, anchor)
			}
			if len(h.anchors) > maxAnchors {
				return h, badPatch(r.line, "more than %d lines with @@ stand before one hunk", maxAnchors)
			}
		}
		r.next()
	}
	return h, nil
}

// isSpoiledRange tells of line numbers that are none, and no line of code.
func isSpoiledRange(s string) bool {
	rest, ok := strings.CutPrefix(s, "-")
	return ok && (rest == "" || strings.Contains(rest, " +") || '0' <= rest[0] && rest[0] <= '9')
}

// ranges reads "@@ -start,old +start,new @@ heading"; it is false for other
// lines.
func (h *hunkHead) ranges(line string) bool {
	inner, ok := strings.CutPrefix(line, "@@ -")
	if !ok {
		return false
	}
	inner, _, ok = strings.Cut(inner, " @@")
	if !ok {
		return false
	}
	was, is, _ := strings.Cut(inner, " +")
	var okOld, okNew bool
	h.start, h.old, okOld = lineNumbers(was)
	_, h.new, okNew = lineNumbers(is)
	h.numbers = okOld && okNew
	return h.numbers
}

// lineNumbers reads "start,count" or "start", which is of one line.
func lineNumbers(s string) (start, count int, ok bool) {
	first, second, both := strings.Cut(s, ",")
	start, ok = lineNumber(first)
	count = 1
	if both && ok {
		count, ok = lineNumber(second)
	}
	return start, count, ok
}

func lineNumber(s string) (int, bool) {
	n, err := strconv.ParseUint(s, 10, 31)
	return int(n), err == nil
}

// hunk reads a hunk's lines, which ends tells the end of besides the counts
// of its header. Where the counts are not those of the lines, the header's
// numbers are not trusted.
func (r *patchReader) hunk(head hunkHead, ends func(*patchReader) bool) (Hunk, error) {
	h := Hunk{Line: head.line, at: -1, numbers: head.numbers, anchors: head.anchors, crlf: r.crlf}
	if r.hunks++; r.hunks > maxHunks {
		return h, badPatch(h.Line, "it has more than %d hunks", maxHunks).Advise("Make several patches of it.")
	}
	start := *r
	if head.numbers && r.counted(&h, head, ends) {
		if h.at = head.start; head.old > 0 {
			h.at--
		}
	} else {
		*r = start
		h.old, h.new = 0, 0
		r.uncounted(&h, ends)
	}
	h.body = start.rest[:len(start.rest)-len(r.rest)]
	if h.old+h.new == 0 {
		return h, badPatch(h.Line, "a hunk has no lines").
			Advise("Below @@ every line begins with a blank (it stays), - (it goes) or + (it comes).")
	}
	h.dropMark()
	return h, nil
}

// counted reads as many lines as the header says, and reports whether that is
// where the hunk ends. Another file's head among them, as git writes it, tells
// that the count is wrong, even where it happens to fit.
func (r *patchReader) counted(h *Hunk, head hunkHead, ends func(*patchReader) bool) bool {
	for h.old < head.old || h.new < head.new || strings.HasPrefix(r.rest, `\`) {
		if r.rest == "" || ends(r) && r.atGitNames() || !r.take(h) || h.old > head.old || h.new > head.new {
			return false
		}
	}
	line := r.peek()
	return ends(r) || line == "" || isSignature(line) || !strings.ContainsAny(line[:1], ` +-\`)
}

// uncounted reads lines for as long as they can be a hunk's. Empty ones at its
// end are not taken for lines that lost their blank.
func (r *patchReader) uncounted(h *Hunk, ends func(*patchReader) bool) {
	after, counted := *r, *h
	for r.rest != "" && !ends(r) && !r.atSignature() {
		empty := r.peek() == ""
		if !r.take(h) {
			break
		}
		if !empty {
			after, counted = *r, *h
		}
	}
	*r, *h = after, counted
}

// take counts the present line for the hunk and goes on; it is false for a
// line that cannot be of a hunk.
func (r *patchReader) take(h *Hunk) bool {
	mark := byte(' ')
	if line := r.peek(); line != "" {
		mark = line[0]
	}
	switch mark {
	case ' ':
		h.old++
		h.new++
	case '-':
		h.old++
	case '+':
		h.new++
	case '\\':
	default:
		return false
	}
	r.next()
	return true
}

// isSignature tells of the line below which mails have their signature.
func isSignature(line string) bool { return line == "-- " || line == "--" }

// atSignature reports whether the present line is that of git format-patch,
// below which the version of git stands, and no removed line.
func (r *patchReader) atSignature() bool {
	version := strings.TrimLeft(r.second(), "0123456789")
	return isSignature(r.peek()) && version != r.second() && strings.HasPrefix(version, ".") && r.third() == ""
}

// dropMark takes the byte-order mark away from the first line of both texts:
// it is no part of a text here.
func (h *Hunk) dropMark() {
	const mark = "\uFEFF"
	if !strings.Contains(h.body, mark) {
		return
	}
	firstOld, firstNew := true, true
	var was, is bool
	for l := range h.lines() {
		if l.isOld() && firstOld {
			was, firstOld = strings.HasPrefix(l.text, mark), false
		}
		if l.isNew() && firstNew {
			is, firstNew = strings.HasPrefix(l.text, mark), false
		}
	}
	if was && is {
		body := "\n" + h.body
		for _, m := range []string{"\n ", "\n-", "\n+"} {
			body = strings.Replace(body, m+mark, m, 1)
		}
		h.body = body[1:]
	}
}
