package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/tools/change"
	"github.com/agent-lsp/agent-lsp/tools/history"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

var editHistory = tool[historyInput, *historyOutput]{
	name:     "edit_history",
	doc:      `Show what was edited and reverted in this session, newest first, with diffs.`,
	about:    aboutChange,
	terminal: Terminal{Arguments: []string{"path", "id"}},
	run:      runEditHistory,
}

type historyInput struct {
	ID    string  `json:"id,omitempty" brief:"this change alone" jsonschema:"Show this change only."`
	Path  string  `json:"path,omitempty" brief:"changes of this file alone" jsonschema:"Show changes of this file only."`
	Limit *uint64 `json:"limit,omitempty" brief:"default 20" jsonschema:"How many changes to show; 20 by default."`
}

const (
	defaultHistory  = 20
	maxShownEntries = 1000
	// maxHistoryDiffs is how many bytes of diffs one answer has.
	maxHistoryDiffs = 48 << 10
	// maxShownHistory is how much of several changes a model reads.
	maxShownHistory = 12 << 10
)

type historyOutput struct {
	Edits []historyItem `json:"edits"`
	More  bool          `json:"more,omitzero" jsonschema:"There are older changes; a larger limit shows them."`
	Notes []string      `json:"notes,omitempty"`
}

type historyItem struct {
	ID         string          `json:"id"`
	Tool       string          `json:"tool"`
	Client     string          `json:"client,omitempty"`
	Unknown    bool            `json:"outcome_unknown,omitzero" jsonschema:"The editor did not say whether it made the change."`
	Partial    bool            `json:"partially_applied,omitzero" jsonschema:"The call failed; these files could not be put back."`
	RevertedBy string          `json:"reverted_by,omitempty" jsonschema:"The change that took this one back."`
	Command    *historyCommand `json:"command,omitempty" jsonschema:"Not an edit: these files changed on disk while a command of the client's host ran."`
	Files      []historyFile   `json:"files"`
}

type historyCommand struct {
	Line      string `json:"line"`
	Began     string `json:"began" jsonschema:"RFC 3339."`
	Ended     string `json:"ended,omitempty" jsonschema:"Left out where the end was not told: the files are those of the time until the client's next command."`
	Beside    bool   `json:"beside_others,omitzero" jsonschema:"Other commands ran at the same time, or were not told to have ended, and may have changed them."`
	Late      bool   `json:"by_time_only,omitzero" jsonschema:"The files before it were not known: those that were written since are listed, not those that were deleted."`
	MoreFiles int    `json:"more_files,omitzero" jsonschema:"How many more changed."`
}

type historyFile struct {
	Path         string         `json:"path"`
	From         string         `json:"from,omitempty"`
	Action       history.Action `json:"action"`
	PreviousHash string         `json:"previous_hash,omitempty"`
	ContentHash  string         `json:"content_hash,omitempty"`
	Diff         string         `json:"diff,omitempty"`
}

func runEditHistory(_ context.Context, env *toolcall.Env, in historyInput) (*historyOutput, error) {
	id, err := env.History.Named(in.ID)
	if err != nil {
		return nil, err
	}
	in.ID = id
	wanted, err := in.filter(env)
	if err != nil {
		return nil, err
	}
	out := &historyOutput{Edits: []historyItem{}}
	room, limit := maxHistoryDiffs, min(toolcall.NumberOr(toolcall.NonZero(in.Limit), defaultHistory), maxShownEntries)
	for _, p := range env.History.All() {
		if p = wanted(p); len(p.Files) == 0 {
			continue
		}
		if len(out.Edits) == limit {
			out.More = true
			break
		}
		if item := showEntry(env, p, &room); len(item.Files) > 0 {
			out.Edits = append(out.Edits, item)
		}
	}
	if in.ID != "" && len(out.Edits) == 0 {
		return nil, noSuchEdit(env, in.ID)
	}
	if env.History == nil {
		out.Notes = []string{nothingKept}
	}
	return out, nil
}

// filter returns what leaves of a change the files that the arguments ask for.
func (in historyInput) filter(env *toolcall.Env) (func(history.Entry) history.Entry, error) {
	key := ""
	if in.Path != "" {
		p, err := env.Snapshot.Resolve(in.Path)
		if err != nil {
			return nil, err
		}
		if err := env.CheckShow(p); err != nil {
			return nil, err
		}
		key = p.Key()
	}
	return func(p history.Entry) history.Entry {
		p.Files = slices.DeleteFunc(slices.Clone(p.Files), func(f history.File) bool {
			return in.ID != "" && in.ID != p.ID || key != "" && f.Path != key && f.To != key
		})
		return p
	}, nil
}

// nothingKept says why there is no history.
const nothingKept = "each command is a session of its own, which remembers no changes; an editor's session does"

