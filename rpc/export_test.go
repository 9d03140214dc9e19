package rpc

import (
	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// ChangeApplier returns what a didChange notification does, decoding
// included, without the connection around it.
func ChangeApplier(store *buffers.Store, gate *workspace.Gate) func(params []byte) error {
	return func(params []byte) error {
		change, err := parseChanged(params)
		if err != nil {
			return err
		}
		path, err := gate.FromURI(change.uri)
		if err != nil {
			return err
		}
		return store.Change(path.Key(), change.version, text.UTF16, change.edits())
	}
}
