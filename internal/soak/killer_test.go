//go:build linux

package soak

import (
	"math/rand/v2"
	"syscall"
	"time"
)

// killer ends processes in the middle of whatever they do, and has them come
// again. One editor and half of the assistants it leaves alone: these are
// measured.
type killer struct {
	*world
	rnd        *rand.Rand
	seat       *seat
	assistants []*assistant
}

func (k *killer) pause() time.Duration {
	return time.Duration(800+k.rnd.IntN(2500)) * time.Millisecond
}

func (k *killer) step() {
	how, away := k.rnd.IntN(8), time.Duration(k.rnd.IntN(1500))*time.Millisecond
	victim := k.assistants[k.rnd.IntN(len(k.assistants))]
	switch how {
	case 0:
		k.seatEnds("SIGKILL of the server", away, func() {
			k.killed()
			k.seat.process.signal(syscall.SIGKILL)
		})
	case 1:
		k.seatEnds("SIGTERM of the server", away, func() { k.seat.process.signal(syscall.SIGTERM) })
	case 2:
		k.seatEnds("the editor crashes", away, k.seat.editor.Kill)
	case 3:
		came := k.did("killer", "%s is closed", k.seat.name)
		k.alone(k.seat.leave)
		came("ended")
		k.comes(away)
	case 4, 5:
		k.kill(victim, syscall.SIGKILL)
	default:
		k.kill(victim, syscall.SIGTERM)
	}
}

func (k *killer) seatEnds(how string, away time.Duration, end func()) {
	came := k.did("killer", "%s: %s", k.seat.name, how)
	k.seat.up.Store(false)
	end()
	k.seat.gone()
	came("ended")
	k.comes(away)
}

// comes has the editor come again, with what it had.
func (k *killer) comes(away time.Duration) {
	k.sleep(away)
	k.alone(func() {
		came := k.did("killer", "%s comes again", k.seat.name)
		k.must(k.seat.come())
		came("ok")
	})
}

func (k *killer) kill(a *assistant, s syscall.Signal) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.mcp == nil {
		return
	}
	came := k.did("killer", "%s: %v", a.name, s)
	if s == syscall.SIGKILL {
		k.killed()
	}
	a.killed.Store(true)
	a.mcp.signal(s)
	came("sent")
}
