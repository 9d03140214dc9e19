//go:build linux

package soak

import (
	"flag"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/testscale"
)

var (
	length  = flag.Duration("soak", 0, "how long TestSoak runs; a minute by default, a few seconds under -short")
	seed    = flag.Uint64("seed", 1, "what TestSoak's decisions come from")
	record  = flag.String("record", "", "a file for all steps of TestSoak, beside the last hundred that a failure tells")
	program = flag.String("program", "", "the program that TestSoak runs; built by default")
)

// soak is one run.
type soak struct {
	*world
	model      *model
	seats      []*seat
	assistants []*assistant
	samples    []sample
	logf       func(format string, args ...any)
}

// TestSoak has everybody work at once for as long as -soak says.
func TestSoak(t *testing.T) {
	lasts := *length
	if lasts == 0 {
		lasts = time.Duration(testscale.Of(60, 5)) * time.Second
	}
	binary := *program
	if binary == "" {
		binary = build(t)
	}
	// Whoever interrupts a long run wants nothing to be left of it.
	ctx, stop := signal.NotifyContext(t.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	r := newRun(ctx, *seed)
	if *record != "" {
		f, err := os.Create(*record)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		r.record = f
	}
	w, err := newWorld(r, t.TempDir(), binary)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.unmount(); err != nil {
			t.Error(err)
		}
	})
	s := &soak{world: w, model: newModel(), logf: t.Logf}
	t.Logf("seed %d, %v; the state folder is limited by %s", *seed, lasts, w.limited)
	s.play(lasts)
	for _, name := range slices.Sorted(maps.Keys(r.outcomes)) {
		t.Logf("%6d %s", r.outcomes[name], name)
	}
	t.Logf("%d steps", r.count)
	if ctx.Err() != nil {
		t.Fatal("interrupted")
	}
	if r.failure != "" {
		t.Fatalf("the last %d steps:\n%s\n%s\n\nagain: go test ./internal/soak -count=1 -timeout 0 -soak %v -seed %d%s",
			shown, r.story(), r.failure, lasts, *seed, raceFlag)
	}
}

// build builds the program, with the race detector when the test has it.
func build(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "agent-lsp")
	args := []string{"build", "-ldflags", "-s -w", "-o", binary}
	if raceFlag != "" {
		args = append(args, "-race")
	}
	out, err := exec.CommandContext(t.Context(), "go", append(args, "github.com/agent-lsp/agent-lsp/cmd/agent-lsp")...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

// play starts everybody, looks at everything now and then, and ends.
func (s *soak) play(lasts time.Duration) {
	defer s.waiting.Wait()
	defer s.bury()
	if !s.must(s.assemble(lasts)) {
		return
	}
	begun, told := time.Now(), time.Minute
	for time.Since(begun) < lasts && s.sleep(min(lasts/6, 10*time.Second)) {
		s.alone(func() {
			s.checkpoint()
			s.samples = append(s.samples, sample{time.Since(begun), s.measured()})
		})
		if now := time.Since(begun); now >= told {
			s.logf("after %v: %v", told, s.measured())
			told += time.Minute
		}
	}
	failed := s.ctx.Err() != nil
	s.cancel()
	s.actors.Wait()
	if !failed {
		s.finish(lasts)
	}
}

// assemble starts all processes and actors.
func (s *soak) assemble(lasts time.Duration) error {
	for i := range seats {
		seat := newSeat(s.world, i)
		s.seats = append(s.seats, seat)
	}
	d, err := newDisk(s.world, s.seats[0])
	if err != nil {
		return err
	}
	for _, seat := range s.seats {
		if err := seat.come(); err != nil {
			return err
		}
	}
	k := &killer{world: s.world, rnd: s.random("killer"), seat: s.seats[seats-1]}
	if lasts >= longRun {
		if err := s.warm(); err != nil {
			return err
		}
	}
	for i := range assistants {
		a := newAssistant(s.world, i, s.model, s.seats)
		if s.assistants = append(s.assistants, a); a.mortal() {
			k.assistants = append(k.assistants, a)
		}
		s.start(a.pause, a.step)
	}
	for _, seat := range s.seats {
		p := &typist{seat, s.random(seat.name)}
		s.start(p.pause, p.step)
	}
	f := &filler{s.world, s.random("filler")}
	s.start(d.pause, d.step)
	s.start(k.pause, k.step)
	s.start(f.pause, f.step)
	return nil
}

// finish ends everything in an orderly way and looks at what is left.
func (s *soak) finish(lasts time.Duration) {
	for _, seat := range s.seats {
		if !seat.up.Load() && !s.must(seat.come()) {
			return
		}
	}
	s.checkpoint()
	s.steady(lasts)
	for _, seat := range s.seats {
		seat.leave()
	}
	for _, a := range s.assistants {
		if a.mcp != nil && !a.killed.Load() {
			a.mcp.stop(s.run)
			a.mcp = nil
		}
	}
	s.swept()
}

// bury ends whatever still runs.
func (s *soak) bury() {
	for _, seat := range s.seats {
		if seat.process != nil {
			_ = seat.process.cmd.Process.Kill()
			seat.editor.Kill()
		}
	}
	for _, a := range s.assistants {
		if a.mcp != nil {
			_ = a.mcp.cmd.Process.Kill()
			a.mcp.close()
		}
	}
}
