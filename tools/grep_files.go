package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/pathmatch"
	"github.com/agent-lsp/agent-lsp/internal/search"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/tools/read"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// Limits of one search.
const (
	defaultResults = 100
	maxResults     = 100_000
	maxContext     = 50 // lines on each side of a hit
	// symbolFiles is for how many files symbols and hashes are shown without being asked for.
	symbolFiles = 20
	// symbolBytes is in how much text symbols are looked for without being asked for.
	symbolBytes = 1 << 20
	// A page with lines around hits ends when it has so many bytes of lines:
	// bytesPerHit for each of max_results, at least minPageBytes.
	minPageBytes = 64 << 10
	bytesPerHit  = 640
	// maxProblems is how many places that could not be read are named.
	maxProblems = 5
)

var grepFiles = tool[grepInput, *grepOutput]{
	name: "grep_files",
	doc: `Search all files, unsaved changes included, as grep does: by RE2 regular expression, or literal text. ` +
		`Answers lines, the definition around each, and hashes for edits. ` +
		`Narrow by path and globs; output "files" or "count" where much is expected; last: so many hits from the end.`,
	about:    aboutFolder("pattern"),
	terminal: Terminal{Arguments: []string{"pattern", "path"}, Negatable: []string{"symbols"}, Cut: cutHits},
	run:      runGrepFiles,
}

type grepInput struct {
	Pattern        string   `json:"pattern" jsonschema:"Regular expression in RE2 syntax; without multiline it is held against each line."`
	Path           string   `json:"path,omitempty" jsonschema:"Folder or file to search; all workspace folders by default."`
	Include        []string `json:"include,omitempty" brief:"*.go, src/**/*.ts" jsonschema:"Only files that one of these globs takes: *.go at any depth, src/**/*.ts below the workspace folder."`
	Exclude        []string `json:"exclude,omitempty" jsonschema:"No files that one of these globs takes."`
	Literal        bool     `json:"literal,omitempty" jsonschema:"The pattern is plain text."`
	Case           grepCase `json:"case,omitempty" jsonschema:"smart (default): case counts if the pattern has an upper-case letter."`
	Word           bool     `json:"word,omitempty" jsonschema:"Whole words only."`
	Multiline      bool     `json:"multiline,omitempty" jsonschema:"Matches may reach over line ends; (?s) lets . match them."`
	Context        *uint64  `json:"context,omitempty" brief:"or before, after" jsonschema:"Lines to show around each hit."`
	Before         *uint64  `json:"before,omitempty" brief:"-" jsonschema:"Lines to show before each hit; context counts where it is absent."`
	After          *uint64  `json:"after,omitempty" brief:"-" jsonschema:"Lines to show after each hit; context counts where it is absent."`
	Show           grepShow `json:"show,omitempty" jsonschema:"definition: the whole definition around each hit, once; of a large one the lines around the hit."`
	Last           *uint64  `json:"last,omitempty" jsonschema:"So many hits from the end, as of a log."`
	Output         grepWhat `json:"output,omitempty" jsonschema:"lines (default), files (their names), or count (hits by file)."`
	MaxResults     *uint64  `json:"max_results,omitempty" brief:"default 100" jsonschema:"Most hits, or files, to answer; 100 by default."`
	Cursor         string   `json:"cursor,omitempty" jsonschema:"From the last answer, to go on after it; all else as it was."`
	Symbols        *bool    `json:"symbols,omitempty" brief:"-" jsonschema:"Name the definition around each hit; by default for up to 20 files."`
	IncludeIgnored bool     `json:"include_ignored,omitempty" jsonschema:"Also hidden files and those that .gitignore and .ignore leave out."`
}

// grepOutput is what grep_files gives. Lines and columns are 1-based, columns
// in bytes.
type grepOutput struct {
	Output grepWhat   `json:"output"`
	Files  []grepFile `json:"files"`
	grepCounts

	nothingLeftOut bool // what is ignored was searched, too, or one file alone
	named          bool // the call names the one file that is searched
	guarded        bool // only a hash tells which text an edit is for
}

