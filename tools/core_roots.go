package tools

import (
	"slices"
	"sync"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
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

// maxRootGates is how many are kept; each holds its folders open.
const maxRootGates = 8

// GateFor returns the way to other folders than the core's own, under the same
// settings; the core's gate where they are the same, or none.
func (c *Core) GateFor(folders []workspace.Folder) *workspace.Gate {
	own := c.Gate()
	if len(folders) == 0 || slices.Equal(folders, own.Roots()) {
		return own
	}
	r := &c.rootGates
	r.mu.Lock()
	defer r.mu.Unlock()
	if i := slices.IndexFunc(r.known, func(g rootGate) bool { return slices.Equal(g.folders, folders) }); i >= 0 {
		g := r.known[i]
		r.known = slices.Delete(r.known, i, i+1)
		if g.own == own {
			r.known = slices.Insert(r.known, 0, g)
			return g.gate
		}
	}
	gate, _ := workspace.NewGate(own, folders, own.Settings()) // a folder that is not there has no files
	if c.outputs != nil {
		gate = gate.WithOutputs(c.outputs.Folder())
	}
	r.known = slices.Insert(r.known, 0, rootGate{own, gate, slices.Clone(folders)})
	r.known = r.known[:min(len(r.known), maxRootGates)]
	return gate
}

// EnvFor is [Core.Env] on the documents of overlay and the files of gate.
func (c *Core) EnvFor(overlay *buffers.Overlay, gate *workspace.Gate) *Env {
	env := c.Env(buffers.NewSnapshot(overlay, gate, c.Disk))
	env.Now = func() *buffers.Snapshot { return buffers.NewSnapshot(c.Store.Overlay(), gate, c.Disk) }
	return env
}
