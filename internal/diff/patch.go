package diff

import (
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// PatchOp is what a patch does with a file.
type PatchOp string

// The operations. A move may also change the text.
const (
	PatchAdd    PatchOp = "add"
	PatchUpdate PatchOp = "update"
	PatchDelete PatchOp = "delete"
	PatchMove   PatchOp = "move"
)

// Patch is what a patch asks for, whichever form it had.
type Patch struct {
	Files []FilePatch // at least one, in the patch's order
}

// FilePatch is what a patch asks for of one file.
type FilePatch struct {
	Op PatchOp
	// Path names the file as the patch has it, without the prefixes of git;
	// To is where a move leads.
	Path, To string
	// Mode is what a patch of git wants a file to be: a new one, or one that
	// has another mode.
	Mode FileMode
	// Line is where it begins in the patch, 1-based.
	Line int
	// Hunks are in the order of the old text. Those of an added file hold new
	// lines alone.
	Hunks []Hunk
}

// FileMode is what git keeps of a file's mode.
type FileMode string

// The modes. A patch that says nothing leaves a file as it is.
const (
	ModeUnsaid     FileMode = ""
	ModePlain      FileMode = "100644"
	ModeExecutable FileMode = "100755"
)

// What a patch may have at most, so that it takes little more memory than its
// own bytes.
const (
	MaxPatch      = 64 << 20 // bytes
	maxPatchFiles = 5000
	maxHunks      = 200_000 // of all files
	maxAnchors    = 10      // of a hunk
)

// ParsePatch reads a patch: a unified diff, with or without what git adds to
// it, or the envelope "*** Begin Patch". Its content tells which. Prose before
// it and between its files is passed over, and so is a fence around it.
//
// Line ends of the patch may be LF or, throughout, CRLF. Errors are of kind
// invalid_patch and have the detail "patch_line", 1-based.
func ParsePatch(patch string) (Patch, error) {
	if len(patch) > MaxPatch {
		return Patch{}, badPatch(1, "it has %d bytes; at most %d are taken", len(patch), MaxPatch).Advise("Make several patches of it.")
	}
	r := &patchReader{rest: strings.TrimPrefix(patch, "\uFEFF"), line: 1}
	for ; r.rest != ""; r.next() {
		switch {
		case isBegin(r.peek()):
			r.crlf = strings.HasSuffix(r.raw(), "\r\n")
			return parseEnvelope(r)
		case r.atHeader():
			return parseUnified(r)
		case strings.HasPrefix(r.peek(), "@@ -"):
			return Patch{}, badPatch(r.line, "a hunk stands before any file is named").
				Advise(`Put "--- a/PATH" and "+++ b/PATH" before the hunks of a file.`)
		case strings.HasPrefix(r.peek(), "*** ") && strings.HasPrefix(r.second(), "--- "):
			return Patch{}, badPatch(r.line, "context diffs are not taken").Advise("Make a unified diff: diff -u.")
		}
		if err := r.refused(); err != nil {
			return Patch{}, err
		}
	}
	return Patch{}, badPatch(1, "no file is named in it").
		Advise(`A patch is a unified diff ("--- a/PATH", "+++ b/PATH", "@@ … @@") or stands between "*** Begin Patch" and "*** End Patch".`)
}

// add takes one more file into the patch, if that makes sense.
func (p *Patch) add(f FilePatch) error {
	if f.Path == "" || f.Op == PatchMove && f.To == "" {
		return badPatch(f.Line, "a file's name is missing")
	}
	for i := range f.Hunks {
		h := &f.Hunks[i]
		if f.Op == PatchAdd && h.old > 0 {
			return badPatch(h.Line, "the hunk of a new file, %s, has old lines", f.Path).
				Advise("Begin every line of a new file with +; to change a file that exists, name it as the old one too.")
		}
		if f.Op == PatchDelete && h.new > 0 {
			return badPatch(h.Line, "the hunk of a deleted file, %s, has lines that stay", f.Path)
		}
	}
	if len(p.Files) == maxPatchFiles {
		return badPatch(f.Line, "it is of more than %d files", maxPatchFiles).Advise("Make several patches of it.")
	}
	p.Files = append(p.Files, f)
	return nil
}

func badPatch(line int, format string, args ...any) *fault.Error {
	e := fault.New(fault.InvalidPatch, format, args...)
	return fault.New(fault.InvalidPatch, "line %d of the patch: %s; nothing was changed", line, e.Message).With("patch_line", line)
}

// patchReader goes through a patch line by line.
type patchReader struct {
	rest string // begins with the present line
	line int    // its number, 1-based
	crlf bool   // lines end with CRLF: the CR is none of the text's

	hunks int // read so far
}

// raw returns the present line with its end; "" at the patch's end.
func (r *patchReader) raw() string { return firstLine(r.rest) }

// peek returns the present line without its end.
func (r *patchReader) peek() string { return bare(r.raw()) }

// second returns the line behind the present one, and third that behind it.
func (r *patchReader) second() string { return bare(firstLine(r.rest[len(r.raw()):])) }
func (r *patchReader) third() string {
	n := len(r.raw())
	n += len(firstLine(r.rest[n:]))
	return bare(firstLine(r.rest[n:]))
}

func (r *patchReader) next() {
	r.rest = r.rest[len(r.raw()):]
	r.line++
}

// bare returns a line without its end. Before it is known what ends the
// patch's lines, a CR is taken for a part of that.
func bare(line string) string {
	return strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
}

func firstLine(s string) string {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return s[:i+1]
	}
	return s
}
