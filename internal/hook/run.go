package hook

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/rpc/form"
	"github.com/agent-lsp/agent-lsp/rpc/session"
	"github.com/agent-lsp/agent-lsp/rpc/session/route"
)

// maxTexts is how many files that a command reads are shown as the editor has them.
const maxTexts = 3

// run looks at a line of shell: it is refused where it would write a file behind
// unsaved text, and told what it does not see of what is not saved.
func (h *helper) run(ctx context.Context) (decision, error) {
	folder := h.folder
	if at := h.path(); at != "" {
		folder = at
	}
	if folder == "" {
		return decision{}, nil
	}
	line := parseLine(h.args.text(h.tool.text), folder)
	line.named, line.shown = realPaths(line.named), realPaths(line.shown)
	switch {
	case h.when == before:
		if d := h.mayWrite(ctx, line, folder); d.refuse != "" {
			return d, nil
		}
		if line.reads {
			h.saveAll(ctx, folder)
		}
		h.tell(ctx, folder)
		if !h.host.hints {
			return decision{}, nil // it is told after it
		}
	default:
		if h.tell(ctx, folder); h.name != h.host.After {
			return decision{}, nil // it may have been refused
		}
	}
	return h.told(ctx, line, folder)
}

// tell has the sessions note what the command changes on disk.
func (h *helper) tell(ctx context.Context, folder string) {
	route.Tell(ctx, h.sessions, folder, h.client(), session.Command{ID: h.id, Line: h.args.text(h.tool.text), Ended: h.when == after})
}

// mayWrite refuses a line that would write files which are not saved.
func (h *helper) mayWrite(ctx context.Context, line shellLine, folder string) decision {
	targets, below := line.written, []string{folder}
	for _, t := range line.written {
		base := t.base()
		if base == "" {
			continue
		}
		for _, p := range realPaths([]string{base}) {
			if below = append(below, p); !t.glob && p != t.path {
				targets = append(targets, target{path: p, alone: t.alone})
			}
		}
	}
	named := below[1:]
	if line.all {
		named = below
	}
	list, err := h.unsaved(ctx, named...)
	if err != nil {
		return decision{refuse: "The command was not run: " + fault.From(err).Error()}
	}
	if len(targets) > 0 || line.all {
		for _, d := range route.Unsaved(ctx, h.sessions, below...) {
			written := func(t target) bool { return t.covers(d.Path) || t.covers(d.Real) }
			known := func(o route.Held) bool { return o.Path == d.Path }
			if d.Path != "" && (line.all || slices.ContainsFunc(targets, written)) && !slices.ContainsFunc(list, known) {
				list = append(list, d)
			}
		}
	}
	if len(list) == 0 {
		return decision{}
	}
	return decision{refuse: fmt.Sprintf("The command was not run: it would write %s on disk, behind unsaved changes in the editor. Make the change with your own tool for edits, or agent-lsp's edit_file, which change the editor's text; or ask the person to save first.", h.names(list))}
}

// told is what a line does not see of what is not saved: which files these are, and,
// after it, of those that it shows the editor's text. Before it the person may still
// refuse the line, and with it what it would show.
func (h *helper) told(ctx context.Context, line shellLine, folder string) (decision, error) {
	var list []route.Held
	for _, d := range route.Unsaved(ctx, h.sessions, folder) {
		if d.Path != "" && (line.reads || slices.Contains(line.named, d.Path) || slices.Contains(line.named, d.Real)) {
			list = append(list, d)
		}
	}
	var told []string
	if len(list) > 0 && (h.when == before || !h.host.hints) {
		told = append(told, fmt.Sprintf("Not saved in the editor: %s. The command sees the files as they are on disk, without these changes.", h.names(list)))
	}
	if h.when == before {
		list = nil
	}
	texts := 0
	for _, d := range list {
		if texts == maxTexts || !slices.Contains(line.shown, d.Path) && !slices.Contains(line.shown, d.Real) {
			continue
		}
		s, err := h.text(ctx, d, 1, 0)
		if err != nil {
			return decision{}, err
		}
		if s != nil {
			texts++
			told = append(told, s.explanation+"\n\n"+s.text)
		}
	}
	return decision{hint: strings.Join(told, "\n\n")}, nil
}

// names tells the first files.
func (h *helper) names(list []route.Held) string {
	var names []string
	for _, d := range list[:min(len(list), maxNamed)] {
		names = append(names, h.shown(d))
	}
	if more := len(list) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}

// saveAll has the editor save what is not saved, where the person wants that. What
// it does not save is told as any unsaved file.
func (h *helper) saveAll(ctx context.Context, folder string) {
	list := route.Unsaved(ctx, h.sessions, folder)
	if len(list) == 0 || !h.save() {
		return
	}
	for _, d := range list {
		_, _ = h.call(ctx, d, "edit_file", form.JSON, object{
			"path": d.Path, "expected_hash": d.Hash, "save": "always", "edits": []object{{"start_line": 1, "end_line": 0, "new_text": ""}},
		})
	}
}

// realPaths returns paths and, where links lead from one elsewhere, that too.
func realPaths(paths []string) []string {
	list := paths
	for _, p := range paths {
		if real, err := fsys.RealPath(p); err == nil && real != p {
			list = append(list, real)
		}
	}
	return list
}
