package session

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// MaxTexts is how much text an answer to a query holds, in bytes. Documents
// that do not fit are left out.
const MaxTexts = 32 << 20

// Documents returns the open documents of a snapshot that q asks for, ordered
// by key. One that the policy keeps from agents is among them only if q names
// it, so that it is not written behind its editor, and then by its names alone.
func Documents(ctx context.Context, s *buffers.Snapshot, q Query) []PeerDocument {
	var list []PeerDocument
	room := MaxTexts
	for _, d := range s.Overlay.Documents() {
		if ctx.Err() != nil || !q.asks(d) {
			continue
		}
		described := describe(d)
		f, err := s.File(ctx, d.Path, "")
		if fault.KindOf(err) == fault.PermissionDenied {
			if q.Of != nil && !q.Texts {
				list = append(list, PeerDocument{Document: Document{URI: described.URI, Path: described.Path, Real: described.Real}})
			}
			continue
		}
		if err == nil {
			described.Hash, described.Dirty, described.DiskChanged = f.Hash.String(), f.Dirty, f.DiskChanged
		}
		if !q.Texts {
			list = append(list, PeerDocument{Document: described})
			continue
		}
		differs := err == nil && (f.Dirty || f.DiskChanged || d.OutOfSync != "")
		switch {
		case !differs && !q.All:
		case described.Bytes > room && q.All:
			list = append(list, PeerDocument{Document: described})
		case described.Bytes <= room:
			room -= described.Bytes
			whole := d.Text.Append(make([]byte, 0, described.Bytes), text.Span{End: described.Bytes})
			list = append(list, PeerDocument{described, string(whole)})
		}
	}
	return list
}

// describe tells of a document what costs nothing.
func describe(d *buffers.Document) Document {
	return Document{
		URI: d.URI, Path: d.Path.Abs, Real: d.Real(), Language: d.LanguageID,
		Version: d.Version, OutOfSync: d.OutOfSync, Bytes: d.Text.Len(),
	}
}

func (q *Query) asks(d *buffers.Document) bool {
	if q.Of != nil && !slices.ContainsFunc(q.Of, func(n Name) bool { return n.names(d) }) {
		return false
	}
	switch {
	case q.Below == nil:
		return true
	case d.Path.Untitled():
		return q.Untitled
	}
	return slices.ContainsFunc(q.Below, func(folder string) bool {
		return IsBelow(folder, d.Path.Abs) || IsBelow(folder, d.Real())
	})
}

func (n *Name) names(d *buffers.Document) bool {
	if d.Path.Untitled() {
		return n.URI != "" && n.URI == d.Path.URI
	}
	if n.Path != "" && n.Path == d.Path.Abs || n.Real != "" && (n.Real == d.Real() || n.Real == d.Path.Abs) {
		return true
	}
	id := d.OnDisk()
	return n.Ino != 0 && n.Ino == id.Ino && n.Dev == id.Dev
}

// IsBelow reports whether a clean absolute path is a folder or lies in it.
func IsBelow(folder, path string) bool {
	rest, ok := strings.CutPrefix(path, folder)
	return ok && (rest == "" || strings.HasSuffix(folder, string(filepath.Separator)) || rest[0] == filepath.Separator)
}

// documents answers a query.
func (v *serverConn) documents(ctx context.Context, id uint64, body []byte) error {
	var q Query
	if err := wire.Unmarshal(body, &q); err != nil {
		return err
	}
	list, texts := carry(v.server.host.Documents(ctx, q))
	raw, err := wire.Marshal(list)
	if err != nil {
		return err
	}
	return v.out.write(&message{Do: doAnswer, ID: id, Header: len(raw)}, append([][]byte{raw}, texts...)...)
}

// events writes an event for each document that changed, until ctx ends. Of
// hash and dirty nothing is said: finding them out takes time.
func (v *serverConn) events(ctx context.Context, id uint64) {
	feed := v.server.host.Feed()
	defer feed.Close()
	// The first one, without a document, says that the watch has begun.
	if v.out.write(&message{Do: doEvent, ID: id}) != nil {
		return
	}
	for {
		e, ok := feed.Next(ctx)
		if !ok {
			return
		}
		if v.server.host.Hides(e.Document) {
			continue
		}
		d := describe(e.Document)
		d.Closed = e.Closed
		raw, err := wire.Marshal(d)
		if err != nil || v.out.write(&message{Do: doEvent, ID: id}, raw) != nil {
			return
		}
	}
}

// PeerDocuments returns documents as a snapshot shows them.
func PeerDocuments(docs []PeerDocument) []buffers.PeerDocument {
	list := make([]buffers.PeerDocument, 0, len(docs))
	for _, d := range docs {
		hash, err := text.ParseHash(d.Hash)
		if err != nil {
			continue // kept from agents, or garbage
		}
		list = append(list, buffers.PeerDocument{
			URI: d.URI, LanguageID: d.Language, Version: d.Version, Text: d.Text, OutOfSync: d.OutOfSync,
			Real: d.Real, Hash: hash, Dirty: d.Dirty, DiskChanged: d.DiskChanged,
		})
	}
	return list
}
