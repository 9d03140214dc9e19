package atomicfile

import (
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// Transaction changes several files, all or nothing. It is made by
// [Begin], told what to change, and then goes through Stage, Apply and
// Commit, or Rollback at any time before Commit. It is for one goroutine, which
// must call Commit or Rollback once Stage went well: files are open till then.
//
// The changes are a set, not a sequence: each refers to the files as they are
// before the transaction. So a file that one change deletes or moves away
// leaves its name to another one's Create or Move, two files may change
// names with each other, and no file may be changed twice (invalid_params,
// from Stage).
//
// With a journal, a transaction that its process does not finish is finished
// or undone by [Journal.Recover]: finished once Commit has begun, else undone.
//
// Links: folders on the way may be links, as far as they stay in the
// workspace. Where the last name of a path is a link, Replace changes the file
// that it leads to; Delete and Move refuse (not_a_file).
type Transaction struct {
	gate    *workspace.Gate
	journal *Journal
	wanted  []operation
	phase   phase
	disk    diskChange
}

// phase is how far a transaction has come.
type phase uint8

const (
	collecting phase = iota
	staged
	applied
	over
)

// operation is one change that was asked for.
type operation struct {
	kind  operationKind
	path  workspace.Path // what is changed; of a move, what is moved
	to    workspace.Path // of a move
	guard text.Hash      // of what is there; none for a creation
	data  []byte         // the new bytes; none for a deletion
	same  bool           // the bytes stay as they are
	mode  ModeChange
}

type operationKind uint8

const (
	opReplace operationKind = iota
	opCreate
	opDelete
	opMove
)

// Begin starts a transaction on the gate's files. journal may be nil; then
// nothing undoes it if this process dies between Apply and Commit.
func Begin(g *workspace.Gate, journal *Journal) *Transaction {
	return &Transaction{gate: g, journal: journal, disk: newDiskChange()}
}

// Replace has data take the place of the bytes of the file at p, which must
// have the hash guard; see [Replace]. Errors of this method and the
// next three: those of [workspace.Gate.CheckWrite], outside_workspace, invalid_params.
func (t *Transaction) Replace(p workspace.Path, guard text.Hash, data []byte) error {
	return t.want(operation{kind: opReplace, path: p, guard: guard, data: data})
}

// ReplaceMode has a file with the same bytes and the permission bits m.To take
// the place of the one at p, which must have the hash guard and the bits m.From.
func (t *Transaction) ReplaceMode(p workspace.Path, guard text.Hash, m ModeChange) error {
	return t.want(operation{kind: opReplace, path: p, guard: guard, same: true, mode: m})
}

// SetMode has the file of the operation that was asked for last, a Replace,
// Create or Move, get the permission bits m.To; of a new file the umask takes
// some away, others must have the bits m.From. It does nothing where m is none.
// A file that moves is then a new one, as with other bytes.
func (t *Transaction) SetMode(m ModeChange) { t.wanted[len(t.wanted)-1].mode = m }

// Create makes the file at p, and the folders it is to be in. Like
// [Create] it replaces nothing.
func (t *Transaction) Create(p workspace.Path, data []byte) error {
	return t.want(operation{kind: opCreate, path: p, data: data})
}

// Delete removes the file at p, which must have the hash guard. Its folder
// stays, also when nothing else is in it.
func (t *Transaction) Delete(p workspace.Path, guard text.Hash) error {
	return t.want(operation{kind: opDelete, path: p, guard: guard})
}

// Move gives the file at from, which must have the hash guard, the place to,
// and makes the folders it is to be in. It replaces nothing, but where to is
// another spelling of from on a disk that does not tell case apart. With data
// other than nil the file's bytes change too.
//
// The file stays the same one, with its hard links and times, unless data is
// given or to is on another file system; then a new one with the same rights
// takes its place, and a note tells of hard links.
func (t *Transaction) Move(from, to workspace.Path, guard text.Hash, data []byte) error {
	return t.want(operation{kind: opMove, path: from, to: to, guard: guard, data: data, same: data == nil})
}

func (t *Transaction) want(o operation) error {
	if t.phase != collecting {
		return errPhase
	}
	if len(t.wanted) == maxOperations {
		return fault.New(fault.InvalidParams, "more than %d files at once", maxOperations).At(o.path.Rel)
	}
	if err := t.gate.CheckWritePath(o.path); err != nil {
		return err
	}
	if o.kind == opMove {
		if err := t.gate.CheckWritePath(o.to); err != nil {
			return err
		}
	}
	t.wanted = append(t.wanted, o)
	return nil
}

// maxOperations bounds what a journal has to hold; each may cost an open
// folder.
const maxOperations = 10_000

var errPhase = fault.New(fault.Internal, "a transaction was used out of turn")

// Stage checks everything that can be checked before, and writes the new texts
// beside the files. Nothing of it shows in any file or folder that a person
// looks at, but for files with names of ours.
//
// Errors, each naming its file: those of [Replace] and [Create];
// stale_file with the detail "actual"; already_exists; invalid_params when a
// file would be changed twice; not_a_file for the deletion of a link. After an
// error the transaction is over and nothing is left behind, or the detail
// "kept" lists what is, by absolute paths.
func (t *Transaction) Stage() error {
	if t.phase != collecting {
		return errPhase
	}
	t.phase = over
	if err := t.stage(); err != nil {
		return err
	}
	t.phase = staged
	return nil
}

// Apply makes the changes visible and lasting. They can still be undone.
//
// Errors, each naming the file that stood in the way: stale_file when another
// program wrote since Stage, already_exists, read_only, disk_full, io_error.
// After an error the transaction is over and everything is as before, except
// for what the details say: "kept" lists files that had to be left beside
// others. Where not everything could be undone, because another program wrote
// to a file that was changed already, or the system failed once more, the
// kind is partially_applied and the detail "not_restored" lists the files, by
// absolute paths.
func (t *Transaction) Apply() error {
	if t.phase != staged {
		return errPhase
	}
	t.phase = over
	if err := t.apply(); err != nil {
		return err
	}
	t.phase = applied
	return nil
}

// Rollback undoes what Stage and Apply did. What another program has written
// since then stays. After Commit, or a failure, there is nothing to undo and
// it returns nil, so that it can be deferred.
//
// The error has the kind partially_applied and the details that Apply tells.
func (t *Transaction) Rollback() error {
	was := t.phase
	t.phase = over
	if was == staged || was == applied {
		return t.rollback()
	}
	return nil
}

// Commit ends the transaction: the old texts are removed. It tells of each
// operation, in the order of the calls, what it left; the ID of a deletion is
// zero.
//
// After an error everything was undone, as after an error of Apply; but where
// the journal can neither be written nor mended the kind is partially_applied
// without "not_restored": all changes were made, and the next Recover finishes
// or undoes them together.
func (t *Transaction) Commit() ([]Written, error) {
	if t.phase != applied {
		return nil, errPhase
	}
	t.phase = over
	return t.commit()
}
