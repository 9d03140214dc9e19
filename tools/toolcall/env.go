package toolcall

import (
	"context"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/atomicfile"
	"github.com/agent-lsp/agent-lsp/internal/catalog"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/output"
	"github.com/agent-lsp/agent-lsp/internal/reinterpret"
	"github.com/agent-lsp/agent-lsp/internal/review"
	"github.com/agent-lsp/agent-lsp/internal/search"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/outline"
	"github.com/agent-lsp/agent-lsp/tools/fuzzy"
	"github.com/agent-lsp/agent-lsp/tools/history"
	"github.com/agent-lsp/agent-lsp/tools/usage"
)

// Env is what a call has at hand. It belongs to one call; [Env.Close] ends it.
type Env struct {
	// Snapshot is what the call sees.
	Snapshot *buffers.Snapshot
	// Now makes a snapshot of the present: what came after the call's arrival
	// included.
	Now func() *buffers.Snapshot
	// Outlines makes and keeps outlines.
	Outlines *outline.Cache
	// Catalog knows the files of the workspace.
	Catalog *catalog.Catalog
	// Paths speeds up finding files by name, from call to call; may be nil.
	Paths *fuzzy.PathMasks
	// Texts remembers what callers were shown, so that their edits of older
	// texts are understood.
	Texts *buffers.Texts
	// Reads knows which texts each client read last; nil knows none.
	Reads *Reads
	// Verdicts knows what was wrong before edits; nil knows nothing.
	Verdicts *Verdicts
	// Shown knows which hashes callers were shown; nil knows none.
	Shown *Shown
	// History is what was changed in this session; nil remembers nothing.
	History *history.History
	// Reviews follow the files that agents change; nil follows nothing.
	Reviews *review.Reviews
	// Pointed returns what the person pointed at lately; nil where nobody does.
	Pointed func() []Pointed
	// Noticed tells callers of files that others changed since; nil tells nothing.
	Noticed *Noticed
	// Consents are what persons agreed to before; nil has none.
	Consents *Consents
	// Person: it is the person at the editor who calls, not an agent.
	Person bool
	// Compiled is the folder for what is compiled on this machine and can be
	// compiled again; "" is none.
	Compiled string
	// Journal lets a restart undo what a killed process left half done on disk;
	// nil does without.
	Journal *atomicfile.Journal
	// Notices are sentences that the next answer is to tell, whatever it is
	// about, once; nil has none.
	Notices func() []string
	// Later runs work that no answer waits for; it returns false when it does
	// not take it. It may be nil.
	Later func(func(context.Context)) bool
	// Search searches their text.
	Search *search.Searcher
	// Progress is told how far a long call is; nil when nobody listens.
	Progress func(message string, done, total int)
	// Editor applies edits to open documents; nil when no editor is attached.
	Editor Editor
	// Ask asks a person who is behind the call for their consent, where there is
	// no editor that can; nil when nobody can be asked.
	Ask func(context.Context, ConfirmRequest) (Decision, error)
	// Client is who calls.
	Client Client
	// ReadGuards: write_file without a hash replaces the text that the client read
	// last, where it read all of one; else it creates a file, as without ReadGuards,
	// and what a search shows does not count as read. Edits
	// by old_text and patches are held against what was read in any case, but for
	// write_file a missing hash is how all other callers ask for a new file. Files of
	// a patch that are saved are held against its own context alone: the caller read
	// them on disk, by tools of its own.
	ReadGuards bool
	// Outputs keeps the output of commands; nil where nothing can be kept.
	Outputs *output.Store
	// Environment is what commands are run in, as "NAME=value"; only where
	// tools that are local are served.
	Environment []string
	// Usage counts the calls; nil counts nothing.
	Usage *usage.Usage
}

// MaxReads is how often a file is read again that changes while it is read.
const MaxReads = 3

// Retry runs a read of files, and anew on the present state when a file changed
// meanwhile.
func Retry[T any](env *Env, read func() (T, error)) (T, error) {
	for try := 1; ; try++ {
		out, err := read()
		if err == nil || !buffers.IsChanged(err) || try == MaxReads {
			return out, err
		}
		env.Refresh()
	}
}

// Client names a caller.
type Client struct {
	Name string `json:"name"`
	ID   string `json:"id,omitempty"`
	// Room is how many bytes it shows of an answer; 0 for all. What a call does not
	// ask for is kept within.
	Room int `json:"-"`
}

// Close ends the call.
func (e *Env) Close() { e.Snapshot.Close() }

// ProgressFunc returns what a long call tells its progress; nil when nobody
// listens.
func (e *Env) ProgressFunc(message string) func(done, total int) {
	if e.Progress == nil {
		return nil
	}
	return func(done, total int) { e.Progress(message, done, total) }
}

// Show lets the call see documents of other sessions, too. It comes before the
// call is run.
func (e *Env) Show(docs []buffers.PeerDocument) {
	if len(docs) == 0 {
		return
	}
	now := e.Now
	e.Now = func() *buffers.Snapshot {
		s := now()
		s.Show(docs)
		return s
	}
	e.Snapshot.Show(docs)
}

