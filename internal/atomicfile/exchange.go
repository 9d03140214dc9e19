package atomicfile

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"

	"syscall"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// replaceByExchange is the regular way to replace a file. The error is an
// *obstacle when the file may still be written in place.
func (d dirWriter) replaceByExchange(name string, old target, guard text.Hash, data []byte) (Written, error) {
	temp := exchangeName(guard)
	d.notes.begin(d.Call, &step{kind: stepExchange, name: name, temp: temp, old: guard}, data)
	tmp, err := d.makeTemp(temp, modePrivate, data, &old)
	if err != nil {
		return Written{}, asObstacle(err)
	}
	var w Written
	if err := d.exchangeIn(&w, name, tmp, old, guard, data); err != nil {
		return Written{}, asObstacle(err)
	}
	d.makeDurable(&w, name, tmp.stat)
	return w, nil
}

// exchangeIn gives the name to our file, tmp, and removes what had it. While that
// is being decided, programs that open either file for writing are kept
// waiting in their open call; one that asked not to wait gets EAGAIN.
func (d dirWriter) exchangeIn(w *Written, name string, tmp tempFile, old target, guard text.Hash, data []byte) error {
	defer d.Lock()()
	ours, err := d.beforeExchange(name, tmp.name, old, guard)
	defer d.Close(ours.fd)
	if err == nil {
		err = d.exchangeNames(name, tmp.name)
	}
	if err != nil {
		return d.discard(tmp, err)
	}
	out, err := d.examineReplaced(tmp.name, guard)
	defer d.Close(out.fd)
	if err != nil {
		ours.hash = text.HashBytes(data)
		return d.exchangeBack(name, tmp.name, ours, out, err)
	}
	d.keepRights(w, ours, old, out)
	d.removeReplaced(w, tmp.name, out)
	return nil
}

// beforeExchange keeps writers away from the temporary file, which gets the name,
// and looks at what has the name last. The caller closes found.fd, also after
// an error.
func (d dirWriter) beforeExchange(name, tmp string, old target, guard text.Hash) (found, error) {
	ours, err := d.watch(tmp)
	if err == nil {
		err = d.unchanged(name, old, guard)
	}
	return ours, err
}

func (d dirWriter) exchangeNames(name, tmp string) error {
	if err := d.Exchange(tmp, name); err != nil {
		return fmt.Errorf("exchange the old text for the new: %w", err)
	}
	return nil
}

// examineReplaced examines a file and reports whether it may go. The caller closes
// found.fd, also after an error.
func (d dirWriter) examineReplaced(tmp string, guard text.Hash) (found, error) {
	out, err := d.examine(tmp)
	if err == nil {
		err = d.checkReplaced(out, guard)
	}
	return out, err
}

// keepRights gives our file the rights of the one it stands for, if they were
// changed while we were writing.
func (d dirWriter) keepRights(w *Written, ours found, old target, out found) {
	if sameRights(out.stat, old.stat) {
		return
	}
	if err := d.copyAttributes(out.fd, ours.fd, out.stat); err != nil {
		w.note("The file's rights were changed at the same time and could not be kept: %v.", err)
	}
}

// removeReplaced unlinks the guarded text, out. The new one is in place: nothing that
// goes wrong now is an error.
func (d dirWriter) removeReplaced(w *Written, tmp string, out found) {
	if err := d.Unlink(tmp); err != nil {
		w.note("The old text is still there as %s: %v.", tmp, err)
	}
	if out.stat.Nlink > 1 {
		w.note("The file had %d hard links; its other names keep the old text.", out.stat.Nlink)
	}
}

// unchanged spares an exchange that would have to be undone, and the world the
// sight of it: most saves that come too early come while the new text is being
// flushed, and show.
func (d dirWriter) unchanged(name string, old target, guard text.Hash) error {
	now, err := d.StatName(name)
	if err != nil || sameText(now, old.stat) {
		return err
	}
	return d.guarded(name, guard)
}

// guarded is nil when the file under name holds the guarded text and nobody
// is writing to it.
func (d dirWriter) guarded(name string, guard text.Hash) error {
	now, err := d.examineReplaced(name, guard)
	d.Close(now.fd)
	return err
}

// checkReplaced tells why what came out of an exchange must go back; nil when it is
// the guarded text and nobody can still be writing to it.
func (d dirWriter) checkReplaced(out found, guard text.Hash) error {
	if out.hash != guard {
		return stale(out.hash)
	}
	return d.steady(out)
}

func stale(actual text.Hash) *fault.Error {
	return fault.New(fault.StaleFile, "the file does not hold the text that was read").
		With("actual", actual.String()).
		Advise("Read the file again and base the edit on its present text.")
}

// maxExchanges bounds putBack. Each further exchange takes another save that
// falls into the microseconds since the one before.
const maxExchanges = 15

