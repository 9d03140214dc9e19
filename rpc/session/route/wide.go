package route

import (
	"cmp"
	"context"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/rpc/session"
	"github.com/agent-lsp/agent-lsp/tools"
)

// routeWide sends a call about folders to the closest session whose folders
// hold them, else to the disk, with what the other sessions did not save. With
// one that changes files go all documents of the others: what another editor has
// open is not changed on disk behind it.
func (b *backend) routeWide(ctx context.Context, def tools.Definition, peers []*session.Peer, subjects []subject, roots []root) (target, error) {
	var t target
	holders := slices.DeleteFunc(slices.Clone(peers), func(p *session.Peer) bool { return !holdsAll(p, subjects) })
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
	asked := b.each(ctx, peers, func(p *session.Peer) *session.Query {
		return &session.Query{Below: below, Untitled: overlaps(p, roots), Texts: p != t.peer, All: !def.ReadOnly && p != t.peer}
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
		return target{}, fault.New(fault.NotApplied, "%s has more open there than goes along with a call; nothing was changed", left.Who()).
			Advise("Change the files in calls that name them, or ask the person to close some.")
	}
	t.extra, t.notes = extra, slices.Concat(notes, conflicts)
	if t.conn == nil && !anyWorksIn(asked, subjects) {
		t.outside = slices.ContainsFunc(asked, func(a peerAnswer) bool { return a.err == nil })
		t.notes = append(t.notes, b.unattached(t.outside))
	}
	return t, nil
}

// anyWorksIn reports whether a session that answered has a folder in or around
// those that a call is about.
func anyWorksIn(asked []peerAnswer, subjects []subject) bool {
	return slices.ContainsFunc(asked, func(a peerAnswer) bool {
		return a.err == nil && slices.ContainsFunc(subjects, func(at subject) bool {
			return overlaps(a.peer, []root{{real: at.real}})
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
func merge(asked []peerAnswer, own *session.Peer) (extra []session.PeerDocument, left *session.Peer, notes []string) {
	taken := make(map[string]string) // hashes by key
	open := make(map[string]bool)    // in the own session
	for _, a := range asked {
		for _, d := range a.documents {
			if a.peer != own {
				continue
			}
			open[d.Key()] = true
			if d.Dirty || d.OutOfSync != "" {
				taken[d.Key()] = d.Hash
			}
		}
	}
	room := session.MaxTexts
	for _, a := range asked {
		for _, d := range a.documents {
			if a.peer == own || isOutdated(&d.Document) || open[d.Key()] && !d.Dirty && d.OutOfSync == "" {
				continue
			}
			hash, is := taken[d.Key()]
			switch {
			case is && hash != d.Hash && len(notes) < maxConflicts:
				notes = append(notes, cmp.Or(d.Path, d.URI)+" is open with another text in "+a.peer.Who()+", which is not in this answer")
			case is:
			case d.Bytes > len(d.Text) || d.Bytes > room || len(extra) == maxExtra:
				left = a.peer
			default:
				taken[d.Key()] = d.Hash
				room -= len(d.Text)
				extra = append(extra, d)
			}
		}
	}
	return extra, left, notes
}
