package core

import (
	"slices"
	"sync"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// rootGates are gates for the folders of callers that have others than the
// core's own.
type rootGates struct {
	mu    sync.Mutex
	known []rootGate // the one asked last is first
}

type rootGate struct {
	own, gate *workspace.Gate // gate was made when the core's gate was own
	folders   []workspace.Folder
}

// maxRootGates is how many are kept, and maxRootFolders how many folders they
// may have in all, but for those of one; each may be held open.
const (
	maxRootGates   = 8
	maxRootFolders = 64
)

// GateFor returns the way to other folders than the core's own, under the same
// settings; the core's gate where they are the same, or none. It is for those
// whose process this is: who else calls gets [Core.NarrowedGate].
func (c *Core) GateFor(folders []workspace.Folder) *workspace.Gate {
	gate, _ := c.rootGates.get(c.Gate(), folders, func(own *workspace.Gate) (*workspace.Gate, error) {
		gate, _ := workspace.NewGate(own, folders, own.Settings()) // a folder that is not there has no files
		if c.outputs != nil {
			gate = gate.WithOutputs(c.outputs.Folder())
		}
		return gate, nil
	})
	return gate
}

// NarrowedGate returns the way to what folders have in common with the core's
// own; the core's gate where they are the same, or none. Errors are those of
// [workspace.Gate.Narrow].
func (c *Core) NarrowedGate(folders []workspace.Folder) (*workspace.Gate, error) {
	return c.narrowedGates.get(c.Gate(), folders, func(own *workspace.Gate) (*workspace.Gate, error) { return own.Narrow(folders) })
}

// get returns the gate for folders, which is made when none is known.
func (r *rootGates) get(own *workspace.Gate, folders []workspace.Folder, made func(own *workspace.Gate) (*workspace.Gate, error)) (*workspace.Gate, error) {
	if len(folders) == 0 || slices.Equal(folders, own.Folders()) {
		return own, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if i := slices.IndexFunc(r.known, func(g rootGate) bool { return slices.Equal(g.folders, folders) }); i >= 0 {
		g := r.known[i]
		r.known = slices.Delete(r.known, i, i+1)
		if g.own == own && g.gate.Stands() {
			r.known = slices.Insert(r.known, 0, g)
			return g.gate, nil
		}
	}
	gate, err := made(own)
	if err != nil {
		return nil, err
	}
	r.known = slices.Insert(r.known, 0, rootGate{own, gate, slices.Clone(folders)})
	r.trim()
	return gate, nil
}

// trim gives up the gates that were asked least lately.
func (r *rootGates) trim() {
	keep, held := 1, len(r.known[0].folders)
	for keep < min(len(r.known), maxRootGates) && held+len(r.known[keep].folders) <= maxRootFolders {
		held += len(r.known[keep].folders)
		keep++
	}
	clear(r.known[keep:])
	r.known = r.known[:keep]
}

// EnvFor is [Core.Env] on the documents of overlay and the files of gate.
func (c *Core) EnvFor(overlay *buffers.Overlay, gate *workspace.Gate) *toolcall.Env {
	env := c.Env(buffers.NewSnapshot(overlay, gate, c.Disk))
	env.Now = func() *buffers.Snapshot { return buffers.NewSnapshot(c.Store.Overlay(), gate, c.Disk) }
	return env
}
