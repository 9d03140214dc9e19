package core

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// What is kept of what was pointed at.
const (
	maxPointed  = 10
	pointedTime = 30 * time.Minute
)

// pointings are what was pointed at, the latest first. The zero value has none.
type pointings struct {
	mu   sync.Mutex
	list []toolcall.Pointed
}

// add puts p first, in place of what pointed at the same.
func (l *pointings) add(p toolcall.Pointed) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = slices.DeleteFunc(slices.Clone(l.list), func(old toolcall.Pointed) bool { return old.Mention() == p.Mention() })
	l.list = slices.Insert(l.list, 0, p)
	l.list = l.list[:min(len(l.list), maxPointed)]
}

// since returns what was pointed at after a time.
func (l *pointings) since(t time.Time) []toolcall.Pointed {
	l.mu.Lock()
	defer l.mu.Unlock()
	var fresh []toolcall.Pointed
	for _, p := range l.list {
		if p.Time.After(t) {
			fresh = append(fresh, p)
		}
	}
	return fresh
}

// Point notes what the person points at and returns how it is mentioned to an
// assistant, with what is wrong there.
func (c *Core) Point(p toolcall.Pointed) string {
	p.Time = c.config.Now()
	c.pointed.add(p)
	return strings.Join(append([]string{p.Mention()}, p.Problems...), "\n")
}

// pointedAt returns what the person pointed at lately, the latest first.
func (c *Core) pointedAt() []toolcall.Pointed {
	return c.pointed.since(c.config.Now().Add(-pointedTime))
}
