package review

import (
	"strconv"
	"time"
)

// turn is a run of calls of one client without a long pause.
type turn struct {
	number int
	last   time.Time
}

// maxTurns is how many clients are told apart.
const maxTurns = 1000

// Turn notes a call of a client and returns what names its turn: the same until
// it is silent for long.
func (r *Reviews) Turn(client, id string) string {
	if r == nil {
		return client
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	now, key := r.clock(), client+"\x00"+id
	t := r.turns[key]
	if t == nil {
		if len(r.turns) >= maxTurns {
			clear(r.turns)
		}
		t = &turn{}
		r.turns[key] = t
	}
	if t.number == 0 || now.Sub(t.last) > r.pause {
		r.turn++
		t.number = r.turn
	}
	t.last = now
	return client + "#" + strconv.Itoa(t.number)
}
