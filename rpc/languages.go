package rpc

import (
	"context"
	"errors"
	"time"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/rpc/jsonrpc"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

const (
	// languageTimeout is how long language servers have for one question: a little
	// more than the editor's client gives them.
	languageTimeout = 25 * time.Second
	// willRenameTimeout is the same where a move waits for it that goes on without.
	willRenameTimeout = 3 * time.Second
	// maxPlaces bounds the places that one answer may name.
	maxPlaces = 200_000
)

// subjectParams name the place that language servers are asked about. A document is
// asked about at the version that the call saw, and not at another.
type subjectParams struct {
	URI      string        `json:"uri"`
	Version  *int32        `json:"version,omitempty"`
	Position *wirePosition `json:"position,omitempty"`
	Range    *wireRange    `json:"range,omitempty"`
	Relation string        `json:"relation,omitempty"`
	NewName  string        `json:"newName,omitempty"`
	Kind     string        `json:"kind,omitempty"`
	Title    string        `json:"title,omitempty"`
}

// languageAnswer is what all answers about languages hold.
type languageAnswer struct {
	By       []string         `json:"by"`
	Busy     string           `json:"busy"`
	Refused  string           `json:"refused"` // a server's own words
	Changed  bool             `json:"changed"` // some document, until the answer was there
	Versions map[string]int32 `json:"versions"`
}

// wirePlace is a place as a language server counts.
type wirePlace struct {
	URI      string    `json:"uri"`
	Range    wireRange `json:"range"`
	Encoding string    `json:"encoding"`
}

var errAskedAnother = fault.New(fault.StaleFile, "the text changed while the language servers were asked").
	Advise("Call again.").With("changed", true)

// subject names a place in a file to the editor.
func (e *editor) subject(f *buffers.File, span text.Span) (subjectParams, error) {
	p := subjectParams{URI: f.Path.URI}
	var t text.Text
	coord := text.Coord{Encoding: e.client.encoding, Lines: e.lineRule()}
	if d := f.Document; d != nil {
		t, coord = d.Text, e.coord(d)
		p.URI, p.Version = d.URI, &d.Version
	} else {
		var err error
		if t, err = toolcall.WholeText(f); err != nil {
			return p, err
		}
	}
	start, end := wirePosition(t.PositionAt(span.Start, coord)), wirePosition(t.PositionAt(span.End, coord))
	p.Position, p.Range = &start, &wireRange{start, end}
	return p, nil
}

// askLanguages asks the editor for what its language servers know.
func (e *editor) askLanguages(ctx context.Context, method string, params, answer any) error {
	err := e.caller.Call(ctx, languageTimeout, method, params, answer)
	var refused *jsonrpc.Error
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return fault.New(fault.Timeout, "the language servers did not answer %s within %s", method, languageTimeout).
			Advise("They may still be reading the workspace: try again, or use grep_files.")
	case errors.As(err, &refused):
		return fault.New(fault.NotApplied, "the editor failed on %s: %s", method, refused.Message).
			Advise("Use grep_files and edits instead.")
	}
	return fault.New(fault.NoEditor, "the editor failed on %s: %v", method, err)
}

// check reports whether the answer is over the texts of a snapshot, and tells a
// server's refusal.
func (a *languageAnswer) check(s *buffers.Snapshot) error {
	if a.Changed {
		return errAskedAnother
	}
	for _, d := range s.Overlay.Documents() {
		if v, known := a.Versions[d.URI]; known && v != d.Version {
			return errAskedAnother
		}
	}
	if a.Refused != "" && len(a.Refused) > maxRefusal {
		a.Refused = a.Refused[:maxRefusal] + "…"
	}
	return nil
}

// maxRefusal is how much of a server's words is told, in bytes.
const maxRefusal = 500

func (a *languageAnswer) refusal() error {
	e := fault.New(fault.NotApplied, "the language server refuses: %s", a.Refused)
	if a.Busy != "" {
		return e.Advise("It is still busy (%s): try again in a moment.", a.Busy)
	}
	return e.Advise("Nothing was changed: mend what it says and call again.")
}

// by returns who answered.
func (a *languageAnswer) by() string {
	if len(a.By) == 0 {
		return ""
	}
	return a.By[0]
}

