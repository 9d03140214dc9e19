package route

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/rpc/session"
)

// holderOf returns the session that has all documents of a call that are open;
// nil when none is. A document whose own editor has no changes, of a file that
// changed since, does not count where another session has it.
func holderOf(asked []peerAnswer) (*peerAnswer, error) {
	open := make(map[string]held)
	for i, a := range asked {
		for _, d := range a.documents {
			other, twice := open[d.Key()]
			switch {
			case !twice || isOutdated(&other.Document):
				open[d.Key()] = held{d.Document, &asked[i], []int{i}}
			case isOutdated(&d.Document):
			case other.Hash != d.Hash || other.OutOfSync != "" || d.OutOfSync != "":
				return nil, conflict(other, held{d.Document, &asked[i], nil})
			default:
				other.in = append(other.in, i)
				open[d.Key()] = other
			}
		}
	}
	if len(open) == 0 {
		return nil, nil
	}
	for i := range asked {
		if !slices.ContainsFunc(slices.Collect(maps.Values(open)), func(h held) bool { return !slices.Contains(h.in, i) }) {
			return &asked[i], nil
		}
	}
	return nil, apart(open)
}

// nearUntitled keeps, of documents without a file, those of sessions that share
// a folder with the call, if there are any: "untitled:1" is in every project.
func nearUntitled(asked []peerAnswer, roots []root) {
	untitled := func(d session.PeerDocument) bool { return d.Path == "" }
	near := slices.ContainsFunc(asked, func(a peerAnswer) bool { return overlaps(a.peer, roots) && slices.ContainsFunc(a.documents, untitled) })
	for i, a := range asked {
		if near && !overlaps(a.peer, roots) {
			asked[i].documents = slices.DeleteFunc(a.documents, untitled)
		}
	}
}

// held is an open document and the sessions, by their index, that have it with
// the same text.
type held struct {
	session.Document
	first *peerAnswer
	in    []int
}

// isOutdated reports whether the file changed under a document without changes.
func isOutdated(d *session.Document) bool { return d.DiskChanged && !d.Dirty && d.OutOfSync == "" }

func conflict(a, b held) error {
	return fault.New(fault.ConflictingBuffers, "%s and %s have it open with different texts", a.first.peer.Who(), b.first.peer.Who()).
		At(cmp.Or(a.Path, a.URI)).
		With("sessions", []int{a.first.peer.PID, b.first.peer.PID}).
		Advise("The person has to save it in one of them and to reload or close it in the other.")
}

// apart is the error for files of one call that no one session has open.
func apart(open map[string]held) error {
	names := slices.Sorted(maps.Keys(open))
	where := make([]string, len(names))
	for i, n := range names {
		where[i] = n + " in " + open[n].first.peer.Who()
	}
	return fault.New(fault.ConflictingBuffers, "the files are open in different editors: %s", strings.Join(where, "; ")).
		Advise("Make one call for the files of each editor.")
}
