package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/search"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/tools/change"
	"github.com/agent-lsp/agent-lsp/tools/locate"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

var replaceInFiles = tool[replaceInput, *change.Output]{
	name: "replace_in_files",
	doc: `Replace a regular expression (RE2), or literal text, in all files at once, as sed does; all or nothing. ` +
		`A wrong expected_count, or more than max_count, changes nothing: the error tells the right one.`,
	changes:  true,
	about:    aboutFolder("pattern"),
	terminal: Terminal{Arguments: []string{"pattern"}},
	run:      runReplaceInFiles,
}

type replaceInput struct {
	Pattern       string          `json:"pattern" jsonschema:"Regular expression in RE2 syntax, held against each line, or against the whole text where it holds \\n. It must not match the empty text."`
	Replacement   string          `json:"replacement" brief:"$1 is a group" jsonschema:"What replaces each match: $1, ${1} and ${name} are groups, $0 is the match, $$ a dollar; with literal it stands for itself."`
	Literal       bool            `json:"literal,omitempty" jsonschema:"Pattern and replacement are plain text."`
	Include       []string        `json:"include,omitempty" jsonschema:"Only files that one of these globs takes: *.go at any depth, src/**/*.ts below the workspace folder."`
	Exclude       []string        `json:"exclude,omitempty" brief:"-" jsonschema:"No files that one of these globs takes."`
	ExpectedCount *uint64         `json:"expected_count,omitempty" jsonschema:"How many matches there are in all files together, or lines that have one, as grep_files counts; with another number nothing is changed. Required but for a dry run, or with max_count."`
	MaxCount      *uint64         `json:"max_count,omitempty" jsonschema:"Where the number is not known: how many matches there may be at most; with more, or none, nothing is changed."`
	DryRun        bool            `json:"dry_run,omitempty" jsonschema:"Answer with the counts and the diff, and change nothing."`
	Save          change.SaveMode `json:"save,omitempty" brief:"-" jsonschema:"Save open files: auto (the default: those without unsaved changes), always, never."`
}

// maxReplacedBytes is how large the files may be together in which one call
// replaces, and how much it may put into them, in bytes.
const maxReplacedBytes = 128 << 20

func runReplaceInFiles(ctx context.Context, env *toolcall.Env, in replaceInput) (*change.Output, error) {
	r := replacing{env: env, in: in}
	if err := r.find(ctx); err != nil {
		return nil, err
	}
	if err := r.check(); err != nil {
		return nil, err
	}
	w := change.Request{Tool: "replace_in_files", OnStale: change.StaleReject, DryRun: in.DryRun, Save: in.Save, Unseen: true}
	for i := range r.places {
		w.Files = append(w.Files, r.fileRequest(ctx, i))
	}
	out, err := w.Run(ctx, env)
	if err != nil {
		return nil, r.explain(err)
	}
	out.Replacements, out.Notes = r.count, r.notes
	out.CountExpected = in.ExpectedCount != nil && *in.ExpectedCount == uint64(r.count)
	for i := range r.places {
		out.Files[i].Replacements = r.places[i].Count
		if len(in.Include) == 1 {
			out.Files[i].AskedPath = in.Include[0]
		}
	}
	return out, nil
}

// namesFiles reports whether include names files, by none of the signs of globs.
func (r *replacing) namesFiles() bool {
	return len(r.in.Include) > 0 && !slices.ContainsFunc(r.in.Include, func(name string) bool { return strings.ContainsAny(name, "*?[{!") })
}

// replacing is one call.
type replacing struct {
	env      *toolcall.Env
	in       replaceInput
	replacer *search.Replacer
	places   []replacePlace
	count    int // matches in all places
	lines    int // in which they begin
	searched int
	more     bool // there are places beyond those
	kept     bool // include or exclude keeps files out
	notes    []string
	// added is how many bytes each place is given, and total all of them.
	added []int
	total int
}

// replacePlace is a file with matches, as it was searched.
type replacePlace struct {
	*search.FileHits
	hash string
	size int64
}

// find searches the files.
func (r *replacing) find(ctx context.Context) (err error) {
	q := search.Request{Unit: search.Counts, Max: change.MaxFiles, Progress: r.env.ProgressFunc("searching")}
	if r.replacer, err = search.NewReplacer(r.in.Pattern, r.in.Literal, r.in.Replacement); err != nil {
		return err
	}
	if q.Keep, err = keep(negated(r.in.Include, r.in.Exclude)); err != nil {
		return err
	}
	q.Matcher, r.kept = r.replacer.Matcher, q.Keep != nil
	a, err := r.env.Search.Search(ctx, r.env.Snapshot, q)
	if err != nil {
		return err
	}
	for _, problem := range a.Problems {
		if buffers.IsChanged(problem) {
			return fault.New(fault.StaleFile, "the file changed while it was searched; nothing was changed").At(fault.From(problem).Path).Advise(searchAgain)
		}
	}
	r.searched, r.more, r.notes = a.Searched, a.More, problemNotes(a.Problems)
	if a.Hidden > 0 && !r.namesFiles() {
		r.notes = append(r.notes, wording.Plural(a.Hidden, "place is", "places are")+" kept from agents.")
	}
	return r.take(ctx, a.Files)
}

