package core

import (
	"context"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/search"
	"github.com/agent-lsp/agent-lsp/internal/statedir"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// caches are the folders for what is found again after a restart; nil where
// nothing can be kept.
type caches struct {
	index, lists *statedir.CacheFolder
}

// openIndex opens the index of the workspace. Where it cannot be saved, it is
// in memory alone.
func (c *Core) openIndex() {
	c.caches = caches{index: c.openCache("index"), lists: c.openCache("lists")}
	c.index = search.NewIndexer(c.caches.index, c.build, c.config.Now)
	c.search = search.New(c.catalog, c.index)
	if c.caches.lists != nil {
		c.catalog.LoadFrom(c.caches.lists)
	}
}

func (c *Core) openCache(name string) *statedir.CacheFolder {
	if !filepath.IsAbs(c.config.CacheHome) {
		return nil
	}
	cache, err := statedir.OpenCacheFolder(filepath.Join(c.config.CacheHome, "agent-lsp", name))
	if err != nil {
		c.config.Log.Warn("nothing can be saved for the next start", "folder", name, "error", err)
		return nil
	}
	return cache
}

// buildGC is how much garbage, in percent of what is in use, may come together
// while the index is built: a build makes much in a moment, on a machine that
// has an editor and language servers to hold.
const buildGC = 40

// build runs the building of the index in the background, and gives the memory
// that it took back to the system.
func (c *Core) build(f func(context.Context)) bool {
	return c.config.Background(func(ctx context.Context) {
		c.started()
		debug.FreeOSMemory()
		defer debug.FreeOSMemory()
		defer debug.SetGCPercent(debug.SetGCPercent(buildGC))
		f(ctx)
	})
}

// started tells whoever made the core that its first work is done.
func (c *Core) started() {
	if c.config.Started != nil {
		c.config.Started()
	}
}

// prepareAfter is how long after the first answer the workspace is prepared:
// the answer shall be on its way by then, with both ends of it undisturbed.
const prepareAfter = 20 * time.Millisecond

// Prepare has the workspace watched and indexed in the background. It is for
// the time when the first call is answered: that one shall not wait for it,
// and a process that no assistant uses never does it. Only the first Prepare
// does anything.
func (c *Core) Prepare() {
	c.prepared.Do(func() {
		c.config.Background(func(ctx context.Context) {
			select {
			case <-time.After(prepareAfter):
			case <-ctx.Done():
				return
			}
			c.started()
			gate := c.Gate()
			files, err := c.catalog.Files(ctx, gate)
			if err == nil {
				files, err = c.catalog.Files(ctx, gate) // the first may not have watched
			}
			if err != nil {
				return
			}
			c.index.View(files)
			c.saveLists(gate)
		})
	})
}

func (c *Core) saveLists(gate *workspace.Gate) {
	if c.caches.lists == nil {
		return
	}
	if err := c.catalog.SaveTo(c.caches.lists, gate); err != nil {
		c.config.Log.Warn("lists of files cannot be saved", "error", err)
	}
}

// closeIndex ends the work on the index and saves what is known.
func (c *Core) closeIndex() {
	c.index.Close()
	c.saveLists(c.Gate())
	c.catalog.Close()
	for _, cache := range []*statedir.CacheFolder{c.caches.index, c.caches.lists} {
		if cache != nil {
			cache.Close()
		}
	}
}

// IndexFigures tell how far the index of the workspace is. Sizes are in bytes.
type IndexFigures struct {
	Building  bool   `json:"building"`
	Files     int    `json:"files"` // that are indexed
	Unindexed int    `json:"loose"` // that are searched without it
	TextBytes int64  `json:"text_bytes"`
	DiskBytes int64  `json:"disk_bytes"`
	Problem   string `json:"problem,omitempty"` // why it cannot be saved
	// Watching reports whether changes are told by the system; where they are not,
	// WhyNot says why, and files' times are compared at every search.
	Watching bool   `json:"watching"`
	WhyNot   string `json:"why_not,omitempty"`
}

// IndexFigures returns how far the index is.
func (c *Core) IndexFigures() IndexFigures {
	x, w := c.index.State(), c.catalog.State()
	i := IndexFigures{
		Building: x.Building, Files: x.Files, Unindexed: x.Unindexed, TextBytes: x.TextBytes, DiskBytes: x.DiskBytes,
		Watching: w.Watching, WhyNot: w.Why,
	}
	if x.Problem != nil {
		i.Problem = fault.From(x.Problem).Error()
	}
	return i
}
