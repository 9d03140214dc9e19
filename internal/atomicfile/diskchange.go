package atomicfile

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// diskChange is the part of a transaction that stands on disk: a set of steps,
// each of which can be done and undone. Whether one was done is read off the
// disk, never remembered, so that this process and one that finds the journal
// undo a transaction in the same way.
type diskChange struct {
	call    fsys.Caller
	workers int // that write temporary files at a time
	folders []*txnFolder
	steps   []*step // in the order in which they are done
	log     *journalFile
	staged  bool // all temporary files are whole; else no step was done
	found   bool // a journal told of it: what it says of others' files is held against them
}

const stageWorkers = 8

func newDiskChange() diskChange { return diskChange{call: fsys.PlainCall, workers: stageWorkers} }

// txnFolder is a folder that a transaction changes. One that did not exist at
// first is made in parent.
type txnFolder struct {
	parent *txnFolder
	name   string   // in parent
	root   string   // where the workspace folder is, without links; "" with a parent
	rel    string   // the path below it, without links
	dir    *os.File // nil while the folder is missing
	dev    uint64   // the file system of one that existed at first
	ino    uint64   // its number there
	made   bool     // by this transaction
	dirty  bool     // has names that were not flushed
}

// path is for people.
func (f *txnFolder) path(name string) string {
	if f.parent != nil {
		return filepath.Join(f.parent.path(f.name), name)
	}
	return filepath.Join(f.root, f.rel, name)
}

// stepKind is also the order in which steps are done: names become free before
// others take them.
type stepKind uint8

const (
	stepRenameAway stepKind = iota // give the file at name the name away
	stepExchange                   // exchange name and temp
	stepRenameIn                   // give the file at temp the name
)

// step is a change of what one name stands for.
type step struct {
	kind stepKind
	op   int // index of the operation
	path workspace.Path

	in   *txnFolder
	name string

	home *txnFolder // where temp is: in, or of a rename in the nearest folder that exists
	temp string     // the new text (exchange, rename in)
	away string     // the old text (rename away; exchange, where nothing can be exchanged)

	// moved: the file that is renamed away is the one that a rename in of the same
	// operation brings; the away of the one is the temp of the other.
	moved bool

	old text.Hash // before (rename away, exchange)
	new text.Hash // after (exchange, rename in)

	was  fsys.RawStat // the old file when it was staged (rename away, exchange)
	made tempFile     // the new one (exchange, rename in)
	data []byte       // what is written to temp, unless moved
	like *step        // whose old file the new one gets its rights of; nil: none
	copy bool         // the new file gets that file's bytes, too
	mode ModeChange   // of the new file against that one
	left Written      // notes of what was done

	// occupied: the name was another program's when the step was to be done, though
	// perhaps of the same file (rename in).
	occupied bool

	refused bool // policy does not let it be undone without consent
}

// ino is the number of the file that an exchange or a rename in brings; 0 while it is
// not whole.
func (s *step) ino() uint64 { return s.made.stat.Ino }

func (c *diskChange) at(f *txnFolder) dirWriter {
	return dirWriter{DirCalls: fsys.NewDirCalls(f.dir, c.call)}
}

func (s *step) file() string { return s.in.path(s.name) }

// kin is the folder of the files that a step leaves beside others for a while.
func (s *step) kin() *txnFolder {
	if s.home != nil {
		return s.home
	}
	return s.in
}

// backward are the steps as they are undone.
func (c *diskChange) backward() []*step {
	b := slices.Clone(c.steps)
	slices.Reverse(b)
	return b
}

// end ends the change: nothing of it is left to be done, or the journal tells
// of it.
func (c *diskChange) end(r leftovers) {
	c.log.end(r.failed == nil)
	c.close()
}

// keepJournal ends the change with the journal as it is.
func (c *diskChange) keepJournal() {
	c.log.end(false)
	c.close()
}

// close lets go of all that is open.
func (c *diskChange) close() {
	for _, f := range c.folders {
		if f.dir != nil {
			f.dir.Close()
		}
	}
	c.folders = nil
}
