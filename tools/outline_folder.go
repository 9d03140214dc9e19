package tools

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/catalog"
	"github.com/agent-lsp/agent-lsp/outline"
	"github.com/agent-lsp/agent-lsp/syntax"
	"github.com/agent-lsp/agent-lsp/tools/find"
	"github.com/agent-lsp/agent-lsp/tools/fuzzy"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// What is outlined of a folder, at most.
const (
	maxFolderFiles = 120
	maxFolderBytes = 4 << 20 // of text
	// folderBytes is what a folder's outline takes.
	folderBytes = 12 << 10
	// leastFileShare is what is enough to show what a file is about, in bytes;
	// sizeOfShare is how much text a byte of an outline stands for at least.
	leastFileShare = 160
	sizeOfShare    = 16
	// maxRestGroups is how many folders are named in which files are left out.
	maxRestGroups = 8
)

// outlinedFile is one file in the outline of a folder, or in an answer to a
// query.
type outlinedFile struct {
	Path        string                `json:"path"`
	ContentHash string                `json:"content_hash,omitempty"`
	Dirty       bool                  `json:"dirty,omitzero" jsonschema:"The editor has unsaved changes."`
	Total       int                   `json:"total" jsonschema:"How many of its symbols suit the call."`
	Symbols     []toolcall.SymbolItem `json:"symbols"`

	text   string
	cut    bool // the text lacks what others' texts have
	untold bool // it is not shown at all
}

// outlineFolder outlines the files below a folder, each within its share of the
// budget. Beside code tests are left out; they are asked for by their own folder, or
// their files.
func outlineFolder(ctx context.Context, env *toolcall.Env, in outlineInput, kinds []syntax.Kind) (*outlineOutput, error) {
	s, err := find.NewScope(ctx, env, in.Path, false)
	if err != nil {
		return nil, err
	}
	f := folder{scope: s, env: env, in: in, kinds: kinds, left: folderBytes - toolcall.HeaderBytes}
	out := &outlineOutput{Path: in.shownPath(s), Notes: s.Problems(), Files: []outlinedFile{}}
	all := s.Candidates(env, slices.Contains(kinds, syntax.Key))
	code, tests := withoutTests(all)
	if len(code) == 0 {
		code, tests = tests, nil
	}
	if err := f.add(ctx, code); err != nil {
		return nil, err
	}
	if err := f.render(ctx, out); err != nil {
		return nil, err
	}
	out.More = len(f.rest) + len(tests)
	if len(all) == 0 {
		out.Notes = append(out.Notes, "No files in a language that is known here; list_directory shows what there is.")
	}
	if len(f.rest) > 0 {
		out.Notes = append(out.Notes, restNote(s, f.rest))
	}
	if len(tests) > 0 {
		out.Notes = append(out.Notes, wording.Plural(len(tests), "test", "tests")+" left out")
	}
	return out, nil
}

// folder is a folder that is outlined.
type folder struct {
	scope *find.Scope
	env   *toolcall.Env
	in    outlineInput
	kinds []syntax.Kind

	chosen []find.Candidate
	files  []folderFile // of chosen
	left   int          // bytes of the budget, beside what the uppermost layer takes
	rest   []find.Candidate
}

// folderFile is a file in the outline of a folder; without an outline where it
// is not shown.
type folderFile struct {
	*find.File
	which []int // symbols that suit the call
	share int   // bytes that it may take
	whole bool  // its share is enough for what is to be shown of it
}

// add outlines those of some files that there is room for.
func (f *folder) add(ctx context.Context, some []find.Candidate) error {
	chosen, rest := chooseFiles(some, f.left)
	f.rest = append(f.rest, rest...)
	files, err := f.scope.Outlines(ctx, f.env, chosen)
	if err != nil {
		return err
	}
	f.chosen = append(f.chosen, chosen...)
	for _, outlined := range files {
		var file folderFile
		if outlined != nil {
			file.which = f.in.choose(outlined.Outline, f.kinds)
		}
		if len(file.which) > 0 || outlined != nil && len(f.kinds) == 0 {
			file.File = outlined
			need, _ := f.bytes(&file, 0)
			f.left -= need
		}
		f.files = append(f.files, file)
	}
	return nil
}

// bytes returns what a file takes of the answer with its upper layers, and
// whether these are whole then.
func (f *folder) bytes(file *folderFile, layers int) (n int, whole bool) {
	if file.File == nil {
		return 0, true
	}
	upper := file.Outline.Upper(file.which, layers)
	rendered, shown := file.Outline.Render(upper, f.options(f.mostOfOne()))
	return file.nameBytes() + len(rendered), len(shown) == len(upper)
}