// Places implements [toolcall.Languages].
func (e *editor) Places(ctx context.Context, s *buffers.Snapshot, at toolcall.Place, relation string) (*toolcall.Places, error) {
	if !e.client.abilities.References {
		return nil, notOffered("references")
	}
	params, err := e.subject(at.File, text.Span{Start: at.Offset, End: at.Offset})
	if err != nil {
		return nil, err
	}
	params.Relation = relation
	var answer struct {
		languageAnswer
		Locations []wirePlace `json:"locations"`
	}
	if err := e.askLanguages(ctx, "agent/references", params, &answer); err != nil {
		return nil, err
	}
	if err := answer.check(s); err != nil {
		return nil, err
	}
	if answer.Refused != "" && len(answer.By) == 0 {
		return nil, answer.refusal()
	}
	places := &toolcall.Places{By: answer.By, Busy: answer.Busy}
	for _, l := range answer.Locations[:min(len(answer.Locations), maxPlaces)] {
		r, err := e.serverRange(s, l)
		if err != nil {
			places.Elsewhere++
			continue
		}
		places.Found = append(places.Found, r)
	}
	places.Elsewhere += max(0, len(answer.Locations)-maxPlaces)
	return places, nil
}

// serverRange is a place with the path that the call knows it by. The error is that
// of a URI that names no file.
func (e *editor) serverRange(s *buffers.Snapshot, l wirePlace) (toolcall.ServerRange, error) {
	p, err := s.Gate.FromURI(l.URI)
	if err != nil {
		return toolcall.ServerRange{}, err
	}
	coord := text.Coord{Encoding: e.client.encoding, Lines: e.lineRule()}
	if d := s.Overlay.Get(p.Key()); d != nil {
		coord = e.coord(d)
	}
	if enc, ok := text.ParsePositionEncoding(l.Encoding); ok {
		coord.Encoding = enc
	}
	return toolcall.ServerRange{Path: p, Start: text.Position(l.Range.Start), End: text.Position(l.Range.End), Coord: coord}, nil
}

// wireEdit is an answer that holds LSP's WorkspaceEdit.
type wireEdit struct {
	Edit *struct {
		Changes         map[string][]wireTextEdit `json:"changes"`
		DocumentChanges []wireDocumentChange      `json:"documentChanges"`
	} `json:"edit"`
	Encoding string `json:"encoding"`
	Command  string `json:"command"`
	Found    bool   `json:"found"`
}

type wireTextEdit struct {
	Range   wireRange `json:"range"`
	NewText string    `json:"newText"`
}

// wireDocumentChange is a TextDocumentEdit or a file operation, by what it has.
type wireDocumentChange struct {
	Kind         string `json:"kind"`
	URI          string `json:"uri"`
	OldURI       string `json:"oldUri"`
	NewURI       string `json:"newUri"`
	TextDocument struct {
		URI string `json:"uri"`
	} `json:"textDocument"`
	Edits []wireTextEdit `json:"edits"`
}

// serverEdit reads a workspace edit. An edit of what is no file makes it an error:
// all of it is made, or nothing.
func (e *editor) serverEdit(s *buffers.Snapshot, w *wireEdit) (*toolcall.ServerEdit, error) {
	out := &toolcall.ServerEdit{Command: w.Command, Found: w.Found}
	if w.Edit == nil {
		return out, nil
	}
	for _, c := range w.Edit.DocumentChanges {
		f, err := e.documentChange(s, c, w.Encoding)
		if err != nil {
			return nil, err
		}
		out.Files = append(out.Files, f)
	}
	if len(w.Edit.DocumentChanges) == 0 {
		for uri, edits := range w.Edit.Changes {
			c := wireDocumentChange{Edits: edits}
			c.TextDocument.URI = uri
			f, err := e.documentChange(s, c, w.Encoding)
			if err != nil {
				return nil, err
			}
			out.Files = append(out.Files, f)
		}
	}
	return out, nil
}

func (e *editor) documentChange(s *buffers.Snapshot, c wireDocumentChange, encoding string) (f toolcall.ServerFileEdit, err error) {
	f.Kind = c.Kind
	path := func(uri string) (p workspace.Path) {
		if err == nil {
			p, err = s.Gate.FromURI(uri)
		}
		return p
	}
	switch c.Kind {
	case "rename":
		f.Path, f.To = path(c.OldURI), path(c.NewURI)
	case "create", "delete":
		f.Path = path(c.URI)
	case "":
		f.Path = path(c.TextDocument.URI)
	default:
		return f, fault.New(fault.NotSupported, "the language server asks for a file operation %q, which is not known", c.Kind)
	}
	for _, edit := range c.Edits {
		if err != nil {
			break
		}
		r, rangeErr := e.serverRange(s, wirePlace{URI: c.TextDocument.URI, Range: edit.Range, Encoding: encoding})
		f.Edits, err = append(f.Edits, toolcall.ServerTextEdit{Range: r, New: edit.NewText}), rangeErr
	}
	return f, err
}

