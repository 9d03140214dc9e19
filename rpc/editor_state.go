package rpc

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// askTimeout is how long the editor has to tell what it shows and knows.
const askTimeout = 5 * time.Second

// wireRange is a range as LSP writes it.
type wireRange struct {
	Start wirePosition `json:"start"`
	End   wirePosition `json:"end"`
}

type wirePosition struct {
	Line      uint32 `json:"line"`
	Character uint32 `json:"character"`
}

// State implements [toolcall.Editor].
func (e *editor) State(ctx context.Context) (*toolcall.EditorState, error) {
	if !e.client.abilities.EditorState {
		return nil, notOffered("editorState")
	}
	var answer struct {
		Active     string   `json:"active"`
		Visible    []string `json:"visible"`
		Selections []struct {
			URI    string      `json:"uri"`
			Ranges []wireRange `json:"ranges"`
		} `json:"selections"`
	}
	if err := e.ask(ctx, "agent/editorState", struct{}{}, &answer); err != nil {
		return nil, err
	}
	state := &toolcall.EditorState{Active: e.keyOf(answer.Active), Selections: make(map[string][]text.Span)}
	for _, uri := range answer.Visible {
		if key := e.keyOf(uri); key != "" {
			state.Visible = append(state.Visible, key)
		}
	}
	now := e.store.Overlay()
	for _, s := range answer.Selections {
		d := now.Get(e.keyOf(s.URI))
		if d == nil {
			continue
		}
		for _, r := range s.Ranges {
			state.Selections[d.Key()] = append(state.Selections[d.Key()], spanOf(d.Text, e.coord(d), r))
		}
	}
	return state, nil
}

// keyOf returns the key of the document that a URI names; "" when it cannot
// be one of ours.
func (e *editor) keyOf(uri string) string {
	if uri == "" {
		return ""
	}
	p, err := e.pathOf(uri)
	if err != nil {
		return ""
	}
	return p.Key()
}

// wireDiagnostic is an item of agent/diagnostics.
type wireDiagnostic struct {
	URI      string            `json:"uri"`
	Range    wireRange         `json:"range"`
	Severity toolcall.Severity `json:"severity"`
	Message  string            `json:"message"`
	Source   string            `json:"source"`
	Code     wire.RawValue     `json:"code"`
}

// Diagnostics implements [toolcall.Editor].
func (e *editor) Diagnostics(ctx context.Context, of *workspace.Path, wait time.Duration) (*toolcall.Diagnosed, error) {
	if !e.client.abilities.Diagnostics {
		return nil, notOffered("diagnostics")
	}
	var params struct {
		URI  string `json:"uri,omitempty"`
		Wait int64  `json:"wait_ms,omitzero"`
	}
	if e.client.abilities.Freshness {
		params.Wait = wait.Milliseconds()
	}
	if of != nil {
		params.URI = of.URI
		if d := e.store.Overlay().Get(of.Key()); d != nil {
			params.URI = d.URI
		}
	}
	var answer struct {
		Items   []wireDiagnostic   `json:"items"`
		State   toolcall.Freshness `json:"state"`
		Waiting []string           `json:"waiting"`
	}
	if err := e.askWithin(ctx, askTimeout+wait, "agent/diagnostics", params, &answer); err != nil {
		return nil, err
	}
	said := &toolcall.Diagnosed{State: toolcall.Unknown, Waiting: answer.Waiting}
	if answer.State == toolcall.Current || answer.State == toolcall.Pending {
		said.State = answer.State
	}
	list := make([]toolcall.Diagnostic, 0, len(answer.Items))
	var ranges []wireRange
	for _, item := range answer.Items {
		p, err := e.pathOf(item.URI)
		if err != nil || of != nil && p.Key() != of.Key() {
			continue // of a document that is none of ours, or not asked for
		}
		list = append(list, toolcall.Diagnostic{
			Path: p, Line: int(item.Range.Start.Line), Severity: item.Severity, Message: item.Message, Source: item.Source, Code: diagnosticCode(item.Code),
		})
		ranges = append(ranges, item.Range)
	}
	said.List = list
	if of == nil || len(list) == 0 {
		return said, nil
	}
	return said, e.place(ctx, *of, list, ranges)
}

// place finds the spans of a file's diagnostics in its present text.
func (e *editor) place(ctx context.Context, of workspace.Path, list []toolcall.Diagnostic, ranges []wireRange) error {
	snapshot := e.core.Snapshot()
	defer snapshot.Close()
	t, coord, err := e.textAt(ctx, snapshot, of)
	if err != nil {
		return err
	}
	for i, r := range ranges {
		list[i].Span = spanOf(t, coord, r)
	}
	return nil
}

// textAt returns the text of a file, open or not, and how the editor counts in
// it. A file that is not open is read whole.
func (s *server) textAt(ctx context.Context, snapshot *buffers.Snapshot, p workspace.Path) (text.Text, text.Coord, error) {
	f, err := snapshot.File(ctx, p, "")
	switch {
	case err != nil:
		return text.Text{}, text.Coord{}, err
	case f.Document != nil:
		return f.Document.Text, s.coord(f.Document), nil
	case f.Binary:
		return text.Text{}, text.Coord{}, fault.New(fault.BinaryFile, "the file holds no text").At(p.Rel)
	}
	raw := f.Content.Append(nil, text.Span{End: f.Content.Len()})
	if err := f.Err(); err != nil {
		return text.Text{}, text.Coord{}, fault.From(err).At(p.Rel)
	}
	return text.New(string(raw)), text.Coord{Encoding: s.client.encoding, Lines: s.lineRule()}, nil
}

// spanOf returns the bytes of a range, which is clamped to the text.
func spanOf(t text.Text, c text.Coord, r wireRange) text.Span {
	start, end := t.OffsetAt(text.Position(r.Start), c), t.OffsetAt(text.Position(r.End), c)
	return text.Span{Start: min(start, end), End: max(start, end)}
}

// diagnosticCode returns a diagnostic's code, a number or a string, and "" when
// there is none.
func diagnosticCode(raw wire.RawValue) string {
	var s string
	switch {
	case wire.Unmarshal(raw, &s) == nil:
		return s
	case raw.Kind() == '0':
		return strings.TrimSpace(string(raw))
	}
	return ""
}

// ask sends a request of ours and tells what went wrong as tools do.
func (e *editor) ask(ctx context.Context, method string, params, answer any) error {
	return e.askWithin(ctx, askTimeout, method, params, answer)
}

func (e *editor) askWithin(ctx context.Context, timeout time.Duration, method string, params, answer any) error {
	err := e.caller.Call(ctx, timeout, method, params, answer)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return fault.New(fault.Timeout, "the editor did not answer %s within %s", method, timeout).
			Advise("It may be busy or show a question: try again.")
	}
	return fault.New(fault.NoEditor, "the editor failed on %s: %v", method, err).
		Advise("The person can look at the editor's log of agent-lsp.")
}

func notOffered(ability string) error {
	return fault.New(fault.NoEditor, "the editor's client does not offer agent/%s", ability).
		Advise("It says so in capabilities.experimental.agentLsp.%s: the person can update the editor's agent-lsp plugin. Until then run the project's own checks.", ability)
}
