package rpc

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/agent-lsp/agent-lsp/rpc/jsonrpc"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

const (
	// applyTimeout is how long an edit may take to show in the editor.
	applyTimeout = 5 * time.Second
	// changeLag is how long the editor's changes may lag behind its answer
	// before it is asked for the text itself.
	changeLag = 300 * time.Millisecond
	// reloadTimeout and saveTimeout are how long these may take; formatters
	// run while saving.
	reloadTimeout = 500 * time.Millisecond
	saveTimeout   = 10 * time.Second
)

// editor is the attached editor as the tools see it.
type editor struct {
	*server
	caller *jsonrpc.Caller // of the call that the tools run for
}

// CanSave implements [tools.Editor].
func (e *editor) CanSave() bool { return e.client.abilities.Save }

// Save implements [tools.Editor].
func (e *editor) Save(ctx context.Context, d *buffers.Document) (bool, error) {
	var answer struct {
		Saved bool `json:"saved"`
	}
	err := e.caller.Call(ctx, saveTimeout, "agent/save", uriParams{d.URI}, &answer)
	return answer.Saved, err
}

// Reload implements [tools.Editor].
func (e *editor) Reload(ctx context.Context, d *buffers.Document) bool {
	if !e.client.abilities.Reload {
		return false
	}
	var answer struct {
		Reloaded bool `json:"reloaded"`
	}
	err := e.caller.Call(ctx, reloadTimeout, "agent/reload", uriParams{d.URI}, &answer)
	if err != nil {
		e.log.Warn("agent/reload", "error", err)
	}
	return answer.Reloaded
}

// applyLocks lets one edit land at a time in each document: an editor that does
// not look at versions would take two that were made for the same text.
type applyLocks struct {
	mu   sync.Mutex
	docs map[string]*applyLock
}

type applyLock struct {
	sync.Mutex
	waiting int
}

// lock waits until no other edit is being applied to the document. The function that
// it returns lets the next one land.
func (l *applyLocks) lock(key string) (unlock func()) {
	l.mu.Lock()
	d := l.docs[key]
	if d == nil {
		d = &applyLock{}
		l.docs[key] = d
	}
	d.waiting++
	l.mu.Unlock()
	d.Lock()
	return func() {
		d.Unlock()
		l.mu.Lock()
		defer l.mu.Unlock()
		if d.waiting--; d.waiting == 0 {
			delete(l.docs, key)
		}
	}
}

// Apply implements [tools.Editor]. What proves that an edit landed is not the
// editor's answer, which some give for edits that they dropped, but that the
// expected text is among those that its changes make.
func (e *editor) Apply(ctx context.Context, d *buffers.Document, edits []diff.Edit, label string) (int32, error) {
	if !e.client.canApply {
		return 0, fault.New(fault.NotApplied, "the editor does not take versioned edits (workspace/applyEdit with documentChanges)").
			Advise("Make the change in the editor.")
	}
	defer e.applyLocks.lock(d.Key())()
	watch, now := e.store.Watch(d.Key())
	defer watch.Close()
	switch {
	case now == nil:
		return 0, fault.New(fault.NotApplied, "the document was closed meanwhile; nothing was changed").Advise("Call again: the edit then lands on disk.")
	case now.OutOfSync != "":
		return 0, fault.New(fault.BufferUnsure, "the editor's text may differ from the mirrored one (%s)", now.OutOfSync)
	case !now.Text.Equal(d.Text):
		return 0, typedMeanwhile()
	}
	l := pendingEdit{editor: e, watch: watch, before: now, expected: diff.Apply(now.Text, edits)}
	return l.run(ctx, e.applyParams(now, edits, label))
}

func typedMeanwhile() *fault.Error {
	return fault.New(fault.StaleFile, "the text changed in the editor while the edit was on its way; nothing was changed").
		Advise("Read the file again and make the edit for its present text.")
}

func (e *editor) applyParams(d *buffers.Document, edits []diff.Edit, label string) *protocol.ApplyWorkspaceEditParams {
	coord := text.Coord{Encoding: e.client.encoding, Lines: d.Lines()}
	list := make([]protocol.TextDocumentEditElement, len(edits))
	for i, edit := range edits {
		list[i] = &protocol.TextEdit{
			Range: protocol.Range{
				Start: protocol.Position(d.Text.PositionAt(edit.Span.Start, coord)),
				End:   protocol.Position(d.Text.PositionAt(edit.Span.End, coord)),
			},
			NewText: edit.New,
		}
	}
	return &protocol.ApplyWorkspaceEditParams{
		Label: &label,
		Edit: protocol.WorkspaceEdit{DocumentChanges: []protocol.DocumentChange{
			&protocol.TextDocumentEdit{
				TextDocument: protocol.OptionalVersionedTextDocumentIdentifier{
					TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: uri.URI(d.URI)},
					Version:                &d.Version,
				},
				Edits: list,
			},
		}},
	}
}

// pendingEdit is one edit on its way into the editor.
type pendingEdit struct {
	*editor
	watch    *buffers.Watch
	before   *buffers.Document
	expected text.Text
}

// reply is the editor's answer to workspace/applyEdit.
type reply struct {
	protocol.ApplyWorkspaceEditResult
	err error
}

