package tools

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/catalog"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/search"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// placePage fills one page with places of files, in the order of their paths. A file
// is read when the page comes to it.
type placePage struct {
	env   *toolcall.Env
	in    referencesInput
	out   *referencesOutput
	max   int
	after search.Place
	files []placeFile

	beyond int // places that the texts do not have
}

// placeFile is a file with places: those that language servers told, or what finds
// them in its text, in any order.
type placeFile struct {
	path   workspace.Path
	ranges []toolcall.ServerRange
	find   func(context.Context, *buffers.File, text.Text) ([]text.Span, error)
}

// takePlaces takes what language servers found, as far as agents may see it.
func (p *placePage) takePlaces(found *toolcall.Places) {
	files := make(map[string]int)
	outside := found.Elsewhere
	p.out.Total = len(found.Found)
	for _, r := range found.Found {
		i, known := files[r.Path.Key()]
		if !known {
			i = len(p.files)
			switch {
			case r.Path.Outside() && p.env.Snapshot.Overlay.Get(r.Path.Key()) == nil:
				i = -1
			case p.env.Snapshot.Gate.CheckRead(r.Path) != nil:
				i = -2
			default:
				p.files = append(p.files, placeFile{path: r.Path})
			}
			files[r.Path.Key()] = i
		}
		switch i {
		case -1:
			outside++
		case -2:
			p.out.Hidden++
		default:
			p.files[i].ranges = append(p.files[i].ranges, r)
		}
	}
	if outside > 0 {
		p.out.Notes = append(p.out.Notes, wording.Plural(outside, "place", "places")+" outside the workspace folders, as in libraries, not shown")
	}
}

// fill makes the page.
func (p *placePage) fill(ctx context.Context) error {
	slices.SortFunc(p.files, func(a, b placeFile) int { return catalog.ComparePaths(a.path.Rel, b.path.Rel) })
	var found []search.FileHits
	left := p.max
	for i := range p.files {
		f := &p.files[i]
		order := catalog.ComparePaths(f.path.Rel, p.after.Path)
		if p.after.Path != "" && order < 0 {
			continue
		}
		after := -1
		if order == 0 {
			after = p.after.Offset
		}
		hits, err := p.hitsOf(ctx, f, after)
		if err != nil {
			return err
		}
		if len(hits.Hits) > left {
			hits.Hits, p.out.More = hits.Hits[:left], true
		}
		if left -= len(hits.Hits); len(hits.Hits) > 0 {
			found = append(found, hits)
		}
		if p.out.More {
			break
		}
	}
	p.out.Searched = len(p.files)
	if p.beyond > 0 {
		p.out.Notes = append(p.out.Notes, wording.Plural(p.beyond, "place", "places")+" left out that the present texts do not have: the language server speaks of others")
	}
	return p.describe(ctx, found)
}

// hitsOf returns the lines of a file with places behind an offset. A file that is not
// there any more, or is no text, has none.
func (p *placePage) hitsOf(ctx context.Context, f *placeFile, after int) (hits search.FileHits, err error) {
	file, err := p.env.Snapshot.File(ctx, f.path, "")
	switch kind := fault.KindOf(err); {
	case kind == fault.NotFound || kind == fault.IsDirectory || err == nil && file.Binary:
		return hits, nil
	case err != nil:
		return hits, err
	}
	t, err := toolcall.WholeText(file)
	if err != nil {
		return hits, err
	}
	spans, err := p.spansOf(ctx, f, file, t)
	if err != nil {
		return hits, err
	}
	slices.SortFunc(spans, func(a, b text.Span) int { return a.Start - b.Start })
	if after >= 0 { // all of that line was told
		end := t.LineStart(t.LineAt(min(after, t.Len())) + 1)
		spans = slices.DeleteFunc(spans, func(s text.Span) bool { return s.Start < end })
	}
	hits = search.FileHits{Path: f.path, Document: file.Document, Hits: search.HitsAt(t, spans)}
	if file.Document == nil {
		hits.ID, hits.Hash = file.ID, file.Hash
	}
	return hits, nil
}

// spansOf returns the places of a file in its text.
func (p *placePage) spansOf(ctx context.Context, f *placeFile, file *buffers.File, t text.Text) ([]text.Span, error) {
	if f.find != nil {
		return f.find(ctx, file, t)
	}
	var spans []text.Span
	for _, r := range f.ranges {
		if s, there := r.In(t); there {
			spans = append(spans, s)
		} else {
			p.beyond++
		}
	}
	return spans, nil
}

// describe shows what was found as grep_files does.
func (p *placePage) describe(ctx context.Context, found []search.FileHits) error {
	p.out.Files = make([]grepFile, len(found))
	g := grepping{env: p.env, symbols: len(found) <= symbolFiles, whole: p.in.Relation.showsDefinitions(), room: symbolBytes}
	if g.whole {
		g.symbols, g.room = true, 0
	}
	if err := g.files(ctx, found, p.out.Files); err != nil {
		return err
	}
	p.out.Notes = append(p.out.Notes, g.notes(p.out.Files)...)
	list := p.out.list()
	if most := p.env.Client.RoomFor(minPageBytes); list.cut(most) {
		p.out.Files, p.out.More = list.Files, true
	}
	if p.out.More {
		end := list.end()
		p.out.Cursor = p.in.fingerprint() + ":" + strconv.Itoa(end.Offset) + ":" + end.Path
	}
	for i := range p.out.Files {
		f := &p.out.Files[i]
		p.out.Results += len(f.Hits)
		if h, err := text.ParseHash(f.ContentHash); err == nil && len(found) <= symbolFiles && !p.env.ReadGuards {
			p.env.Reads.NoteFound(p.env.Client, found[i].Path.Key(), h)
		}
	}
	return nil
}

// parsePlaceCursor reads the cursor of an answer, which grep_files' is like.
func parsePlaceCursor(cursor, fingerprint string) (p search.Place, err error) {
	if cursor == "" {
		return p, nil
	}
	parts := strings.SplitN(cursor, ":", 3)
	if len(parts) == 3 {
		p.Offset, err = strconv.Atoi(parts[1])
		p.Path = parts[2]
	}
	switch {
	case err != nil || p.Path == "":
		return p, fault.New(fault.InvalidParams, `"cursor" is none of ours`).
			Advise("Give the cursor of the last answer as it is, or none to start anew.")
	case parts[0] != fingerprint:
		return p, fault.New(fault.InvalidParams, `"cursor" is of another search`).
			Advise("Give all other arguments as they were, or no cursor to start anew.")
	}
	return p, nil
}
