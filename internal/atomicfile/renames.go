package atomicfile

import (
	"errors"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// replaceByRenames replaces a file where names cannot be exchanged: the old one
// gets a name of ours, and the new one its name. In between the name is free, for
// as long as one call takes, and what a crash leaves then only a journal brings
// back: so it is a transaction of one file. The error is an *obstacle when the
// file may still be written in place.
func (d dirWriter) replaceByRenames(name string, guard text.Hash, data []byte) (w Written, err error) {
	in, journal := &txnFolder{}, (*Journal)(nil)
	if d.notes != nil {
		*in, journal = *d.notes.folder, d.notes.journal
	}
	if in.dir, err = d.OpenFolder("."); err != nil {
		return Written{}, err
	}
	s := &step{kind: stepExchange, in: in, name: name, home: in, temp: exchangeName(guard), away: exchangeName(guard), old: guard, data: data}
	s.like = s
	c := &diskChange{call: d.Call, workers: 1, folders: []*txnFolder{in}, steps: []*step{s}}
	if err := c.prepare(journal); err != nil {
		return Written{}, c.abandon().ofOne(err)
	}
	if err := c.do(); err != nil {
		return Written{}, c.undoOne(s, err)
	}
	switch err := c.log.commit(); {
	case errors.Is(err, errUndecided):
		c.keepJournal()
		return Written{}, err
	case err != nil:
		return Written{}, c.undoOne(s, err)
	}
	r := c.finish(func(_ *step, left Written) { w = left })
	c.end(r)
	return w, nil
}

// undoOne undoes the replacement of one file because of cause. Where another
// program saved it while its name was free, nobody needs the old text any more.
func (c *diskChange) undoOne(s *step, cause error) error {
	if fault.KindOf(cause) == fault.AlreadyExists {
		d := c.at(s.in)
		now, err := d.holds(s.name)
		if err == nil {
			cause = stale(now)
			c.dropOld(s, s.away, s.old, &Written{}, &leftovers{})
		}
	}
	return c.rollBack().ofOne(cause)
}

// ofOne is cause with the name of the file that is left beside the one that was
// to be replaced.
func (r leftovers) ofOne(cause error) error {
	if of, ok := errors.AsType[*stepError](cause); ok {
		cause = of.error
	}
	if len(r.kept) == 0 || fault.From(cause).Details["kept"] != nil {
		return cause
	}
	return kept(cause, r.kept[0].name)
}
