package buffers

import (
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// PeerDocument is a document that an editor of another session has open, as that
// session describes it. It can be read, not edited.
type PeerDocument struct {
	URI, LanguageID string
	Version         int32
	Text            string
	OutOfSync       string
	Real            string // real path of its file; "" when there is none
	Hash            text.Hash
	// Dirty and DiskChanged are those of [File].
	Dirty, DiskChanged bool
}

// Show lets the snapshot see documents of other sessions, each in place of what
// the snapshot's own editor has under its name. It comes before all other
// calls. A document whose URI names nothing is left out.
func (s *Snapshot) Show(docs []PeerDocument) {
	for i := range docs {
		f := &docs[i]
		path, err := s.Gate.Resolve(f.URI, nil) // as this gate calls it, where links lead there
		if err != nil {
			path, err = s.Gate.FromURI(f.URI)
		}
		if err != nil {
			continue
		}
		t := text.New(f.Text)
		s.Overlay = s.Overlay.with(&Document{
			URI: f.URI, Path: path, LanguageID: f.LanguageID, Version: f.Version, Text: t, OutOfSync: f.OutOfSync,
			key: path.Key(), real: f.Real, base: &base{text: t}, sum: &sum{}, peer: f,
		})
	}
	s.Gate = s.Gate.WithAgentIgnores(s.Overlay.ignores)
}

// IsPeer reports whether the document is open in another session's editor only.
func (d *Document) IsPeer() bool { return d.peer != nil }

// peerFile returns the file that a peer document at path stands for.
func (s *Snapshot) peerFile(d *Document, path workspace.Path) *File {
	f := &File{
		Path: path, Source: FromBuffer, Document: d, Content: d.Text, Format: plain, Real: d.real, Hash: d.peer.Hash,
		Dirty: d.peer.Dirty, DiskChanged: d.peer.DiskChanged, EOL: d.Text.EOL(), FinalNewline: d.Text.FinalNewline(),
	}
	if id, err := s.Gate.StatDocument(path); err == nil {
		f.ID, f.SizeBytes = id, id.Size
	}
	return f
}
