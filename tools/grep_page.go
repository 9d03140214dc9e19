package tools

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/parallel"
	"github.com/agent-lsp/agent-lsp/internal/search"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/outline"
	"github.com/agent-lsp/agent-lsp/syntax"
	"github.com/agent-lsp/agent-lsp/tools/read"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// grepping adds to what a search found what the answer shows of it.
type grepping struct {
	env           *toolcall.Env
	before, after int // lines around hits
	symbols       bool
	whole         bool // show definitions as a whole
	// room is in how many bytes of files symbols are looked for; 0 for all.
	// leftOut reports whether some had no room.
	room    int64
	leftOut bool
	// last: no other search follows when a file cannot be described.
	last bool
}

// files describes all files, several at a time where they have to be opened.
func (g *grepping) files(ctx context.Context, found []search.FileHits, out []grepFile) error {
	var open []int
	symbols := make([]bool, len(found))
	for i := range found {
		out[i] = describeHits(&found[i])
		symbols[i] = g.symbols && g.hasRoom(&found[i])
		if found[i].Document != nil || g.before+g.after > 0 || symbols[i] {
			open = append(open, i)
		}
	}
	// The largest take longest: they begin.
	slices.SortStableFunc(open, func(a, b int) int { return cmp.Compare(found[b].ID.Size, found[a].ID.Size) })
	return parallel.ForEach(ctx, runtime.GOMAXPROCS(0), len(open), func(ctx context.Context, n int) error {
		return g.open(ctx, &found[open[n]], &out[open[n]], symbols[open[n]])
	})
}

// hasRoom reports whether symbols are looked for in a file. Open documents
// always are: what is known of them follows their edits.
func (g *grepping) hasRoom(found *search.FileHits) bool {
	if g.room == 0 || found.Document != nil {
		return true
	}
	if found.ID.Size >= g.room {
		l := syntax.Choose("", path.Base(found.Path.Rel), nil)
		g.leftOut = g.leftOut || l != nil && toolcall.TypeOf(l) != toolcall.TypeLog && toolcall.TypeOf(l) != toolcall.TypeTable && l.Name != "plaintext"
		return false
	}
	g.room -= found.ID.Size
	return true
}

func describeHits(found *search.FileHits) grepFile {
	out := grepFile{
		Path: found.Path.Rel, URI: found.Path.URI, Source: buffers.FromDisk,
		ContentHash: found.Hash.String(), Hits: make([]grepHit, len(found.Hits)),
	}
	for i, h := range found.Hits {
		out.Hits[i] = grepHit{
			Line: h.Line, Column: h.Column, Byte: h.Offset,
			Text: h.Text, CutBefore: h.CutBefore, CutAfter: h.CutAfter, start: h.Start, end: h.End,
		}
		if h.EndLine > h.Line {
			out.Hits[i].EndLine = h.EndLine
		}
	}
	if len(found.Hits) == 0 {
		out.Count = found.Count
	}
	return out
}

// open adds what only the file itself tells. Where that fails, the hits stay as
// they were found.
func (g *grepping) open(ctx context.Context, found *search.FileHits, out *grepFile, symbols bool) error {
	err := g.describe(ctx, found, out, symbols)
	switch {
	case err == nil, ctx.Err() != nil:
		return ctx.Err()
	case !g.last && (buffers.IsChanged(err) || fault.KindOf(err) == fault.NotFound):
		return errSearchedAnother
	case found.Document != nil:
		return err // its hash is told by its description alone
	}
	*out = describeHits(found)
	out.problem = fault.From(err).Message
	return nil
}

// notes says of which files there are hits alone.
func (g *grepping) notes(files []grepFile) (notes []string) {
	for i := range files {
		if f := &files[i]; f.problem != "" && len(notes) < maxProblems {
			notes = append(notes, fmt.Sprintf("Of %s there are the lines alone, as they were found: %s.", wording.OneLine(f.Path), f.problem))
		}
	}
	return notes
}