func noSuchEdit(e *toolcall.Env, id string) error {
	if e.History == nil {
		return fault.New(fault.NotFound, "no change has the id %q: %s", id, nothingKept).
			Advise("Make the opposite change by edit_file, or work with an editor that runs agent-lsp.")
	}
	return fault.New(fault.NotFound, "no change of this session has the id %q, or it is forgotten", id).
		Advise("edit_history lists the changes that are remembered.")
}

// showEntry describes a change, without the files that policy keeps from
// agents by now. room is how many bytes of diffs the answer still takes.
func showEntry(e *toolcall.Env, p history.Entry, room *int) historyItem {
	item := historyItem{ID: p.ID, Tool: p.Tool, Client: p.Client, Unknown: p.Unknown, Partial: p.Partial, RevertedBy: p.RevertedBy, Command: showCommand(p.Ran)}
	for _, f := range p.Files {
		if !e.CanRead(f.Path) || f.To != "" && !e.CanRead(f.To) {
			continue
		}
		h := historyFile{Path: f.Shown, Action: f.Action}
		if f.Action == history.Moved {
			h.Path, h.From = f.ToShown, f.Shown
		}
		if f.Action != history.Created && p.Ran == nil {
			h.PreviousHash = f.OldHash.String()
		}
		if f.Action != history.Deleted && p.Ran == nil {
			h.ContentHash = f.After().String()
		}
		if h.Diff = change.CutDiff(f.Diff, *room); len(h.Diff) < len(f.Diff) {
			h.Diff += fmt.Sprintf("\\ %d of %d bytes are shown.\n", len(h.Diff), len(f.Diff))
		}
		*room = max(0, *room-len(h.Diff))
		item.Files = append(item.Files, h)
	}
	return item
}

// showCommand returns the command as it is told; nil for none.
func showCommand(c *history.Command) *historyCommand {
	if c == nil {
		return nil
	}
	h := &historyCommand{Line: c.Line, Began: c.Began.Format(time.RFC3339), Beside: c.Beside, Late: c.Late, MoreFiles: c.More}
	if !c.Ended.IsZero() {
		h.Ended = c.Ended.Format(time.RFC3339)
	}
	return h
}

// render writes what is known of a command, on a line of its own.
func (h *historyCommand) render(to *strings.Builder) {
	fmt.Fprintf(to, "changed on disk while it ran (%s", h.Began)
	if h.Ended != "" {
		fmt.Fprintf(to, " to %s", h.Ended)
	} else {
		to.WriteString(", its end was not told: until the next command")
	}
	to.WriteString(")")
	if h.Beside {
		to.WriteString("; other commands may have run")
	}
	if h.Late {
		to.WriteString("; what was deleted is not known")
	}
	fmt.Fprintf(to, ": %s\n", wording.OneLine(h.Line))
}

func (o *historyOutput) Render(toolcall.ShowHash) toolcall.Rendering {
	var body strings.Builder
	left := 0 // diffs that are not shown
	for i, item := range o.Edits {
		if i > 0 {
			body.WriteString("\n")
		}
		fmt.Fprintf(&body, "%s %s", item.ID, item.Tool)
		if item.Client != "" {
			fmt.Fprintf(&body, " by %s", wording.OneLine(item.Client))
		}
		if item.Unknown {
			body.WriteString(", outcome unknown")
		}
		if item.Partial {
			body.WriteString(", partially applied")
		}
		if item.RevertedBy != "" {
			fmt.Fprintf(&body, ", taken back by %s", item.RevertedBy)
		}
		body.WriteString("\n")
		if item.Command != nil {
			item.Command.render(&body)
		}
		for _, f := range item.Files {
			fmt.Fprintf(&body, "%s: %s", wording.OneLine(f.Path), f.Action)
			if f.From != "" {
				fmt.Fprintf(&body, " from %s", wording.OneLine(f.From))
			}
			body.WriteString("\n")
			if body.Len()+len(f.Diff) <= maxShownHistory || len(o.Edits) == 1 {
				body.WriteString(f.Diff)
			} else {
				left++
			}
		}
		if item.Command != nil && item.Command.MoreFiles > 0 {
			fmt.Fprintf(&body, "and %s\n", wording.Plural(item.Command.MoreFiles, "more file", "more files"))
		}
	}
	head := wording.Plural(len(o.Edits), "change", "changes") + " of this session"
	if left > 0 {
		head += ", " + wording.Plural(left, "diff is", "diffs are") + " left out: ask with the id"
	}
	if o.More {
		head += ", and more: a larger limit shows older ones"
	}
	return toolcall.Rendering{Header: strings.Join(append([]string{head}, o.Notes...), "; note: "), Body: body.String()}
}