// grepCounts is what stands in an answer behind the files.
type grepCounts struct {
	Results  int      `json:"results" jsonschema:"Hits, or files, in this answer."`
	Earlier  bool     `json:"earlier,omitzero" jsonschema:"There are hits before the last that were asked for."`
	Searched int      `json:"searched" jsonschema:"Files and documents in question."`
	Hidden   int      `json:"hidden,omitzero" jsonschema:"Places that policy keeps from agents."`
	More     bool     `json:"more" jsonschema:"There are more; go on by cursor."`
	Cursor   string   `json:"cursor,omitempty"`
	Notes    []string `json:"notes,omitempty"`
}

// grepFile is a file with hits.
type grepFile struct {
	Path        string         `json:"path"`
	URI         string         `json:"uri"`
	Source      buffers.Source `json:"source"`
	Dirty       bool           `json:"dirty,omitzero" jsonschema:"The editor has unsaved changes."`
	DiskChanged bool           `json:"disk_changed,omitzero"`
	OutOfSync   bool           `json:"unsure,omitzero" jsonschema:"The text may differ from the editor's."`
	ContentHash string         `json:"content_hash" jsonschema:"Guards an edit of what was found."`
	Count       int            `json:"count,omitzero" jsonschema:"Hits in the file, for count."`
	Hits        []grepHit      `json:"hits,omitempty"`

	problem string // why there are the hits alone
}

type grepHit struct {
	Line      int    `json:"line"`
	EndLine   int    `json:"end_line,omitzero" jsonschema:"Where a match ends that reaches over lines."`
	Column    int    `json:"column" jsonschema:"Of the match's start, in bytes from 1."`
	Byte      int    `json:"byte" jsonschema:"Offset of the match's start in the text."`
	Text      string `json:"text" jsonschema:"The line; a long one is cut around the match."`
	CutBefore bool   `json:"cut_before,omitzero"`
	CutAfter  bool   `json:"cut_after,omitzero"`
	Symbol    string `json:"symbol,omitempty" jsonschema:"The definition around it; read_file takes it."`
	// Definition is that definition, where it is shown, with the first hit in it.
	Definition *grepDefinition `json:"definition,omitempty" jsonschema:"The definition that the hit and those after it are in, with show."`
	Before     []string        `json:"before,omitempty" jsonschema:"The lines before, with context."`
	After      []string        `json:"after,omitempty"`

	start, end int  // of the match in Text
	head       bool // the line is the head of Symbol
}

// grepDefinition is a whole definition. Lines are inclusive and 1-based.
type grepDefinition struct {
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
	Text      string `json:"text,omitempty" jsonschema:"Its lines; absent where it is too large to be shown as a whole."`
}

func runGrepFiles(ctx context.Context, env *toolcall.Env, in grepInput) (*grepOutput, error) {
	r, notes, err := in.request(env)
	if err != nil {
		return nil, err
	}
	tries := 0
	out, err := toolcall.Retry(env, func() (*grepOutput, error) {
		tries++
		return grepOnce(ctx, env, in, r, tries == toolcall.MaxReads)
	})
	if err == nil {
		out.Notes = append(notes, out.Notes...)
	}
	return out, err
}

// request reads the arguments.
func (in grepInput) request(env *toolcall.Env) (r search.Request, notes []string, err error) {
	r.Unit = in.Output.unit()
	r.Max, notes = toolcall.CountOf("max_results", in.MaxResults, defaultResults, maxResults)
	notes = append(notes, in.contextNotes()...)
	if err := in.checkShown(); err != nil {
		return r, nil, err
	}
	if last := toolcall.NonZero(in.Last); last != nil {
		var over []string
		r.Max, over = toolcall.CountOf("last", last, 0, maxResults)
		r.Last, notes = true, append(notes, over...)
	}
	r.Matcher, err = search.Compile(search.Pattern{
		Text: in.Pattern, Literal: in.Literal, Case: search.Case(in.Case), Word: in.Word, Multiline: in.Multiline,
	})
	if err != nil {
		return r, nil, err
	}
	if in.Path != "" {
		p, err := env.Snapshot.Resolve(in.Path)
		if err != nil {
			return r, nil, err
		}
		r.Under = &p
	}
	if r.Keep, err = keep(negated(in.Include, in.Exclude)); err != nil {
		return r, nil, err
	}
	r.After, err = in.parseCursor()
	r.Ignored, r.Progress = in.IncludeIgnored, env.ProgressFunc("searching")
	return r, notes, err
}