// exchangeBack undoes an exchange because of cause. At first our own text, placed,
// has the name and what must go back, held, has the temporary one. Exchanging
// them brings out placed, which is removed, and that is all unless a program
// has saved in between: then something else comes out, or something that a
// program waits to write to, and that is younger than all that we hold. It
// gets the name back in the same way, until what comes out is what was put
// there. Where both files were saved, their times decide once. The older text
// then keeps its temporary name, because that save may
// have been an addition to our text, not to the older.
func (d dirWriter) exchangeBack(name, tmp string, placed, held found, cause error) error {
	ours, weighed := placed.identity(), false
	for range maxExchanges {
		if err := d.Exchange(tmp, name); err != nil {
			cause = fault.New(fault.KindOf(err), "%s, but the new text is in its place: putting it back failed: %v",
				fault.From(cause).Message, err)
			break
		}
		out, err := d.examineAnew(tmp, placed)
		defer d.Close(out.fd) //nolint:revive // at most maxExchanges, and no sooner: it keeps writers waiting until all is decided
		untouched := err == nil && out.identity() == placed.identity() && d.steady(out) == nil
		if untouched && out.identity() == ours {
			cause = d.leftBehind(tmp, d.Unlink(tmp), cause)
			_ = d.SyncFolder() // in vain or not, cause is what to tell
			return cause
		}
		if untouched && !weighed {
			// Both were saved meanwhile, and what was seen of one before its
			// save was complete made the other one look older.
			weighed = true
			untouched = !d.isYounger(out, name)
		}
		if untouched || !out.identity().known() || !placed.identity().known() {
			break
		}
		placed, held = held, out
	}
	_ = d.SyncFolder()
	return kept(cause, tmp)
}

// isYounger reports whether a file was written to after the one under name, as
// far as their times tell.
func (d dirWriter) isYounger(f found, name string) bool {
	other, err := d.StatName(name)
	return err == nil && f.stat.Mtim.Nano() > other.Mtim.Nano()
}

// found is what stands under a name. The descriptor keeps programs waiting
// that want to write to it, where the system can do that, until it is closed.
type found struct {
	fd      int // -1 when nothing could be opened
	stat    fsys.RawStat
	hash    text.Hash // of a regular file that was examined
	watched bool      // nobody had the file open for writing, and nobody gets it
	busy    bool      // somebody has it open for writing
}

// identity is a text in a certain file. The hash is zero when the file was
// not regular or could not be read.
type identity struct {
	dev, ino uint64
	hash     text.Hash
}

func identityOf(st fsys.RawStat, hash text.Hash) identity {
	return identity{dev: uint64(st.Dev), ino: st.Ino, hash: hash}
}

func (f found) identity() identity { return identityOf(f.stat, f.hash) }

func (i identity) known() bool { return i.hash != text.Hash{} }

// watch opens what stands under name and keeps writers away. The caller
// closes found.fd, also after an error.
func (d dirWriter) watch(name string) (f found, err error) {
	if f.fd, err = d.openText(name); err != nil {
		return found{fd: -1}, err
	}
	var watching error
	f.fd, watching = d.WatchWriters(f.fd)
	f.watched, f.busy = watching == nil, watching == syscall.EAGAIN
	f.stat, err = d.Stat(f.fd)
	return f, err
}

// examineAnew examines a file that was watched before. A program that waited
// for it may have left: a signal interrupts its open call, the system begins
// that anew, and finds another file under the name. Only a new lease reports
// whether somebody waits still, and there is none while the old one is asked
// for. A program that does wait gets the file then, and is seen to have it.
func (d dirWriter) examineAnew(name string, before found) (found, error) {
	if before.watched {
		if waits, err := d.WriterWaits(before.fd); waits || err != nil {
			_ = d.Unwatch(before.fd)
		}
	}
	return d.examine(name)
}

// examine watches and hashes the regular file under name. The caller closes
// found.fd, also after an error.
func (d dirWriter) examine(name string) (found, error) {
	f, err := d.watch(name)
	if err != nil {
		return f, err
	}
	if err := mustBeRegular(f.stat); err != nil {
		return f, err
	}
	f.hash, err = d.hash(f.fd, f.stat.Size)
	return f, err
}

// steady is nil when f.hash is still the hash of f's text, and stays it. It
// cannot know of a program that found the file under its name before the
// exchange and has been held up since then, inside of one open call.
func (d dirWriter) steady(f found) error {
	busy, err := f.busy, error(nil)
	if f.watched {
		busy, err = d.WriterWaits(f.fd)
	}
	if err != nil {
		return fmt.Errorf("look for other writers: %w", err)
	}
	now, err := d.Stat(f.fd)
	if err != nil {
		return fmt.Errorf("look at the file again: %w", err)
	}
	if busy || !sameText(now, f.stat) {
		return fault.New(fault.StaleFile, "another program is writing to the file").
			With("actual", f.hash.String()).
			Advise("Read the file again when it has been saved, and repeat the edit.")
	}
	return nil
}

// hash reads the whole file, in pieces of at most 256 KiB.
func (d dirWriter) hash(fd int, size int64) (text.Hash, error) {
	h := sha256.New()
	buf := make([]byte, min(size+1, 256<<10)) // one more: to see the end at once
	for at := int64(0); ; {
		n, err := d.Read(fd, buf, at)
		h.Write(buf[:n])
		at += int64(n)
		if errors.Is(err, io.EOF) {
			return text.Hash(h.Sum(nil)), nil
		}
		if err != nil {
			return text.Hash{}, fmt.Errorf("read the file: %w", err)
		}
	}
}

// sameText reports whether the file was not written to between two stats, as
// far as its times tell: they tick in steps of up to some milliseconds.
func sameText(a, b fsys.RawStat) bool {
	return sameFile(a, b) && a.Size == b.Size && a.Mtim == b.Mtim
}
