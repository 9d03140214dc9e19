package tools

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/tools/locate"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

const (
	// maxDiagnosed is how many files or items an answer of diagnostics holds.
	maxDiagnosed = 200
	// maxDiagnosedLine and maxDiagnosedText are how much of a line of source
	// and of a message is shown, in bytes.
	maxDiagnosedLine = 200
	maxDiagnosedText = 1000
)

const diagnosticsName = "diagnostics"

var diagnostics = tool[diagnosticsInput, *diagnosticsOutput]{
	name: diagnosticsName,
	doc: `Errors and warnings of the editor's language servers and linters. ` +
		`Without path, or for a folder: counts by file; for a file: each; with since: what an edit broke and mended. ` +
		`Only "settled" is about exactly this text; "pending": ask again.`,
	about:    aboutPath,
	terminal: Terminal{Arguments: []string{"path"}},
	merge:    mergeDiagnosed,
	run:      runDiagnostics,
}

type diagnosticsInput struct {
	Path   string  `json:"path,omitempty" jsonschema:"A file, for its diagnostics; a folder, for the counts of the files below; without it, the counts of all files."`
	Since  string  `json:"since,omitempty" brief:"id of an edit" jsonschema:"Id of an edit, from its answer: what became new and what is gone since, over all files."`
	WaitMS *uint64 `json:"wait_ms,omitempty" jsonschema:"How long language servers have to get done with the present text, at most 30,000 ms."`
}

// diagnosticsOutput is what diagnostics gives.
type diagnosticsOutput struct {
	Path        string             `json:"path,omitempty"`
	ContentHash string             `json:"content_hash,omitempty" jsonschema:"Of the file's present text. It guards edits."`
	Errors      int                `json:"errors"`
	Warnings    int                `json:"warnings"`
	Infos       int                `json:"infos,omitzero"`
	Hints       int                `json:"hints,omitzero"`
	Files       []diagnosedFile    `json:"files,omitempty" jsonschema:"The worst first."`
	Items       []diagnosticItem   `json:"items,omitempty" jsonschema:"In the order of their lines."`
	Truncated   bool               `json:"truncated,omitzero"`
	State       toolcall.Freshness `json:"state,omitempty" jsonschema:"settled: about exactly the present text; pending: some server is not done with it; unknown: some server does not say."`
	Waiting     []string           `json:"waiting,omitempty" jsonschema:"The servers that are not done, or do not say."`
	Since       *toolcall.Delta    `json:"since,omitempty" jsonschema:"With since: what is new and what is gone."`
	Notes       []string           `json:"notes,omitempty"`

	mark string // how the file stands
}

type diagnosedFile struct {
	Path     string `json:"path"`
	Editor   string `json:"editor,omitempty" jsonschema:"Whose counts these are, where several editors are asked."`
	Errors   int    `json:"errors"`
	Warnings int    `json:"warnings"`
	Infos    int    `json:"infos,omitzero"`
	Hints    int    `json:"hints,omitzero"`
}

type diagnosticItem struct {
	selection
	Severity string `json:"severity" jsonschema:"error, warning, info or hint"`
	Message  string `json:"message"`
	Source   string `json:"source,omitempty"`
	Code     string `json:"code,omitempty"`
	Text     string `json:"text" jsonschema:"The first line that it is about."`
}

func runDiagnostics(ctx context.Context, env *toolcall.Env, in diagnosticsInput) (*diagnosticsOutput, error) {
	if env.Editor == nil {
		return nil, toolcall.ErrNoEditor
	}
	wait := in.wait()
	if in.Since != "" {
		return diagnosticsSince(ctx, env, in.Since, wait)
	}
	if in.Path == "" {
		return diagnosticCounts(ctx, env, nil, wait)
	}
	p, err := env.Snapshot.Resolve(in.Path)
	if err != nil {
		return nil, err
	}
	f, err := env.Snapshot.File(ctx, p, "")
	if fault.KindOf(err) == fault.IsDirectory {
		return diagnosticCounts(ctx, env, &p, wait)
	}
	if err != nil {
		return nil, err
	}
	return diagnosticItems(ctx, env, f, wait)
}