func (g *grepping) describe(ctx context.Context, found *search.FileHits, out *grepFile, symbols bool) error {
	snapshot := g.env.Snapshot.Fork()
	defer snapshot.Close()
	f, err := snapshot.File(ctx, found.Path, "")
	if err != nil {
		return err
	}
	if found.Document == nil && !f.BeginsWith(found.ID.Size, found.Hash) {
		return errSearchedAnother
	}
	if f.Document != nil { // of files on disk there can be many, and it would cost as much as the search
		g.env.Remember(f)
	}
	d := toolcall.Describe(f)
	out.Source, out.Dirty, out.DiskChanged, out.OutOfSync = d.Source, d.Dirty, d.DiskChanged, d.OutOfSync
	if found.Document != nil {
		out.ContentHash = d.ContentHash
	}
	if symbols && read.MediaMode(f) == "" {
		o, err := toolcall.OutlineOf(ctx, g.env, f)
		if err != nil {
			return err
		}
		addSymbols(o, out.Hits)
		if g.whole {
			addDefinitions(f.Content, o, out.Hits)
		}
	}
	g.addContext(f.Content, out.Hits)
	return f.Err()
}

// errSearchedAnother says that a file changed since it was searched.
var errSearchedAnother = fault.New(fault.IO, "a file changed while it was searched").Advise("Call again.").With("changed", true)

// addContext adds the lines around hits, but none twice: a line between two
// hits stands with the first, and none in a definition that is shown.
func (g *grepping) addContext(c buffers.Content, hits []grepHit) {
	shown := 0           // all lines up to here, from 1
	whole, large := 0, 0 // where the last definition that is shown, and that is too large for it, end
	for i := range hits {
		h := &hits[i]
		switch d := h.Definition; {
		case d != nil && d.Text != "":
			whole, shown = d.EndLine, d.EndLine
		case d != nil:
			large = d.EndLine
		}
		last := max(h.Line, h.EndLine)
		before, after := g.before, g.after
		switch {
		case h.Line <= whole:
			continue
		case h.Line <= large && before+after == 0:
			before, after = largeContext, largeContext
		}
		for l := max(shown+1, h.Line-before); l < h.Line; l++ {
			h.Before = append(h.Before, lineText(c, l))
		}
		end := min(last+after, c.Lines())
		if i+1 < len(hits) {
			end = min(end, hits[i+1].Line-1)
		}
		for l := last + 1; l <= end; l++ {
			h.After = append(h.After, lineText(c, l))
		}
		shown = max(last, end)
	}
}

// lineText returns the 1-based line without its end, cut where it is long.
func lineText(c buffers.Content, line int) string {
	start, end := c.LineStart(line-1), c.LineStart(line)
	if end-start > read.MaxPageLine {
		end = c.FloorChar(start + read.MaxPageLine)
	}
	b := c.Append(nil, text.Span{Start: start, End: end})
	return string(bytes.TrimRight(b, "\r\n"))
}

// cut takes hits from the end until all lines have at most so many bytes, but
// for the first hit's, and reports whether it took any.
func (out *grepOutput) cut(most int) bool {
	size := 0
	for i := range out.Files {
		f := &out.Files[i]
		size += f.frame()
		for j := range f.Hits {
			if size += f.Hits[j].bytes() + hitFrame; size > most && i+j > 0 {
				f.Hits = f.Hits[:j]
				if out.Files = out.Files[:i+1]; j == 0 {
					out.Files = out.Files[:i]
				}
				return true
			}
		}
	}
	return false
}

// cutFront is cut from the begin on, but for the last hit's.
func (out *grepOutput) cutFront(most int) bool {
	size := 0
	for i := len(out.Files) - 1; i >= 0; i-- {
		f := &out.Files[i]
		size += f.frame()
		for j := len(f.Hits) - 1; j >= 0; j-- {
			if size += f.Hits[j].bytes() + hitFrame; size > most && (i < len(out.Files)-1 || j < len(f.Hits)-1) {
				f.Hits = f.Hits[j+1:]
				if out.Files = out.Files[i:]; len(f.Hits) == 0 {
					out.Files = out.Files[1:]
				}
				return true
			}
		}
	}
	return false
}

// bytes is how many bytes of lines a hit shows.
func (h *grepHit) bytes() int {
	n := len(h.Text)
	if h.Definition != nil {
		n += len(h.Definition.Text)
	}
	for _, line := range h.Before {
		n += len(line) + 1
	}
	for _, line := range h.After {
		n += len(line) + 1
	}
	return n
}

