package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// restartedSave is a save whose open call a signal interrupts: the system
// begins it anew, and it may then find another file under the name than the
// one that it was kept waiting for.
type restartedSave struct {
	s      *scene
	thread chan int
	opened chan *os.File
	file   *os.File
}

func (s *scene) beginRestartable() *restartedSave {
	r := &restartedSave{s: s, thread: make(chan int, 1), opened: make(chan *os.File, 1)}
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		r.thread <- unix.Gettid()
		f, err := os.OpenFile(s.file(sceneFile), os.O_WRONLY|os.O_TRUNC, 0)
		s.must(err)
		r.opened <- f
	}()
	r.waitForFile()
	return r
}

// waitForFile returns when the save has its file, or waits for one.
func (r *restartedSave) waitForFile() {
	for r.file == nil && !r.s.someoneWaits() {
		select {
		case r.file = <-r.opened:
		case <-time.After(100 * time.Microsecond):
		}
	}
}

// restart interrupts the open call if it waits.
func (r *restartedSave) restart() {
	if r.file != nil {
		return
	}
	thread := <-r.thread
	r.thread <- thread
	r.s.must(unix.Tgkill(os.Getpid(), thread, unix.SIGURG))
	time.Sleep(time.Millisecond) // another file may seem to be waited for already
	r.waitForFile()
}

func (r *restartedSave) end() {
	if r.file == nil {
		r.file = <-r.opened
	}
	_, err := io.WriteString(r.file, userText)
	r.s.must(err)
	r.file.Close()
}

// TestSaveRestarted: a save is kept waiting from one call of a replacement on,
// and its open call is begun anew before a later one, or before each from then
// on. The person's text must stand in the file at the end, whether the
// replacement is undone because of a save before or only because of this one;
// the text before must not be lost unless it is the one that was guarded.
func TestSaveRestarted(t *testing.T) {
	const earlier = "package main // saved by the person a moment before\n"
	for _, there := range []string{earlier, oldText} {
		for _, often := range []bool{false, true} {
			runs := 0
			forEachSpan(func(begin, again int) (calls int) {
				s := newScene(t, t.TempDir())
				defer s.dir.Close()
				s.write(sceneFile, there)
				var save *restartedSave
				_, err := s.calling(func(what string, do func() error) error {
					calls++
					if calls == begin {
						save = s.beginRestartable()
					} else if calls == again || often && save != nil && calls > again {
						save.restart()
					}
					return unflushed(what, do)
				}).replace(sceneFile, hashOf(oldText), []byte(newText))
				if save == nil {
					save = s.beginRestartable()
				}
				save.end()
				runs++
				if err := s.judgeRestarted(there, err); err != nil {
					t.Fatalf("save from call %d on, begun anew before call %d, often: %t: %v", begin, again, often, err)
				}
				return calls
			})
			t.Logf("%d runs", runs)
		}
	}
}

func (s *scene) judgeRestarted(there string, err error) error {
	if err != nil {
		wantKind(s.t, typed(err), fault.StaleFile)
	} else if there != oldText {
		return errors.New("no error")
	}
	if got := s.read(sceneFile); got != userText {
		return fmt.Errorf("error: %w; the file holds %q; there are %q", err, got, s.numbered())
	}
	for _, name := range s.leftovers() {
		if got := s.read(name); err == nil || name != fault.From(err).Details["kept"] || got != there {
			return fmt.Errorf("error: %w; left behind: %s with %q", err, name, got)
		}
	}
	return nil
}
