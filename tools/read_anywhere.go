package tools

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
)

// readAny reads a file, or the one definition of a name that the workspace has.
func readAny(ctx context.Context, env *Env, in readInput, semaphore *media.Semaphore) (*readOutput, error) {
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
	in.Path, in.Symbol, in.found = at.file.path.URI, at.name, true
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
func (in readInput) atLine() (at readInput, ok bool) {
	place := pathAndLine.FindStringSubmatch(in.Path)
	if place == nil || in.mode() != modeOffset || in.Offset != nil || in.Limit != nil {
		return in, false
	}
	line, err := strconv.ParseUint(place[2], 10, 64)
	if err != nil || line == 0 {
		return in, false
	}
	in.Path, in.StartLine, in.Expand = place[1], &line, expandSyntax
	return in, true
}

// definedAt is a symbol in a file.
type definedAt struct {
	file  *filed
	index int
	name  string // by which it was found there
}

func (d definedAt) symbol() *outline.Symbol { return &d.file.outline.Symbols[d.index] }

// line tells of the symbol in one line: where it is, and its signature.
func (d definedAt) line() string {
	s := d.symbol()
	return fmt.Sprintf("%s:%d %s", oneLine(d.file.path.Rel), s.HeadLine, s.Signature)
}

// whereDefined returns the one definition of a symbol in the workspace, and what
// is to be said of the search.
func whereDefined(ctx context.Context, env *Env, symbol string) (at definedAt, notes []string, err error) {
	s, err := rootScope(ctx, env, false)
	if err != nil {
		return at, nil, err
	}
	q := newSymbolQuery(outline.Bare(symbol))
	hits, notes, err := s.symbols(ctx, env, q, symbolFilter{})
	if err != nil {
		return at, nil, err
	}
	notes = append(s.problems(), notes...)
	found := definitionsAmong(hits, symbol)
	if len(found) == 0 {
		if found, hits, err = s.definedIn(ctx, env, q, hits); err != nil {
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
func (s *scope) definedIn(ctx context.Context, env *Env, q symbolQuery, hits []symbolHit) (found []definedAt, near []symbolHit, err error) {
	last, longest := newSymbolQuery(q.last), ""
	if len(q.others) > 0 {
		if hits, _, err = s.symbols(ctx, env, last, symbolFilter{}); err != nil {
			return nil, nil, err
		}
		found = slices.DeleteFunc(definitionsAmong(hits, q.last), func(d definedAt) bool {
			return d.symbol().Depth > 0 || !d.isIn(q.others[len(q.others)-1])
		})
	}
	for _, part := range last.parts {
		if len(part) > len(longest) {
			longest = part
		}
	}
	if len(hits) > 0 || len(longest) < minLetters {
		return found, hits, nil
	}
	begin := longest[:cutAt([]byte(longest), max(minLetters, len(longest)/2))] // the rest may be wrong
	hits, _, err = s.symbols(ctx, env, newSymbolQuery(begin), symbolFilter{})
	most := max(1, len(q.last)/3)
	return found, slices.DeleteFunc(hits, func(h symbolHit) bool {
		return text.EditDistance(q.lower, strings.ToLower(h.symbol().Name), most) > most
	}), err
}

// isIn reports whether the file or its folder has a name, in lower case.
func (d definedAt) isIn(name string) bool {
	folder, file := path.Split(strings.ToLower(d.file.path.Rel))
	return path.Base(folder) == name || strings.TrimSuffix(file, path.Ext(file)) == name
}

// definitionsAmong returns the definitions that a symbol names among what was
// found for it: a definition before its announcement, code before headings.
func definitionsAmong(hits []symbolHit, symbol string) []definedAt {
	var found []definedAt
	seen := make(map[*filed]bool)
	best := unlike
	for i := range hits {
		h := &hits[i]
		if best = min(best, h.like); seen[h.file] || h.like > max(best, sameName) && h.like > sameInCase {
			continue
		}
		seen[h.file] = true
		named, _ := h.file.outline.Find(symbol)
		for _, n := range named {
			found = append(found, definedAt{h.file, n, symbol})
		}
	}
	found = preferred(found, func(d definedAt) bool { return d.symbol().Kind != syntax.String })
	last := newSymbolQuery(outline.Bare(symbol)).last
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
	files := make(map[*filed]bool)
	for _, d := range found[:min(len(found), maxListed)] {
		lines = append(lines, d.line())
		items = append(items, map[string]any{"path": d.file.path.Rel, "symbol": symbolItems(d.file.outline, []int{d.index})[0]})
		files[d.file] = true
	}
	if more := len(found) - len(items); more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	advice := "Name one with path."
	if len(files) < len(items) {
		advice = "Name one with path, and start_line where that has several."
	}
	return fault.New(fault.AmbiguousSymbol, "%d definitions are named %q:\n%s", len(found), shortened(symbol), strings.Join(lines, "\n")).
		Advise("%s", advice).With("symbols", items)
}

// maxNearPlaces is how many near names are told with their places.
const maxNearPlaces = 5

// nowhereDefined is the error that tells the nearest names.
func nowhereDefined(symbol string, hits []symbolHit) *fault.Error {
	e := fault.New(fault.SymbolNotFound, "no definition of the workspace is named %q", shortened(symbol))
	var near []string
	for _, h := range hits[:min(len(hits), maxNearPlaces)] {
		near = append(near, fmt.Sprintf("%s (%s:%d)", h.file.outline.Path(h.index), oneLine(h.file.path.Rel), h.symbol().HeadLine))
	}
	if len(near) == 0 {
		return e.Advise("grep_files finds where a text stands; keys of JSON, YAML and TOML are found with path.")
	}
	return e.Advise("The nearest are: %s.", strings.Join(near, ", ")).With("near", near)
}
