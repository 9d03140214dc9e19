package catalog

import (
	"slices"
	"sync"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/gitignore"
)

// maxLists bounds the folders whose listings are kept.
const maxLists = 32

// listCache keeps listings of watched folders until something happens there.
type listCache struct {
	mu      sync.Mutex
	folders map[string]*cachedList // by real path
	clock   uint64
}

// cachedList is a listing, or the request for one: listing is nil then.
type cachedList struct {
	listing *Listing
	id      fsys.ID // of the folder
	from    sources
	used    uint64
}

// sources are what decides which names of a folder are left out or marked.
type sources struct {
	agents  *gitignore.AgentRules // from the gate
	rules   []*gitignore.Rules
	folders []source
}

// source is a folder with its ignore files.
type source struct {
	rel    string // below the root, with slashes
	stamps []stamp
}

// get returns the listing of the folder at path if it holds still; id is the
// folder's state now, agents what the gate adds.
func (c *listCache) get(path string, id fsys.ID, open *fsys.Dir, agents *gitignore.AgentRules) *Listing {
	c.mu.Lock()
	l := c.folders[path]
	if l == nil || l.listing == nil || l.id != id {
		c.mu.Unlock()
		return nil
	}
	c.clock++
	l.used = c.clock
	c.mu.Unlock()
	if !gitignore.SameAgents(l.from.agents, agents) || !l.from.same(open) {
		return nil
	}
	return l.listing
}

// same reports whether all ignore files are as they were, and no further ones
// came.
func (s sources) same(open *fsys.Dir) bool {
	for _, r := range s.rules {
		if r.Changed() {
			return false
		}
	}
	for _, f := range s.folders {
		d, err := open.OpenBelow(f.rel)
		if err != nil {
			return false
		}
		same := slices.Equal(stampsOf(d, ignoreFilesIn(d)), f.stamps)
		d.Close()
		if !same {
			return false
		}
	}
	return true
}

// begin says that the folder at path is about to be listed.
func (c *listCache) begin(path string) *cachedList {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := &cachedList{}
	c.folders[path] = l
	return l
}

// finish keeps a listing unless something happened in the folder since begin.
// It returns the paths of those that are given up for it.
func (c *listCache) finish(path string, wanted *cachedList, id fsys.ID, from sources, listing *Listing) (dropped []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.folders[path] != wanted {
		return nil
	}
	c.clock++
	c.folders[path] = &cachedList{listing, id, from, c.clock}
	for len(c.folders) > maxLists {
		oldest := path
		for p, l := range c.folders {
			if l.used < c.folders[oldest].used {
				oldest = p
			}
		}
		delete(c.folders, oldest)
		dropped = append(dropped, oldest)
	}
	return dropped
}

// drop gives up the listing of a folder in which something happened.
func (c *listCache) drop(path string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.folders, path)
}

// clear gives up all listings.
func (c *listCache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.folders)
}
