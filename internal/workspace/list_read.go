package workspace

import (
	"context"
	"sync/atomic"

	"github.com/agent-lsp/agent-lsp/internal/parallel"
	"github.com/agent-lsp/agent-lsp/internal/reinterpret"
)

// listPartNames is how many names one worker looks at in a row.
const listPartNames = 256

// listPart is what was found of them.
type listPart struct {
	entries []Entry
	hidden  int
	linked  bool // a file has other names, through which it may change untold
}

// readList lists a folder and keeps the listing while the system tells of
// changes there.
func (v *view) readList(ctx context.Context, at openedFolder, id ID) (*Listing, error) {
	path := at.path()
	wanted := v.lists.begin(path)
	watched := false
	if v.watch != nil {
		if _, remote := at.dir.system(); !remote {
			watched = v.watch.add(path, id, forList)
		}
	}
	s := scratch{buf: make([]byte, 0, min(max(id.Size, 0), maxScratch))} // about as much
	if err := s.read(at.dir); err != nil {
		return nil, err
	}
	above, from, name := rulesAbove(v.gate, at, v.catalog.excludes)
	rules := from.step(above, at.rel, name, s.dots, at.dir)
	l, linked, err := v.takeAll(ctx, at.dir, &rules, at.root.listed(at.root.folds(at.rel)), s.entries)
	if err != nil {
		return nil, err
	}
	watched = watched && !linked
	l.Entries = sortEntries(l.Entries)
	if !watched {
		v.lists.drop(path)
		if v.watch != nil {
			v.watch.drop(path, forList)
		}
		return l, nil
	}
	for _, path := range v.lists.finish(path, wanted, id, from, l) {
		v.watch.drop(path, forList)
	}
	return l, nil
}

// takeAll lists names, by several workers. linked is as in [listPart].
func (v *view) takeAll(ctx context.Context, dir dirHandle, rules *entryRules, in place, names []rawEntry) (l *Listing, linked bool, err error) {
	found := make([]Entry, len(names))
	parts := make([]listPart, (len(names)+listPartNames-1)/listPartNames)
	var taken atomic.Int64
	workers := min(walkers(), len(parts))
	err = parallel.ForEach(ctx, workers, workers, func(ctx context.Context, worker int) error {
		d := dir
		if worker > 0 {
			// Two threads that ask by one descriptor wait for each other each
			// time, and are no faster than one.
			if own, err := d.again(); err == nil {
				defer own.close()
				d = own
			}
		}
		for i := int(taken.Add(1)) - 1; i < len(parts) && ctx.Err() == nil; i = int(taken.Add(1)) - 1 {
			from, to := i*listPartNames, min((i+1)*listPartNames, len(names))
			parts[i].entries = found[from:from:to]
			for _, e := range names[from:to] {
				v.take(&parts[i], d, rules, in, e)
			}
		}
		return ctx.Err()
	})
	l = &Listing{Entries: found[:0]}
	for _, part := range parts {
		l.Entries = append(l.Entries, part.entries...) // each moves to the front, if at all
		l.Hidden += part.hidden
		linked = linked || part.linked
	}
	return l, linked, err
}

// take adds one name to a listing.
func (v *view) take(l *listPart, d dirHandle, rules *entryRules, in place, e rawEntry) {
	name := reinterpret.String(e.name) // nobody writes there any more
	st, err := d.lstat(name)
	if err != nil {
		return // it went away
	}
	entry := Entry{Name: name, ID: st.id}
	l.linked = l.linked || st.links > 1 && st.mode.IsRegular()
	switch st.kind() {
	case fileKind:
		entry.Type = RegularFile
	case folderKind:
		entry.Type = Directory
	case linkKind:
		entry.Type = Symlink
		entry.Target, _ = d.readlink(name) // it may be gone by now
	default:
		entry.Type = Other
	}
	folder := entry.Type == Directory
	_, hides := rules.agents.hides(name, folder)
	if hides || v.gate.policy.hiddenEntry(in, name) {
		l.hidden++
		return
	}
	entry.Ignored = isHidden(name) || rules.ignore.match(name, folder)
	l.entries = append(l.entries, entry)
}
