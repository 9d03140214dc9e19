package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/testscale"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// How editors save. A save begins when the editor first touches the file and
// ends when its text is complete; what is between may take any time.
type saver struct {
	name  string
	begin func(s *scene, content string) *save
}

var savers = []saver{
	{"rename over", func(s *scene, content string) *save {
		return &save{replace: func() error {
			s.write("editor.tmp", content)
			return os.Rename(s.file("editor.tmp"), s.saved())
		}}
	}},
	{"truncate and write", func(s *scene, content string) *save {
		return s.openToSave(os.O_TRUNC, func(f *os.File) {
			_, err := io.WriteString(f, content)
			s.must(err)
		})
	}},
	{"open, then truncate and write", func(s *scene, content string) *save {
		return s.openToSave(0, func(f *os.File) {
			s.must(f.Truncate(0))
			_, err := io.WriteString(f, content)
			s.must(err)
		})
	}},
}

// must is for what may not fail on any goroutine.
func (s *scene) must(err error) {
	if err != nil {
		panic(err)
	}
}

// save is a save under way.
type save struct {
	file    *os.File      // nil: nothing was opened (yet)
	waiting chan *os.File // the editor's open call is kept waiting, or is made again and again
	finish  func(*os.File)
	replace func() error // instead of opening anything; made again where the file is held
}

func (s *scene) openToSave(flag int, finish func(*os.File)) *save {
	opened := make(chan *os.File, 1)
	var refused atomic.Bool
	open := func() {
		f, err := os.OpenFile(s.saved(), os.O_WRONLY|flag, 0)
		for isHeld(err) || refused.Load() && errors.Is(err, os.ErrNotExist) {
			refused.Store(true)
			time.Sleep(time.Millisecond)
			f, err = os.OpenFile(s.saved(), os.O_WRONLY|os.O_CREATE|flag, 0o644)
		}
		s.must(err)
		opened <- f
	}
	if !s.stepwise {
		open()
		return &save{file: <-opened, finish: finish}
	}
	go open()
	for {
		select {
		case f := <-opened:
			return &save{file: f, finish: finish}
		default:
		}
		if refused.Load() || s.someoneWaits() {
			return &save{waiting: opened, finish: finish}
		}
		runtime.Gosched()
	}
}

// end writes the editor's text. With patience it waits for an open call that
// is still kept waiting; without, it is false then.
func (sv *save) end(patience bool) bool {
	if sv.replace != nil {
		return sv.replaceWith(patience)
	}
	if sv.waiting != nil {
		if !patience {
			return false
		}
		sv.file = <-sv.waiting
	}
	sv.finish(sv.file)
	if sv.file != nil {
		sv.file.Close()
	}
	return true
}

func (sv *save) replaceWith(patience bool) bool {
	err := sv.replace()
	for ; isHeld(err) && patience; err = sv.replace() {
		time.Sleep(time.Millisecond)
	}
	if err != nil && !isHeld(err) {
		panic(err)
	}
	return err == nil
}

// during runs a write while a save begins just before its system call of the
// one number and ends just before that of the other, or after the write. It
// returns the write's number of calls. Flushes are left out: they cost much
// and decide nothing here.
func during(begin, end int, begun func() *save, with fsys.Caller, write func(c fsys.Caller) error) (calls int, err error) {
	var sv *save
	ended := false
	err = write(func(what string, do func() error) error {
		calls++
		if calls == begin {
			sv = begun()
		}
		if calls == end {
			ended = sv.end(false)
		}
		return with(what, func() error { return unflushed(what, do) })
	})
	if sv == nil {
		sv = begun()
	}
	if !ended {
		sv.end(true)
	}
	return calls, err
}

// TestSaveBetweenAnyTwoCalls lets an editor's save begin before any system
// call of a replacement and end before any later one. Whatever becomes of the
// replacement, the person's text must stand in the file at the end.
func TestSaveBetweenAnyTwoCalls(t *testing.T) {
	forEachSaver(t, func(t *testing.T, how saver, begin, end int, with fsys.Caller) (calls int) {
		s := oldScene(t)
		s.stepwise = true
		defer s.dir.Close()
		var w Written
		begun := func() *save { return how.begin(s, userText) }
		calls, err := during(begin, end, begun, with, func(c fsys.Caller) (err error) {
			w, err = s.calling(c).replace(sceneFile, hashOf(oldText), []byte(newText))
			return err
		})
		when := fmt.Sprintf("save from call %d to %d (error: %v)", begin, end, err)
		if err != nil {
			wantKind(t, typed(err), fault.StaleFile)
		}
		if got := s.read(sceneFile); got != userText {
			t.Fatalf("%s: the file holds %q", when, got)
		}
		if own := s.leftovers(); own != nil {
			t.Fatalf("%s: left behind: %q", when, own)
		}
		if err == nil && w.ID == s.present(sceneFile) {
			t.Fatalf("%s: the ID of our text is that of the person's", when)
		}
		return calls
	})
}