// take notes the texts in which the matches were found.
func (r *replacing) take(ctx context.Context, found []search.FileHits) error {
	for i := range found {
		p := replacePlace{&found[i], found[i].Hash.String(), found[i].ID.Size}
		if d := p.Document; d != nil {
			f, err := r.env.FileAt(ctx, p.Path, "")
			if err != nil {
				return err
			}
			p.hash, p.size = f.Hash.String(), int64(d.Text.Len())
		}
		r.places = append(r.places, p)
		r.count += p.Count
		r.lines += p.Lines
	}
	r.added = make([]int, len(r.places))
	return nil
}

// check holds what was found against the limits, and against what the caller
// expects.
func (r *replacing) check() error {
	size := int64(0)
	for i := range r.places {
		size += r.places[i].size
	}
	expected, most := toolcall.NonZero(r.in.ExpectedCount), toolcall.NonZero(r.in.MaxCount)
	switch {
	case r.more:
		return r.refusal(fault.InvalidParams, "more than %d matches, in more than %d files", r.count, change.MaxFiles).
			Advise("Narrow the pattern, include or exclude.")
	case r.count > locate.MaxReplaced:
		return r.refusal(fault.InvalidParams, "%d matches, and %d replacements is the limit", r.count, locate.MaxReplaced).
			Advise("Narrow include, and replace in several calls.")
	case size > maxReplacedBytes:
		return r.refusal(fault.FileTooLarge, "%d matches, in files of %d bytes together, and %d is the limit", r.count, size, maxReplacedBytes).
			Advise("Narrow include, and replace in several calls.")
	case expected == nil && most == nil && !r.in.DryRun:
		return r.refusal(fault.InvalidParams, `%s, and "expected_count" is missing`, wording.Plural(r.count, "match", "matches"))
	case most != nil && uint64(r.count) > *most:
		return r.refusal(fault.AmbiguousMatch, "%s, and max_count is %d", wording.Plural(r.count, "match", "matches"), *most).
			Advise("Narrow the pattern, include or exclude; or give the number that was found.")
	case r.asExpected(expected, most):
		return nil
	case r.count == 0:
		return r.refusal(fault.TextNotFound, "no match in %s", wording.Plural(r.searched, "file", "files")).Advise("%s", r.whyNone())
	}
	return r.refusal(fault.AmbiguousMatch, "%s, and expected_count is %d", wording.Plural(r.count, "match", "matches"), *expected).
		Advise("Narrow the pattern, include or exclude; or give the number that was found.")
}

// asExpected reports whether the number of matches is one that the call takes,
// which says how many it expects, how many it takes at most, or neither.
func (r *replacing) asExpected(expected, most *uint64) bool {
	if expected != nil {
		return uint64(r.count) == *expected || uint64(r.lines) == *expected // grep_files counts lines
	}
	return r.count > 0 || most == nil
}

// whyNone says why a pattern may occur nowhere.
func (r *replacing) whyNone() string {
	if r.searched == 0 && r.kept {
		return "No file is left by include and exclude."
	}
	return "Case counts, but behind (?i); hidden files and those of .gitignore are left alone. grep_files shows what is there."
}

// refusal is an error that tells how often the pattern occurs, and where.
func (r *replacing) refusal(kind fault.Kind, format string, args ...any) *fault.Error {
	var where change.FileCounts
	var files []map[string]any
	for _, p := range r.places[:min(len(r.places), wording.MaxNamed)] {
		where.Add(p.Path.Rel, p.Count, "")
		files = append(files, map[string]any{"path": p.Path.Rel, "count": p.Count})
	}
	if len(r.places) > wording.MaxNamed {
		where.Lines = append(where.Lines, fmt.Sprintf("… (%d files)", len(r.places)))
	}
	message := fmt.Sprintf(format, args...) + "; nothing was changed"
	if len(where.Lines) > 0 {
		message += ": " + strings.Join(where.Lines, "; ")
	}
	return fault.New(kind, "%s", message).With("count", r.count).With("files", files)
}

// fileRequest is what the call asks for of the file i: to replace in the text that was
// searched.
func (r *replacing) fileRequest(ctx context.Context, i int) change.FileRequest {
	p := &r.places[i]
	return change.FileRequest{Kind: change.KindEdit, Path: p.Path.Key(), Expected: p.hash, Find: func(t text.Text) ([]diff.Edit, locate.Match, error) {
		edits, err := r.edits(ctx, t, i)
		return edits, locate.MatchNone, err
	}}
}

// edits returns the edits of a text, which is that of the place i.
func (r *replacing) edits(ctx context.Context, t text.Text, i int) ([]diff.Edit, error) {
	r.total -= r.added[i] // of a plan that was dropped
	r.added[i] = 0
	edits := make([]diff.Edit, 0, r.places[i].Count)
	err := r.replacer.Replace(ctx, t, func(span text.Span, fresh string) error {
		r.added[i] += len(fresh)
		if r.total += len(fresh); r.total > maxReplacedBytes {
			return fault.New(fault.FileTooLarge, "what replaces the matches has more than %d bytes; nothing was changed", maxReplacedBytes).
				Advise("Narrow include, and replace in several calls.")
		}
		edits = append(edits, diff.Edit{Span: span, New: locate.AdaptLines(t, span, fresh)})
		return nil
	})
	return edits, err
}

// searchAgain is the hint for a text that is another than the one that was
// searched.
const searchAgain = "Call again: the present text is searched then."

// explain advises what to do about an error of making the changes.
func (r *replacing) explain(err error) error {
	e := fault.From(err)
	switch {
	case e.Kind == fault.StaleFile:
		return e.Advise(searchAgain)
	case strings.Contains(e.Hint, `"encoding"`):
		return e.Advise("Leave the file out by exclude, or change it by edit_file, which takes an encoding.")
	}
	return e
}
