package locate

import (
	"context"
	"strings"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/outline"
	"github.com/agent-lsp/agent-lsp/syntax"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// PlaceMode is where new text stands beside a symbol; empty: in its place.
type PlaceMode string

// Where new text may stand.
const (
	PlaceBefore PlaceMode = "before"
	PlaceAfter  PlaceMode = "after"
)

// UnmarshalText refuses what is not in the list.
func (m *PlaceMode) UnmarshalText(b []byte) error {
	return toolcall.OneOf(m, b, PlaceBefore, PlaceAfter)
}

// structure is what is known of the definitions in a text that is edited.
type structure struct {
	*outline.Outline
	language *syntax.Language
}

// StructureOf returns what makes the structure of a text of the file: of the
// present one, or of one that it had before.
func StructureOf(ctx context.Context, env *toolcall.Env, path string) func(text.Text) (*structure, error) {
	return func(t text.Text) (*structure, error) {
		f, err := env.File(ctx, path, "")
		if err != nil {
			return nil, err
		}
		var form toolcall.TextFormat
		form.ContentType, form.Language = toolcall.Classify(f)
		why := form.NoStructure()
		if form.ContentType == toolcall.TypeMinified {
			why = ""
		}
		switch {
		case toolcall.IsNotebook(f):
			why = "a notebook's cells are no text of the file"
		case t.Len() > toolcall.MaxOutlinedText:
			why = "the text is larger than 64 MiB"
		}
		if why != "" {
			return nil, fault.New(fault.SymbolNotFound, "no symbol can be edited here: %s", why).Advise("Edit it by old_text.")
		}
		o, err := outlineOfText(ctx, env, f, t)
		if err != nil {
			return nil, err
		}
		return &structure{o, toolcall.SyntaxOf(f)}, nil
	}
}

// outlineOfText returns the outline of a text that a file has, or had.
func outlineOfText(ctx context.Context, env *toolcall.Env, f *buffers.File, t text.Text) (*outline.Outline, error) {
	if d := f.Document; d != nil && d.Text.Equal(t) {
		return toolcall.OutlineOf(ctx, env, f)
	}
	whole := t.Append(make([]byte, 0, t.Len()), text.Span{End: t.Len()})
	key := outline.FileKey{Hash: text.HashBytes(whole), Encoding: text.EncodingUTF8, Language: toolcall.SyntaxOf(f)}
	return env.Outlines.File(ctx, key, func() ([]byte, error) { return whole, nil })
}

// locateSymbol returns the edits that replace a definition, or insert beside it.
func (item Item) locateSymbol(hay *Haystack) ([]diff.Edit, Match, error) {
	s, err := hay.symbols()
	if err != nil {
		return nil, "", err
	}
	which, err := s.named(item)
	if err != nil {
		return nil, "", err
	}
	d, match := newDefinition(hay.Text, s, which), MatchNone
	if s.Method == syntax.ByKeywords {
		match = MatchGuess
		hay.note(toolcall.HowFound(s.Outline))
	}
	if !s.Says(item.Symbol, which) {
		hay.note("symbol: " + wording.OneLine(s.Path(which)))
	}
	fresh := trimBlankLines(*item.NewText)
	var edits []diff.Edit
	switch {
	case !d.alone():
		err = d.sharesLines()
	case item.Place != "" && fresh == "":
		err = fault.New(fault.InvalidParams, `"new_text" is empty: there is nothing to insert`)
	case item.Place != "":
		edits = d.insert(d.indented(fresh), item.Place)
	case d.twin() != "":
		err = fault.New(fault.InvalidParams, "%q is declared together with %q", wording.Shortened(item.Symbol), wording.Shortened(d.twin())).
			Advise("Edit the declaration by old_text.").With("line", d.first+1)
	case fresh == "":
		edits = d.remove()
	default:
		if lost := d.lostLead(fresh); lost != "" {
			hay.note(lost)
		}
		edits = []diff.Edit{d.replace(d.indented(fresh))}
	}
	return edits, match, err
}

// named returns the one symbol that an edit names; where it names several, the
// one nearest to its near_line.
func (s *structure) named(item Item) (int, error) {
	found, near := s.Find(item.Symbol)
	if len(found) > 1 && item.NearLine != nil {
		found = s.nearest(found, toolcall.NumberOr(item.NearLine, 0))
	}
	switch len(found) {
	case 0:
		e := toolcall.SymbolNotFound(s.Outline, item.Symbol, near)
		if len(s.Symbols) == 0 {
			e = e.Advise("%s Edit it by old_text.", toolcall.HowFound(s.Outline))
		}
		return 0, e
	case 1:
		return found[0], nil
	}
	e := toolcall.AmbiguousSymbol(s.Outline, item.Symbol, found)
	return 0, e.Advise("%s", strings.NewReplacer("read it by its lines", "say near_line", "Read one by start_line and end_line", "Choose one by near_line").Replace(e.Hint))
}

// nearest returns those of the found symbols that begin nearest to a line.
func (s *structure) nearest(found []int, line int) (best []int) {
	least := -1
	for _, i := range found {
		away := s.Symbols[i].HeadLine - line
		away = max(away, -away)
		if s.Symbols[i].StartLine <= line && line <= s.Symbols[i].EndLine {
			away = 0
		}
		if least < 0 || away < least {
			least, best = away, best[:0]
		}
		if away == least {
			best = append(best, i)
		}
	}
	return best
}
