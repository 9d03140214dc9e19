package search

import (
	"context"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/catalog"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/parallel"
	"github.com/agent-lsp/agent-lsp/internal/statedir"
)

const (
	// maxBuilders bounds the work, and the memory, of a build: each builder
	// takes about 10 MB and the postings of what it builds.
	maxBuilders = 4
	// lockPatience is how often a build waits a second for another process to
	// end its own, before it keeps in memory what it makes.
	lockPatience = 60
	// muchBuilt is how much text built makes it worth while to give the memory
	// that it took back to the system at once.
	muchBuilt = 16 << 20
	// maxUnusable bounds how many files are remembered as unusable.
	maxUnusable = 1 << 16
)

// start has the background trim the cache, and build what is wanted if build
// is set, unless it is at work already. done is closed when that ends; it is
// nil when there is no background any more.
func (x *Indexer) start(build bool) (done <-chan struct{}) {
	x.mu.Lock()
	if x.running != nil || x.closed {
		defer x.mu.Unlock()
		return x.running
	}
	running := make(chan struct{})
	x.running = running
	x.mu.Unlock()
	accepted := x.background(func(ctx context.Context) {
		defer x.finish(running)
		x.work(ctx, build)
	})
	if !accepted {
		x.finish(running)
		return nil
	}
	return running
}

// finish must be called even when the work panics: others wait for it.
func (x *Indexer) finish(running chan struct{}) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.running = nil
	close(running)
}

func (x *Indexer) work(ctx context.Context, build bool) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(x.ctx, cancel)()
	files := x.lastFiles()
	if ctx.Err() != nil || files == nil {
		return
	}
	x.trim(files)
	if !build {
		return
	}
	built := int64(0)
	for _, r := range files.Gate().Folders() {
		if root := x.root(r.Path); root != nil && ctx.Err() == nil {
			n, err := x.buildRoot(ctx, root, files)
			if err != nil && ctx.Err() == nil {
				x.fails(err)
			}
			built += n
		}
	}
	if built >= muchBuilt {
		debug.FreeOSMemory()
	}
}

func (x *Indexer) untrimmed() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.cache != nil && !x.trimmed
}

// trim removes, once, what nobody used for long from the cache.
func (x *Indexer) trim(files *catalog.Files) {
	if !x.untrimmed() {
		return
	}
	x.mu.Lock()
	x.trimmed = true
	x.mu.Unlock()
	used := map[string]bool{}
	for _, r := range files.Gate().Folders() {
		used[folderName(r.Path)] = true
	}
	keep := func(name string) bool { return used[name] || !strings.HasPrefix(name, folderPrefix) }
	err := x.cache.Trim(x.now(), statedir.CacheLimits{Age: cacheAge, Bytes: cacheBytes}, keep)
	if err != nil {
		x.fails(err)
	}
}

// buildRoot brings the index of one folder up to date, and returns how many
// bytes of text it meant to index.
func (x *Indexer) buildRoot(ctx context.Context, r *rootIndex, files *catalog.Files) (int64, error) {
	folder, release := x.lock(ctx, r)
	defer release()
	if folder != nil {
		x.reload(r, folder)
	}
	p := x.plan(r, files)
	if err := x.buildShards(ctx, r, files, p.shards, folder); err != nil {
		return p.bytes, err
	}
	x.withdraw(r, p.old)
	if folder != nil {
		x.remove(r, folder, p.old)
	}
	return p.bytes, nil
}

// lock opens the folder of r and takes its lock. Without either the build goes
// on in memory, and folder is nil.
func (x *Indexer) lock(ctx context.Context, r *rootIndex) (folder *statedir.CacheFolder, release func()) {
	if x.cache == nil {
		return nil, func() {}
	}
	folder, err := x.folder(r)
	if err != nil {
		x.fails(err)
		return nil, func() {}
	}
	unlock, err := x.waitForLock(ctx, r, folder)
	x.fails(err)
	if err != nil {
		folder.Close()
		return nil, func() {}
	}
	return folder, func() {
		unlock()
		folder.Close()
	}
}

