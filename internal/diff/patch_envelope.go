package diff

import "strings"

const (
	beginPatch = "*** Begin Patch"
	endPatch   = "*** End Patch"
	endOfFile  = "*** End of File"
	addFile    = "*** Add File:"
	deleteFile = "*** Delete File:"
	updateFile = "*** Update File:"
	moveTo     = "*** Move to:"
)

func isBegin(line string) bool { return strings.TrimSpace(line) == beginPatch }

// parseEnvelope reads what stands between "*** Begin Patch" and "*** End
// Patch", from the first of these lines on. Several such patches in a row are
// one.
func parseEnvelope(r *patchReader) (Patch, error) {
	var p Patch
	begun := r.line
	r.next()
	r.unpadEnd()
	for r.rest != "" {
		line := strings.TrimSpace(r.peek())
		if line == endPatch {
			if !r.toBegin() {
				break
			}
			continue
		}
		if line == "" {
			r.next()
			continue
		}
		f, err := r.section(line)
		if err == nil {
			err = p.add(f)
		}
		if err != nil {
			return p, err
		}
	}
	if r.rest == "" {
		return p, badPatch(r.line, "%q is missing: the patch that begins on line %d is cut off", endPatch, begun).
			Advise("Send the whole patch; if it is long, make several of it.")
	}
	if len(p.Files) == 0 {
		return p, badPatch(begun, "it is empty").Advise(`Name a file: "*** Update File: PATH", "*** Add File: PATH" or "*** Delete File: PATH".`)
	}
	return p, nil
}

// unpadEnd takes away blanks in front of an end that is the patch's last line:
// there it is no line of a file.
func (r *patchReader) unpadEnd() {
	rest, ok := strings.CutSuffix(strings.TrimRight(r.rest, " \t\r\n"), endPatch)
	if rest = strings.TrimRight(rest, " \t"); ok && strings.HasSuffix(rest, "\n") {
		r.rest = rest + endPatch
	}
}

// toBegin goes behind the next "*** Begin Patch"; without one it stays.
func (r *patchReader) toBegin() bool {
	for ahead := *r; ahead.rest != ""; ahead.next() {
		if isBegin(ahead.peek()) {
			ahead.next()
			*r = ahead
			return true
		}
	}
	return false
}

// section reads what is asked for of one file. line is the first one of it,
// without the blanks around it.
func (r *patchReader) section(line string) (f FilePatch, err error) {
	f.Line = r.line
	var name string
	for _, s := range []struct {
		prefix string
		op     PatchOp
	}{{addFile, PatchAdd}, {deleteFile, PatchDelete}, {updateFile, PatchUpdate}} {
		if rest, ok := strings.CutPrefix(line, s.prefix); ok {
			name, f.Op = strings.TrimSpace(rest), s.op
		}
	}
	if f.Op == "" {
		return f, badPatch(r.line, "%q is none of the lines that can stand here", shown(line)).
			Advise(`In a hunk every line begins with a blank (it stays), - (it goes) or + (it comes); a file begins with "*** Update File: PATH", "*** Add File: PATH" or "*** Delete File: PATH".`)
	}
	f.Path = name
	r.next()
	switch f.Op {
	case PatchAdd:
		f.Hunks, err = r.added()
	case PatchUpdate:
		if to, ok := strings.CutPrefix(strings.TrimSpace(r.peek()), moveTo); ok {
			f.Op, f.To = PatchMove, strings.TrimSpace(to)
			r.next()
		}
		f.Hunks, err = r.updates()
		if err == nil && len(f.Hunks) == 0 && f.Op == PatchUpdate {
			err = badPatch(f.Line, "no hunk follows %q", shown(line)).Advise("Below it come hunks: @@, then the lines.")
		}
	}
	return f, err
}

// added reads the lines of a new file, which is empty when there are none.
func (r *patchReader) added() ([]Hunk, error) {
	if !strings.HasPrefix(r.peek(), "+") {
		return nil, nil
	}
	h, err := r.hunk(hunkHead{line: r.line}, inEnvelope)
	return []Hunk{h}, err
}

// updates reads the hunks of a changed file. The first may lack its "@@".
func (r *patchReader) updates() (hunks []Hunk, err error) {
	for {
		for r.rest != "" && strings.TrimSpace(r.peek()) == "" {
			r.next()
		}
		line := r.peek()
		headed := strings.HasPrefix(line, "@@")
		if !headed && (len(hunks) > 0 || line == "" || !strings.ContainsAny(line[:1], " +-")) {
			return hunks, nil
		}
		head, err := r.header()
		if err != nil {
			return hunks, err
		}
		h, err := r.hunk(head, inEnvelope)
		if err != nil {
			return hunks, err
		}
		if strings.TrimSpace(r.peek()) == endOfFile {
			h.atEnd = true
			r.next()
		}
		if h.old == 0 && len(h.anchors) == 0 && !h.numbers {
			h.atEnd = true // lines that are only added, and no word of where
		}
		hunks = append(hunks, h)
	}
}

// inEnvelope tells that no line ends a hunk of the envelope that begins as one
// of a hunk does: the envelope's own lines begin with "@@" and "***".
func inEnvelope(*patchReader) bool { return false }

// shown is a line as an error shows it.
func shown(line string) string {
	const most = 80
	if len(line) > most {
		return strings.ToValidUTF8(line[:most], "") + "…"
	}
	return line
}