// end is the place of the last hit.
func (out *grepOutput) end() search.Place {
	f := &out.Files[len(out.Files)-1]
	return search.Place{Path: f.Path, Offset: f.Hits[len(f.Hits)-1].Byte}
}

func addSymbols(o *outline.Outline, hits []grepHit) {
	for i := range hits {
		if at := o.At(hits[i].Byte); at >= 0 {
			hits[i].Symbol, hits[i].head = o.Path(at), hits[i].Line == o.Symbols[at].HeadLine
		}
	}
}

// formatCursor writes a place as a cursor of one search. It means nothing to
// callers, and is as it is because that takes a model the fewest tokens.
func (in grepInput) formatCursor(p search.Place) string {
	return in.fingerprint() + ":" + strconv.Itoa(p.Offset) + ":" + p.Path
}

func (in grepInput) parseCursor() (search.Place, error) {
	return parsePlaceCursor(in.Cursor, in.fingerprint())
}

// fingerprint tells searches apart that have another order, or other hits.
func (in grepInput) fingerprint() string {
	what := fmt.Sprintf("%q %q %q %q %v %q %v %v %q %v", in.Pattern, in.Path, in.Include, in.Exclude, in.Literal, in.Case,
		in.Word, in.Multiline, in.Output.orLines(), in.IncludeIgnored)
	h := text.HashBytes([]byte(what))
	return hex.EncodeToString(h[:4])
}

func (out *grepOutput) Render(show toolcall.ShowHash) toolcall.Rendering {
	return toolcall.Rendering{Header: out.header(), Summary: out.counted(), After: out.list(show)}
}

// counted reports how many hits or files there are.
func (out *grepOutput) counted() string {
	if out.Output != outputLines {
		return wording.Plural(len(out.Files), "file", "files")
	}
	return wording.Plural(out.Results, "hit", "hits") + " in " + wording.Plural(len(out.Files), "file", "files")
}

// fewResults is how many hits, or files, nobody has to be told the number of.
const fewResults = 5

// header reports what the list does not: how many there are where these are many,
// what is left out, and how to have it.
func (out *grepOutput) header() string {
	var h strings.Builder
	if out.Results == 0 || out.Results > fewResults || out.More {
		h.WriteString(out.counted())
	}
	if out.Results == 0 {
		fmt.Fprintf(&h, " (of %d searched)", out.Searched)
	}
	if out.Results == 0 && !out.nothingLeftOut {
		h.WriteString("; hidden files and those of .gitignore were not searched (include_ignored)")
	}
	if out.More {
		fmt.Fprintf(&h, "; there are more: narrow the search, or cursor %q", out.Cursor)
	}
	if out.Earlier {
		h.WriteString("; there are earlier ones")
	}
	if out.Hidden > 0 && out.Results == 0 {
		fmt.Fprintf(&h, "; %s kept from agents", wording.Plural(out.Hidden, "place is", "places are"))
	}
	for _, n := range out.Notes {
		h.WriteString("\nnote: " + n)
	}
	return strings.TrimLeft(h.String(), ";\n ")
}

func (out *grepOutput) list(show toolcall.ShowHash) string {
	var b strings.Builder
	b.Grow(out.bytes())
	for i := range out.Files {
		f := &out.Files[i]
		switch out.Output {
		case outputFiles:
			b.WriteString(wording.OneLine(f.Path) + f.mark())
		case outputCount:
			fmt.Fprintf(&b, "%d %s%s", f.Count, wording.OneLine(f.Path), f.mark())
		default:
			if i > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(out.head(f, show))
			f.renderHits(&b)
		}
		b.WriteByte('\n')
	}
	return strings.Trim(b.String(), "\n")
}

// head is the line above the hits of a file: its path, and its hash where it is
// the only one. A log that the caller named has none.
func (out *grepOutput) head(f *grepFile, show toolcall.ShowHash) string {
	l := syntax.Choose("", path.Base(f.Path), nil)
	edited := l == nil || toolcall.TypeOf(l) != toolcall.TypeLog && toolcall.TypeOf(l) != toolcall.TypeTable
	switch {
	case f.mark() == "" && !edited && out.named:
		return ""
	case out.guarded || edited && len(out.Files) == 1:
		return wording.OneLine(f.Path) + f.mark() + " " + show(f.Path, f.ContentHash)
	}
	return wording.OneLine(f.Path) + f.mark()
}