// negated makes of includes that begin with "!", which other programs take,
// what they mean: excludes.
func negated(include, exclude []string) (in, ex []string) {
	ex = exclude
	for _, g := range include {
		if not, ok := strings.CutPrefix(g, "!"); ok {
			ex = append(slices.Clip(ex), not)
		} else {
			in = append(in, g)
		}
	}
	return in, ex
}

// keep compiles globs to a question about a path; nil keeps all.
func keep(include, exclude []string) (func(rel string) bool, error) {
	in, err := compileGlobs(include)
	if err != nil {
		return nil, err
	}
	out, err := compileGlobs(exclude)
	if err != nil || in == nil && out == nil {
		return nil, err
	}
	return func(rel string) bool {
		return (in == nil || matchesAny(in, rel)) && !matchesAny(out, rel)
	}, nil
}

func compileGlobs(patterns []string) ([]*pathmatch.Glob, error) {
	var globs []*pathmatch.Glob
	for _, p := range patterns {
		g, err := pathmatch.CompileGlob(p)
		if err != nil {
			return nil, err
		}
		globs = append(globs, g)
	}
	return globs, nil
}

func matchesAny(globs []*pathmatch.Glob, rel string) bool {
	for _, g := range globs {
		if g.Match(rel) {
			return true
		}
	}
	return false
}

// grepOnce searches the present state. A file that changes meanwhile is an
// error, but with last.
func grepOnce(ctx context.Context, env *toolcall.Env, in grepInput, r search.Request, last bool) (*grepOutput, error) {
	a, err := env.Search.Search(ctx, env.Snapshot, r)
	if err != nil {
		return nil, err
	}
	out := &grepOutput{
		Output: in.Output.orLines(), Files: make([]grepFile, len(a.Files)),
		grepCounts:     grepCounts{Searched: a.Searched, Hidden: a.Hidden, More: a.More && !r.Last, Earlier: a.More && r.Last, Notes: problemNotes(a.Problems)},
		nothingLeftOut: in.IncludeIgnored, guarded: env.ReadGuards && len(a.Files) <= symbolFiles,
		named: r.Under != nil && len(a.Files) == 1 && a.Files[0].Path.Key() == r.Under.Key(),
	}
	if a.Searched == 0 && r.Keep != nil {
		out.Notes = append(out.Notes, "No file is left by include and exclude.")
	}
	if len(a.Files) == 0 && r.Under != nil {
		if err := out.describeFile(ctx, env, *r.Under); err != nil {
			return nil, err
		}
	}
	if out.More {
		out.Cursor = in.formatCursor(a.Next)
	}
	g := grepping{env: env, symbols: in.wantsSymbols(len(a.Files)), whole: in.Show == showDefinition, last: last}
	g.before, g.after = in.around()
	if g.symbols && in.Symbols == nil && !g.whole {
		g.room = symbolBytes
	}
	if err := g.files(ctx, a.Files, out.Files); err != nil {
		return nil, err
	}
	out.Notes = append(out.Notes, g.notes(out.Files)...)
	if g.leftOut {
		out.Notes = append(out.Notes, "Symbols are named in smaller files only; symbols:true names all.")
	}
	most := in.pageBytes(env.Client, r.Max)
	switch {
	case most == 0:
	case r.Last:
		out.Earlier = out.cutFront(most) || out.Earlier
	case out.cut(most):
		out.More, out.Cursor = true, in.formatCursor(out.end())
		if g.before+g.after > 0 {
			out.Notes = append(out.Notes, "The page is full before it has all results: less context shows more of them.")
		}
	}
	for i := range out.Files {
		out.Results += max(1, len(out.Files[i].Hits))
		if h, err := text.ParseHash(out.Files[i].ContentHash); err == nil && out.knowsHashes() && !env.ReadGuards {
			env.Reads.NoteFound(env.Client, a.Files[i].Path.Key(), h)
		}
	}
	return out, nil
}

