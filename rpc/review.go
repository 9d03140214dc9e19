package rpc

import (
	"context"
	"time"

	"go.lsp.dev/protocol"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/ledger"
	"github.com/agent-lsp/agent-lsp/internal/review"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/tools/change"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// maxListedHunks is how many hunks of all files a list holds.
const maxListedHunks = 10_000

// reviewParams name a file, or all by "".
type reviewParams struct {
	URI   string          `json:"uri"`
	Hunks []string        `json:"hunks"`
	Range *protocol.Range `json:"range"`
}

// reviewList is the answer to agent/review/list.
type reviewList struct {
	Files []reviewFile `json:"files"`
	More  int          `json:"more,omitzero"`
}

type reviewFile struct {
	URI     string        `json:"uri"`
	Path    string        `json:"path"`
	Version *int32        `json:"version,omitempty"`
	Status  review.Status `json:"status"`
	From    string        `json:"from,omitempty"`
	Hunks   []reviewHunk  `json:"hunks"`
}

type reviewHunk struct {
	ID      string         `json:"id"`
	Range   protocol.Range `json:"range"`
	Removed string         `json:"removed"`
	Clients []string       `json:"clients"`
	Edits   []string       `json:"edits"`
	Time    time.Time      `json:"time"`
	Typed   bool           `json:"typed,omitzero"`
}

// path returns the path that the params name; nil for all.
func (p *reviewParams) path(s *server) (*workspace.Path, error) {
	if p.URI == "" {
		return nil, nil
	}
	path, err := s.pathOf(p.URI)
	if err != nil {
		return nil, err
	}
	return &path, s.core.Gate().CheckRead(path)
}

func (r *request) listReview(ctx context.Context, in *reviewParams) (any, error) {
	path, err := in.path(r.server)
	if err != nil {
		return nil, err
	}
	out := reviewList{Files: []reviewFile{}}
	r.core.OpenHistory()
	files, more := r.core.Reviews().List(ctx, path, maxListedHunks)
	out.More = more
	for _, f := range files {
		if r.core.Gate().CheckRead(f.Path) == nil {
			out.Files = append(out.Files, r.reviewFile(f))
		}
	}
	return out, nil
}

func (r *request) reviewFile(f review.File) reviewFile {
	out := reviewFile{URI: f.Path.URI, Path: f.Path.Rel, Status: f.Status, Hunks: make([]reviewHunk, len(f.Hunks))}
	if f.Document != nil {
		out.URI, out.Version = f.Document.URI, &f.Document.Version
	}
	if f.From != "" {
		out.From = f.From
		if p, err := r.core.Gate().Resolve(f.From, func(string) bool { return false }); err == nil {
			out.From = p.Rel
		}
	}
	for i, h := range f.Hunks {
		out.Hunks[i] = reviewHunk{
			ID: h.ID, Range: r.lineRange(f.Document, h.Start, h.End), Removed: h.Removed, Time: h.Time, Typed: h.Typed,
			Clients: orEmpty(h.Clients), Edits: orEmpty(h.Edits),
		}
	}
	return out
}

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// lineRange returns lines, which end at LF, as the editor counts them: of a
// document, or of a file that is not open.
func (s *server) lineRange(d *buffers.Document, start, end int) protocol.Range {
	return protocol.Range{Start: s.lineStart(d, start), End: s.lineStart(d, end)}
}

func (s *server) lineStart(d *buffers.Document, line int) protocol.Position {
	if d == nil {
		return protocol.Position{Line: uint32(line)}
	}
	at := ledger.LineStart(d.Text, line)
	p := d.Text.PositionAt(at, text.Coord{Encoding: s.client.encoding, Lines: d.Lines()})
	if p.Character > 0 { // behind a last line without an end
		return protocol.Position{Line: p.Line + 1}
	}
	return protocol.Position(p)
}

// choice returns what of a file the params mean.
func (r *request) choice(in *reviewParams, path workspace.Path) (c review.Choice) {
	c.IDs = in.Hunks
	if in.Range == nil {
		return c
	}
	start, end := int(in.Range.Start.Line), int(in.Range.End.Line)
	if in.Range.End.Character > 0 || end == start {
		end++
	}
	if d := r.store.Overlay().Get(path.Key()); d != nil {
		start, end = r.lfLine(d, start), r.lfLine(d, end)
	}
	c.IDs, c.Lines = nil, &[2]int{start, end}
	return c
}

// lfLine returns the line, ended by LF, in which a line begins as the editor
// counts; one behind the last for those behind the text.
func (r *request) lfLine(d *buffers.Document, line int) int {
	at := d.Text.OffsetAt(text.Position{Line: uint32(line)}, text.Coord{Encoding: r.client.encoding, Lines: d.Lines()})
	if at == d.Text.Len() {
		return d.Text.Lines()
	}
	return int(d.Text.PositionAt(at, text.Coord{Encoding: text.UTF8, Lines: text.OnlyLF}).Line)
}

// targets returns which hunks of which files the params mean.
func (r *request) targets(ctx context.Context, in *reviewParams) ([]change.UndoChoice, error) {
	r.core.OpenHistory()
	path, err := in.path(r.server)
	if err != nil {
		return nil, err
	}
	if path != nil {
		return []change.UndoChoice{{Path: *path, Choice: r.choice(in, *path)}}, nil
	}
	if in.Range != nil {
		return nil, fault.New(fault.InvalidParams, `"range" needs "uri"`)
	}
	var list []change.UndoChoice
	files, _ := r.core.Reviews().List(ctx, nil, 1<<30)
	for _, f := range files {
		if c := (review.Choice{IDs: f.Those(in.Hunks)}); (in.Hunks == nil || len(c.IDs) > 0) && r.core.Gate().CheckRead(f.Path) == nil {
			list = append(list, change.UndoChoice{Path: f.Path, Choice: c})
		}
	}
	return list, nil
}

func (r *request) keepReview(ctx context.Context, in *reviewParams) (any, error) {
	targets, err := r.targets(ctx, in)
	if err != nil {
		return nil, err
	}
	var out struct {
		Kept int `json:"kept"`
	}
	for _, t := range targets {
		out.Kept += r.core.Reviews().Keep(ctx, t.Path, t.Choice)
	}
	return out, nil
}

// undone is the answer to agent/review/undo.
type undone struct {
	Undone int            `json:"undone"`
	ID     string         `json:"id,omitempty"`
	Failed []undoneFailed `json:"failed"`
}

type undoneFailed struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`
}

func (r *request) undoReview(ctx context.Context, in *reviewParams) (any, error) {
	targets, err := r.targets(ctx, in)
	if err != nil {
		return nil, err
	}
	env := r.env(toolcall.Client{Name: r.client.name})
	defer func() { env.Close() }()
	env.Person = true
	u, err := change.UndoHunks(ctx, env, targets)
	if err != nil {
		return nil, err
	}
	out := undone{Undone: u.Count, ID: u.ID, Failed: []undoneFailed{}}
	for _, f := range u.Failed {
		out.Failed = append(out.Failed, undoneFailed(f))
	}
	return out, nil
}

// blameParams name a file.
type blameParams struct {
	URI string `json:"uri"`
}

type blamedLines struct {
	Start  int         `json:"start"`
	End    int         `json:"end"`
	Author ledger.Kind `json:"author"`
	Client string      `json:"client,omitempty"`
	Edit   string      `json:"edit,omitempty"`
	Time   time.Time   `json:"time,omitzero"`
}

func (r *request) blame(ctx context.Context, in *blameParams) (any, error) {
	path, err := (&reviewParams{URI: in.URI}).path(r.server)
	if err == nil && path == nil {
		err = fault.New(fault.InvalidParams, `"uri" is missing`)
	}
	if err != nil {
		return nil, err
	}
	var out struct {
		Version *int32        `json:"version,omitempty"`
		Lines   []blamedLines `json:"lines"`
	}
	out.Lines = []blamedLines{}
	r.core.OpenHistory()
	runs, d := r.core.Reviews().Blame(ctx, *path)
	if d != nil {
		out.Version = &d.Version
	}
	for _, run := range runs {
		at := r.lineRange(d, run.Start, run.End)
		out.Lines = append(out.Lines, blamedLines{int(at.Start.Line), int(at.End.Line), run.By.Kind, run.By.Client, run.By.Edit, run.By.Time})
	}
	return out, nil
}