// knowsHashes reports whether the caller knows then which text of each file it
// was shown: by the hash, or as the text that an edit without one is held against.
func (out *grepOutput) knowsHashes() bool {
	return out.Output == outputLines && len(out.Files) <= symbolFiles
}

// bytes is about how many bytes a list takes.
func (out *grepOutput) bytes() int {
	n := 0
	for i := range out.Files {
		n += out.Files[i].frame()
		for j := range out.Files[i].Hits {
			n += len(out.Files[i].Hits[j].Text) + hitFrame
		}
	}
	return n
}

// frame is about how many bytes a file takes beside its hits, hitFrame a hit beside
// its lines.
func (f *grepFile) frame() int { return len(f.Path) + 100 }

const hitFrame = 10

// mark tells of a file that its text is not simply the disk's.
func (f *grepFile) mark() string {
	s := toolcall.FileState{Source: f.Source, Dirty: f.Dirty, DiskChanged: f.DiskChanged, DiskHash: "?", OutOfSync: f.OutOfSync}
	return s.Mark()
}

// renderHits writes the hits as grep does: "12: line" for a hit, "13- line"
// for the lines around, "@ symbol" before the hits in it but where the first is
// its head, and "--" between parts that do not adjoin where lines around are
// shown.
func (f *grepFile) renderHits(b *strings.Builder) {
	symbol, next, whole := "", 0, 0
	for i := range f.Hits {
		h := &f.Hits[i]
		if h.Definition != nil {
			f.renderDefinition(b, i)
			symbol = h.Symbol
			if h.Definition.Text != "" {
				whole, next = h.Definition.EndLine, 0
			}
		}
		if h.Line <= whole {
			continue // it stands in the definition
		}
		first := h.Line - len(h.Before)
		if next > 0 && first > next && (len(h.Before) > 0 || len(f.Hits[i-1].After) > 0) {
			b.WriteString("\n--")
		}
		if h.Symbol != symbol {
			symbol = h.Symbol
			if symbol != "" && !h.head {
				b.WriteString("\n@ " + wording.OneLine(symbol))
			}
		}
		for n, line := range h.Before {
			fmt.Fprintf(b, "\n%d- %s", first+n, line)
		}
		renderHit(b, h)
		last := max(h.Line, h.EndLine)
		for n, line := range h.After {
			fmt.Fprintf(b, "\n%d- %s", last+1+n, line)
		}
		next = last + len(h.After) + 1
	}
}

func renderHit(b *strings.Builder, h *grepHit) {
	whole, cutBefore, cutAfter := h.excerpt()
	before := ""
	if cutBefore {
		before = fmt.Sprintf("%d: …", h.Column)
	}
	line := h.Line
	for part := range strings.SplitSeq(whole, "\n") {
		b.WriteByte('\n')
		b.WriteString(strconv.Itoa(line))
		b.WriteString(": ")
		b.WriteString(before)
		b.WriteString(part)
		before = ""
		line++
	}
	if cutAfter {
		b.WriteString("…")
	}
}

// Of a line that is cut, a model is shown less than the structured result has:
// excerptBefore and excerptAfter bytes around where the match begins, and at
// least excerptBefore behind its end.
const (
	excerptBefore = 24
	excerptAfter  = 176
)

// excerpt returns what is shown of the hit's line, and at which of its ends it
// lacks something.
func (h *grepHit) excerpt() (s string, before, after bool) {
	if !h.CutBefore && !h.CutAfter {
		return h.Text, false, false
	}
	start := min(h.start, len(h.Text))
	from, to := max(0, start-excerptBefore), min(len(h.Text), max(start+excerptAfter, h.end+excerptBefore))
	for from > 0 && !utf8.RuneStart(h.Text[from]) {
		from--
	}
	for to < len(h.Text) && !utf8.RuneStart(h.Text[to]) {
		to++
	}
	return h.Text[from:to], h.CutBefore || from > 0, h.CutAfter || to < len(h.Text)
}
