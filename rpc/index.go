package rpc

import (
	"context"
	"path/filepath"
	"runtime/debug"
	"time"

	"go.lsp.dev/jsonrpc2"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/search"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/tools"
)

// caches are the folders for what is found again after a restart; nil where
// nothing can be kept.
type caches struct {
	index, lists *workspace.CacheFolder
}

// openIndex opens the index of the workspace. Where it cannot be saved, it is
// in memory alone.
func (s *server) openIndex() {
	s.caches = caches{index: s.openCache("index"), lists: s.openCache("lists")}
	s.index = search.NewIndexer(s.caches.index, s.build, time.Now)
	s.search = search.New(s.catalog, s.index)
	if s.caches.lists != nil {
		s.catalog.LoadFrom(s.caches.lists)
	}
}

// buildGC is how much garbage, in percent of what is in use, may come together
// while the index is built: a build makes much in a moment, on a machine that
// has an editor and language servers to hold.
const buildGC = 40

// build runs the building of the index in the background, and gives the memory
// that it took back to the system.
func (s *server) build(f func(context.Context)) bool {
	return s.background.Go(func(ctx context.Context) {
		debug.FreeOSMemory()
		defer debug.FreeOSMemory()
		defer debug.SetGCPercent(debug.SetGCPercent(buildGC))
		f(ctx)
	})
}

func (s *server) openCache(name string) *workspace.CacheFolder {
	if !filepath.IsAbs(s.config.CacheHome) {
		return nil
	}
	cache, err := workspace.OpenCacheFolder(filepath.Join(s.config.CacheHome, "agent-lsp", name))
	if err != nil {
		s.log.Warn("nothing can be saved for the next start", "folder", name, "error", err)
		return nil
	}
	return cache
}

// prepareAfter is how long after the first answer the workspace is prepared:
// the answer shall be on its way by then, with both ends of it undisturbed.
const prepareAfter = 20 * time.Millisecond

// prepare has the workspace watched and indexed in the background, when the
// first call is answered: that one shall not wait for it. A session that no
// assistant uses never does.
func (s *server) prepare() {
	s.prepared.Do(func() {
		s.background.Go(func(ctx context.Context) {
			select {
			case <-time.After(prepareAfter):
			case <-ctx.Done():
				return
			}
			gate := s.gate.Load()
			files, err := s.catalog.Files(ctx, gate)
			if err == nil {
				files, err = s.catalog.Files(ctx, gate) // the first may not have watched
			}
			if err != nil {
				return
			}
			s.index.View(files)
			s.saveLists(gate)
		})
	})
}

func (s *server) saveLists(gate *workspace.Gate) {
	if s.caches.lists == nil {
		return
	}
	if err := s.catalog.SaveTo(s.caches.lists, gate); err != nil {
		s.log.Warn("lists of files cannot be saved", "error", err)
	}
}

// closeIndex ends the work on the index and saves what is known.
func (s *server) closeIndex() {
	s.index.Close()
	s.saveLists(s.gate.Load())
	s.catalog.Close()
	for _, c := range []*workspace.CacheFolder{s.caches.index, s.caches.lists} {
		if c != nil {
			c.Close()
		}
	}
}

// sessionStats is what agent/stats answers.
type sessionStats struct {
	tools.Figures
	Index *indexStats `json:"index,omitempty"`
}

// indexStats tells how far the index of the workspace is. Sizes are in bytes.
type indexStats struct {
	Building  bool   `json:"building"`
	Files     int    `json:"files"` // that are indexed
	Loose     int    `json:"loose"` // that are searched without it
	TextBytes int64  `json:"text_bytes"`
	DiskBytes int64  `json:"disk_bytes"`
	Problem   string `json:"problem,omitempty"` // why it cannot be saved
	// Watching tells that changes are told by the system; where they are not,
	// WhyNot says why, and files' times are compared at every search.
	Watching bool   `json:"watching"`
	WhyNot   string `json:"why_not,omitempty"`
}

// statsParams are those of agent/stats. Index asks how far the index is, too.
type statsParams struct {
	Index bool `json:"index"`
}

// stats answers agent/stats: the figures of this session.
func (s *server) stats(_ context.Context, in *statsParams) (any, error) {
	answer := sessionStats{Figures: s.usage.Figures()}
	if in.Index {
		answer.Index = s.indexStats()
	}
	raw, err := wire.Marshal(answer) // in one order
	return jsonrpc2.RawMessage(raw), err
}

func (s *server) indexStats() *indexStats {
	x, c := s.index.State(), s.catalog.State()
	i := &indexStats{
		Building: x.Building, Files: x.Files, Loose: x.Loose, TextBytes: x.TextBytes, DiskBytes: x.DiskBytes,
		Watching: c.Watching, WhyNot: c.Why,
	}
	if x.Problem != nil {
		i.Problem = fault.From(x.Problem).Error()
	}
	return i
}
