package atomicfile

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/testscale"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// What a child process, which is this test binary again, is told.
const (
	killTrialVar  = "AGENT_LSP_TEST_KILL_TRIAL"  // name of the trial; empty in the parent
	killFolderVar = "AGENT_LSP_TEST_KILL_FOLDER" // where to run it
	killCallVar   = "AGENT_LSP_TEST_KILL_CALL"   // number of the call to be killed before; 0: none
)

const trialForever = "forever" // one large text for another, again and again

// TestKilledChild is the child's part of the tests below.
func TestKilledChild(t *testing.T) {
	name := os.Getenv(killTrialVar)
	if name == "" {
		return
	}
	s := newScene(t, os.Getenv(killFolderVar))
	if name == trialForever {
		s.replaceForever()
	}
	at, err := strconv.Atoi(os.Getenv(killCallVar))
	if err != nil {
		t.Fatal(err)
	}
	for _, trial := range writeTrials {
		if trial.name != name {
			continue
		}
		under := trial.under
		if under == nil {
			under = fsys.PlainCall
		}
		n := 0
		d := s.calling(func(what string, do func() error) error {
			if n++; n == at {
				killSelf()
			}
			return under(what, do)
		})
		j := s.journal()
		s.t.Cleanup(j.Close)
		d.notes = j.notes(s.path, ".", s.dir)
		_, err := trial.run(d)
		d.notes.end()
		if (err == nil) != (trial.fails == "") {
			t.Fatal(err)
		}
	}
}

// journal is one beside the scene's folder.
func (s *scene) journal() *Journal {
	s.t.Helper()
	j, err := OpenJournal(s.path + "-journal")
	disktest.Must(s.t, err)
	return j
}

// child is a process that runs TestKilledChild.
func (s *scene) child(trial string, call int) *exec.Cmd {
	s.t.Helper()
	self, err := os.Executable()
	if err != nil {
		s.t.Fatal(err)
	}
	cmd := exec.Command(self, "-test.run=^TestKilledChild$")
	cmd.Env = append(os.Environ(), killTrialVar+"="+trial, killFolderVar+"="+s.path, killCallVar+"="+strconv.Itoa(call))
	return cmd
}

// TestKilledBeforeEachCall kills a process before every system call of every
// kind of write; then Recover removes what it left, or tells of it.
func TestKilledBeforeEachCall(t *testing.T) {
	for _, trial := range writeTrials {
		t.Run(trial.name, func(t *testing.T) {
			for n := 1; ; n += testscale.Of(1, 5) {
				s := newScene(t, t.TempDir())
				if trial.old != "" {
					s.write(sceneFile, trial.old)
				}
				out, err := s.child(trial.name, n).CombinedOutput()
				if err != nil && !wasKilled(err) {
					t.Fatalf("call %d: %v\n%s", n, err, out)
				}
				trial.wantWhole(t, n, s.texts())
				if !strings.HasPrefix(trial.name, "remove") { // which is not written down
					trial.wantSwept(t, n, s)
				}
				if err == nil {
					s.wantNoLeftovers()
					t.Logf("killed before each of %d calls", n-1)
					return
				}
			}
		})
	}
}

// wantWhole: the file is old or new, or it is not and one of ours is the old
// text. A refused text may have the name only while the old one is kept.
func (trial writeTrial) wantWhole(t *testing.T, n int, texts map[string]string) {
	t.Helper()
	now, there := texts[sceneFile]
	delete(texts, sceneFile)
	keptOld := ""
	for name, text := range texts {
		if text == trial.old {
			keptOld = name
		}
	}
	switch {
	case now == trial.old: // "" is no file in trials
	case now == trial.new && trial.fails == "":
	case keptOld == "":
		t.Fatalf("killed before call %d: the file is there: %t, and holds %q; besides: %q", n, there, now, texts)
	case now != trial.new && !strings.HasPrefix(keptOld, workspace.OwnPrefix+"backup-"):
		t.Fatalf("killed before call %d: the file holds %q", n, now)
	}
}

// wantSwept: a recovery leaves nothing but, where the file does not hold it, the
// old text, and tells of that.
func (trial writeTrial) wantSwept(t *testing.T, n int, s *scene) {
	t.Helper()
	before := s.texts()
	var told []string
	for _, r := range s.journal().Recover() {
		if r.Err != nil || len(r.Files) != 1 || r.Files[0] != s.file(sceneFile) {
			t.Fatalf("killed before call %d: recovered %+v", n, r)
		}
		told = append(told, r.Kept...)
	}
	texts := s.texts()
	trial.wantWhole(t, n, s.texts())
	if texts[sceneFile] != before[sceneFile] {
		t.Fatalf("killed before call %d: recovering changed the file to %q", n, texts[sceneFile])
	}
	left := s.leftovers()
	for i, name := range left {
		moved := trial.under != nil || trial.fails == fault.StaleFile // the only ones that may leave the file with another text
		if !moved || texts[name] != trial.old || texts[sceneFile] == trial.old || len(told) <= i || told[i] != s.file(name) {
			t.Fatalf("killed before call %d: left %s with %q, told %q; the file holds %q", n, name, texts[name], told, texts[sceneFile])
		}
	}
	if files, _ := filepath.Glob(s.path + "-journal/*.write"); len(files)+len(told)-len(left) != 0 {
		t.Fatalf("killed before call %d: journals %q; told %q", n, files, told)
	}
}

// TestKilledAtAnyMoment kills a process from outside while it replaces one
// large text by another, so that writing and flushing are hit, too.
func TestKilledAtAnyMoment(t *testing.T) {
	a, b := largeTexts()
	s := newScene(t, t.TempDir())
	for round := range testscale.Of(20, 4) {
		s.write(sceneFile, a)
		cmd := s.child(trialForever, 0)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewReader(out)
		for range 1 + round%5 {
			if _, err := lines.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, lines)
		if err := cmd.Wait(); !wasKilled(err) {
			t.Fatalf("the child ended by itself: %v", err)
		}
		if now := s.read(sceneFile); now != a && now != b {
			t.Fatalf("round %d: the file holds %d bytes that are neither text", round, len(now))
		}
		if all := s.journal().Recover(); len(all) > 1 || len(all) == 1 && (all[0].Err != nil || all[0].Kept != nil) {
			t.Fatalf("round %d: recovered %+v", round, all)
		}
		s.wantNoLeftovers()
	}
}

func largeTexts() (a, b string) {
	return strings.Repeat("one line of text a\n", 100_000), strings.Repeat("a line of text b\n", 110_000)
}

// replaceForever writes a line before each replacement.
func (s *scene) replaceForever() {
	j := s.journal()
	for a, b := largeTexts(); ; a, b = b, a {
		_, _ = io.WriteString(os.Stdout, "next\n")
		if _, err := replaceAt(j.notes(s.path, ".", s.dir), s.dir, sceneFile, hashOf(a), []byte(b)); err != nil {
			s.t.Fatal(err)
		}
	}
}
