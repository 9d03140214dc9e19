package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/outline"
	"github.com/agent-lsp/agent-lsp/syntax"
	"github.com/agent-lsp/agent-lsp/tools/find"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// outlineQuery answers a query over a folder or everything.
func outlineQuery(ctx context.Context, env *toolcall.Env, in outlineInput, kinds []syntax.Kind) (*outlineOutput, error) {
	q := find.NewQuery(in.Query)
	if q.Last == "" {
		return nil, fault.New(fault.InvalidParams, `"query" %q holds no name`, wording.Shortened(in.Query)).
			Advise("Give a name, a part of one, or Type.method.")
	}
	s, err := find.NewScope(ctx, env, in.Path, false)
	if err != nil {
		return nil, err
	}
	hits, notes, err := s.Symbols(ctx, env, q, in.filter(kinds))
	if err != nil {
		return nil, err
	}
	out := &outlineOutput{Path: in.shownPath(s), Total: len(hits), query: in.Query, Notes: append(s.Problems(), notes...)}
	out.group(hits, in.Signatures, mostUnlike(hits, q))
	if len(hits) == 0 {
		none := "No definition has a name like this; grep_files finds where a text stands."
		if len(kinds) > 0 || in.Depth != nil {
			none = "No definition of these kinds, and of that depth, has a name like this; leave kinds and depth out."
		}
		out.Notes = append(out.Notes, none)
	}
	return out, nil
}

// mostUnlike returns how like a query hits are that a model is shown: where some
// have the name as it is written, and that is of several words and not all in lower
// case, these alone. Who writes "podWorkers" means nothing else.
func mostUnlike(hits []find.Hit, q find.Query) find.Similarity {
	exact := slices.ContainsFunc(hits, func(h find.Hit) bool { return h.Similarity <= find.SameName })
	if exact && q.Last != q.Lower && len(text.Words(q.Last)) > 1 {
		return find.SameName
	}
	return find.Dissimilar
}

// filter returns what a query looks for.
func (in outlineInput) filter(kinds []syntax.Kind) find.Filter {
	return find.Filter{
		Keys:   slices.Contains(kinds, syntax.Key),
		Choose: func(o *outline.Outline) []int { return in.allowed(o, kinds) },
	}
}

// allowed returns the symbols that depth and kinds let through.
func (in outlineInput) allowed(o *outline.Outline, kinds []syntax.Kind) []int {
	in.Query = ""
	return in.choose(o, kinds)
}

// group puts as many hits as the budget allows into the answer: by file, the
// files in the order of their best hits, the hits of each in document order. A
// model is shown those that are like the query at least as much as told.
func (out *outlineOutput) group(hits []find.Hit, signatures bool, told find.Similarity) {
	isTold := func(h find.Hit) bool { return h.Similarity <= told }
	whole := signatures || fewSignatures(slices.DeleteFunc(slices.Clone(hits), func(h find.Hit) bool { return !isTold(h) }))
	left := toolcall.MaxOutlineBytes - toolcall.HeaderBytes
	places := make(map[*find.File]int)
	var shown []*fileHits
	for _, h := range hits {
		cost := hitBytes(&h, whole)
		at, known := places[h.File]
		if !known {
			cost += len(h.File.Path.Rel) + len(" [unsaved changes]:\n")
		}
		if left -= cost; left < 0 {
			out.Truncated = true
			break
		}
		if !known {
			at = len(shown)
			places[h.File], shown = at, append(shown, &fileHits{File: h.File})
		}
		shown[at].which = append(shown[at].which, h.Index)
		if isTold(h) {
			shown[at].told = append(shown[at].told, h.Index)
		} else {
			out.untold++
		}
	}
	for _, h := range hits {
		if at, known := places[h.File]; known {
			shown[at].total++
		}
	}
	out.Files = make([]outlinedFile, len(shown))
	for i, f := range shown {
		slices.Sort(f.which)
		slices.Sort(f.told)
		out.Files[i] = outlinedFile{
			Path: f.Path.Rel, ContentHash: f.Hash, Dirty: f.Dirty, Total: f.total, Symbols: toolcall.SymbolItems(f.Outline, f.which),
		}
		switch {
		case len(f.told) == 0:
			out.Files[i].untold = true
		case whole:
			out.Files[i].text = "\n" + f.signatures()
		default:
			out.Files[i].text = " " + f.names()
		}
	}
}

// fileHits are the hits of one file.
type fileHits struct {
	*find.File
	which []int // that are answered
	told  []int // of these, what a model is shown
	total int
}

// fewSignatures reports whether the signatures of all hits are few.
func fewSignatures(hits []find.Hit) bool {
	left := outline.FewBytes
	for i := range hits {
		if left -= hitBytes(&hits[i], true); left < 0 {
			return false
		}
	}
	return true
}

// hitBytes returns about how many bytes a hit takes, with its signature or by its
// name alone.
func hitBytes(h *find.Hit, whole bool) int {
	s := h.Symbol()
	if whole {
		return len(s.Label()) + len(s.Container) + len("1000   (in )\n")
	}
	return len(s.Container) + len(s.Name) + len(".:10000 ")
}

// signatures renders a hit a line: its head's line, its head, and what it is in.
func (f *fileHits) signatures() string {
	var b strings.Builder
	for n, path := range f.Outline.Paths(f.told) {
		s := &f.Outline.Symbols[f.told[n]]
		label := s.Label()
		if in := strings.TrimRight(strings.TrimSuffix(path, s.Name), "./"); in != "" && !strings.Contains(label, in) {
			label += "  (in " + wording.OneLine(in) + ")"
		}
		fmt.Fprintf(&b, "%d %s\n", s.HeadLine, label)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// names renders all hits in one line: their paths, and their heads' lines.
func (f *fileHits) names() string {
	paths := f.Outline.Paths(f.told)
	for n, i := range f.told {
		paths[n] = fmt.Sprintf("%s:%d", outline.Quoted(paths[n]), f.Outline.Symbols[i].HeadLine)
	}
	return strings.Join(paths, " ")
}
