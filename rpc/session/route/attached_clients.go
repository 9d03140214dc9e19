package route

import (
	"sync"

	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// attachedClients holds the clients that an editor answered last, so that they are
// told when there is none any more, and not anew with each answer. Nothing
// depends on a client having read it: an answer to a change always says it.
type attachedClients struct {
	mu       sync.Mutex
	attached map[toolcall.Client]bool
}

// maxAttachedClients is how many clients are remembered.
const maxAttachedClients = 1000

// add notes that an editor answered a client.
func (t *attachedClients) add(c toolcall.Client) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.attached == nil || len(t.attached) >= maxAttachedClients {
		t.attached = make(map[toolcall.Client]bool)
	}
	t.attached[c] = true
}

// remove removes a client, which is told that there is no editor. It reports
// whether an editor had answered it before.
func (t *attachedClients) remove(c toolcall.Client) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	was := t.attached[c]
	delete(t.attached, c)
	return was
}
