package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/syntax"
)

// What is outlined of a folder, at most.
const (
	maxFolderFiles = 120
	maxFolderBytes = 4 << 20 // of text
	// maxFolderNames is what the names of files may take of maxOutlineBytes.
	maxFolderNames = maxOutlineBytes / 2
	// maxRestGroups is how many folders are named in which files are left out.
	maxRestGroups = 8
)

// outlinedFile is one file in the outline of a folder, or in an answer to a
// query.
type outlinedFile struct {
	Path        string       `json:"path"`
	ContentHash string       `json:"content_hash,omitempty"`
	Dirty       bool         `json:"dirty,omitzero" jsonschema:"The editor has unsaved changes."`
	Total       int          `json:"total" jsonschema:"How many of its symbols suit the call."`
	Symbols     []symbolItem `json:"symbols"`

	text string
}

// outlineFolder outlines the files below a folder: the upper folders' first,
// each within its share of the budget.
func outlineFolder(ctx context.Context, env *Env, in outlineInput, kinds []syntax.Kind) (*outlineOutput, error) {
	s, err := scopeOf(ctx, env, in.Path, false)
	if err != nil {
		return nil, err
	}
	all := s.candidates(env, slices.Contains(kinds, syntax.Key))
	chosen, rest := chooseFiles(all)
	out := &outlineOutput{Path: in.shownPath(s), Notes: s.problems()}
	files, err := s.outlines(ctx, env, chosen)
	if err != nil {
		return nil, err
	}
	which := make([][]int, len(files))
	for i, f := range files {
		if f != nil {
			which[i] = in.choose(f.outline, kinds)
			out.Total += len(which[i])
		}
	}
	out.share(files, which, len(kinds) > 0)
	out.More = len(rest)
	if len(all) == 0 {
		out.Notes = append(out.Notes, "No files in a language that is known here; list_directory shows what there is.")
	}
	if len(rest) > 0 {
		out.Notes = append(out.Notes, restNote(s, rest))
	}
	return out, nil
}

// chooseFiles returns the files that are outlined, in order, and the others.
func chooseFiles(all []candidate) (chosen, rest []candidate) {
	all = slices.Clone(all)
	slices.SortStableFunc(all, upperFirst)
	names, size := 0, int64(0)
	for _, c := range all {
		names += len(c.rel) + len(": 1000 symbols\n")
		fits := len(chosen) < maxFolderFiles && names <= maxFolderNames && size+c.size <= maxFolderBytes
		if !fits {
			rest = append(rest, c)
			continue
		}
		size += c.size
		chosen = append(chosen, c)
	}
	slices.SortStableFunc(chosen, func(a, b candidate) int {
		if a.at >= 0 && b.at >= 0 {
			return a.at - b.at
		}
		return workspace.ComparePaths(a.rel, b.rel)
	})
	return chosen, rest
}

// restNote tells in which folders there are more files.
func restNote(s *scope, rest []candidate) string {
	counts := make(map[string]int)
	var order []string
	for _, c := range rest {
		name, _, deeper := strings.Cut(s.below(c.rel), "/")
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
			parts = append(parts, fmt.Sprintf("%s/ %d", oneLine(name), counts[name]))
		}
	}
	note := plural(len(rest), "more file is", "more files are") + " not outlined"
	if len(parts) > 0 {
		note += " (" + strings.Join(parts, ", ") + ")"
	}
	return note + ": outline a folder in it, or give query."
}

// share divides the budget among files: what small ones do not need, larger
// ones get.
func (out *outlineOutput) share(files []*filed, which [][]int, onlyWith bool) {
	const hint = "outline it"
	left := maxOutlineBytes - headerBytes
	needs := make([]int, len(files))
	var shown []int
	for i, f := range files {
		if f == nil || onlyWith && len(which[i]) == 0 {
			continue
		}
		most := maxOutlineBytes
		if len(files) > 1 {
			most = maxFileShare
		}
		whole, _ := f.outline.Render(which[i], 0, most, hint)
		needs[i] = len(whole) + 1
		left -= len(f.path.Rel) + len(":  symbols\n") + 8
		shown = append(shown, i)
	}
	// Where there is too little for all, the first files get what shows something.
	for n, i := range shown {
		if n >= max(left, 0)/leastFileShare {
			needs[i] = 0
		}
	}
	shares := fairShares(needs, left)
	out.Files = make([]outlinedFile, 0, len(shown))
	for _, i := range shown {
		f := files[i]
		item := outlinedFile{
			Path: f.path.Rel, ContentHash: f.hash, Dirty: f.dirty, Total: len(which[i]), Symbols: []symbolItem{},
		}
		if shares[i] >= leastFileShare || shares[i] > 0 && shares[i] >= needs[i] {
			rendered, listed := f.outline.Render(which[i], 0, shares[i], hint)
			item.text, item.Symbols = rendered, symbolItems(f.outline, listed)
		}
		out.Truncated = out.Truncated || len(item.Symbols) < item.Total
		out.Files = append(out.Files, item)
	}
}

// maxFileShare is the most that one file of several takes: what is generated
// can define thousands of things that nobody asked for.
const maxFileShare = maxOutlineBytes / 4

// leastFileShare is the least that shows a symbol or two, and how many more
// there are, in bytes.
const leastFileShare = 90

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
func (in outlineInput) shownPath(s *scope) string {
	switch {
	case s.folder != "":
		return s.folder
	case in.Path == "":
		return "."
	}
	return in.Path
}

// renderFiles renders the files of a folder.
func (out *outlineOutput) renderFiles() Rendering {
	var h, b strings.Builder
	h.WriteString(oneLine(out.Path) + ": ")
	shown := 0
	for i := range out.Files {
		shown += len(out.Files[i].Symbols)
	}
	if shown < out.Total {
		fmt.Fprintf(&h, "%d of ", shown)
	}
	h.WriteString(plural(out.Total, "symbol", "symbols"))
	if out.query != "" {
		fmt.Fprintf(&h, " for %q", shortened(out.query))
	}
	h.WriteString(" in " + plural(len(out.Files), "file", "files"))
	for _, n := range out.Notes {
		h.WriteString("; note: " + n)
	}
	for i := range out.Files {
		f := &out.Files[i]
		b.WriteString(oneLine(f.Path))
		if f.Dirty {
			b.WriteString(" [unsaved changes]")
		}
		if f.text == "" && f.Total > 0 {
			b.WriteString(": " + plural(f.Total, "symbol", "symbols"))
		} else if f.text != "" {
			b.WriteString(":\n" + f.text)
		}
		b.WriteByte('\n')
	}
	return Rendering{Header: h.String(), After: strings.TrimSuffix(b.String(), "\n")}
}
