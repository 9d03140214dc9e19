package read

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/media"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/outline"
	"github.com/agent-lsp/agent-lsp/syntax"
	"github.com/agent-lsp/agent-lsp/tools/find"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// readAny reads a file, or the one definition of a name that the workspace has.
func readAny(ctx context.Context, env *toolcall.Env, in Input, semaphore *media.Semaphore) (*Output, error) {
	switch {
	case in.Path != "":
		out, err := readOnce(ctx, env, in, semaphore)
		if at, ok := in.atLine(); ok && fault.KindOf(err) == fault.NotFound {
			if there, err := readOnce(ctx, env, at, semaphore); err == nil {
				return there, nil
			}
		}
		return out, err
	case in.Symbol == "":
		return nil, fault.New(fault.InvalidParams, `the argument "path" is missing`).
			Advise(`Name a file, or with "symbol" alone a definition.`)
	}
	at, notes, err := whereDefined(ctx, env, in.Symbol)
	if err != nil {
		return nil, err
	}
	in.Path, in.Symbol, in.found = at.file.Path.URI, at.name, true
	out, err := readOnce(ctx, env, in, semaphore)
	if err == nil {
		out.Notes = append(out.Notes, notes...)
	}
	return out, err
}

// pathAndLine is how compilers and traces name a place: path:line, or
// path:line:column.
var pathAndLine = regexp.MustCompile(`^(.+?):(\d{1,9})(?::\d+)?:?$`)

// atLine returns the read of the definition at the place that the path names. ok
// is false where it names none, or something else is asked for.
func (in Input) atLine() (at Input, ok bool) {
	place := pathAndLine.FindStringSubmatch(in.Path)
	if place == nil || in.mode() != modeOffset || in.Offset != nil || in.Limit != nil {
		return in, false
	}
	line, err := strconv.ParseUint(place[2], 10, 64)
	if err != nil || line == 0 {
		return in, false
	}
	in.Path, in.StartLine, in.Expand = place[1], &line, ExpandSyntax
	return in, true
}

// definedAt is a symbol in a file.
type definedAt struct {
	file  *find.File
	index int
	name  string // by which it was found there
}

func (d definedAt) symbol() *outline.Symbol { return &d.file.Outline.Symbols[d.index] }

// line tells of the symbol in one line: where it is, and its signature.
func (d definedAt) line() string {
	s := d.symbol()
	return fmt.Sprintf("%s:%d %s", wording.OneLine(d.file.Path.Rel), s.HeadLine, s.Signature)
}

// whereDefined returns the one definition of a symbol in the workspace, and what
// is to be said of the search.
func whereDefined(ctx context.Context, env *toolcall.Env, symbol string) (at definedAt, notes []string, err error) {
	s, err := find.NewRootScope(ctx, env, false)
	if err != nil {
		return at, nil, err
	}
	q := find.NewQuery(outline.Bare(symbol))
	hits, notes, err := s.Symbols(ctx, env, q, find.Filter{})
	if err != nil {
		return at, nil, err
	}
	notes = append(s.Problems(), notes...)
	found := definitionsAmong(hits, symbol)
	if len(found) == 0 {
		if found, hits, err = definedIn(ctx, s, env, q, hits); err != nil {
			return at, nil, err
		}
	}
	if len(found) == 1 {
		return found[0], notes, nil
	}
	e := severalDefinitions(symbol, found)
	if len(found) == 0 {
		e = nowhereDefined(symbol, hits)
	}
	if len(notes) > 0 {
		e = e.With("notes", notes)
		e.Hint += " " + strings.Join(notes, " ")
	}
	return at, nil, e
}

