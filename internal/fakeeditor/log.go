package fakeeditor

import (
	"context"
	"fmt"
	"strings"
	"sync"
)

type direction string

const (
	sent     direction = "-->"
	received direction = "<--"
)

// maxLogged is how many bytes of a message the log keeps.
const maxLogged = 2000

// Entry is one message that went over the connection.
type Entry struct {
	FromServer bool
	Method     string // empty for answers
	Body       string // the JSON, cut at 2,000 bytes
}

// messageLog keeps what was said, and what of it was wrong.
type messageLog struct {
	most int // entries that are kept; 0 is all

	mu         sync.Mutex
	entries    []Entry
	violations []string
	done       map[string]int // handled messages of the server by method
	awaited    map[string]int // those of them that an await has counted
	changed    chan struct{}  // closed and replaced when done changes
}

func newMessageLog(most int) *messageLog {
	return &messageLog{
		most: most, done: make(map[string]int), awaited: make(map[string]int), changed: make(chan struct{}),
	}
}

func (l *messageLog) add(dir direction, method string, body []byte) {
	text := string(body)
	if len(text) > maxLogged {
		text = fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(text[:maxLogged], ""), len(body))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = keepLast(append(l.entries, Entry{FromServer: dir == received, Method: method, Body: text}), l.most)
}

// keepLast returns the last most elements of list, or a few more; all when most
// is 0.
func keepLast[T any](list []T, most int) []T {
	if most == 0 || len(list) < 2*most {
		return list
	}
	return append([]T(nil), list[len(list)-most:]...)
}

// handled counts a message of the server whose answer, if it has one, is on
// its way or held back.
func (l *messageLog) handled(method string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.done[method]++
	close(l.changed)
	l.changed = make(chan struct{})
}

func (l *messageLog) violation(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.violations = append(l.violations, fmt.Sprintf(format, args...))
}

// await waits until a message of this method has been handled that no earlier
// await has counted.
func (l *messageLog) await(ctx context.Context, method string, done <-chan struct{}) error {
	for {
		l.mu.Lock()
		changed := l.changed
		if l.done[method] > l.awaited[method] {
			l.awaited[method]++
			l.mu.Unlock()
			return nil
		}
		l.mu.Unlock()
		select {
		case <-changed:
		case <-done:
			return fmt.Errorf("waiting for %s: %w", method, ErrClosed)
		case <-ctx.Done():
			return fmt.Errorf("the server sent no %s: %w", method, ctx.Err())
		}
	}
}

// Await waits until the server has sent a message (request or notification)
// of this method that no earlier Await has counted: n calls wait for n
// messages. What the editor does about it, unless it is held back, has been
// done and told by then.
func (e *Editor) Await(ctx context.Context, method string) error {
	return e.log.await(ctx, method, e.conn.done)
}

// Received says how many messages of this method the editor has handled.
func (e *Editor) Received(method string) int {
	e.log.mu.Lock()
	defer e.log.mu.Unlock()
	return e.log.done[method]
}

// Log returns every message so far, in the order in which this side queued or
// read them.
func (e *Editor) Log() []Entry {
	e.log.mu.Lock()
	defer e.log.mu.Unlock()
	return append([]Entry(nil), e.log.entries...)
}

// Transcript renders the log for a failure's message.
func (e *Editor) Transcript() string {
	var b strings.Builder
	for _, entry := range e.Log() {
		dir := sent
		if entry.FromServer {
			dir = received
		}
		fmt.Fprintf(&b, "%s %s\n", dir, entry.Body)
	}
	return b.String()
}

// Violations lists what the server sent that the protocol forbids.
func (e *Editor) Violations() []string {
	e.log.mu.Lock()
	defer e.log.mu.Unlock()
	return append([]string(nil), e.log.violations...)
}
