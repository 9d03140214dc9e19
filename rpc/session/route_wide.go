package session

import (
	"cmp"
	"context"
	"slices"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/tools"
)

// routeWide sends a call about folders to the closest session whose folders
// hold them, else to the disk, with what the other sessions did not save. With
// one that changes files go all documents of the others: what another editor has
// open is not changed on disk behind it.
func (b *backend) routeWide(ctx context.Context, def tools.Definition, peers []*Peer, subjects []subject, roots []root) (target, error) {
	var t target
	holders := slices.DeleteFunc(slices.Clone(peers), func(p *Peer) bool { return !p.holdsAll(subjects) })
	for _, a := range b.each(ctx, holders, nil) {
		if a.err == nil {
			t.peer, t.conn = a.peer, a.conn
			break
		}
	}
	below := make([]string, 0, len(subjects))
	for _, at := range subjects {
		if real, _, _ := fsys.Identify(at.real); at.real != "" {
			below = append(below, at.real, real)
		}
	}
	asked := b.each(ctx, peers, func(p *Peer) *Query {
		return &Query{Below: below, Untitled: p.overlaps(roots), Texts: p != t.peer, All: !def.ReadOnly && p != t.peer}
	})
	if err := ctx.Err(); err != nil {
		return target{}, err
	}
	notes, err := concerned(def, asked, subjects)
	if err != nil {
		return target{}, err
	}
	extra, left, conflicts := merge(asked, t.peer)
	if left != nil && !def.ReadOnly {
		return target{}, fault.New(fault.NotApplied, "%s has more open there than goes along with a call; nothing was changed", left.who()).
			Advise("Change the files in calls that name them, or ask the person to close some.")
	}
	t.extra, t.notes = extra, slices.Concat(notes, conflicts)
	if t.conn == nil && !anyWorksIn(asked, subjects) {
		t.outside = slices.ContainsFunc(asked, func(a asking) bool { return a.err == nil })
		t.notes = append(t.notes, b.unattached(t.outside))
	}
	return t, nil
}

// anyWorksIn tells whether a session that answered has a folder in or around
// those that a call is about.
func anyWorksIn(asked []asking, subjects []subject) bool {
	return slices.ContainsFunc(asked, func(a asking) bool {
		return a.err == nil && slices.ContainsFunc(subjects, func(at subject) bool {
			return a.peer.overlaps([]root{{real: at.real}})
		})
	})
}

const (
	// maxExtra is how many documents of other sessions go along with a call.
	maxExtra = 1000
	// maxConflicts is how many documents are named of which editors hold
	// different texts.
	maxConflicts = 3
)

// merge returns the documents that the call's own session lacks: what it has
// unsaved itself counts, then the closest session. left has documents for which
// there was no room. The notes name those of which another has another unsaved
// text.
func merge(asked []asking, own *Peer) (extra []ForeignDocument, left *Peer, notes []string) {
	taken := make(map[string]string) // hashes by key
	open := make(map[string]bool)    // in the own session
	for _, a := range asked {
		for _, d := range a.documents {
			if a.peer != own {
				continue
			}
			open[d.key()] = true
			if d.Dirty || d.Unsure != "" {
				taken[d.key()] = d.Hash
			}
		}
	}
	room := maxTexts
	for _, a := range asked {
		for _, d := range a.documents {
			if a.peer == own || d.outdated() || open[d.key()] && !d.Dirty && d.Unsure == "" {
				continue
			}
			hash, is := taken[d.key()]
			switch {
			case is && hash != d.Hash && len(notes) < maxConflicts:
				notes = append(notes, cmp.Or(d.Path, d.URI)+" is open with another text in "+a.peer.who()+", which is not in this answer")
			case is:
			case d.Bytes > len(d.Text) || d.Bytes > room || len(extra) == maxExtra:
				left = a.peer
			default:
				taken[d.key()] = d.Hash
				room -= len(d.Text)
				extra = append(extra, d)
			}
		}
	}
	return extra, left, notes
}

// Foreign returns documents as a snapshot shows them.
func Foreign(docs []ForeignDocument) []buffers.Foreign {
	list := make([]buffers.Foreign, 0, len(docs))
	for _, d := range docs {
		hash, err := text.ParseHash(d.Hash)
		if err != nil {
			continue // kept from agents, or garbage
		}
		list = append(list, buffers.Foreign{
			URI: d.URI, LanguageID: d.Language, Version: d.Version, Text: d.Text, Unsure: d.Unsure,
			Real: d.Real, Hash: hash, Dirty: d.Dirty, DiskChanged: d.DiskChanged,
		})
	}
	return list
}
