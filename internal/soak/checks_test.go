//go:build linux

package soak

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// checkpoint looks at everything while nobody is in a step.
func (s *soak) checkpoint() {
	came := s.did("checkpoint", "looks at everything")
	for _, seat := range s.seats {
		for _, name := range slices.Concat(seat.docs, seat.external) {
			s.document(seat, name)
		}
		seat.process.complain(s.run)
	}
	for i := range closed {
		s.file(closedFile(i))
	}
	for _, a := range s.assistants {
		a.present()
	}
	s.policy()
	came("ok")
}

// document holds one that a person types in against all its owners.
func (s *soak) document(seat *seat, name string) {
	if !seat.up.Load() {
		return // some of what it has is in the editor, some on disk
	}
	d, open := seat.mirror(name)
	switch {
	case !open:
		s.file(name)
	case !seat.isExternal(name):
		s.owned(seat, name, d.Text)
	}
}

// owned holds a shared text against its owners.
func (s *soak) owned(seat *seat, name, text string) {
	for k := range assistants {
		s.must(s.model.check(name, text, k))
	}
	if seat == nil {
		return
	}
	if typed, err := typedIn(text); err != nil || typed != seat.typed[name] {
		s.fail("typed text is lost in %s: %q instead of %q (%v)", name, typed, seat.typed[name], err)
	}
}

// file holds a shared file that nobody has open against its owners.
func (s *soak) file(name string) {
	text, err := onDisk(s.path(name))
	if s.must(err) {
		seat, _ := s.assistants[0].seatOf(name)
		s.owned(seat, name, text)
	}
}

// policy wants what is guarded to be as it was, and nothing new beside it.
func (s *soak) policy() {
	for path, text := range s.guarded {
		if raw, err := os.ReadFile(path); err != nil || string(raw) != text {
			s.fail("%s was changed: %q (%v)", path, raw, err)
		}
	}
	for dir, want := range map[string]string{
		s.dir: "config home outside.txt run state tmp work", s.path(".git"): "HEAD config", s.path(".vscode"): "settings.json",
	} {
		if got := strings.Join(names(dir), " "); got != want {
			s.fail("%s holds %s instead of %s", dir, got, want)
		}
	}
	if target, err := os.Readlink(s.path("link-out.txt")); err != nil || target != filepath.Join(s.dir, "outside.txt") {
		s.fail("the link is %q (%v)", target, err)
	}
}

func names(dir string) []string {
	entries, _ := os.ReadDir(dir)
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// measured returns what the processes hold that nobody kills.
func (s *soak) measured() map[string]usage {
	out := map[string]usage{s.seats[0].name: s.seats[0].process.usage()}
	for _, a := range s.assistants {
		if !a.mortal() && a.mcp != nil {
			out[a.name] = a.mcp.usage()
		}
	}
	return out
}

// sample is what the measured processes held at a checkpoint.
type sample struct {
	at   time.Duration // since the run began
	held map[string]usage
}

// least is the least that a process held from one time to another: what it
// holds for good, whenever the collector ran last.
func least(samples []sample, name string, from, to time.Duration) usage {
	out := usage{1 << 60, 1 << 30, 1 << 30}
	for _, s := range samples {
		if u, ok := s.held[name]; ok && s.at >= from && s.at <= to {
			out = usage{min(out.rss, u.rss), min(out.threads, u.threads), min(out.descriptors, u.descriptors)}
		}
	}
	return out
}

// limits are what processes may grow by, from early in a run to its end.
type limits struct {
	early, window time.Duration
	memory        float64
	slack         int // bytes
}

// longRun is how long a run lasts whose memory is held to 10 %.
const longRun = 10 * time.Minute

// limitsOf: a run that is long enough is held to 10 %; in a shorter one what has
// a budget (remembered texts, history, outlines) still fills up.
func limitsOf(lasts time.Duration) limits {
	if lasts >= longRun {
		return limits{5 * time.Minute, 2 * time.Minute, 1.1, 0}
	}
	return limits{lasts / 5, lasts / 4, 1.5, 96 << 20}
}

// steady wants processes to hold no more than they did early in the run.
func (s *soak) steady(lasts time.Duration) {
	l, end := limitsOf(lasts), s.samples[len(s.samples)-1].at
	for name := range s.samples[len(s.samples)-1].held {
		was, now := least(s.samples, name, l.early, l.early+l.window), least(s.samples, name, end-l.window, end)
		s.logf("%s: %v; early in the run %v", name, now, was)
		switch {
		case float64(now.rss) > float64(was.rss)*l.memory+float64(l.slack):
			s.fail("%s grows: %v, early in the run %v", name, now, was)
		case now.threads > 2*was.threads+8, now.descriptors > was.descriptors+20:
			s.fail("%s holds on to what it opens: %v, early in the run %v", name, now, was)
		}
	}
}

// leftBeside wants no temporary file to be left in the workspace but what the
// sweep keeps and tells: the text that a killed write found, as its name says,
// where somebody else has changed the file since.
func (s *soak) leftBeside() {
	var left []string
	s.must(filepath.WalkDir(s.root, func(path string, d fs.DirEntry, err error) error {
		if name := d.Name(); err == nil && (strings.HasPrefix(name, ".agent-lsp-") || strings.HasPrefix(name, "moving-")) {
			left = append(left, path)
		}
		return err
	}))
	found := len(left)
	left = slices.DeleteFunc(left, s.holdsWhatItNames)
	s.logf("%d processes were killed, %d texts are kept", s.kills, found-len(left))
	if len(left) > 0 || found > s.kills {
		s.fail("temporary files are left: %s", strings.Join(left, ", "))
	}
}

// holdsWhatItNames reports whether a file that stands in for another holds the
// text whose hash is in its name.
func (s *soak) holdsWhatItNames(path string) bool {
	raw, err := os.ReadFile(path)
	sum := sha256.Sum256(raw)
	return err == nil && strings.Contains(filepath.Base(path), "-swap-"+hex.EncodeToString(sum[:8])+"-")
}

// swept wants nothing to be left behind: no process, no socket, no temporary file.
func (s *soak) swept() {
	var left []string
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		if left = s.processes(); len(left) == 0 || time.Now().After(end) {
			break
		}
	}
	if len(left) > 0 {
		s.fail("processes are left: %s", strings.Join(left, "; "))
	}
	// What killed processes left half done the next start mends.
	doctor, err := s.program("doctor", "doctor", "--root", s.root)
	if s.must(err) {
		doctor.wait(s.run)
		doctor.close()
	}
	s.leftBeside()
	own := "agent-lsp-" + strconv.Itoa(os.Geteuid())
	for _, dir := range []string{
		filepath.Join(s.dir, "run", "agent-lsp"), filepath.Join(s.dir, "tmp"), filepath.Join(s.dir, "tmp", own),
		filepath.Join(s.state, "agent-lsp", "sessions"), filepath.Join(s.state, "agent-lsp", "journal"),
	} {
		for _, name := range names(dir) {
			if name != own && !strings.HasPrefix(name, "key") { // the journal's, for good
				left = append(left, filepath.Join(dir, name))
			}
		}
	}
	if len(left) > 0 {
		s.fail("files are left: %s", strings.Join(left, ", "))
	}
	for _, seat := range s.seats {
		for _, name := range seat.docs {
			s.file(name)
		}
	}
	for i := range closed {
		s.file(closedFile(i))
	}
	s.policy()
}
