package toolcall

import "sync"

// Consents are what persons have agreed to for as long as a process lives. It may
// be used from any goroutine; a nil Consents has none.
type Consents struct {
	mu    sync.Mutex
	given map[consented]bool
}

// consented is a client that may change a file, named by its key, or all by "".
type consented struct {
	client Client
	key    string
}

// NewConsents returns none.
func NewConsents() *Consents { return &Consents{given: make(map[consented]bool)} }

// Has reports whether a client may change a file without asking.
func (c *Consents) Has(client Client, key string) bool {
	if c == nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.given[consented{client, key}] || c.given[consented{client, ""}]
}

// maxConsents is how many files are noted; beyond it a person is asked again.
const maxConsents = 10_000

// Give notes that a client may change a file, or all by "", without asking.
func (c *Consents) Give(client Client, key string) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.given) < maxConsents {
		c.given[consented{client, key}] = true
	}
}
