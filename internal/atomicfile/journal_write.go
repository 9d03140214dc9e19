package atomicfile

import (
	"os"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// writeNotes writes down what one write of a single file puts beside that
// file, in a journal of its own, so that [Journal.Recover] removes it if this
// process is killed. A nil one does nothing.
//
// Nothing is flushed for it, and the write goes on where it fails: after a
// power failure, or with a full disk, the file beside the other may stay.
type writeNotes struct {
	journal *Journal
	folder  *txnFolder
	file    *journalFile // nil while nothing is written down
}

// notes returns what writes down a write in the open folder dir, which is at
// rel below the workspace folder root, paths without links.
func (j *Journal) notes(root, rel string, dir *os.File) *writeNotes {
	if j == nil {
		return nil
	}
	st, err := fsys.StatFile(dir)
	if err != nil {
		return nil
	}
	return &writeNotes{journal: j, folder: &txnFolder{root: root, rel: rel, ino: st.ID.Ino}}
}

// begin says that s.temp is about to be made for s.name, which is to hold data.
func (n *writeNotes) begin(call fsys.Caller, s *step, data []byte) {
	if n == nil {
		return
	}
	s.in, s.home, s.new = n.folder, n.folder, text.HashBytes(data)
	if s.kind == stepExchange {
		s.away = s.temp
	}
	plan := (&diskChange{folders: []*txnFolder{n.folder}, steps: []*step{s}}).recorded()
	if n.file == nil {
		n.file = n.journal.claimSpare()
	}
	if n.file == nil {
		n.file, _ = n.journal.start(call, writeSuffix, plan)
		return
	}
	if n.file.empty() != nil || n.file.append(plan) != nil {
		n.giveUp()
	}
}

// whole says that the file that begin told of is made, whole, and may change
// names with another.
func (n *writeNotes) whole(ino uint64) {
	if n != nil && n.file != nil && n.file.append(recordedMark{Staged: []uint64{ino}}) != nil {
		n.giveUp()
	}
}

// giveUp removes what was written down.
func (n *writeNotes) giveUp() {
	n.file.end(true)
	n.file = nil
}

// end says that the write is over, and told of what it left.
func (n *writeNotes) end() {
	if n == nil || n.file == nil {
		return
	}
	if n.file.empty() != nil {
		n.giveUp()
		return
	}
	select {
	case n.journal.spare <- n.file:
	default:
		n.giveUp()
	}
}

// empty makes l as if nothing was written yet.
func (l *journalFile) empty() error {
	l.size, l.line = 0, 0
	return l.at.Truncate(l.fd, 0)
}

// claimSpare returns an empty file for a single write; nil when there is none.
func (j *Journal) claimSpare() *journalFile {
	select {
	case l := <-j.spare:
		return l
	default:
		return nil
	}
}

// Close removes the files that are kept for further writes. The journal may
// still be used, and is closed again then.
func (j *Journal) Close() {
	for l := j.claimSpare(); l != nil; l = j.claimSpare() {
		l.end(true)
	}
}