// diagnosticCounts counts the diagnostics of all files, or of those below a
// folder.
func diagnosticCounts(ctx context.Context, e *toolcall.Env, below *workspace.Path, wait time.Duration) (*diagnosticsOutput, error) {
	said, err := e.Editor.Diagnostics(ctx, nil, wait)
	if err != nil {
		return nil, err
	}
	all := said.List
	e.Refresh()
	out := &diagnosticsOutput{State: said.State, Waiting: said.Waiting}
	if len(all) == 0 && said.State == toolcall.Unknown {
		out.Notes = []string{noneAtAll}
	}
	if below != nil {
		out.Path = below.Rel
	}
	counts := make(map[string]*diagnosedFile)
	for i := range all {
		d := &all[i]
		f, known := counts[d.Path.Key()]
		if !known {
			p := called(e, d.Path)
			if mayName(e, p) && (below == nil || isBelow(below.Abs, p.Abs)) {
				f = &diagnosedFile{Path: p.Rel}
			}
			counts[d.Path.Key()] = f
		}
		if f != nil {
			f.count(d.Severity)
		}
	}
	for _, f := range counts {
		if f != nil {
			out.Files = append(out.Files, *f)
			out.Errors, out.Warnings = out.Errors+f.Errors, out.Warnings+f.Warnings
			out.Infos, out.Hints = out.Infos+f.Infos, out.Hints+f.Hints
		}
	}
	out.arrange()
	return out, nil
}

// arrange puts the worst files first, and cuts the list.
func (o *diagnosticsOutput) arrange() {
	slices.SortFunc(o.Files, func(a, b diagnosedFile) int {
		return cmp.Or(b.Errors-a.Errors, b.Warnings-a.Warnings, b.Infos-a.Infos, b.Hints-a.Hints,
			strings.Compare(a.Path, b.Path), strings.Compare(a.Editor, b.Editor))
	})
	if len(o.Files) > maxDiagnosed {
		o.Files, o.Truncated = o.Files[:maxDiagnosed], true
	}
}

func (o *diagnosticsOutput) sums() diagnosedFile {
	return diagnosedFile{Errors: o.Errors, Warnings: o.Warnings, Infos: o.Infos, Hints: o.Hints}
}

func isBelow(folder, path string) bool {
	return strings.HasPrefix(path, strings.TrimSuffix(folder, string(filepath.Separator))+string(filepath.Separator))
}

// called is a path of the editor's as the caller, whose folders may be others,
// knows it.
func called(e *toolcall.Env, p workspace.Path) workspace.Path {
	if here, err := e.Snapshot.Gate.FromURI(p.URI); err == nil {
		return here
	}
	return p
}

// mayName reports whether an answer may name a file that the caller did not.
func mayName(e *toolcall.Env, p workspace.Path) bool {
	return (!p.Outside() || e.Snapshot.Overlay.Get(p.Key()) != nil) && e.Snapshot.Gate.CheckRead(p) == nil
}

func (f *diagnosedFile) count(s toolcall.Severity) {
	switch s {
	case toolcall.SeverityWarning:
		f.Warnings++
	case toolcall.SeverityInfo:
		f.Infos++
	case toolcall.SeverityHint:
		f.Hints++
	default:
		f.Errors++
	}
}

// noneAtAll keeps "no diagnostics" from being taken for "no mistakes".
const noneAtAll = "the editor reports none for any file, so there may be no language server at work"

// notLookedAt does so for a file that is not open.
const notLookedAt = "the file is not open in the editor, so its language server may not have looked at it"

// diagnosticItems tells the diagnostics of a file.
func diagnosticItems(ctx context.Context, e *toolcall.Env, f *buffers.File, wait time.Duration) (*diagnosticsOutput, error) {
	said, err := e.Editor.Diagnostics(ctx, &f.Path, wait)
	if err != nil {
		return nil, err
	}
	list := said.List
	silent := false // about all files
	if len(list) == 0 && said.State == toolcall.Unknown {
		all, err := e.Editor.Diagnostics(ctx, nil, 0)
		silent = err == nil && len(all.List) == 0
	}
	e.Refresh() // to the text that the spans are of
	if f, err = e.Snapshot.File(ctx, f.Path, ""); err != nil {
		return nil, err
	}
	file := toolcall.Describe(f)
	out := &diagnosticsOutput{State: said.State, Waiting: said.Waiting, Path: f.Path.Rel, ContentHash: f.Hash.String(), mark: file.Mark(), Notes: file.Notes}
	switch {
	case silent:
		out.Notes = append(slices.Clone(out.Notes), noneAtAll)
	case len(list) == 0 && f.Document == nil && said.State != toolcall.Current:
		out.Notes = append(slices.Clone(out.Notes), notLookedAt)
	}
	if f.Binary {
		return out, nil
	}
	slices.SortStableFunc(list, func(a, b toolcall.Diagnostic) int {
		return cmp.Or(a.Span.Start-b.Span.Start, cmp.Compare(a.Severity, b.Severity))
	})
	var sums diagnosedFile
	for i := range list {
		sums.count(list[i].Severity)
		if i < maxDiagnosed {
			out.Items = append(out.Items, itemOf(f.Content, &list[i]))
		}
	}
	out.Errors, out.Warnings, out.Infos, out.Hints = sums.Errors, sums.Warnings, sums.Infos, sums.Hints
	out.Truncated = len(list) > maxDiagnosed
	return out, f.Err()
}