// waitForLock takes the lock on folder. While another process has it, to
// build, what that has saved meanwhile is taken into use.
func (x *Indexer) waitForLock(ctx context.Context, r *rootIndex, folder *statedir.CacheFolder) (unlock func(), err error) {
	for range x.patience {
		second, cancel := context.WithTimeout(ctx, time.Second)
		unlock, err = folder.Lock(second)
		cancel()
		if err == nil || fault.KindOf(err) != fault.Timeout {
			break
		}
		x.reload(r, folder)
	}
	return unlock, err
}

// buildShards builds a segment for each shard and takes it into use.
func (x *Indexer) buildShards(
	ctx context.Context, r *rootIndex, files *catalog.Files, shards [][]int, folder *statedir.CacheFolder,
) error {
	pool := sync.Pool{New: func() any { return newBuilder(x.now) }}
	return parallel.ForEach(ctx, builders(), len(shards), func(ctx context.Context, i int) error {
		b := pool.Get().(*builder)
		defer pool.Put(b)
		b.reset()
		unusable, err := b.addAll(ctx, files, shards[i])
		if err != nil {
			return err
		}
		x.note(r, files, shards[i], unusable)
		if len(b.files) == 0 {
			return nil
		}
		s, err := x.save(b, folder)
		if err != nil {
			return err
		}
		x.publish(r, s)
		return nil
	})
}

func builders() int { return min(runtime.GOMAXPROCS(0), maxBuilders) }

// addAll adds the files of a list that shard names, and returns those that
// cannot be indexed in the state that the list says.
func (b *builder) addAll(ctx context.Context, files *catalog.Files, shard []int) (bad []int, err error) {
	r := files.NewReader()
	defer r.Close()
	for _, i := range shard {
		if ctx.Err() != nil {
			return nil, fault.From(ctx.Err())
		}
		if b.add(ctx, r, &files.List[i], i) == unusable {
			bad = append(bad, i)
		}
	}
	return bad, nil
}

// note remembers which files of a shard are unusable, and forgets it of the
// others.
func (x *Indexer) note(r *rootIndex, files *catalog.Files, shard, bad []int) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, i := range shard {
		delete(r.unusable, files.List[i].Rel)
	}
	if len(bad) > 0 && (r.unusable == nil || len(r.unusable) > maxUnusable) {
		r.unusable = map[string]fsys.ID{}
	}
	for _, i := range bad {
		r.unusable[files.List[i].Rel] = files.List[i].ID
	}
}

// want is how much there is to index.
type want struct {
	files int
	bytes int64
}

// many reports whether it is worth a segment. Less is read faster than indexed.
func (w want) many() bool { return w.files >= 128 || w.bytes >= 2<<20 }

// wanted returns how much of a list is to be indexed.
func (x *Indexer) wanted(m *mapping) want {
	var w want
	for _, i := range x.usable(m, m.unindexed) {
		w.files++
		w.bytes += m.files.List[i].ID.Size
	}
	return w
}

// usable returns those of the places in m's list that may be indexed.
func (x *Indexer) usable(m *mapping, places []int) []int {
	x.mu.Lock()
	defer x.mu.Unlock()
	roots := m.files.Gate().Folders()
	if n := len(places); !x.anyUnusable() && (n == 0 || m.files.List[places[n-1]].Root < len(roots)) {
		return places
	}
	return slices.DeleteFunc(slices.Clone(places), func(i int) bool {
		e := &m.files.List[i]
		if e.Root >= len(roots) {
			return true // in a folder that may be read, but is none of the workspace's
		}
		r := x.roots[roots[e.Root].Path]
		if r == nil {
			return false
		}
		id, known := r.unusable[e.Rel]
		return known && id == e.ID
	})
}

func (x *Indexer) anyUnusable() bool {
	for _, r := range x.roots {
		if len(r.unusable) > 0 {
			return true
		}
	}
	return false
}
