package rpc

import (
	"cmp"
	"context"

	"github.com/agent-lsp/agent-lsp/rpc/jsonrpc"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// Text synchronisation runs on the read loop, one message after the other, so
// that a call sees every change that was sent before it. What takes time
// (comparing with the disk, hashing, asking the editor) goes to the
// background.

func (s *server) didOpen(_ context.Context, _ *jsonrpc.Caller, raw jsonrpc.RawMessage) (any, error) {
	doc, err := parseOpened(raw)
	if err != nil {
		return nil, err
	}
	if notebook, ok := s.core.Gate().NotebookOf(doc.uri); ok {
		s.store.OpenCell(notebook.Key(), doc.uri)
		return nil, nil
	}
	path, err := s.pathOf(doc.uri)
	if err != nil {
		return nil, err
	}
	on := s.onDisk(path)
	s.store.Open(buffers.Opening{
		URI: doc.uri, Path: path, LanguageID: doc.language, Version: doc.version,
		Text: doc.text, LoneSurrogates: doc.loneSurrogates, Lines: s.lineRule(), OnDisk: on.OnDisk, Real: on.Real,
	})
	if doc.loneSurrogates {
		s.resync(path.Key())
	}
	s.warm(path)
	return nil, nil
}

// pathOf returns what a document's URI names.
func (s *server) pathOf(uri string) (workspace.Path, error) {
	return s.core.Gate().FromURI(uri)
}

// onDisk looks at the file behind a document; a file that is not there, or
// not readable, is none.
func (s *server) onDisk(path workspace.Path) buffers.Saved {
	if path.Untitled() {
		return buffers.Saved{}
	}
	h, err := s.core.Gate().OpenDocument(path)
	if err != nil {
		return buffers.Saved{}
	}
	defer h.Close()
	return buffers.Saved{OnDisk: h.ID, Real: h.Real}
}

func (s *server) lineRule() text.LineRule {
	rule, _ := text.ParseLineRule(s.client.abilities.LineRule)
	return rule
}

// warm looks at the file behind a document before anybody asks, so that what
// it held when the document was opened is known.
func (s *server) warm(path workspace.Path) {
	s.background.Go(func(ctx context.Context) {
		snapshot := s.core.Snapshot()
		defer snapshot.Close()
		_, _ = snapshot.File(ctx, path, "") // whoever asks is told what is wrong
	})
}

func (s *server) didChange(_ context.Context, _ *jsonrpc.Caller, raw jsonrpc.RawMessage) (any, error) {
	change, bad := parseChanged(raw)
	path, err := s.pathOf(change.uri)
	if err != nil {
		if s.isCell(change.uri) {
			return nil, nil
		}
		return nil, cmp.Or(bad, err)
	}
	if bad != nil {
		s.markOutOfSync(path.Key(), "a change could not be understood")
		return nil, bad
	}
	err = s.store.Change(path.Key(), change.version, s.client.encoding, change.edits())
	if fault.KindOf(err) == fault.BufferUnsure {
		s.resync(path.Key())
	}
	s.outlines.Changed(path.Key(), func() (text.Text, bool) { return s.textOf(path.Key()) })
	return nil, err
}

// textOf returns the present text of a document; false when it is not open.
func (s *server) textOf(key string) (text.Text, bool) {
	if d := s.store.Overlay().Get(key); d != nil {
		return d.Text, true
	}
	return text.Text{}, false
}

// edits returns the changes in the store's form.
func (c changedText) edits() []buffers.Change {
	edits := make([]buffers.Change, len(c.changes))
	for i, span := range c.changes {
		edits[i].Text, edits[i].LoneSurrogates = span.text, span.loneSurrogates
		if !span.whole {
			edits[i].Range = &buffers.Range{Start: span.start, End: span.end}
		}
	}
	return edits
}

// markOutOfSync marks a document as out of sync and asks for its text.
func (s *server) markOutOfSync(key, reason string) {
	if d := s.store.Overlay().Get(key); d != nil {
		s.store.MarkOutOfSync(d, reason)
		s.resync(key)
	}
}

// documentParams are the params of what is told about one document.
type documentParams struct {
	TextDocument uriParams `json:"textDocument"`
}

// isCell reports whether a document is a notebook's cell: that it is open is all
// that counts of it.
func (s *server) isCell(uri string) bool {
	_, ok := s.core.Gate().NotebookOf(uri)
	return ok
}

func (s *server) didSave(_ context.Context, in *documentParams) (any, error) {
	if s.isCell(in.TextDocument.URI) {
		return nil, nil
	}
	path, err := s.pathOf(in.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	if err := s.store.Save(path.Key(), s.onDisk(path)); err != nil {
		return nil, err
	}
	s.warm(path)
	return nil, nil
}

func (s *server) didClose(_ context.Context, in *documentParams) (any, error) {
	if s.store.CloseCell(in.TextDocument.URI) {
		return nil, nil
	}
	path, err := s.pathOf(in.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	if !s.store.Close(path.Key()) {
		return nil, fault.New(fault.NotFound, "didClose of a document that is not open").At(path.Rel)
	}
	s.outlines.Closed(path.Key())
	return nil, nil
}

// tabsParams are the tabs whose text the editor does not tell.
type tabsParams struct {
	Unsynced []struct {
		URI      string `json:"uri"`
		Notebook bool   `json:"notebook"`
	} `json:"unsynced"`
}

// tabs notes them in place of those that were told before; what is no file
// cannot be edited either.
func (s *server) tabs(_ context.Context, in *tabsParams) (any, error) {
	var tabs []buffers.Tab
	for _, t := range in.Unsynced {
		if path, err := s.pathOf(t.URI); err == nil {
			tabs = append(tabs, buffers.Tab{Key: path.Key(), Notebook: t.Notebook})
		}
	}
	s.store.ShowTabs(tabs)
	return nil, nil
}

// documentStateParams is what agent-lsp's own clients tell of a document.
type documentStateParams struct {
	URI      string  `json:"uri"`
	Version  int32   `json:"version"`
	Dirty    *bool   `json:"dirty"`
	Encoding string  `json:"encoding"`
	BOM      bool    `json:"bom"`
	TextHash string  `json:"text_hash"`
	LineRule *string `json:"line_rule"`
}

func (s *server) documentState(_ context.Context, in *documentStateParams) (any, error) {
	if s.isCell(in.URI) {
		return nil, nil
	}
	path, err := s.pathOf(in.URI)
	if err != nil {
		return nil, err
	}
	state := buffers.State{Version: in.Version, Dirty: in.Dirty}
	if in.Encoding != "" {
		enc, ok := text.ParseEncoding(in.Encoding)
		if !ok {
			return nil, fault.New(fault.InvalidParams, "unknown encoding %q", in.Encoding).At(path.Rel)
		}
		state.Format = &text.Format{Encoding: enc, BOM: in.BOM}
	}
	if in.LineRule != nil {
		rule, ok := text.ParseLineRule(*in.LineRule)
		if !ok {
			return nil, fault.New(fault.InvalidParams, "unknown line rule %q", *in.LineRule).At(path.Rel)
		}
		state.Lines = &rule
	}
	if in.Dirty != nil && !*in.Dirty {
		state.OnDisk = s.onDisk(path)
	}
	if err := s.store.State(path.Key(), state); err != nil {
		return nil, err
	}
	if in.TextHash == "" {
		return nil, nil
	}
	want, err := text.ParseHash(in.TextHash)
	if err != nil {
		return nil, err
	}
	s.compareHash(path.Key(), in.Version, want)
	return nil, nil
}

// compareHash holds the mirrored text of an open document at a version against
// the hash that the client took of its own.
func (s *server) compareHash(key string, version int32, want text.Hash) {
	d := s.store.Overlay().Get(key)
	if d.Version != version {
		return
	}
	s.background.Go(func(context.Context) {
		have, err := text.Format{Encoding: text.EncodingUTF8}.Hash(d.Text)
		if err == nil && have != want {
			s.store.MarkOutOfSync(d, "the editor's text has another hash")
			s.resync(key)
		}
	})
}
