//go:build linux

package soak

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// assistant is a host with a model: it reads, searches, and changes what is its
// own through a process of its own.
type assistant struct {
	*world
	number int
	name   string
	rnd    *rand.Rand
	model  *model
	seats  []*seat

	mu  sync.Mutex // guards mcp, which the killer looks at
	mcp *mcp
	// killed tells that the process has been told to end.
	killed atomic.Bool

	tokens  int
	known   map[string]known  // what it last read of a file
	made    map[string]string // files that it made, and their texts
	unclear map[string]bool   // files of which it is not known whether they were made, or deleted
	undo    undo
}

// known is an assistant's memory of a file: the hash and its own regions then.
type known struct {
	hash   string
	values map[string]string
}

// change is a region's change.
type change struct {
	place
	old, now string
}

func newAssistant(w *world, number int, m *model, seats []*seat) *assistant {
	name := fmt.Sprintf("assistant%d", number)
	return &assistant{
		world: w, number: number, name: name, rnd: w.random(name), model: m, seats: seats,
		known: make(map[string]known), made: make(map[string]string), unclear: make(map[string]bool),
	}
}

func (a *assistant) pause() time.Duration {
	return time.Duration(20+a.rnd.IntN(40)) * time.Millisecond
}

// mortal reports whether the killer may end its process; the others are measured.
func (a *assistant) mortal() bool { return a.number >= assistants/2 }

func (a *assistant) step() {
	what, d := a.rnd.IntN(100), a.decide()
	do := a.read
	switch {
	case what < 30:
		do = a.edit
	case what < 42:
		do = a.patch
	case what < 58:
		do = a.search
	case what < 66:
		do = a.make
	case what < 71:
		do = a.revert
	case what < 76:
		do = a.look
	case what < 82:
		do = a.trespass
	case what < 87:
		do = a.contend
	case what < 91:
		a.command(d) // it takes long, and touches nothing
		return
	}
	a.among(func() { do(d) })
}

// decision is all that a step decides by chance.
type decision struct {
	files  []string // different ones
	region string
	choice int // below 1000
	merge  bool
	fresh  bool // reads before it edits
	saving string
	other  int // below 1000
}

// decide takes as many random numbers whatever happens.
func (a *assistant) decide() decision {
	order := a.rnd.Perm(documents + closed)
	d := decision{
		region: region(a.number, a.rnd.IntN(regions)), choice: a.rnd.IntN(1000), merge: a.rnd.IntN(4) > 0,
		fresh: a.rnd.IntN(3) > 0, saving: []string{"auto", "auto", "auto", "never", "always"}[a.rnd.IntN(5)], other: a.rnd.IntN(1000),
	}
	most := 2 + a.rnd.IntN(3)
	for _, i := range order {
		switch {
		case len(d.files) == most:
		case i >= documents:
			d.files = append(d.files, closedFile(i-documents))
		case i%seats == order[0]%seats || d.other < 50: // mostly one editor's
			d.files = append(d.files, document(i))
		}
	}
	return d
}

func (d decision) stale() string {
	if d.merge {
		return "merge"
	}
	return "reject"
}

// running returns the assistant's process, started anew when it has been killed.
func (a *assistant) running() (*mcp, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.mcp != nil {
		return a.mcp, nil
	}
	a.killed.Store(false)
	m, err := a.startMCP(a.name)
	if err != nil {
		return nil, fmt.Errorf("%s does not start: %w\n%s", a.name, err, m.said)
	}
	a.mcp = m
	return m, nil
}

// buried lets go of a process that has ended.
func (a *assistant) buried() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.mcp.wait(a.run)
	a.mcp.close()
	a.mcp = nil
}

// call calls a tool. Its error is errDied when the process was killed; whatever
// else goes wrong with the process fails the run.
func (a *assistant) call(tool string, args map[string]any) (answer, error) {
	m, err := a.running()
	if err != nil {
		a.fail("%v", err)
		return answer{}, errDied
	}
	got, err := m.call(tool, args)
	switch {
	case err == nil && got.kind() == "cancelled" && a.killed.Load():
		return answer{}, errDied // by SIGTERM: the process says so before it ends
	case err == nil:
		a.seen(tool, args, got)
		return got, nil
	case errors.As(err, new(protocolError)):
		a.fail("%s: %s %v: %v", a.name, tool, args, err)
	case !a.killed.Load():
		a.fail("%s: %s %v: %v\n%s", a.name, tool, args, err, m.dump())
	default:
		a.buried()
	}
	a.counted(tool + ": killed")
	return answer{}, errDied
}

// never are kinds of errors that no call here may give.
var never = []string{"internal", "invalid_params", "buffer_unsure", "encoding_lossy"}

// seen looks at what every answer has to keep to.
func (a *assistant) seen(tool string, args map[string]any, got answer) {
	a.counted(tool + ": " + got.kind())
	if slices.Contains(never, got.kind()) {
		a.fail("%s: %s %v: %s", a.name, tool, args, got.text())
	}
	if strings.Contains(got.text(), a.canary) || strings.Contains(string(got.Structured), a.canary) {
		a.fail("%s: %s %v shows what is private: %s", a.name, tool, args, got.text())
	}
}

// token is a new value for a region, which stands nowhere else.
func (a *assistant) token() string {
	a.tokens++
	return fmt.Sprintf("token-%d-%d-end", a.number, a.tokens)
}

// seatOf returns the seat whose person types in a file, and which life of it;
// nil for files that nobody opens.
func (a *assistant) seatOf(file string) (*seat, int) {
	for _, s := range a.seats {
		if slices.Contains(s.docs, file) {
			return s, s.lives
		}
	}
	return nil, 0
}

// isKnown reports whether what assistants know of a file is what they find: it
// is not while its editor is away.
func (a *assistant) isKnown(file string) bool {
	s, _ := a.seatOf(file)
	return s == nil || s.up.Load()
}

// shows returns the text that is the truth of a file: the editor's, where that has
// it open, else the disk's.
func (a *assistant) shows(file string) (text string, buffer bool, err error) {
	if s, _ := a.seatOf(file); s != nil {
		if d, open := s.editor.Document(a.path(file)); open {
			return d.Text, true, nil
		}
	}
	text, err = onDisk(a.path(file))
	return text, false, err
}

// landed wants an assistant's regions to be where they have to be, after a call
// that began while they were.
func (a *assistant) landed(files ...string) {
	for _, file := range files {
		if !a.isKnown(file) {
			continue
		}
		text, _, err := a.shows(file)
		if err == nil {
			err = a.model.check(file, text, a.number)
		}
		if err != nil && a.isKnown(file) && !errors.Is(err, os.ErrNotExist) {
			a.fail("%s: a confirmed edit is lost: %v", a.name, err)
		}
	}
}