// pageBytes returns how many bytes of lines a page has at most; 0 for as many as
// there are.
func (in grepInput) pageBytes(c toolcall.Client, results int) int {
	before, after := in.around()
	switch {
	case in.Show == showDefinition:
		return c.RoomFor(definitionsBytes)
	case c.Room > 0 && toolcall.NonZero(in.MaxResults) == nil && toolcall.NonZero(in.Last) == nil && before+after == 0:
		return c.RoomFor(minPageBytes)
	case before+after > 0:
		return max(minPageBytes, results*bytesPerHit)
	}
	return 0
}

// describeFile says of what a search named, and what has no hits, why it has
// none: that it is a file, and not text. The error is that of reading the file.
func (out *grepOutput) describeFile(ctx context.Context, env *toolcall.Env, p workspace.Path) error {
	if binary, err := env.Snapshot.IsBinary(p); err == nil && binary && env.Snapshot.Overlay.Get(p.Key()) == nil {
		out.nothingLeftOut = true
		out.Notes = append(out.Notes, "It is a binary file, and only text is searched; read_file tells what it is.")
		return nil // it is not read to its end for that
	}
	f, err := env.Snapshot.File(ctx, p, "")
	switch fault.KindOf(err) {
	case "":
	case fault.IsDirectory, fault.NotFound: // it is in the editor only, or vanished
		return nil
	default:
		if buffers.IsChanged(err) {
			return nil // that is a problem of the search
		}
		return err
	}
	out.nothingLeftOut = true
	if read.MediaMode(f) == read.ModeDocument {
		out.Notes = append(out.Notes, "The text of PDFs is not searched; read_file shows it.")
	}
	return nil
}

func (in grepInput) wantsSymbols(files int) bool {
	if in.Show == showDefinition {
		return true
	}
	if in.Output.unit() != search.Hits {
		return false
	}
	if in.Symbols != nil {
		return *in.Symbols
	}
	return files <= symbolFiles
}

// problemNotes says what could not be searched.
func problemNotes(problems []error) []string {
	if len(problems) == 0 {
		return nil
	}
	var notes []string
	for _, err := range problems[:min(len(problems), maxProblems)] {
		e := fault.From(err)
		notes = append(notes, fmt.Sprintf("Not searched: %s (%s).", e.Path, e.Message))
	}
	if more := len(problems) - maxProblems; more > 0 {
		notes = append(notes, fmt.Sprintf("%d more places could not be searched.", more))
	}
	return notes
}

// grepCase and grepWhat are arguments with a closed list of values.
type (
	grepCase string
	grepWhat string
	grepShow string
)

const (
	caseSmart       grepCase = "smart" // the case of letters counts if the pattern has a large one
	caseSensitive   grepCase = "sensitive"
	caseInsensitive grepCase = "insensitive"

	outputLines grepWhat = "lines"
	outputFiles grepWhat = "files"
	outputCount grepWhat = "count"

	showDefinition grepShow = "definition"
)

// UnmarshalText refuses what is not in the list.
func (c *grepCase) UnmarshalText(b []byte) error {
	return toolcall.OneOf(c, b, caseSmart, caseSensitive, caseInsensitive)
}

// UnmarshalText refuses what is not in the list.
func (o *grepWhat) UnmarshalText(b []byte) error {
	return toolcall.OneOf(o, b, outputLines, outputFiles, outputCount)
}

// UnmarshalText refuses what is not in the list.
func (s *grepShow) UnmarshalText(b []byte) error { return toolcall.OneOf(s, b, showDefinition) }

func (o grepWhat) unit() search.Unit {
	switch o {
	case outputFiles:
		return search.Files
	case outputCount:
		return search.Counts
	}
	return search.Hits
}

func (o grepWhat) orLines() grepWhat {
	if o == "" {
		return outputLines
	}
	return o
}
