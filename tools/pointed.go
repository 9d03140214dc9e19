package tools

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// Pointed is what the person pointed at for the assistant: a file, or lines of it.
type Pointed struct {
	Path workspace.Path
	// Start and End are its lines, from 1, both included; 0 for the whole file.
	Start, End int
	// Problems are what the editor says is wrong there, a line each.
	Problems []string
	Time     time.Time
}

// What is kept of what was pointed at.
const (
	maxPointed  = 10
	pointedTime = 30 * time.Minute
)

// Mention returns how hosts write what was pointed at.
func (p Pointed) Mention() string {
	switch {
	case p.Start == 0:
		return "@" + p.Path.Rel
	case p.Start == p.End:
		return fmt.Sprintf("@%s#L%d", p.Path.Rel, p.Start)
	}
	return fmt.Sprintf("@%s#L%d-L%d", p.Path.Rel, p.Start, p.End)
}

// pointings are what was pointed at, the latest first. The zero value has none.
type pointings struct {
	mu   sync.Mutex
	list []Pointed
}

// add puts p first, in place of what pointed at the same.
func (l *pointings) add(p Pointed) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = slices.DeleteFunc(slices.Clone(l.list), func(old Pointed) bool { return old.Mention() == p.Mention() })
	l.list = slices.Insert(l.list, 0, p)
	l.list = l.list[:min(len(l.list), maxPointed)]
}

// since returns what was pointed at after a time.
func (l *pointings) since(t time.Time) []Pointed {
	l.mu.Lock()
	defer l.mu.Unlock()
	var fresh []Pointed
	for _, p := range l.list {
		if p.Time.After(t) {
			fresh = append(fresh, p)
		}
	}
	return fresh
}

// Point notes what the person points at and returns how it is mentioned to an
// assistant, with what is wrong there.
func (c *Core) Point(p Pointed) string {
	p.Time = c.config.Now()
	c.pointed.add(p)
	return strings.Join(append([]string{p.Mention()}, p.Problems...), "\n")
}

// Pointed returns what the person pointed at lately, the latest first.
func (c *Core) pointedAt() []Pointed { return c.pointed.since(c.config.Now().Add(-pointedTime)) }