// nameBytes is what the name of a file takes.
func (f *folderFile) nameBytes() int { return len(f.Path.Rel) + len(", 100 of 1000:\n\n") }

// mostOfOne is the most that one file takes, in bytes: what is generated can
// define thousands of things that nobody asked for.
func (f *folder) mostOfOne() int {
	if len(f.chosen) == 1 {
		return toolcall.MaxOutlineBytes
	}
	return toolcall.MaxOutlineBytes / 4
}

func (f *folder) options(budget int) outline.Options {
	opt := f.in.options(budget, "")
	if opt.Style == outline.Brief {
		opt.Style = outline.Names
	}
	opt.Unlined = true
	return opt
}

// chooseFiles returns the files that are outlined, in order, and the others.
// Upper folders' count first; of a level the largest of each folder, then the
// next ones. left is what they may take of the answer, in bytes.
func chooseFiles(all []find.Candidate, left int) (chosen, rest []find.Candidate) {
	all = slices.Clone(all)
	largestFirst(all)
	size := int64(0)
	for _, c := range all {
		need := len(c.Rel) + int(min(leastFileShare, c.Size/sizeOfShare))
		fits := len(chosen) < maxFolderFiles && need <= left && size+c.Size <= maxFolderBytes
		if !fits {
			rest = append(rest, c)
			continue
		}
		size, left = size+c.Size, left-need
		chosen = append(chosen, c)
	}
	slices.SortStableFunc(chosen, func(a, b find.Candidate) int {
		if a.At >= 0 && b.At >= 0 {
			return a.At - b.At
		}
		return catalog.ComparePaths(a.Rel, b.Rel)
	})
	return chosen, rest
}

// largestFirst orders files by the depth of their folders, and of each level
// puts the largest of every folder before the next ones.
func largestFirst(all []find.Candidate) {
	slices.SortStableFunc(all, func(a, b find.Candidate) int {
		return cmp.Or(cmp.Compare(b.Size, a.Size), catalog.ComparePaths(a.Rel, b.Rel))
	})
	larger := make(map[string]int) // how many of a folder are before
	place := make(map[string]int, len(all))
	for _, c := range all {
		in := path.Dir(c.Rel)
		place[c.Rel] = larger[in]
		larger[in]++
	}
	slices.SortStableFunc(all, func(a, b find.Candidate) int {
		return cmp.Or(strings.Count(a.Rel, "/")-strings.Count(b.Rel, "/"), place[a.Rel]-place[b.Rel])
	})
}

// restNote tells in which folders there are more files.
func restNote(s *find.Scope, rest []find.Candidate) string {
	counts := make(map[string]int)
	var order []string
	for _, c := range rest {
		name, _, deeper := strings.Cut(s.Below(c.Rel), "/")
		if !deeper {
			name = ""
		}
		if counts[name]++; counts[name] == 1 {
			order = append(order, name)
		}
	}
	slices.SortStableFunc(order, func(a, b string) int { return counts[b] - counts[a] })
	var parts []string
	for _, name := range order[:min(len(order), maxRestGroups)] {
		if name != "" {
			parts = append(parts, fmt.Sprintf("%s/ %d", wording.OneLine(name), counts[name]))
		}
	}
	note := wording.Plural(len(rest), "more file is", "more files are") + " not outlined"
	if len(parts) > 0 {
		note += " (" + strings.Join(parts, ", ") + ")"
	}
	return note + ": outline a folder in it, or give query."
}

// render puts the files into the answer, all in one style and in as many layers
// as there is room for. Where not even the names at the top have room, those
// are shown that the files use most.
func (f *folder) render(ctx context.Context, out *outlineOutput) error {
	opt, layers := f.options(0), outline.Layers
	if f.fewSignatures() {
		opt.Style = outline.Signatures
	} else {
		for layers--; layers > 0 && !f.fits(layers); layers-- {
		}
	}
	f.divide(layers)
	var err error
	if opt.Uses, err = f.uses(ctx); err != nil {
		return err
	}
	for i := range f.files {
		file := &f.files[i]
		if file.File == nil {
			continue
		}
		item := outlinedFile{
			Path: file.Path.Rel, ContentHash: file.Hash, Dirty: file.Dirty, Total: len(file.which), Symbols: []toolcall.SymbolItem{},
		}
		opt.Budget = file.share
		rendered, listed := file.Outline.Render(file.Outline.Upper(file.which, layers), opt)
		item.Symbols, item.cut = toolcall.SymbolItems(file.Outline, listed), !file.whole
		if rendered != "" {
			item.text = "\n" + rendered
		}
		out.Total += item.Total
		out.Truncated = out.Truncated || len(item.Symbols) < item.Total
		out.Files = append(out.Files, item)
	}
	return nil
}

