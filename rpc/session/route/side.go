package route

import (
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/rpc/session"
)

// A session serves its own folders and what it has open; everything else is the
// caller's own. A change is made on one side, whole, or not at all.

// onOneSide refuses a change of files that are not all served by holder, the
// session that it would go to, or, where holder is nil, by none. Nothing has
// happened yet.
func onOneSide(asked []peerAnswer, holder *peerAnswer, subjects []subject) error {
	sides := make(map[*peerAnswer][]string)
	var order []*peerAnswer
	for _, at := range subjects {
		side := sideOf(asked, holder, at)
		if side == nil && at.stray {
			return nil // nobody serves it: whoever gets the call refuses all of it
		}
		if sides[side] == nil {
			order = append(order, side)
		}
		sides[side] = append(sides[side], at.shown)
	}
	if len(order) == 1 && order[0] == holder {
		return nil
	}
	parts := make([]string, len(order))
	for i, side := range order {
		parts[i] = strings.Join(sides[side], ", ")
		if side == nil {
			parts[i] += " outside of its folders"
		} else {
			parts[i] += " in the folders of " + side.peer.Who()
		}
	}
	return fault.New(fault.NotApplied, "the change is of files on both sides of an editor: %s; nothing was changed", strings.Join(parts, "; ")).
		With("sides", parts).Advise("Make one call for the files of each side.")
}

// sideOf returns who serves a subject: holder if that does, else the first
// session that does; nil when it is the caller's own.
func sideOf(asked []peerAnswer, holder *peerAnswer, at subject) *peerAnswer {
	if holder != nil && holder.serves(at) {
		return holder
	}
	if i := slices.IndexFunc(asked, func(a peerAnswer) bool { return a.serves(at) }); i >= 0 {
		return &asked[i]
	}
	return nil
}

// serves reports whether a subject lies in the session's folders, or is open
// there.
func (a *peerAnswer) serves(at subject) bool {
	return a.peer.Closeness(at.real) >= 0 || slices.ContainsFunc(a.documents, func(d session.PeerDocument) bool { return at.is(&d.Document) })
}

// is reports whether a document is of the subject, by whatever name.
func (at subject) is(d *session.Document) bool {
	if d.Path == "" || at.real == "" {
		return at.uri != "" && at.uri == d.URI
	}
	if at.real == d.Path || at.real == d.Real {
		return true
	}
	_, dev, ino := fsys.Identify(at.real)
	_, itsDev, itsIno := fsys.Identify(d.Path)
	return ino != 0 && ino == itsIno && dev == itsDev
}
