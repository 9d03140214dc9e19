package route

import (
	"sync"

	"github.com/agent-lsp/agent-lsp/tools"
)

// told remembers which clients an editor answered last, so that they are told
// when there is none any more, and not anew with each answer. Nothing depends on
// a client having read it: an answer to a change always says it.
type told struct {
	mu       sync.Mutex
	attached map[tools.Client]bool
}

// maxTold is how many clients are remembered.
const maxTold = 1000

// editor notes that an editor answered a client.
func (t *told) editor(c tools.Client) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.attached == nil || len(t.attached) >= maxTold {
		t.attached = make(map[tools.Client]bool)
	}
	t.attached[c] = true
}

// isNews reports whether a client may take it that there is an editor where
// there is none, and notes that it is told.
func (t *told) isNews(c tools.Client) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	news := t.attached[c]
	delete(t.attached, c)
	return news
}