// run sends the edit and waits until the expected text was seen, or is known
// not to come.
func (l *pendingEdit) run(ctx context.Context, params *protocol.ApplyWorkspaceEditParams) (int32, error) {
	ctx, cancel := context.WithTimeout(ctx, applyTimeout)
	var both sync.WaitGroup
	defer both.Wait()
	defer cancel()
	seen, replied := make(chan int32, 1), make(chan reply, 1)
	both.Go(func() {
		if version, ok := l.await(ctx); ok {
			seen <- version
		}
	})
	both.Go(func() {
		var r reply
		r.err = l.caller.Call(ctx, 0, "workspace/applyEdit", params, &r.ApplyWorkspaceEditResult)
		replied <- r
	})
	select {
	case version := <-seen:
		l.letReply(replied)
		return version, nil
	case r := <-replied:
		return l.afterReply(ctx, r, seen)
	}
}

// await waits until the document has the expected text.
func (l *pendingEdit) await(ctx context.Context) (version int32, ok bool) {
	for {
		seen, ok := l.watch.Next(ctx)
		if !ok {
			return 0, false
		}
		if seen.Text.Equal(l.expected) {
			return seen.Version, true
		}
	}
}

// letReply gives the answer to an edit that landed a moment to come, so that
// the editor is not told that nobody waits for it.
func (l *pendingEdit) letReply(replied <-chan reply) {
	moment := time.NewTimer(changeLag)
	defer moment.Stop()
	select {
	case <-replied:
	case <-moment.C:
	}
}

// afterReply decides what became of an edit whose text was not seen yet.
func (l *pendingEdit) afterReply(ctx context.Context, r reply, seen <-chan int32) (int32, error) {
	timer := time.NewTimer(l.patience(r))
	defer timer.Stop()
	select {
	case version := <-seen:
		return version, nil
	case <-timer.C:
	case <-ctx.Done():
	}
	if r.said(true) && l.client.abilities.Resync {
		l.store.MarkOutOfSync(l.before, "the editor's changes are awaited")
		l.askText(context.WithoutCancel(ctx), l.caller, l.before.Key())
	}
	select {
	case version := <-seen:
		return version, nil
	default:
		return l.verdict(r)
	}
}

// patience is how long changes are waited for after the editor's answer.
func (l *pendingEdit) patience(r reply) time.Duration {
	switch {
	case r.said(false):
		return 0
	case r.said(true) && !l.client.abilities.Resync:
		return applyTimeout
	}
	return changeLag
}

// said reports whether the editor answered, and that the edit was applied or
// not.
func (r reply) said(applied bool) bool { return r.err == nil && r.Applied == applied }

// verdict decides by the text that the document has now.
func (l *pendingEdit) verdict(r reply) (int32, error) {
	now := l.store.Overlay().Get(l.before.Key())
	if now == nil {
		return 0, fault.New(fault.OutcomeUnknown, "the document was closed while the edit was on its way").
			Advise("Read the file to see what it holds now.")
	}
	reason := r.reason()
	traces := some
	switch {
	case r.said(false) && now.OutOfSync == "":
		traces = none
	case now.OutOfSync == "":
		traces = l.traces(now.Text)
	}
	switch {
	case traces == all:
		return now.Version, nil
	case r.undecided():
		return 0, fault.New(fault.OutcomeUnknown, "%s", reason).
			Advise("The editor may be waiting at a prompt or a dialog, and the edit may still land. Read the file to see what it holds now.")
	case traces == some:
		return 0, fault.New(fault.OutcomeUnknown, "%s", reason).Advise("Read the file to see what it holds now.")
	case now.Text.Equal(l.before.Text):
		return 0, fault.New(fault.NotApplied, "%s; nothing was changed", reason).
			Advise("Read the file and try again, or ask the person at the editor.")
	}
	return 0, typedMeanwhile()
}

// reason says in words what the editor answered.
func (r reply) reason() string {
	switch {
	case errors.Is(r.err, context.DeadlineExceeded):
		return "the editor did not answer in time"
	case r.err != nil:
		return "the editor failed: " + r.err.Error()
	case r.Applied:
		return "the editor said that it applied the edit, but its text does not show it"
	case r.FailureReason != nil && *r.FailureReason != "":
		return "the editor did not apply the edit: " + *r.FailureReason
	}
	return "the editor did not apply the edit"
}

// undecided: no answer came, so the edit may still land.
func (r reply) undecided() bool {
	if r.err == nil {
		return false
	}
	_, answered := errors.AsType[*jsonrpc.Error](r.err)
	return !answered
}

// trace tells how much of an edit a text shows.
type trace int

const (
	none trace = iota
	some       // or what the same lines became in another way
	all
)

// touch reports whether two changes share a byte, or a place to insert at.
func touch(a, b text.Span) bool {
	return a.Start < b.End && b.Start < a.End || a == b
}

// traces compares, line by line, what the edit would change with what did
// change: the person may have typed elsewhere in the same moment.
func (l *pendingEdit) traces(now text.Text) trace {
	before := l.before.Text.String()
	changed := diff.Compute(before, now.String())
	wanted := diff.Compute(before, l.expected.String())
	found, untouched := 0, 0
	for _, w := range wanted {
		switch {
		case slices.Contains(changed, w):
			found++
		case !slices.ContainsFunc(changed, func(c diff.Edit) bool { return touch(c.Span, w.Span) }):
			untouched++
		}
	}
	switch len(wanted) {
	case found:
		return all
	case untouched:
		return none
	}
	return some
}