// fewSignatures reports whether the signatures of all files are few.
func (f *folder) fewSignatures() bool {
	left := outline.FewBytes
	opt := f.in.options(outline.FewBytes, "")
	opt.Style = outline.Signatures
	for i := range f.files {
		file := &f.files[i]
		if file.File == nil {
			continue
		}
		rendered, listed := file.Outline.Render(file.which, opt)
		if left -= len(file.Path.Rel) + len(rendered); left < 0 || len(listed) < len(file.which) {
			return false
		}
	}
	return true
}

// fits reports whether the upper layers of all files have room.
func (f *folder) fits(layers int) bool {
	left := folderBytes - toolcall.HeaderBytes
	for i := range f.files {
		need, _ := f.bytes(&f.files[i], layers)
		if left -= need; left < 0 {
			return false
		}
	}
	return true
}

// divide gives each file its share of the budget: what small ones do not need,
// larger ones get.
func (f *folder) divide(layers int) {
	needs := make([]int, len(f.files))
	for i := range f.files {
		needs[i], f.files[i].whole = f.bytes(&f.files[i], layers)
	}
	for i, share := range fairShares(needs, folderBytes-toolcall.HeaderBytes) {
		file := &f.files[i]
		if file.File == nil {
			continue
		}
		file.share = share - file.nameBytes()
		if share == needs[i] {
			file.share = f.mostOfOne() // as it was rendered before
		} else {
			file.whole = false
		}
	}
}

// fairShares divides what there is among needs: nobody gets more than needed,
// and who does not get all, gets as much as the others who do not.
func fairShares(needs []int, left int) []int {
	order := make([]int, 0, len(needs))
	for i, n := range needs {
		if n > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return needs[a] - needs[b] })
	shares := make([]int, len(needs))
	for n, i := range order {
		shares[i] = min(needs[i], max(left, 0)/(len(order)-n))
		left -= shares[i]
	}
	return shares
}

// shownPath is how an answer names the folder.
func (in outlineInput) shownPath(s *find.Scope) string {
	switch {
	case s.Folder != "":
		return s.Folder
	case in.Path == "":
		return "."
	}
	return in.Path
}

// renderFiles renders the files of a folder.
func (out *outlineOutput) renderFiles() toolcall.Rendering {
	var b strings.Builder
	shown := 0
	for i := range out.Files {
		shown += len(out.Files[i].Symbols)
	}
	counted := wording.Plural(out.Total, "symbol", "symbols") + " in " + wording.Plural(len(out.Files), "file", "files")
	var said []string
	if shown < out.Total {
		counted = fmt.Sprintf("%d of %s", shown, counted)
	}
	if shown < out.Total || out.Total == 0 || out.Total > fewResults && out.query == "" {
		said = append(said, counted)
	}
	for _, n := range out.Notes {
		said = append(said, "note: "+n)
	}
	for i := range out.Files {
		if f := &out.Files[i]; f.Total > 0 && !f.untold {
			f.write(&b)
		}
	}
	if out.untold > 0 {
		fmt.Fprintf(&b, "… %d more like it: query in lower case", out.untold)
	}
	return toolcall.Rendering{Header: strings.Join(said, "; "), Summary: wording.OneLine(out.Path) + ": " + counted, After: strings.TrimSuffix(b.String(), "\n")}
}

func (f *outlinedFile) write(b *strings.Builder) {
	b.WriteString(wording.OneLine(f.Path))
	if f.Dirty {
		b.WriteString(" [unsaved changes]")
	}
	if f.cut {
		fmt.Fprintf(b, ", %d of %d", len(f.Symbols), f.Total)
	}
	if names, one := strings.CutPrefix(f.text, "\n"); one && !strings.Contains(names, "\n") && !fuzzy.IsDigit(names[0]) {
		b.WriteString(": " + names)
	} else if f.text != "" {
		b.WriteString(":" + f.text)
	}
	b.WriteByte('\n')
}
