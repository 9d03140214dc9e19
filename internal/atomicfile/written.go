package atomicfile

import (
	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// The low-level half of writing: one file in one open folder, replaced only
// while it still holds the text that the caller read.
//
// Looking at a file and renaming another over it are two steps, and an editor
// that saves between them loses its work. So the new text is written beside
// the file and the two names are exchanged, which is one step; only then is it
// decided, by what came out, whether that was right:
//
//	write new text to a temporary file; attributes; fsync
//	exchange(temporary, name)
//	is what came out the guarded text, and is nobody writing to it?
//	    yes: unlink it; fsync the folder
//	    no:  exchange back; whatever a program saved meanwhile wins
//
// Two invariants hold at every step, under failing system calls and SIGKILL:
//
//   - the name always stands for one whole text, old or new (unless the file
//     has to be written in place, which is said in a note);
//   - the only texts that are ever unlinked are the guarded one and our own.
//     Where anything else is left over it keeps its temporary name, and the
//     error's detail "kept" tells that name.
//
// A nil error means that the new text is in place. An error without "kept"
// means that the file is as it was, or as another program has made it since.

// Written tells what a write left behind.
type Written struct {
	// ID is the written file as it stood just after the write. If another
	// program has written to it since, the ID fits no later state of it.
	ID fsys.ID
	// Notes are sentences for people: what the write could not keep, or had
	// to do in another way than usual. Mostly empty.
	Notes []string
}
