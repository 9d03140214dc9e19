package text

import (
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/reinterpret"
)

// Change is a part in which two texts differ: Old of the one stands where New
// of the other does.
type Change struct{ Old, New Span }

// ChangesSince returns the parts in which t differs from old, in order: between
// them, before and after them the texts are equal. What t shares with old is
// not read, so between texts that are some edits apart it costs little, however
// many edits and wherever they are. It is not minimal. Spans begin and end at
// characters.
func (t Text) ChangesSince(old Text) []Change {
	if t.root == old.root {
		return nil
	}
	was, now := old.chunks(), t.chunks()
	head, tail := 0, 0
	for head < min(len(was), len(now)) && isSameChunk(was[head], now[head]) {
		head++
	}
	for tail < min(len(was), len(now))-head && isSameChunk(was[len(was)-1-tail], now[len(now)-1-tail]) {
		tail++
	}
	c := comparison{old: old, new: t}
	c.skip(was[:head])
	c.compare(was[head:len(was)-tail], now[head:len(now)-tail])
	return c.changes
}

// chunks returns the chunks of t in order.
func (t Text) chunks() []string {
	if t.root == nil {
		return nil
	}
	var chunks []string
	for w := newWalk(t); !w.done(); w.rest = "" {
		chunks = append(chunks, w.chunk())
	}
	return chunks
}

func isSameChunk(a, b string) bool {
	return len(a) == len(b) && reinterpret.Start(a) == reinterpret.Start(b)
}

// comparison goes through two texts in step.
type comparison struct {
	old, new Text
	at       Change // where the parts that are not yet compared begin and end
	changes  []Change
}

// skip passes chunks that both texts share.
func (c *comparison) skip(shared []string) {
	for _, s := range shared {
		c.at.Old.End += len(s)
		c.at.New.End += len(s)
	}
	c.at.Old.Start, c.at.New.Start = c.at.Old.End, c.at.New.End
}

// compare gathers the changes that lead from the chunks was to the chunks now.
// What both share is in the same order: replacing moves no chunk.
func (c *comparison) compare(was, now []string) {
	places := make(map[*byte]int, len(was))
	for i, s := range was {
		places[reinterpret.Start(s)] = i
	}
	next := 0
	for _, s := range now {
		i, shared := places[reinterpret.Start(s)]
		if !shared || !isSameChunk(was[i], s) {
			c.at.New.End += len(s)
			continue
		}
		for _, gone := range was[next:i] {
			c.at.Old.End += len(gone)
		}
		next = i + 1
		c.close()
		c.skip([]string{s})
	}
	for _, gone := range was[next:] {
		c.at.Old.End += len(gone)
	}
	c.close()
}

// close ends a part that is not shared, and keeps what differs in it.
func (c *comparison) close() {
	change := c.at
	c.at.Old.Start, c.at.New.Start = c.at.Old.End, c.at.New.End
	old := c.old.Append(make([]byte, 0, change.Old.Len()), change.Old)
	now := c.new.Append(make([]byte, 0, change.New.Len()), change.New)
	if slices.Equal(old, now) {
		return
	}
	head, tail := commonEnds(old, now)
	change.Old.Start += head
	change.New.Start += head
	change.Old.End -= tail
	change.New.End -= tail
	c.changes = append(c.changes, change)
}

// commonEnds returns how many bytes a and b have in common at their heads and,
// of the rest, at their tails, in whole characters.
func commonEnds(a, b []byte) (head, tail int) {
	n := min(len(a), len(b))
	for head < n && a[head] == b[head] {
		head++
	}
	for head > 0 && (head < len(a) && isContinuation(a[head]) || head < len(b) && isContinuation(b[head])) {
		head--
	}
	for tail < n-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	for tail > 0 && isContinuation(a[len(a)-tail]) { // b has the same byte there
		tail--
	}
	return head, tail
}
