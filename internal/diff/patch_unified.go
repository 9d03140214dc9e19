package diff

import (
	"strconv"
	"strings"
)

// parseUnified reads a unified diff, with git's headers or without, from the
// first header on.
func parseUnified(r *patchReader) (Patch, error) {
	var p Patch
	r.crlf = strings.HasSuffix(r.raw(), "\r\n")
	for r.rest != "" {
		f, err := r.file()
		if err == nil {
			err = p.add(f)
		}
		if err != nil {
			return p, err
		}
	}
	return p, nil
}

// atHeader reports whether a file begins here.
func (r *patchReader) atHeader() bool {
	return r.atGit() || r.atNames() || r.atRename()
}

func (r *patchReader) atGit() bool { return strings.HasPrefix(r.rest, "diff --git ") }

// atRename reports whether the two lines of a move stand here, which may lack
// git's line before them, as in the answers of this program.
func (r *patchReader) atRename() bool {
	return strings.HasPrefix(r.rest, "rename from ") && strings.HasPrefix(r.second(), "rename to ")
}

// atNames reports whether the two lines of names stand here.
func (r *patchReader) atNames() bool {
	return strings.HasPrefix(r.rest, "--- ") && strings.HasPrefix(r.second(), "+++ ")
}

// atGitNames is atNames for names with git's letters, which no text has after two
// marks of its own.
func (r *patchReader) atGitNames() bool {
	named := func(line, mark, letter string) bool {
		name := strings.TrimPrefix(line, mark)
		return strings.HasPrefix(name, letter) || strings.HasPrefix(name, "/dev/null")
	}
	return r.atNames() && named(r.peek(), "--- ", "a/") && named(r.second(), "+++ ", "b/")
}

// inUnified tells of a line that ends a hunk of a unified diff, though it
// begins as one of a hunk does.
func inUnified(r *patchReader) bool {
	return r.atNames() && strings.HasPrefix(r.third(), "@@")
}

// refused tells of what begins here and cannot be taken.
func (r *patchReader) refused() error {
	line := r.peek()
	switch {
	case strings.HasPrefix(line, "diff --cc "), strings.HasPrefix(line, "diff --combined "):
		return badPatch(r.line, "combined diffs, of merges, are not taken").Advise("Make a diff against one parent.")
	case line == "GIT binary patch", strings.HasPrefix(line, "Binary files ") && strings.HasSuffix(line, " differ"):
		return badPatch(r.line, "it changes a binary file").Advise("Leave that file out; binary files are not patched.")
	}
	return nil
}

// file reads what is asked for of one file, from its header on, and goes to
// the next header.
func (r *patchReader) file() (FilePatch, error) {
	f := FilePatch{Op: PatchUpdate, Line: r.line}
	var names fileNames
	if err := r.gitHeader(&f, &names); err != nil {
		return f, err
	}
	if r.atNames() {
		names.old, names.new = r.peek()[4:], r.second()[4:]
		r.next()
		r.next()
		if !strings.HasPrefix(r.rest, "@@") {
			return f, badPatch(r.line, "no hunk follows the names of a file").Advise(`Below them comes "@@ -LINE,COUNT +LINE,COUNT @@".`)
		}
	}
	if err := r.fileHunks(&f); err != nil {
		return f, err
	}
	if err := names.resolve(&f); err != nil {
		return f, err
	}
	if f.Op == PatchUpdate && len(f.Hunks) == 0 && f.Mode == ModeUnsaid {
		return f, badPatch(f.Line, "nothing is changed in %s", shown(f.Path)).Advise(`Below its names come hunks: "@@", then the lines.`)
	}
	return f, nil
}

// fileHunks reads the hunks of a file, and what stands between them and the
// next header.
func (r *patchReader) fileHunks(f *FilePatch) error {
	for {
		for strings.HasPrefix(r.rest, "@@") {
			head, err := r.header()
			if err != nil {
				return err
			}
			h, err := r.hunk(head, inUnified)
			if err != nil {
				return err
			}
			f.Hunks = append(f.Hunks, h)
		}
		if err := r.gap(); err != nil || !strings.HasPrefix(r.rest, "@@") {
			return err
		}
	}
}

