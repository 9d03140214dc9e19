package catalog

import (
	"context"
	"sync/atomic"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/parallel"
	"github.com/agent-lsp/agent-lsp/internal/reinterpret"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
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
func (v *view) readList(ctx context.Context, at workspace.OpenedFolder, id fsys.ID) (*Listing, error) {
	path := at.Path()
	wanted := v.lists.begin(path)
	watched := false
	if v.watch != nil {
		if _, remote := at.Dir.System(); !remote {
			watched = v.watch.add(path, id, forList)
		}
	}
	s := scratch{buf: make([]byte, 0, min(max(id.Size, 0), maxScratch))} // about as much
	if err := s.read(at.Dir); err != nil {
		return nil, err
	}
	above, from, name := rulesAbove(v.gate, at, v.catalog.excludes)
	rules := from.step(above, at.Rel, name, s.dots, at.Dir)
	l, linked, err := v.takeAll(ctx, at.Dir, &rules, at.Root.Listed(at.Root.Folds(at.Rel)), s.entries)
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
func (v *view) takeAll(ctx context.Context, dir fsys.DirHandle, rules *entryRules, in workspace.Place, names []fsys.DirEntry) (l *Listing, linked bool, err error) {
	found := make([]Entry, len(names))
	parts := make([]listPart, (len(names)+listPartNames-1)/listPartNames)
	var taken atomic.Int64
	workers := min(walkers(), len(parts))
	err = parallel.ForEach(ctx, workers, workers, func(ctx context.Context, worker int) error {
		d := dir
		if worker > 0 {
			// Two threads that ask by one descriptor wait for each other each
			// time, and are no faster than one.
			if own, err := d.Again(); err == nil {
				defer own.Close()
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
func (v *view) take(l *listPart, d fsys.DirHandle, rules *entryRules, in workspace.Place, e fsys.DirEntry) {
	name := reinterpret.String(e.Name) // nobody writes there any more
	st, err := d.Lstat(name)
	if err != nil {
		return // it went away
	}
	entry := Entry{Name: name, ID: st.ID}
	l.linked = l.linked || st.Links > 1 && st.Mode.IsRegular()
	switch st.Kind() {
	case fsys.FileKind:
		entry.Type = RegularFile
	case fsys.FolderKind:
		entry.Type = Directory
	case fsys.LinkKind:
		entry.Type = Symlink
		entry.Target, _ = d.Readlink(name) // it may be gone by now
	default:
		entry.Type = Other
	}
	folder := entry.Type == Directory
	_, hides := rules.agents.Hides(name, folder)
	if hides || v.gate.HiddenEntry(in, name) {
		l.hidden++
		return
	}
	entry.Ignored = isHidden(name) || rules.ignore.Match(name, folder)
	l.entries = append(l.entries, entry)
}
