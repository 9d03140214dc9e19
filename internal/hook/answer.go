package hook

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/rpc/form"
	"github.com/agent-lsp/agent-lsp/rpc/session"
	"github.com/agent-lsp/agent-lsp/rpc/session/route"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

const (
	// maxText is how much of a file is shown at once, in bytes, and maxLines how
	// many lines where a call does not say; maxShown bounds what else is told.
	maxText  = 48 << 10
	maxLines = 2000
	maxShown = 16 << 10
	// maxNamed is how many unsaved files are named, or searched.
	maxNamed = 20
)

// Answer returns what the hook prints: how the host is to go on after the events
// of one run. It is empty where the host is to go on by itself. save reports whether
// the person wants unsaved files saved before a command that reads them is run.
func Answer(ctx context.Context, events []Event, sessions *session.Router, save func() bool) ([]byte, error) {
	var all []decision
	for _, e := range events {
		h := helper{Event: e, sessions: sessions, save: save}
		d, err := h.decide(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	switch {
	case len(events) == 0:
		return nil, nil
	case events[0].name != events[0].host.Batch:
		return events[0].speak(all[0])
	}
	return events[0].speak(join(all))
}

// helper works out what is to happen at one event.
type helper struct {
	Event
	sessions *session.Router
	save     func() bool
}

func (h *helper) decide(ctx context.Context) (decision, error) {
	switch h.tool.does {
	case reads:
		return h.read(ctx)
	case edits, writes, patches, cells:
		return h.change(ctx)
	case searches:
		return h.search(ctx)
	}
	return h.run(ctx)
}

// unsaved returns the documents of files that are not saved. Errors are those of
// [session.Router.Open].
func (h *helper) unsaved(ctx context.Context, paths ...string) ([]route.Held, error) {
	var named []string
	for _, p := range paths {
		if p != "" {
			named = append(named, p)
		}
	}
	open, err := route.Open(ctx, h.sessions, h.folder, named)
	var list []route.Held
	for _, d := range open {
		if d.Dirty || d.OutOfSync != "" {
			list = append(list, d)
		}
	}
	return list, err
}

// read answers a read of a file that is not saved with the editor's text.
func (h *helper) read(ctx context.Context) (decision, error) {
	if h.when == before && h.host.replaces {
		return decision{}, nil // it is answered after it
	}
	list, err := h.unsaved(ctx, h.path())
	switch {
	case err != nil && h.when != before:
		return decision{hint: "What the editor has unsaved is not known: " + fault.From(err).Message + "."}, nil
	case err != nil || len(list) == 0:
		return decision{}, nil
	}
	if h.when == refused && !h.routed() {
		return decision{hint: fmt.Sprintf("%s is in the editor, with unsaved changes: agent-lsp's tool read_file shows it, with the path %s.", h.shown(list[0]), list[0].Path)}, nil
	}
	from, to := h.lines()
	s, err := h.text(ctx, list[0], from, to)
	if s == nil || err != nil {
		return decision{}, err
	}
	s.path = h.args.text(h.tool.path)
	return decision{shown: s}, nil
}

// text returns lines of a document; nil where it may not be shown.
func (h *helper) text(ctx context.Context, d route.Held, from, to int) (*shown, error) {
	if to < from {
		to = from + maxLines - 1
	}
	var out struct {
		Content *string `json:"content"`
		Lines   *struct {
			Start int `json:"start"`
			End   int `json:"end"`
		} `json:"lines_shown"`
		Total   int  `json:"total_lines"`
		Partial bool `json:"partial_line"`
	}
	a, err := h.call(ctx, d, "read_file", form.JSON, object{
		"path": d.Path, "start_line": from, "end_line": to, "max_bytes": maxText, "format": "plain", "outline": "never",
	})
	if err != nil || a.IsError() || wire.Unmarshal(a.Raw, &out) != nil || out.Content == nil {
		return nil, err // policy keeps it from agents, or it is no text: the host's own answer stays
	}
	s := &shown{text: *out.Content, first: from, total: out.Total}
	if out.Lines != nil {
		s.first, s.lines = out.Lines.Start, max(out.Lines.End-out.Lines.Start+1, 0)
	}
	s.explanation = fmt.Sprintf("%s has unsaved changes in the editor. This is the editor's text, not that of the file on disk; edit it as any file, and the edit is made in the editor.", h.shown(d))
	last := s.first + s.lines - 1
	switch {
	case s.lines == 0 && s.first > 1:
		s.explanation += fmt.Sprintf(" It has no line %d: there are %d.", s.first, s.total)
	case s.first > 1 || last < s.total:
		s.explanation += fmt.Sprintf(" These are lines %d to %d of %d.", s.first, last, s.total)
	}
	switch {
	case out.Partial:
		s.explanation += fmt.Sprintf(" Line %d is cut off, as it is too long to be shown whole.", last)
	case last < min(to, s.total):
		s.explanation += fmt.Sprintf(" The text is cut off, as more is too much to be shown at once: go on at line %d.", last+1)
	}
	return s, nil
}

// call runs a tool of ours in the session of a document, as the client that the
// host's conversation is.
func (h *helper) call(ctx context.Context, d route.Held, name string, in form.Form, args any) (session.Answer, error) {
	raw, err := wire.Marshal(args)
	if err != nil {
		return session.Answer{}, err
	}
	c := session.Call{
		Tool: name, Arguments: raw, Form: in, ReadGuards: true, Client: h.client(),
	}
	if h.session == "" { // what others read that are not told apart is nothing that this one did
		c.Client.ID = "hook " + rand.Text()
	}
	if h.folder != "" && h.tool.does == patches { // its paths are relative to the working directory
		c.Roots = []workspace.Folder{{Path: h.folder}}
	}
	return d.Call(ctx, c)
}

// client is the host's conversation as a caller of sessions. What one of its agents
// was shown the others were not.
func (h *helper) client() toolcall.Client {
	c := toolcall.Client{Name: h.host.Title, ID: "hook " + h.session}
	if h.agent != "" {
		c.ID += " " + h.agent
	}
	return c
}

// shown is a document as it is told: relative to the working directory where it
// lies there.
func (h *helper) shown(d route.Held) string {
	if rel, err := filepath.Rel(h.folder, d.Path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return d.Path
}

// change makes a change of a file that is not saved in the editor, and keeps the
// host's own tool from the file on disk.
func (h *helper) change(ctx context.Context) (decision, error) {
	if h.when == after {
		return decision{}, nil
	}
	list, err := h.unsaved(ctx, h.changed()...)
	switch {
	case err != nil:
		return decision{refuse: "Nothing was changed: " + fault.From(err).Error()}, nil
	case len(list) == 0:
		return decision{}, nil
	}
	d := list[0]
	var name string
	var args object
	if h.tool.does == cells {
		return decision{refuse: h.advice(d, "edit_file")}, nil
	}
	if why := h.unclear(); why != "" {
		return decision{refuse: fmt.Sprintf("Nothing was changed: %s has unsaved changes in the editor, and %s.", h.shown(d), why)}, nil
	}
	routed := h.routed()
	switch h.tool.does {
	case writes:
		name, args = "write_file", object{"path": d.Path, "content": h.args.text(h.tool.text)}
	case patches:
		name, args = "apply_patch", object{"patch": h.args.text(h.tool.text)}
	default:
		name, args = "edit_file", object{"path": d.Path, "edits": h.replacements()}
	}
	args["dry_run"] = !routed
	a, err := h.call(ctx, d, name, form.Text, args)
	switch {
	case err != nil:
		return decision{refuse: "Nothing is known to have changed: " + fault.From(err).Error()}, nil
	case a.IsError():
		return decision{refuse: h.refusal(d, a)}, nil
	}
	if !routed {
		return decision{refuse: h.advice(d, name)}, nil
	}
	return decision{refuse: fmt.Sprintf("DONE, do not repeat it: %s has unsaved changes in the editor, so agent-lsp made this change in the editor's text instead, and the file on disk is as it was. What was done:\n\n%s", h.shown(d), cut(string(a.Raw)))}, nil
}

// unclear returns why it cannot be told what a change is to make; "" where it can.
func (h *helper) unclear() string {
	if name := h.missing(); name != "" {
		return fmt.Sprintf("the argument %q is missing or of another kind than it has to be", name)
	}
	if h.tool.does == edits && chained(h.replacements()) {
		return "the edits are of text that others of them write: make them one at a time"
	}
	return ""
}

// routed reports whether the host's question is behind the hook, or none is to come.
func (h *helper) routed() bool { return h.host.asked || slices.Contains(h.host.neverAsks, h.mode) }

// advice says which tool makes a change that would be possible: the host asks its
// person about that one in its own way.
func (h *helper) advice(d route.Held, name string) string {
	return fmt.Sprintf("Nothing was changed: %s has unsaved changes in the editor, and this tool would write the file behind them. Make the same change with agent-lsp's tool %s, which changes the editor's text, with the path %s and expected_hash %s (of apply_patch expected_hashes, where each file of the patch needs one that agent-lsp's read_file did not show you); or ask the person to save first.", h.shown(d), name, d.Path, shortHash(d.Hash))
}

// shortHash returns what names a hash; see [text.Hash.Prefix].
func shortHash(hash string) string {
	h, err := text.ParseHash(hash)
	if err != nil {
		return hash // as a later version writes it
	}
	return string(h.Prefix(nil))
}

// refusal is why a change was not made, and what to do.
func (h *helper) refusal(d route.Held, a session.Answer) string {
	why := fmt.Sprintf("Nothing was changed: %s has unsaved changes in the editor, and the change could not be made there. %s", h.shown(d), cut(string(a.Raw)))
	switch a.Kind {
	case fault.HashRequired, fault.StaleFile, fault.AlreadyExists:
		how := "Read the file again"
		if h.tool.does == writes {
			how = "Read the whole file"
		}
		if h.host.speaks == codex {
			how = "Read the file again (cat " + h.shown(d) + " shows the editor's text, or agent-lsp's read_file)"
		}
		why += "\n\n" + how + ", then make the change for the text that you are shown, or use agent-lsp's edit_file."
	}
	return why
}

// changed returns the absolute paths that a change is about.
func (h *helper) changed() []string {
	if h.tool.does != patches {
		return []string{h.path()}
	}
	var list []string
	p, err := diff.ParsePatch(h.args.text(h.tool.text))
	if err != nil {
		return nil // the host's own tool says so
	}
	for _, f := range p.Files {
		list = append(list, h.absolute(f.Path), h.absolute(f.To))
	}
	return list
}

// search tells what a search did not see: the hits in what is not saved.
func (h *helper) search(ctx context.Context) (decision, error) {
	pattern := h.args.text(h.tool.text)
	if h.when == before || pattern == "" {
		return decision{}, nil
	}
	args := object{"pattern": pattern}
	if h.args.yes("-i") || h.host.anyCase && !h.args.yes("case_sensitive") {
		args["case"] = "insensitive"
	}
	where := h.path()
	if where == "" {
		where = h.folder
	}
	var hits, others []string
	for _, d := range h.below(ctx, where) {
		args["path"] = d.Path
		a, err := h.call(ctx, d, "grep_files", form.Text, args)
		switch {
		case err != nil || a.IsError():
			others = append(others, h.shown(d))
		case !strings.HasPrefix(string(a.Raw), "0 hits") || bytes.Contains(h.answer, []byte(filepath.Base(d.Path))): // which the host found in the file
			hits = append(hits, h.shown(d)+":\n"+string(a.Raw))
		}
	}
	var told []string
	if len(hits) > 0 {
		told = append(told, "These files have unsaved changes in the editor, which the search did not see. What it finds in the editor's text of them:\n\n"+strings.Join(hits, "\n\n"))
	}
	if len(others) > 0 {
		told = append(told, "Not searched as the editor has them, with unsaved changes: "+strings.Join(others, ", ")+".")
	}
	return decision{hint: cut(strings.Join(told, "\n\n"))}, nil
}

// below returns the first documents in a folder, or at a path, that are not saved.
func (h *helper) below(ctx context.Context, path string) []route.Held {
	var list []route.Held
	if path == "" {
		return nil
	}
	for _, d := range route.Unsaved(ctx, h.sessions, path) {
		rel, err := filepath.Rel(path, d.Path)
		inReal, errReal := filepath.Rel(path, d.Real)
		if (err == nil && filepath.IsLocal(rel) || errReal == nil && filepath.IsLocal(inReal)) && len(list) < maxNamed {
			list = append(list, d)
		}
	}
	return list
}

// cut bounds what a model is told.
func cut(s string) string {
	if len(s) <= maxShown {
		return s
	}
	return strings.ToValidUTF8(s[:maxShown], "") + "\n… (cut)"
}
