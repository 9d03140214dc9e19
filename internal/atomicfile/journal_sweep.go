package atomicfile

import (
	"bytes"

	"syscall"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// sweep works off the journal of single writes and closes it. It is not ok
// where there is nothing to tell.
//
// Nothing of it was flushed, so after a power failure it may tell of less than
// was done, or of what is long over. So it never moves a text: it only removes
// what a write left beside its file and what nobody needs. That changes no
// file that policy protects.
func (l *journalFile) sweep(path string) (r Recovered, ok bool) {
	l.live = false
	if raw, err := l.raw(); err == nil && !bytes.ContainsRune(raw, '\n') { // nothing went on
		l.end(true)
		return r, false
	}
	c, _, r := l.open(path)
	if c == nil {
		return r, true
	}
	var left leftovers
	for _, s := range c.steps {
		if s.temp != "" && s.in.dir != nil {
			ok = c.sweepBeside(s, &left, &r) || ok
		}
	}
	r.Kept = left.keptPaths()
	if left.failed != nil {
		ok, r.Outcome, r.Journal, r.Err = true, RecoveryPostponed, path, typed(left.failed)
	}
	c.end(left)
	return r, ok
}

// sweepBeside removes what a write left beside its file, or keeps it for what
// it holds. It reports whether there was anything.
func (c *diskChange) sweepBeside(s *step, left *leftovers, r *Recovered) (found bool) {
	d := c.at(s.in)
	defer d.Lock()()
	if _, err := d.StatName(s.temp); err == syscall.ENOENT {
		return false
	}
	beside, err := d.examine(s.temp)
	defer d.Close(beside.fd)
	if err != nil {
		left.left(s.in, s.temp, err)
	}
	now, err := d.holds(s.name)
	if err != nil {
		left.left(s.in, s.temp, err)
	}
	r.Outcome = RecoveryUndone
	switch {
	case now == s.new:
		r.Outcome = RecoveryFinished
	case s.kind == stepExchange && now != s.old:
		r.NotRestored = append(r.NotRestored, s.file())
	}
	if !left.clean() {
		return true
	}
	err = d.steady(beside)
	if err == nil && !s.needless(beside.hash, now, c.staged) {
		err = stale(beside.hash)
	}
	if err == nil {
		err = d.Unlink(s.temp)
	}
	if err != nil {
		left.left(s.in, s.temp, err)
	}
	return true
}

// needless reports whether nothing is lost with the text beside a file that
// holds the text now: the old text, while the file holds that or the new one;
// the new text, as nobody was told that it was written; before that was whole,
// a part of it.
func (s *step) needless(beside, now text.Hash, whole bool) bool {
	switch beside {
	case s.old:
		return now == s.old || now == s.new
	case s.new:
		return true
	}
	return !whole && now != s.new
}

// holds returns the hash of what stands under name; zero where that is no
// regular file.
func (d dirWriter) holds(name string) (text.Hash, error) {
	f, err := d.examine(name)
	d.Close(f.fd)
	switch fault.KindOf(err) {
	case fault.NotFound, fault.NotAFile, fault.IsDirectory:
		return text.Hash{}, nil
	}
	return f.hash, err
}
