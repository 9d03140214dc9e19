package rpc

import (
	"context"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// File operations of the editor. What proves them is the disk, not the
// editor's answer.

// DeleteFile implements [tools.Editor].
func (e *editor) DeleteFile(ctx context.Context, d *buffers.Document) error {
	if !e.client.canDelete {
		return noFileOperations("delete")
	}
	return e.operate(ctx, d, d.Key(), &protocol.DeleteFile{Kind: "delete", URI: uri.URI(d.URI)}, func(g *workspace.Gate) bool {
		return isGone(g, d.Path)
	})
}

// MoveFile implements [tools.Editor]. It waits a moment for the document of
// the new name.
func (e *editor) MoveFile(ctx context.Context, d *buffers.Document, to workspace.Path) error {
	if !e.client.canRename {
		return noFileOperations("move")
	}
	rename := &protocol.RenameFile{Kind: "rename", OldURI: uri.URI(d.URI), NewURI: uri.URI(to.URI)}
	return e.operate(ctx, d, to.Key(), rename, func(g *workspace.Gate) bool {
		_, err := g.StatDocument(to)
		return err == nil && isGone(g, d.Path)
	})
}

func noFileOperations(what string) error {
	return fault.New(fault.NotApplied, "the file is open, and the editor does not %s files for others (workspaceEdit.resourceOperations); nothing was changed", what).
		Advise("Ask the person to close the document, or to %s the file.", what)
}

func isGone(g *workspace.Gate, p workspace.Path) bool {
	_, err := g.StatDocument(p)
	return fault.KindOf(err) == fault.NotFound
}

// operate lets the editor do something with the file of a document, and tells
// by done whether it did. Then it waits a moment until the document named by
// shows changes: that it closes, or that there is one.
func (e *editor) operate(ctx context.Context, d *buffers.Document, shows string, op protocol.DocumentChange, done func(*workspace.Gate) bool) error {
	defer e.applyLocks.lock(d.Key())()
	switch now := e.core.Store.Overlay().Get(d.Key()); {
	case now == nil:
		return fault.New(fault.StaleFile, "the document was closed meanwhile; nothing was changed").Advise("Call again.")
	case now.OutOfSync != "":
		return fault.New(fault.BufferUnsure, "the editor's text may differ from the mirrored one (%s)", now.OutOfSync)
	case !now.Text.Equal(d.Text):
		return typedMeanwhile()
	}
	watch, _ := e.core.Store.Watch(shows)
	defer watch.Close()
	var r reply
	params := &protocol.ApplyWorkspaceEditParams{Edit: protocol.WorkspaceEdit{DocumentChanges: []protocol.DocumentChange{op}}}
	r.err = e.caller.Call(ctx, applyTimeout, "workspace/applyEdit", params, &r.ApplyWorkspaceEditResult)
	switch {
	case done(e.core.Gate()):
	case r.undecided():
		return fault.New(fault.OutcomeUnknown, "%s; the file is still there", r.reason()).Advise("Look whether it is, later.")
	case r.said(true):
		return fault.New(fault.NotApplied, "the editor said that it did it, but the disk does not show it; nothing was changed").
			Advise("Ask the person at the editor.")
	default:
		return fault.New(fault.NotApplied, "%s; nothing was changed", r.reason()).Advise("Ask the person at the editor.")
	}
	waiting, cancel := context.WithTimeout(ctx, changeLag)
	defer cancel()
	watch.Next(waiting)
	return nil
}
