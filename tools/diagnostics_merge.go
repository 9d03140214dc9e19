package tools

import (
	"slices"

	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// mergeDiagnosed makes one answer of several editors' counts. A file that two
// of them count alike is one: the same language server works in both.
func mergeDiagnosed(parts []part[*diagnosticsOutput]) *diagnosticsOutput {
	all := &diagnosticsOutput{Path: parts[0].out.Path, State: toolcall.Current}
	for _, p := range parts {
		all.State = leastSure(all.State, p.out.State)
		all.Waiting = append(all.Waiting, p.out.Waiting...)
		sums := p.out.sums()
		for _, f := range p.out.Files {
			f.Editor = p.editor
			i := slices.IndexFunc(all.Files, f.sameCounts)
			if i < 0 {
				all.Files = append(all.Files, f)
				continue
			}
			all.Files[i].Editor += ", " + p.editor
			sums = sums.less(f)
		}
		all.Errors, all.Warnings = all.Errors+sums.Errors, all.Warnings+sums.Warnings
		all.Infos, all.Hints = all.Infos+sums.Infos, all.Hints+sums.Hints
		all.Truncated = all.Truncated || p.out.Truncated
		all.Notes = append(all.Notes, labelled(p.editor, p.out.Notes)...)
	}
	all.arrange()
	return all
}

// sameCounts reports whether another editor counts the same in the same file.
func (f diagnosedFile) sameCounts(other diagnosedFile) bool {
	f.Editor, other.Editor = "", ""
	return f == other
}

func (f diagnosedFile) less(other diagnosedFile) diagnosedFile {
	return diagnosedFile{
		Errors: f.Errors - other.Errors, Warnings: f.Warnings - other.Warnings,
		Infos: f.Infos - other.Infos, Hints: f.Hints - other.Hints,
	}
}

// leastSure is what is known of what two editors know.
func leastSure(a, b toolcall.Freshness) toolcall.Freshness {
	switch {
	case a == toolcall.Pending || b == toolcall.Pending:
		return toolcall.Pending
	case a == toolcall.Current && b == toolcall.Current:
		return toolcall.Current
	}
	return toolcall.Unknown
}