// gap goes to the next header or hunk, over what belongs to no file. Before
// git or a mail begins anew it must not hold lines that could be a hunk's:
// they would be lost without a word.
func (r *patchReader) gap() error {
	inFile, odd := true, 0 // odd is the first line that is neither a hunk's nor empty
	for ; r.rest != "" && !r.atHeader() && !strings.HasPrefix(r.rest, "@@"); r.next() {
		if err := r.refused(); err != nil {
			return err
		}
		line := r.peek()
		if line != "" && odd == 0 {
			odd = r.line
		}
		switch {
		case isSignature(line), isCommit(line):
			inFile = false // what follows is a mail's, or git's
		case inFile && line != "---" && (strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-")):
			return badPatch(odd, "a line of a hunk begins with none of blank, - and +").
				Advise("In a hunk every line begins with a blank (it stays), - (it goes) or + (it comes), also an empty one.")
		}
	}
	return nil
}

// isCommit tells of the lines with which git begins a commit.
func isCommit(line string) bool {
	rest, mail := strings.CutPrefix(line, "From ")
	if !mail {
		var log bool
		if rest, log = strings.CutPrefix(line, "commit "); !log {
			return false
		}
	}
	id, _, _ := strings.Cut(rest, " ")
	return len(id) >= 7 && strings.Trim(id, "0123456789abcdef") == ""
}

// gitHeader reads the lines with which git begins a file, down to the two
// lines of names or the first hunk; there may be none.
func (r *patchReader) gitHeader(f *FilePatch, names *fileNames) error {
	if rest, ok := strings.CutPrefix(r.peek(), "diff --git "); ok {
		names.git = rest
		r.next()
	} else if !r.atRename() {
		return nil
	}
	for ; ; r.next() {
		if names.to != "" && r.atRename() {
			return nil // the next file's
		}
		if known, err := r.gitLine(f, names); err != nil || !known {
			return err
		}
	}
}

// gitLine reads a line of git's header; known is false for any other line.
func (r *patchReader) gitLine(f *FilePatch, names *fileNames) (known bool, err error) {
	line := r.peek()
	for _, l := range []struct {
		prefix string
		read   func(value string) error
	}{
		{"old mode ", func(v string) error { return r.mode(v, new(FileMode)) }},
		{"new mode ", func(v string) error { return r.mode(v, &f.Mode) }},
		{"new file mode ", func(v string) error { f.Op = PatchAdd; return r.mode(v, &f.Mode) }},
		{"deleted file mode ", func(v string) error { f.Op = PatchDelete; return r.mode(v, new(FileMode)) }},
		{"rename from ", func(v string) error { f.Op, names.from = PatchMove, v; return nil }},
		{"rename to ", func(v string) error { f.Op, names.to = PatchMove, v; return nil }},
		{"similarity index ", nil},
		{"dissimilarity index ", nil},
		{"index ", func(v string) error { // the mode, where it stays
			if _, v, _ = strings.Cut(v, " "); v == "120000" || v == "160000" {
				return r.mode(v, new(FileMode))
			}
			return nil
		}},
		{"copy ", func(string) error {
			return badPatch(r.line, "copies are not taken").Advise("Make the copy a new file, with all of its lines.")
		}},
	} {
		if value, ok := strings.CutPrefix(line, l.prefix); ok && l.read != nil {
			return true, l.read(value)
		} else if ok {
			return true, nil
		}
	}
	return false, nil
}

// mode reads a mode as git does, to which only the owner's right to run the
// file matters.
func (r *patchReader) mode(value string, m *FileMode) error {
	bits, err := strconv.ParseUint(value, 8, 32)
	switch kind := bits &^ 0o7777; {
	case err == nil && kind == 0o100000 && bits&0o100 != 0:
		*m = ModeExecutable
	case err == nil && kind == 0o100000:
		*m = ModePlain
	case err == nil && kind == 0o120000:
		return badPatch(r.line, "symbolic links are neither made nor changed by patches")
	case err == nil && kind == 0o160000:
		return badPatch(r.line, "submodules are not changed by patches")
	default:
		return badPatch(r.line, "%q is no mode of a file", shown(value)).Advise("A file's mode is 100644, or 100755 for one that can be run.")
	}
	return nil
}
