package catalog

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"syscall"

	"github.com/fsnotify/fsnotify"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/parallel"
)

// watch has the system tell what changes in some folders, and marks it in its
// view. Each folder is watched by one path.
type watch struct {
	view    *view
	watcher *fsnotify.Watcher
	reader  *parallel.Group
	barrier barrier

	mu     sync.Mutex
	byPath map[string]watched
	byDir  map[dirKey]string
	full   bool   // the system allows no more
	why    string // it said
	closed bool
}

// watched is one folder that is watched, and what for.
type watched struct {
	dir   dirKey
	users watchUser
}

// dirKey tells folders apart.
type dirKey struct{ dev, ino uint64 }

// watchUser says what a folder is watched for.
type watchUser uint8

const (
	forTree watchUser = 1 << iota
	forList
)

// newWatch returns nil where nothing can be watched.
func newWatch(v *view) *watch {
	if fsys.CanWatch != "" {
		return nil
	}
	w := &watch{view: v, byPath: make(map[string]watched), byDir: make(map[dirKey]string)}
	w.start()
	return w
}

func (w *watch) start() {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		w.full, w.why = true, "the system allows no more watchers: "+err.Error()
		return
	}
	w.watcher = watcher
	w.openBarrier()
	w.reader = parallel.NewGroup(context.Background(), 1, 0, func(error) { w.view.marks.noteAll() })
	w.reader.Go(func(context.Context) { w.read(watcher) })
}

// openBarrier has the system tell of the barrier's file. Where it does not,
// there is no barrier.
func (w *watch) openBarrier() {
	f := fsys.NewBarrierFile()
	if f == nil {
		return
	}
	if err := w.watcher.Add(f.Path); err != nil {
		f.Close()
		return
	}
	w.barrier.file = f
}

// close ends all watching and returns when nothing of it runs any more.
func (w *watch) close() {
	w.mu.Lock()
	watcher := w.watcher
	w.closed, w.full, w.why = true, true, "the catalog is closed"
	w.watcher = nil
	w.mu.Unlock()
	if watcher == nil {
		return
	}
	_ = watcher.Close() // it has nothing to lose
	w.reader.Wait()
	w.barrier.close()
}

// read marks what the system tells until the watcher is closed.
func (w *watch) read(watcher *fsnotify.Watcher) {
	events, errs := watcher.Events, watcher.Errors
	for events != nil || errs != nil {
		select {
		case e, ok := <-events:
			if !ok {
				events = nil
				continue
			}
			w.note(e)
		case _, ok := <-errs:
			if !ok {
				errs = nil
				continue
			}
			// Above all, that more happened than the system remembers.
			w.view.marks.noteAll()
			w.view.lists.clear()
			w.barrier.lost()
		}
	}
}

func (w *watch) note(e fsnotify.Event) {
	if e.Name == "" || w.barrier.take(e.Name) {
		return
	}
	w.view.marks.note(e.Name, e.Has(fsnotify.Create) || e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename))
	w.view.lists.drop(filepath.Dir(e.Name))
}

// add watches the folder at path, whose state is id, for user. It reports
// false when it cannot.
func (w *watch) add(path string, id fsys.ID, user watchUser) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.watcher == nil || w.full {
		return false
	}
	key := dirKey{id.Dev, id.Ino}
	if elsewhere, ok := w.byDir[key]; ok && elsewhere != path && key != (dirKey{}) {
		if fsys.LeadsTo(elsewhere, id) {
			return false // two paths lead to it, and one only can be told
		}
		w.remove(elsewhere) // it moved
	}
	if err := w.watcher.Add(path); err != nil {
		w.remove(path)
		if isLimit(err) {
			w.full, w.why = true, "the system allows no more watches: "+limitOf(err)
		}
		return false
	}
	old := w.byPath[path]
	if old.dir != key && w.byDir[old.dir] == path {
		delete(w.byDir, old.dir)
	}
	w.byPath[path] = watched{key, old.users | user}
	w.byDir[key] = path
	return true
}

func isLimit(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOMEM)
}

// limitOf names the limit that was reached: inotify's own the system calls a
// full disk.
func limitOf(err error) string {
	if errors.Is(err, syscall.ENOSPC) {
		return "fs.inotify.max_user_watches is reached, which the person can raise"
	}
	return err.Error()
}

// drop says that user needs path no more.
func (w *watch) drop(path string, user watchUser) {
	w.mu.Lock()
	defer w.mu.Unlock()
	entry, ok := w.byPath[path]
	if !ok {
		return
	}
	if entry.users &^= user; entry.users != 0 {
		w.byPath[path] = entry
		return
	}
	w.remove(path)
}

func (w *watch) remove(path string) {
	entry, ok := w.byPath[path]
	if !ok {
		return
	}
	delete(w.byPath, path)
	if w.byDir[entry.dir] == path {
		delete(w.byDir, entry.dir)
	}
	if w.watcher != nil {
		_ = w.watcher.Remove(path) // it may have ended by itself
	}
}

// retryRounds is after how many rounds a limit is tried again.
const retryRounds = 16

// retry tries again, in some rounds, what the system did not allow.
func (w *watch) retry(round int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.full || w.closed || round%retryRounds != 0 {
		return
	}
	w.full, w.why = false, ""
	if w.watcher == nil {
		w.start()
	}
}

// problem says why some folders cannot be watched; "" when all can.
func (w *watch) problem() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.why
}

// count returns how many folders are watched.
func (w *watch) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.byPath)
}