// TestSaveWhileExchangedBack is the same while a replacement is undone because of
// an earlier save. The later save must stand in the file; the earlier one may
// have been its base, so it must be there, too, or have been saved over.
func TestSaveWhileExchangedBack(t *testing.T) {
	const earlier = "package main // saved by the person a moment before\n"
	forEachSaver(t, func(t *testing.T, how saver, begin, end int, with fsys.Caller) (calls int) {
		s := newScene(t, t.TempDir())
		s.stepwise = true
		defer s.dir.Close()
		s.write(sceneFile, earlier)
		begun := func() *save { return how.begin(s, userText) }
		calls, err := during(begin, end, begun, with, func(c fsys.Caller) error {
			_, err := s.calling(c).replace(sceneFile, hashOf(oldText), []byte(newText))
			return err
		})
		when := fmt.Sprintf("save from call %d to %d (error: %v)", begin, end, err)
		wantKind(t, typed(err), fault.StaleFile)
		if got := s.read(sceneFile); got != userText {
			t.Fatalf("%s: the file holds %q; there are %q", when, got, s.numbered())
		}
		keptName, _ := fault.From(err).Details["kept"].(string)
		for _, name := range s.leftovers() {
			if got := s.read(name); name != keptName || got != earlier {
				t.Fatalf("%s: left behind: %s with %q", when, name, got)
			}
		}
		return calls
	})
}

// numbered are the texts of all files of the folder, with their inodes.
func (s *scene) numbered() map[string]string {
	found := make(map[string]string)
	for name, text := range s.texts() {
		found[fmt.Sprintf("%s, inode %d", name, s.present(name).Ino)] = text
	}
	return found
}

// forEachSaver calls f for every way to save and all moments that it may take.
func forEachSaver(t *testing.T, f func(t *testing.T, how saver, begin, end int, with fsys.Caller) (calls int)) {
	for _, how := range savers {
		t.Run(how.name, func(t *testing.T) {
			forEachSpan(func(begin, end int) int { return f(t, how, begin, end, fsys.PlainCall) })
		})
		t.Run(how.name+", at once", func(t *testing.T) {
			forEachMoment(func(begin, end int) int { return f(t, how, begin, end, without("lease", syscall.ENOTSUP)) })
		})
	}
}

// forEachSpan calls f with all 1 <= begin <= end up to one more than the
// number of system calls that f saw with them. Where the system cannot keep
// writers waiting a save must not be drawn out: one that begins before the old
// text is unlinked and writes only afterwards is lost there.
func forEachSpan(f func(begin, end int) (calls int)) {
	if runtime.GOOS != "linux" {
		forEachMoment(f)
		return
	}
	stride := testscale.Of(1, 4)
	for begin, calls := 1, 1; begin <= calls+1; begin += stride {
		for end := begin; end <= calls+1; end += stride {
			calls = f(begin, end)
		}
	}
}

func forEachMoment(f func(begin, end int) (calls int)) {
	for n, calls := 1, 1; n <= calls+1; n++ {
		calls = f(n, n)
	}
}

// TestReplaceAtSparesExchange: a save that shows before the exchange does not
// let it happen, so that nobody sees the refused text.
func TestReplaceAtSparesExchange(t *testing.T) {
	s := oldScene(t)
	d := s.calling(before(func(_ int, what string) error {
		switch what {
		case fsys.CallSync:
			s.write(sceneFile, userText)
		case fsys.CallExchange:
			t.Error("the refused text was put in place for a moment")
		}
		return nil
	}))
	_, err := d.replace(sceneFile, hashOf(oldText), []byte(newText))
	wantKind(t, typed(err), fault.StaleFile)
	s.want(sceneFile, userText)
	s.wantNoLeftovers()
}

// TestRemoveDuringSave: a save that begins before the file is moved away and
// ends later must not go with it. One that begins when the name is free makes
// a new file.
func TestRemoveDuringSave(t *testing.T) {
	forEachSpan(func(begin, end int) (calls int) {
		s := oldScene(t)
		s.stepwise = true
		defer s.dir.Close()
		begun := func() *save {
			if _, err := os.Stat(s.file(sceneFile)); err != nil {
				return &save{finish: func(*os.File) { s.write(sceneFile, userText) }}
			}
			return savers[1].begin(s, userText)
		}
		calls, err := during(begin, end, begun, fsys.PlainCall, func(c fsys.Caller) error {
			_, err := s.remove(c, hashOf(oldText))
			return err
		})
		if found := s.texts(); found[sceneFile] != userText {
			t.Fatalf("save from call %d to %d (error: %v): there is %q", begin, end, err, found)
		}
		return calls
	})
}

