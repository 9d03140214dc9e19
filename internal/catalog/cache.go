package catalog

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/statedir"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// What saved lists may take.
const (
	savedListAge   = 30 * 24 * time.Hour
	savedListBytes = 256 << 20 // of all lists
	maxSavedList   = 64 << 20  // of one
	savedListName  = "list"
)

// LoadFrom has the catalog take over, when a workspace folder's files are first
// asked for, what [Catalog.SaveTo] saved of it in cache. What cannot be read is
// as if it was never saved. It is called before all other methods.
func (c *Catalog) LoadFrom(cache *statedir.CacheFolder) { c.cache = cache }

// loadOnce loads what the cache has of a folder, the first time it is asked.
func (c *Catalog) loadOnce(r *workspace.Root) {
	c.mu.Lock()
	tried := c.cache == nil || c.loaded[r.Path]
	c.loaded[r.Path] = true
	c.mu.Unlock()
	if tried {
		return
	}
	if saved, err := savedList(c.cache, r.Path); err == nil {
		c.Load(saved)
	}
}

// SaveTo saves what is known of g's folders, and drops lists that were not
// used for a month.
func (c *Catalog) SaveTo(cache *statedir.CacheFolder, g *workspace.Gate) error {
	used := make(map[string]bool)
	for _, r := range g.Folders() {
		list := c.Save(r.Path)
		if list == nil {
			continue
		}
		used[listFolder(r.Path)] = true
		if err := c.saveList(cache, r.Path, list); err != nil {
			return err
		}
	}
	limits := statedir.CacheLimits{Age: savedListAge, Bytes: savedListBytes}
	return cache.Trim(c.now(), limits, func(name string) bool { return used[name] })
}

func (c *Catalog) saveList(cache *statedir.CacheFolder, root string, list []byte) error {
	f, err := cache.Folder(listFolder(root))
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Use(c.now()); err != nil {
		return err
	}
	return f.Write(savedListName, func(w io.Writer) error {
		_, err := w.Write(list)
		return err
	})
}

func savedList(cache *statedir.CacheFolder, root string) ([]byte, error) {
	f, err := cache.Folder(listFolder(root))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	file, err := f.Open(savedListName)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if file.Size() > maxSavedList {
		return nil, fsys.ErrNotAFile
	}
	b := make([]byte, file.Size())
	_, err = file.ReadAt(b, 0)
	return b, err
}

func listFolder(root string) string {
	sum := sha256.Sum256([]byte(root))
	return "list-" + hex.EncodeToString(sum[:16])
}