func itemOf(c buffers.Content, d *toolcall.Diagnostic) diagnosticItem {
	span := text.Span{Start: min(d.Span.Start, c.Len()), End: min(d.Span.End, c.Len())}
	item := diagnosticItem{
		Severity: d.Severity.String(), Message: cutText(d.Message, maxDiagnosedText), Source: d.Source, Code: d.Code,
	}
	item.StartLine, item.StartColumn = contentPlace(c, span.Start)
	item.EndLine, item.EndColumn = contentPlace(c, span.End)
	start := c.LineStart(item.StartLine - 1)
	end := min(c.LineStart(item.StartLine), start+maxDiagnosedLine+1)
	line, _ := wording.SplitEnd(c.Append(nil, text.Span{Start: start, End: c.FloorChar(max(start, end))}))
	item.Text = cutText(strings.TrimSpace(string(line)), maxDiagnosedLine)
	return item
}

// contentPlace is placeOf for any content.
func contentPlace(c buffers.Content, at text.Offset) (line, column int) {
	line = c.LineAt(at)
	start := c.LineStart(line)
	if next := c.LineStart(line + 1); at == c.Len() && at > 0 && next == at && locate.EndsLine(string(c.Append(nil, text.Span{Start: at - 1, End: at}))) {
		return line + 2, 1 // behind the final line end
	}
	return line + 1, at - start + 1
}

// cutText cuts a text at a character, and marks that.
func cutText(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "…"
}

func (o *diagnosticsOutput) Render(show toolcall.ShowHash) toolcall.Rendering {
	var h, b strings.Builder
	if o.Path != "" {
		h.WriteString(wording.OneLine(o.Path) + ": ")
	}
	sums := o.sums()
	if o.Since != nil {
		return o.renderSince()
	}
	h.WriteString(sums.words())
	h.WriteString(stands(o.State, o.Waiting))
	h.WriteString(o.mark)
	summary := h.String()
	if o.ContentHash != "" {
		h.WriteString("; hash " + show(o.Path, o.ContentHash))
	}
	if o.Truncated {
		fmt.Fprintf(&h, "; only the first %d are shown", maxDiagnosed)
	}
	for _, n := range o.Notes {
		h.WriteString("; note: " + n)
	}
	for i := range o.Files {
		b.WriteString(wording.OneLine(o.Files[i].Path) + ": " + o.Files[i].words())
		if editor := o.Files[i].Editor; editor != "" {
			b.WriteString(" in " + wording.OneLine(editor))
		}
		b.WriteByte('\n')
	}
	for i := range o.Items {
		o.Items[i].lines(&b)
	}
	return toolcall.Rendering{Header: h.String(), Summary: summary, After: strings.TrimSuffix(b.String(), "\n")}
}

func (f *diagnosedFile) words() string {
	var parts []string
	add := func(n int, one, many string) {
		if n > 0 {
			parts = append(parts, wording.Plural(n, one, many))
		}
	}
	add(f.Errors, "error", "errors")
	add(f.Warnings, "warning", "warnings")
	add(f.Infos, "info", "infos")
	add(f.Hints, "hint", "hints")
	if len(parts) == 0 {
		return "no diagnostics"
	}
	return strings.Join(parts, ", ")
}

// lines renders an item: place, what is wrong, and the line it is in.
func (i *diagnosticItem) lines(b *strings.Builder) {
	b.WriteString(strconv.Itoa(i.StartLine) + ":" + strconv.Itoa(i.StartColumn) + " " + i.Severity + ": ")
	b.WriteString(strings.ReplaceAll(strings.TrimSpace(i.Message), "\n", "\n    "))
	if from := strings.TrimSpace(i.Source + " " + i.Code); from != "" {
		b.WriteString(" [" + from + "]")
	}
	if i.Text != "" {
		b.WriteString("\n  | " + i.Text)
	}
	b.WriteByte('\n')
}