// Rename implements [toolcall.Languages].
func (e *editor) Rename(ctx context.Context, s *buffers.Snapshot, at toolcall.Place, name string) (*toolcall.ServerEdit, error) {
	if !e.client.abilities.Rename {
		return nil, notOffered("rename")
	}
	params, err := e.subject(at.File, text.Span{Start: at.Offset, End: at.Offset})
	if err != nil {
		return nil, err
	}
	params.NewName = name
	return e.askEdit(ctx, s, "agent/rename", params)
}

// askEdit asks for one change.
func (e *editor) askEdit(ctx context.Context, s *buffers.Snapshot, method string, params subjectParams) (*toolcall.ServerEdit, error) {
	var answer struct {
		languageAnswer
		wireEdit
	}
	if err := e.askLanguages(ctx, method, params, &answer); err != nil {
		return nil, err
	}
	if err := answer.check(s); err != nil {
		return nil, err
	}
	if answer.Refused != "" {
		return nil, answer.refusal()
	}
	edit, err := e.serverEdit(s, &answer.wireEdit)
	if err == nil {
		edit.By, edit.Busy = answer.by(), answer.Busy
	}
	return edit, err
}

// WillRename implements [toolcall.Languages].
func (e *editor) WillRename(ctx context.Context, s *buffers.Snapshot, moves [][2]workspace.Path) ([]toolcall.ServerEdit, error) {
	if !e.client.abilities.Rename {
		return nil, nil
	}
	type file struct {
		Old string `json:"oldUri"`
		New string `json:"newUri"`
	}
	var params struct {
		Files   []file `json:"files"`
		Timeout int64  `json:"timeout_ms"`
	}
	params.Timeout = willRenameTimeout.Milliseconds()
	for _, m := range moves {
		params.Files = append(params.Files, file{m[0].URI, m[1].URI})
	}
	var answer struct {
		languageAnswer
		Edits []struct {
			By []string `json:"by"`
			wireEdit
		} `json:"edits"`
	}
	if err := e.askLanguages(ctx, "agent/willRename", params, &answer); err != nil {
		return nil, err
	}
	if err := answer.check(s); err != nil {
		return nil, err
	}
	var edits []toolcall.ServerEdit
	for i := range answer.Edits {
		edit, err := e.serverEdit(s, &answer.Edits[i].wireEdit)
		if err != nil {
			return nil, err
		}
		edit.By = (&languageAnswer{By: answer.Edits[i].By}).by()
		edits = append(edits, *edit)
	}
	return edits, nil
}

// Actions implements [toolcall.Languages].
func (e *editor) Actions(ctx context.Context, s *buffers.Snapshot, about toolcall.ActionRange) (*toolcall.Actions, error) {
	params, err := e.actionParams(about)
	if err != nil {
		return nil, err
	}
	var answer struct {
		languageAnswer
		Actions []toolcall.Action `json:"actions"`
	}
	if err := e.askLanguages(ctx, "agent/codeActions", params, &answer); err != nil {
		return nil, err
	}
	if err := answer.check(s); err != nil {
		return nil, err
	}
	if answer.Refused != "" && len(answer.By) == 0 {
		return nil, answer.refusal()
	}
	return &toolcall.Actions{By: answer.By, Busy: answer.Busy, List: answer.Actions}, nil
}

// Act implements [toolcall.Languages].
func (e *editor) Act(ctx context.Context, s *buffers.Snapshot, about toolcall.ActionRange, title string) (*toolcall.ServerEdit, error) {
	params, err := e.actionParams(about)
	if err != nil {
		return nil, err
	}
	params.Title = title
	return e.askEdit(ctx, s, "agent/codeActions", params)
}

func (e *editor) actionParams(about toolcall.ActionRange) (subjectParams, error) {
	if !e.client.abilities.CodeActions {
		return subjectParams{}, notOffered("codeActions")
	}
	params, err := e.subject(about.File, about.Span)
	params.Kind = about.Kind
	return params, err
}