// Refresh moves the call to a snapshot of the present.
func (e *Env) Refresh() {
	e.Snapshot.Close()
	e.Snapshot = e.Now()
}

// File returns the file that a path argument names. A clean document whose
// file changed on disk is reloaded first, where the editor can do that.
func (e *Env) File(ctx context.Context, path string, forced text.Encoding) (*buffers.File, error) {
	p, err := e.Snapshot.Resolve(path)
	if err != nil {
		return nil, err
	}
	return e.FileAt(ctx, p, forced)
}

// FileAt is File for a path that was resolved.
func (e *Env) FileAt(ctx context.Context, p workspace.Path, forced text.Encoding) (*buffers.File, error) {
	f, err := e.Snapshot.File(ctx, p, forced)
	if err != nil {
		return nil, err
	}
	if f.Document != nil && f.Document.IsPeer() {
		return f, nil
	}
	if f.OutOfSync() != "" && e.Editor != nil && e.Editor.AwaitResync(ctx, f.Document) {
		e.Refresh()
		if f, err = e.Snapshot.File(ctx, p, forced); err != nil {
			return nil, err
		}
	}
	outdated := f.DiskChanged && f.DiskHash != nil && !f.Dirty && f.OutOfSync() == ""
	if outdated && e.Editor != nil && e.Editor.Reload(ctx, f.Document) {
		e.Refresh()
		return e.Snapshot.File(ctx, p, forced)
	}
	return f, nil
}

// maxRemembered is the largest file on disk whose text is remembered because
// some of it was shown, in bytes. To read so much once more takes milliseconds,
// and what all such files take is bounded by [buffers.Texts]; larger ones are
// logs and data, of which windows are read and nothing is edited by hand.
const maxRemembered = 16 << 20

// smallText is the largest text that is remembered before the answer: it was
// read for that already, or costs little more.
const smallText = 1 << 20

// Remember keeps the text of a file that a caller is shown: a small one before
// the answer, so that nobody can change it in between.
func (e *Env) Remember(f *buffers.File) {
	if e.Texts == nil || f.Binary || f.Document != nil || f.Content.Len() > smallText {
		e.rememberLater(f)
		return
	}
	if _, known := e.Texts.Lookup(f.Hash); known {
		return
	}
	if whole, err := WholeText(f); err == nil {
		e.Texts.RememberRead(f.Path.Key(), f.Hash, whole)
	}
}

// rememberLater is remember that costs the answer nothing: a file on disk is
// read whole behind it.
func (e *Env) rememberLater(f *buffers.File) {
	switch {
	case e.Texts == nil || f.Binary:
		return
	case f.Document != nil && f.Document.IsPeer():
		return // another process vouches for its hash, and takes its edits
	case f.Document != nil:
		e.Texts.Remember(f.Path.Key(), f.Hash, f.Document.Text)
		return
	case e.Later == nil || f.Content.Len() > maxRemembered:
		return
	}
	if _, known := e.Texts.Lookup(f.Hash); known {
		return
	}
	snapshot, path, hash, texts := e.Snapshot.Fork(), f.Path, f.Hash, e.Texts
	later := func(ctx context.Context) {
		defer snapshot.Close()
		if ctx.Err() != nil {
			return
		}
		again, err := snapshot.File(ctx, path, "")
		if err != nil || again.Hash != hash || again.Binary {
			return // it changed: the text that was shown is gone
		}
		if whole, err := WholeText(again); err == nil {
			texts.RememberRead(path.Key(), hash, whole)
		}
	}
	if !e.Later(later) {
		snapshot.Close()
	}
}

// WholeText returns all of a file's text.
func WholeText(f *buffers.File) (text.Text, error) {
	if f.Document != nil {
		return f.Document.Text, nil
	}
	n := f.Content.Len()
	if n > text.MaxLen {
		return text.Text{}, fault.New(fault.FileTooLarge, "%d bytes; files over %d cannot be edited", n, text.MaxLen).At(f.Path.Rel)
	}
	raw := f.Content.Append(make([]byte, 0, n), text.Span{End: n})
	if err := f.Err(); err != nil {
		return text.Text{}, fault.From(err).At(f.Path.Rel)
	}
	return text.New(reinterpret.String(raw)), nil
}

// CanRead reports whether policy lets a file be read.
func (e *Env) CanRead(key string) bool {
	p, err := e.Snapshot.Resolve(key)
	return err == nil && e.CheckShow(p) == nil
}

// CheckShow is the policy's error for a file, which need not be there any more.
func (e *Env) CheckShow(p workspace.Path) error {
	if p.Untitled() || e.Snapshot.Overlay.Get(p.Key()) != nil {
		return e.Snapshot.Gate.CheckRead(p)
	}
	_, err := e.Snapshot.Gate.Stat(p)
	switch fault.KindOf(err) {
	case fault.OutsideWorkspace, fault.PermissionDenied:
		return err
	}
	return nil
}

// Touched tells the catalog that a file was written, made or removed.
func (e *Env) Touched(p workspace.Path) {
	if e.Catalog != nil {
		e.Catalog.Touched(p)
	}
}