// TestReplaceAgainstSavingEditor lets an editor save as fast as it can while
// the file is replaced under the hash of what it held at first. The editor
// saves at least once, so its last text must stand at the end of each round,
// but for those [heldUp].
func TestReplaceAgainstSavingEditor(t *testing.T) {
	for _, how := range savers {
		for _, where := range []struct {
			name, path string
			rounds     int
		}{{"in memory", inMemory(t), testscale.Of(4000, 500)}, {"on disk", t.TempDir(), testscale.Of(200, 20)}} {
			t.Run(how.name+" "+where.name, func(t *testing.T) {
				s := newScene(t, where.path)
				outcome := make(map[string]int)
				for round := range where.rounds {
					outcome[s.race(how, round)]++
				}
				t.Logf("%d rounds: %v", where.rounds, outcome)
				if outcome[heldUp] > testscale.Of(where.rounds/100, 5) {
					t.Error("too many saves lost their file within their open call")
				}
			})
		}
	}
}

// inMemory is a folder on a file system that is quicker than a disk, where
// the system has one.
func inMemory(t *testing.T) string {
	if runtime.GOOS == "windows" {
		return t.TempDir()
	}
	path, err := os.MkdirTemp("/dev/shm", "agent-lsp-test-") //nolint:usetesting // not the tests' folder, on purpose
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(path) })
	return path
}

// race is one round; it returns what became of the replacement.
func (s *scene) race(how saver, round int) string {
	s.t.Helper()
	base := fmt.Sprintf("base of round %d\n", round)
	s.write(sceneFile, base)
	var last string
	late := false // the last save
	var editor sync.WaitGroup
	start := make(chan struct{})
	editor.Go(func() {
		<-start
		_ = spin(round % 64 * 500) // so that the first save falls here and there
		for i := range 1 + round%4 {
			last = fmt.Sprintf("save %d of round %d\n", i, round)
			sv := how.begin(s, last)
			late = sv.heldUp(s)
			sv.end(true)
		}
	})
	close(start)
	_, err := s.calling(unflushed).replace(sceneFile, hashOf(base), []byte("assistant's "+base))
	editor.Wait()

	outcome, kept := "replaced", ""
	if err != nil {
		wantKind(s.t, typed(err), fault.StaleFile)
		outcome = "stale"
		kept, _ = fault.From(err).Details["kept"].(string)
	}
	beside := kept != "" && s.read(kept) == last
	if (late || beside) && s.read(sceneFile) != last {
		outcome = heldUp
		if last = s.read(sceneFile); err == nil {
			last = "assistant's " + base
		}
	}
	s.want(sceneFile, last)
	for _, name := range s.leftovers() {
		content := s.read(name)
		if err == nil || kept != name || !strings.HasPrefix(content, "save ") && content != "" {
			s.t.Fatalf("left behind after %v: %s with %q", err, name, content)
		}
		if outcome == "stale" {
			outcome = "stale, older save kept beside"
		}
		if err := os.Remove(s.file(name)); err != nil {
			s.t.Fatal(err)
		}
	}
	return outcome
}

// heldUp is a save that found the file before it was replaced, or before that
// was undone, and has it open only since something else has the name: the
// system stopped it within its open call, where nobody can see it (see
// [dirWriter.steady]). Its text is gone with the text that was replaced, or in
// the file that is kept beside, of which the error tells. A busy machine makes
// some.
const heldUp = "save held up in its open call"

// heldUp tells, of a save that has just begun, whether its file has not the
// name any more. If that is only for a moment, its text is in place at the end.
func (sv *save) heldUp(s *scene) bool {
	if sv.file == nil {
		return false
	}
	its, err := sv.file.Stat()
	s.must(err)
	named, err := os.Stat(s.saved())
	s.must(err)
	return !os.SameFile(its, named)
}

// unflushed makes rounds quick.
func unflushed(what string, do func() error) error {
	if strings.HasPrefix(what, fsys.CallSync) {
		return nil
	}
	return fsys.PlainCall(what, do)
}

// spin passes time without asking the system for anything.
func spin(n int) (sum int) {
	for i := range n {
		sum ^= i
	}
	return sum
}

// TestReplaceSameGuard: of several writers with the same guard one wins.
func TestReplaceSameGuard(t *testing.T) {
	const writers = 4
	s := newScene(t, t.TempDir())
	for round := range testscale.Of(200, 30) {
		base := fmt.Sprintf("base of round %d\n", round)
		s.write(sceneFile, base)
		var all sync.WaitGroup
		var errs [writers]error
		for i := range writers {
			all.Go(func() {
				_, errs[i] = s.calling(unflushed).replace(sceneFile, text.HashBytes([]byte(base)), fmt.Appendf(nil, "writer %d", i))
			})
		}
		all.Wait()
		var won []string
		for i, err := range errs {
			if err == nil {
				won = append(won, fmt.Sprintf("writer %d", i))
			}
		}
		if len(won) != 1 || s.read(sceneFile) != won[0] {
			t.Fatalf("round %d: %q won, the file holds %q; errors: %v", round, won, s.read(sceneFile), errs)
		}
		s.wantNoLeftovers()
	}
}
