package tools

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/tools/change"
	"github.com/agent-lsp/agent-lsp/tools/history"
	"github.com/agent-lsp/agent-lsp/tools/read"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// tell tells the editor of a call.
func tell(ctx context.Context, e *toolcall.Env, d Definition, arguments wire.RawValue, r toolcall.Result) {
	if e.Editor == nil {
		return
	}
	a := toolcall.Activity{Client: e.Client, Tool: d.Name}
	subject := d.About(arguments)
	if len(subject.Paths) == 1 {
		a.Path = subject.Paths[0]
	}
	a.Summary, _, _ = strings.Cut(cmp.Or(r.Summary, r.Header), "\n")
	if query := subject.Query; query != "" {
		if len(query) > maxQuoted {
			query = query[:wording.CutAt([]byte(query), maxQuoted)] + "…"
		}
		a.Summary = strconv.Quote(query) + ": " + a.Summary
	}
	if r.Err != nil {
		a.Error = r.Err.Error()
	}
	if out, ok := r.Output.(*change.Output); ok && r.Err == nil {
		a.ID, a.Diff = out.ID, change.CutDiff(out.Diff(), change.MaxShownDiff)
		if a.Path == "" && len(out.Files) == 1 {
			a.Path = out.Files[0].Path
		}
		if out.ID != "" {
			a.Files = activityFiles(e, out.Files)
		}
	}
	if r.Err == nil {
		a.Place = placeIn(e, r)
	}
	a.Group = e.Reviews.Turn(e.Client.Name, e.Client.ID)
	e.Editor.Activity(context.WithoutCancel(ctx), a)
}

// placeIn returns which place a call read or changed.
func placeIn(e *toolcall.Env, r toolcall.Result) *toolcall.ActivityPlace {
	switch out := r.Output.(type) {
	case *read.Output:
		if out.LinesShown == nil {
			return nil
		}
		return place(e, out.Path, out.LinesShown.Start-1, out.LinesShown.End, false)
	case *change.Output:
		if out.ID == "" || len(out.Files) == 0 || out.Files[0].Action == history.Deleted {
			return nil
		}
		start, end := firstHunk(out.Files[0].Diff)
		return place(e, out.Files[0].Path, start, end, true)
	}
	return nil
}

func place(e *toolcall.Env, path string, start, end int, edited bool) *toolcall.ActivityPlace {
	p, err := e.Snapshot.Resolve(path)
	if err != nil {
		return nil
	}
	return &toolcall.ActivityPlace{Path: p, Start: start, End: end, Edited: edited}
}

// firstHunk returns the lines that the first hunk of a unified diff is about in the
// text after it, half open, from 0: the first line where there is no hunk.
func firstHunk(d string) (start, end int) {
	at := strings.Index(d, "@@ -")
	if at < 0 {
		return 0, 1
	}
	_, fresh, _ := strings.Cut(d[at:], " +")
	fresh, _, _ = strings.Cut(fresh, " @@")
	first, count, several := strings.Cut(fresh, ",")
	line, _ := strconv.Atoi(first) // our own diffs
	n := 1
	if several {
		n, _ = strconv.Atoi(count)
	}
	start = max(line-1, 0)
	return start, start + max(n, 1)
}

// activityFiles returns what a person is told of the files that a call changed.
func activityFiles(e *toolcall.Env, changed []change.ChangedFile) []toolcall.ActivityFile {
	var files []toolcall.ActivityFile
	for _, f := range changed {
		if f.Action == history.Unchanged {
			continue
		}
		a := toolcall.ActivityFile{Path: f.Path, Status: string(f.Action), From: f.From, Diff: f.Diff}
		if f.Told != "" {
			a.Diff = f.Told
		}
		if p, err := e.Snapshot.Resolve(f.Path); err == nil {
			a.URI = p.URI
			if d := e.Snapshot.Overlay.Get(p.Key()); d != nil {
				a.URI = d.URI
			}
		}
		files = append(files, a)
	}
	return files
}

// maxQuoted is how much of what a call looks for is told, in bytes.
const maxQuoted = 80
