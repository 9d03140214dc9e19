package tools

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// Activity is what a person at the editor is told of a call.
type Activity struct {
	Client  Client
	Tool    string
	Path    string // the file that the call is about; "" for none or several
	Summary string // one line
	ID      string // of the change, for revert_edit; "" when nothing was changed
	Diff    string // of all that was changed
	Error   string // why the call failed; "" when it did not
	// Files are those that the call changed.
	Files []ActivityFile
	// Group is the same for the calls of one turn of one client.
	Group string
	// Place is what the client read or changed; nil where that is no place.
	Place *ActivityPlace
}

// ActivityPlace is lines of a file, half open, from 0.
type ActivityPlace struct {
	Path       workspace.Path
	Start, End int
	Edited     bool // else it was read
}

// ActivityFile is what became of a file. Diff is of all that changed in it, of a
// created one against nothing.
type ActivityFile struct {
	Path   string `json:"path"`
	URI    string `json:"uri"`
	Status string `json:"status"`
	From   string `json:"from,omitempty"`
	Diff   string `json:"diff,omitempty"`
}

// tell tells the editor of a call.
func (e *Env) tell(ctx context.Context, d Definition, arguments wire.RawValue, r Result) {
	if e.Editor == nil {
		return
	}
	a := Activity{Client: e.Client, Tool: d.Name}
	subject := d.About(arguments)
	if len(subject.Paths) == 1 {
		a.Path = subject.Paths[0]
	}
	a.Summary, _, _ = strings.Cut(cmp.Or(r.Summary, r.Header), "\n")
	if wanted := subject.Sought; wanted != "" {
		if len(wanted) > maxQuoted {
			wanted = wanted[:cutAt([]byte(wanted), maxQuoted)] + "…"
		}
		a.Summary = strconv.Quote(wanted) + ": " + a.Summary
	}
	if r.Err != nil {
		a.Error = r.Err.Error()
	}
	if out, ok := r.structured.(*changeOutput); ok && r.Err == nil {
		a.ID, a.Diff = out.ID, cutDiff(out.diff(), maxShownDiff)
		if a.Path == "" && len(out.Files) == 1 {
			a.Path = out.Files[0].Path
		}
		if out.ID != "" {
			a.Files = e.activityFiles(out.Files)
		}
	}
	if r.Err == nil {
		a.Place = e.placeIn(r)
	}
	a.Group = e.Reviews.Turn(e.Client.Name, e.Client.ID)
	e.Editor.Activity(context.WithoutCancel(ctx), a)
}

// placeIn returns which place a call read or changed.
func (e *Env) placeIn(r Result) *ActivityPlace {
	switch out := r.structured.(type) {
	case *readOutput:
		if out.LinesShown == nil {
			return nil
		}
		return e.place(out.Path, out.LinesShown.Start-1, out.LinesShown.End, false)
	case *changeOutput:
		if out.ID == "" || len(out.Files) == 0 || out.Files[0].Action == actionDeleted {
			return nil
		}
		start, end := firstHunk(out.Files[0].Diff)
		return e.place(out.Files[0].Path, start, end, true)
	}
	return nil
}

func (e *Env) place(path string, start, end int, edited bool) *ActivityPlace {
	p, err := e.Snapshot.Resolve(path)
	if err != nil {
		return nil
	}
	return &ActivityPlace{p, start, end, edited}
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
func (e *Env) activityFiles(changed []changedFile) []ActivityFile {
	var files []ActivityFile
	for _, f := range changed {
		if f.Action == actionUnchanged {
			continue
		}
		a := ActivityFile{Path: f.Path, Status: string(f.Action), From: f.From, Diff: f.Diff}
		if f.told != "" {
			a.Diff = f.told
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

// told returns the diff of a file that was made or deleted, which no answer has,
// where somebody is told of it; "" of others.
func (c *change) told(env *Env) string {
	if env.Editor == nil || c.action != actionCreated && c.action != actionDeleted {
		return ""
	}
	return cutDiff(c.diff(), maxDiff)
}

// maxQuoted is how much of what a call looks for is told, in bytes.
const maxQuoted = 80
