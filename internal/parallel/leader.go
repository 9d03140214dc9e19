package parallel

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/sourcegraph/conc/panics"
)

// leaderPatience is how long work may take before another goroutine goes on with
// the loop of a [LeaderLoop]. It may take twice that long, as the clock falls.
const leaderPatience = 5 * time.Millisecond

// ErrPassed is what a loop returns that another goroutine goes on with.
var ErrPassed = errors.New("the loop goes on elsewhere")

// LeaderLoop runs a loop, such as one that reads requests, on one goroutine at a
// time, which also does the work that it comes upon. Only when a piece of work
// takes long does another goroutine go on with the loop meanwhile. So a request
// that is answered at once costs no change of goroutines; to wake an idle
// processor takes longer than many an answer. This is the pattern
// leader/followers (Schmidt, O'Ryan, Kircher, Pyarali, 2000), with a timer in
// place of the followers.
type LeaderLoop struct {
	group *Group
	loop  func() error
	over  chan error

	// state grows when a piece of work begins, and when it ends or the loop is
	// passed on, whichever is first: it is odd while the loop stands still.
	state   atomic.Uint64
	timer   *time.Timer
	ticking atomic.Bool // the timer is set
	seen    uint64      // the state at the last tick
}

// NewLeaderLoop returns a leader loop whose work is done within the group's limit.
func NewLeaderLoop(g *Group) *LeaderLoop {
	r := &LeaderLoop{group: g, over: make(chan error, 1)}
	r.timer = time.AfterFunc(time.Hour, r.tick)
	r.timer.Stop()
	return r
}

// Run has the loop run, which must return ErrPassed when [LeaderLoop.Do] told it to,
// and returns its error as soon as it ended otherwise; a panic in it is an
// error, too. Work may still run then. Run is called once, and the group's Wait
// after it.
func (r *LeaderLoop) Run(loop func() error) error {
	defer r.timer.Stop()
	r.loop = loop
	// Not on this goroutine, which might then have work to do when the loop ends.
	r.group.workers.Go(r.lead)
	return <-r.over
}

// lead runs the loop on a goroutine of the group's.
func (r *LeaderLoop) lead() {
	var err error
	if p := panics.Try(func() { err = r.loop() }); p != nil {
		err = p.AsError()
	}
	if !errors.Is(err, ErrPassed) {
		r.over <- err
	}
}

// Do is for the loop. It does a piece of work before it returns or, when the
// group's limit is reached, has the group do it; accepted is as of [Group.Go].
// When passed is set the loop goes on elsewhere, and has to return.
func (r *LeaderLoop) Do(f func(ctx context.Context)) (accepted, passed bool) {
	if !r.group.enter() {
		return r.group.Go(f), false
	}
	at := r.state.Add(1)
	if !r.ticking.Load() && !r.ticking.Swap(true) {
		r.timer.Reset(leaderPatience)
	}
	r.group.run(f)
	r.group.leave()
	return true, !r.state.CompareAndSwap(at, at+1)
}

// tick runs every leaderPatience while there is work, and once more. That is
// cheaper than a timer for each piece.
func (r *LeaderLoop) tick() {
	at := r.state.Load()
	switch {
	case at != r.seen:
		r.seen = at
	case at%2 == 1: // for one tick at least
		if r.state.CompareAndSwap(at, at+1) {
			r.group.workers.Go(r.lead)
		}
	default:
		r.ticking.Store(false)
		if r.state.Load() == at || r.ticking.Swap(true) {
			return // the next piece of work sets the timer, or has
		}
	}
	r.timer.Reset(leaderPatience)
}
