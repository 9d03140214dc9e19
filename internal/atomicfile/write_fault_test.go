package atomicfile

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/testscale"
)

// writeFault is what goes wrong in one run: the n-th system call, and with
// lasting all that follow.
type writeFault struct {
	errno   syscall.Errno
	n       int
	lasting bool
}

func (f writeFault) String() string {
	s := fmt.Sprintf("call %d fails with %v", f.n, f.errno)
	if f.lasting {
		s += ", and all after it"
	}
	return s
}

// kindsOf are the kinds that a system error may be told as. A file that
// vanishes or is busy is not among the faults.
var kindsOf = map[syscall.Errno]fault.Kind{
	syscall.EIO:    fault.IO,
	syscall.EMFILE: fault.IO,
	syscall.ENOSPC: fault.DiskFull,
	syscall.EDQUOT: fault.DiskFull,
	syscall.EROFS:  fault.ReadOnly,
	syscall.EACCES: fault.PermissionDenied,
	syscall.EPERM:  fault.PermissionDenied,
	syscall.EINVAL: fault.IO,
}

// writeTrial is one kind of write under faults.
type writeTrial struct {
	name  string
	run   func(d dirWriter) ([]string, error)
	under fsys.Caller // what goes wrong already without the fault; nil: nothing
	// old and new are the file's text before and after; "" for no file.
	old, new string
	fails    fault.Kind // also without a fault; then new is not reached
}

var writeTrials = []writeTrial{
	{name: "replace", run: trialReplace, old: oldText, new: newText},
	{name: "replace in place", run: trialReplace, under: without(fsys.CallExchange, syscall.EBUSY), old: oldText, new: newText},
	{name: "replace stale", run: trialReplace, old: userText, new: newText, fails: fault.StaleFile},
	{name: "replace stale in place", run: trialReplace, under: without(fsys.CallExchange, syscall.EBUSY), old: userText, new: newText, fails: fault.StaleFile},
	{name: "create", run: trialCreate, new: newText},
	{name: "create by link", run: trialCreate, under: without("rename new", syscall.EINVAL), new: newText},
	{name: "create on another", run: trialCreate, old: userText, new: newText, fails: fault.AlreadyExists},
}

func trialReplace(d dirWriter) ([]string, error) {
	w, err := d.replace(sceneFile, hashOf(oldText), []byte(newText))
	return w.Notes, typed(err)
}

func trialCreate(d dirWriter) ([]string, error) {
	w, err := d.create(sceneFile, []byte(newText))
	return w.Notes, typed(err)
}

// TestWriteFaults lets every system call of every kind of write fail, once
// and from then on.
func TestWriteFaults(t *testing.T) {
	for _, trial := range writeTrials {
		t.Run(trial.name, func(t *testing.T) {
			for errno := range kindsOf {
				for _, lasting := range []bool{false, true} {
					for n := 1; trial.survives(t, writeFault{errno, n, lasting}); n += testscale.Of(1, 5) {
					}
				}
			}
		})
	}
}

// survives runs the trial under f, and reports whether it got as far as f.
func (trial writeTrial) survives(t *testing.T, f writeFault) (met bool) {
	s := newScene(t, t.TempDir())
	if trial.old != "" {
		s.write(sceneFile, trial.old)
	}
	failed := ""
	under := trial.under
	if under == nil {
		under = fsys.PlainCall
	}
	n := 0
	notes, err := trial.run(s.calling(func(what string, do func() error) error {
		n++
		if n == f.n || n > f.n && f.lasting {
			failed += " " + what
			return f.errno
		}
		if strings.HasPrefix(what, fsys.CallSync) {
			return nil // costs much and shows nothing here
		}
		return under(what, do)
	}))
	if err := trial.judge(s, f, notes, err); err != nil {
		t.Fatalf("%v (%s): %v", f, failed, err)
	}
	s.dir.Close()
	return failed != ""
}

func (trial writeTrial) judge(s *scene, f writeFault, notes []string, err error) error {
	now := s.texts()
	text := now[sceneFile]
	own := s.leftovers()
	if err == nil {
		switch {
		case trial.fails != "":
			return fmt.Errorf("no error, want %s", trial.fails)
		case text != trial.new:
			return fmt.Errorf("no error, but the file holds %q", text)
		case len(own) > 1 || len(own) == 1 && !slices.ContainsFunc(notes, func(n string) bool { return strings.Contains(n, own[0]) }):
			return fmt.Errorf("%q left behind, notes are %q", own, notes)
		}
		return nil
	}
	e := fault.From(err)
	expected := []fault.Kind{kindsOf[f.errno], trial.fails}
	if trial.under != nil {
		expected = append(expected, fault.IO) // told for what went wrong first
	}
	if !slices.Contains(expected, e.Kind) {
		return fmt.Errorf("error is %v, want kind %s", err, kindsOf[f.errno])
	}
	keptName, _ := e.Details["kept"].(string)
	switch {
	case keptName == "" && own != nil:
		return fmt.Errorf("%q left behind, error is %v", own, err)
	case keptName == "" && text != trial.old:
		return fmt.Errorf("file holds %q after %v", text, err)
	case keptName != "" && !slices.Equal(own, []string{keptName}):
		return fmt.Errorf("%q left behind, but the error is %v", own, err)
	case trial.old != "" && text != trial.old && now[keptName] != trial.old:
		return fmt.Errorf("the old text is lost; there is %q after %v", now, err)
	case keptName != "" && !f.lasting && trial.fails == "" && trial.under == nil:
		return fmt.Errorf("one fault was enough to leave %q behind: %v", own, err)
	}
	return nil
}

// texts are all files of the folder.
func (s *scene) texts() map[string]string {
	s.t.Helper()
	texts := make(map[string]string)
	for _, name := range append(s.leftovers(), sceneFile) {
		if _, err := os.Stat(s.file(name)); err == nil {
			texts[name] = s.read(name)
		}
	}
	return texts
}
