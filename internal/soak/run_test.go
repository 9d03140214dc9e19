//go:build linux

package soak

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"time"
)

// patience is how long anything may take before the run counts as hung.
const patience = 3 * time.Minute

// shown is how many steps a failure tells.
const shown = 100

// run is what all actors share: the record of steps, the end, and the gate
// that lets them stand still.
type run struct {
	seed   uint64
	ctx    context.Context // ends with the run
	cancel context.CancelFunc
	actors sync.WaitGroup
	// steps is held for reading by each step, and for writing by whom nobody may
	// disturb.
	steps sync.RWMutex

	mu       sync.Mutex // guards what follows
	record   io.Writer  // gets each step when it is done; nil is none
	count    int
	last     []*step        // the newest at the end
	kills    int            // by SIGKILL
	outcomes map[string]int // by "tool: kind"
	failure  string         // the first
}

// step is something that an actor did, and what came of it.
type step struct {
	number    int
	who, what string
	outcome   string
}

func (s *step) String() string {
	return fmt.Sprintf("%6d %-12s %s → %s", s.number, s.who, s.what, s.outcome)
}

func newRun(ctx context.Context, seed uint64) *run {
	ctx, cancel := context.WithCancel(ctx)
	return &run{seed: seed, ctx: ctx, cancel: cancel, outcomes: make(map[string]int)}
}

// random returns the source of an actor's decisions.
func (r *run) random(who string) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write([]byte(who))
	return rand.New(rand.NewPCG(r.seed, h.Sum64()))
}

// start lets an actor take steps, with pauses between them, until the run ends.
func (r *run) start(pause func() time.Duration, take func()) {
	r.actors.Go(func() {
		for r.sleep(pause()) {
			take()
		}
	})
}

// sleep reports whether the run goes on after d.
func (r *run) sleep(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.ctx.Done():
		return false
	}
}

// among runs a step beside others.
func (r *run) among(do func()) {
	r.steps.RLock()
	defer r.steps.RUnlock()
	if r.ctx.Err() == nil {
		do()
	}
}

// alone runs a step while no other runs that goes by among.
func (r *run) alone(do func()) {
	r.steps.Lock()
	defer r.steps.Unlock()
	if r.ctx.Err() == nil {
		do()
	}
}

// did records a step; its outcome is told by the function that is returned.
func (r *run) did(who, format string, args ...any) (came func(format string, args ...any)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count++
	s := &step{number: r.count, who: who, what: brief(format, args...), outcome: "…"}
	if r.last = append(r.last, s); len(r.last) > 2*shown {
		r.last = append([]*step(nil), r.last[shown:]...)
	}
	return func(format string, args ...any) {
		r.mu.Lock()
		defer r.mu.Unlock()
		s.outcome = brief(format, args...)
		if r.record != nil {
			fmt.Fprintln(r.record, s)
		}
	}
}

// brief is a message in one line of at most 400 bytes.
func brief(format string, args ...any) string {
	return fmt.Sprintf("%.400s", strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", "⏎"))
}

// killed counts a process that was ended by SIGKILL.
func (r *run) killed() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kills++
}

// counted counts what came of a tool's calls.
func (r *run) counted(outcome string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.outcomes[outcome]++
}

// fail ends the run; of several failures the first is told.
func (r *run) fail(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failure == "" {
		r.failure = fmt.Sprintf(format, args...) + fmt.Sprintf(" (after step %d)", r.count)
	}
	r.cancel()
}

func (r *run) must(err error) bool {
	if err != nil {
		r.fail("%v", err)
	}
	return err == nil
}

// story renders the last steps.
func (r *run) story() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var b strings.Builder
	for _, s := range r.last[max(0, len(r.last)-shown):] {
		fmt.Fprintln(&b, s)
	}
	return b.String()
}