// definedIn looks for a name with a package or a file before it, of which a folder
// or a file has the name. Where there is none, near are symbols that are named
// like it.
func definedIn(ctx context.Context, s *find.Scope, env *toolcall.Env, q find.Query, hits []find.Hit) (found []definedAt, near []find.Hit, err error) {
	last, longest := find.NewQuery(q.Last), ""
	if len(q.Others) > 0 {
		if hits, _, err = s.Symbols(ctx, env, last, find.Filter{}); err != nil {
			return nil, nil, err
		}
		found = slices.DeleteFunc(definitionsAmong(hits, q.Last), func(d definedAt) bool {
			return d.symbol().Depth > 0 || !d.isIn(q.Others[len(q.Others)-1])
		})
	}
	for _, part := range last.Parts {
		if len(part) > len(longest) {
			longest = part
		}
	}
	if len(hits) > 0 || len(longest) < find.MinLetters {
		return found, hits, nil
	}
	begin := longest[:wording.CutAt([]byte(longest), max(find.MinLetters, len(longest)/2))] // the rest may be wrong
	hits, _, err = s.Symbols(ctx, env, find.NewQuery(begin), find.Filter{})
	most := max(1, len(q.Last)/3)
	return found, slices.DeleteFunc(hits, func(h find.Hit) bool {
		return text.EditDistance(q.Lower, strings.ToLower(h.Symbol().Name), most) > most
	}), err
}

// isIn reports whether the file or its folder has a name, in lower case.
func (d definedAt) isIn(name string) bool {
	folder, file := path.Split(strings.ToLower(d.file.Path.Rel))
	return path.Base(folder) == name || strings.TrimSuffix(file, path.Ext(file)) == name
}

// definitionsAmong returns the definitions that a symbol names among what was
// found for it: a definition before its announcement, code before headings.
func definitionsAmong(hits []find.Hit, symbol string) []definedAt {
	var found []definedAt
	seen := make(map[*find.File]bool)
	best := find.Dissimilar
	for i := range hits {
		h := &hits[i]
		if best = min(best, h.Similarity); seen[h.File] || h.Similarity > max(best, find.SameName) && h.Similarity > find.SameInCase {
			continue
		}
		seen[h.File] = true
		named, _ := h.File.Outline.Find(symbol)
		for _, n := range named {
			found = append(found, definedAt{h.File, n, symbol})
		}
	}
	found = preferred(found, func(d definedAt) bool { return d.symbol().Kind != syntax.String })
	last := find.NewQuery(outline.Bare(symbol)).Last
	found = preferred(found, func(d definedAt) bool { return d.symbol().Name == last })
	return slices.DeleteFunc(slices.Clone(found), func(d definedAt) bool {
		return !d.symbol().HasBody() && slices.ContainsFunc(found, func(other definedAt) bool {
			a, b := d.symbol(), other.symbol()
			return b.HasBody() && a.Kind == b.Kind && a.Container == b.Container
		})
	})
}

// preferred returns those that suit, or all where none do.
func preferred(all []definedAt, suits func(definedAt) bool) []definedAt {
	if !slices.ContainsFunc(all, suits) {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(d definedAt) bool { return !suits(d) })
}

// severalDefinitions is the error that lists them.
func severalDefinitions(symbol string, found []definedAt) *fault.Error {
	var lines []string
	var items []map[string]any
	files := make(map[*find.File]bool)
	for _, d := range found[:min(len(found), toolcall.MaxListed)] {
		lines = append(lines, d.line())
		items = append(items, map[string]any{"path": d.file.Path.Rel, "symbol": toolcall.SymbolItems(d.file.Outline, []int{d.index})[0]})
		files[d.file] = true
	}
	if more := len(found) - len(items); more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	advice := "Name one with path."
	if len(files) < len(items) {
		advice = "Name one with path, and start_line where that has several."
	}
	return fault.New(fault.AmbiguousSymbol, "%d definitions are named %q:\n%s", len(found), wording.Shortened(symbol), strings.Join(lines, "\n")).
		Advise("%s", advice).With("symbols", items)
}

// maxNearPlaces is how many near names are told with their places.
const maxNearPlaces = 5

// nowhereDefined is the error that tells the nearest names.
func nowhereDefined(symbol string, hits []find.Hit) *fault.Error {
	e := fault.New(fault.SymbolNotFound, "no definition of the workspace is named %q", wording.Shortened(symbol))
	var near []string
	for _, h := range hits[:min(len(hits), maxNearPlaces)] {
		near = append(near, fmt.Sprintf("%s (%s:%d)", h.File.Outline.Path(h.Index), wording.OneLine(h.File.Path.Rel), h.Symbol().HeadLine))
	}
	if len(near) == 0 {
		return e.Advise("grep_files finds where a text stands; keys of JSON, YAML and TOML are found with path.")
	}
	return e.Advise("The nearest are: %s.", strings.Join(near, ", ")).With("near", near)
}
