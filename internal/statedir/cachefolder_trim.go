package statedir

import (
	"io/fs"
	"os"
	"slices"
	"time"
)

// CacheLimits bound what the folders within a [CacheFolder] take.
type CacheLimits struct {
	Age   time.Duration // folders not used for longer are removed
	Bytes int64         // of all files together; the longest unused folders go first
}

// Use notes that the folder is used now, so that [CacheFolder.Trim] keeps it.
func (c *CacheFolder) Use(now time.Time) error {
	f, err := c.root.OpenFile(cacheLock, os.O_RDWR|os.O_CREATE, cacheFiles)
	if err == nil {
		f.Close()
		err = c.root.Chtimes(cacheLock, now, now)
	}
	return cacheFault(err)
}

// Trim removes folders within c until the limits hold, but none that is in
// keep and none whose lock somebody holds. What is not of this program's
// making stays. A process that has files of a removed folder open keeps them.
func (c *CacheFolder) Trim(now time.Time, limits CacheLimits, keep func(name string) bool) error {
	folders, err := c.folders()
	if err != nil {
		return err
	}
	total := int64(0)
	for _, f := range folders {
		total += f.bytes
	}
	slices.SortFunc(folders, func(a, b cachedFolder) int { return a.used.Compare(b.used) })
	for _, f := range folders {
		old := now.Sub(f.used) > limits.Age
		if (old || total > limits.Bytes) && !keep(f.name) && c.removeFolder(f.name) {
			total -= f.bytes
		}
	}
	return nil
}

// cachedFolder is a folder with a lock file, by which it is known to be ours.
type cachedFolder struct {
	name  string
	used  time.Time
	bytes int64
}

func (c *CacheFolder) folders() ([]cachedFolder, error) {
	entries, err := fs.ReadDir(c.root.FS(), ".")
	if err != nil {
		return nil, cacheFault(err)
	}
	var all []cachedFolder
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		lock, err := c.root.Lstat(e.Name() + "/" + cacheLock)
		if err != nil || !lock.Mode().IsRegular() {
			continue
		}
		all = append(all, cachedFolder{e.Name(), lock.ModTime(), c.bytesIn(e.Name())})
	}
	return all, nil
}

func (c *CacheFolder) bytesIn(name string) int64 {
	entries, err := fs.ReadDir(c.root.FS(), name)
	if err != nil {
		return 0
	}
	total := int64(0)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			total += info.Size()
		}
	}
	return total
}

// removeFolder removes the files of a folder, and then the folder itself if
// it is empty. It reports whether it did so.
func (c *CacheFolder) removeFolder(name string) bool {
	root, err := c.root.OpenRoot(name)
	if err != nil {
		return false
	}
	sub := &CacheFolder{root: root, before: c.before}
	defer sub.Close()
	unlock, ok, err := sub.TryLock()
	if !ok || err != nil {
		return false
	}
	defer unlock()
	files, err := sub.List()
	if err != nil {
		return false
	}
	for _, file := range files {
		if sub.Remove(file) != nil {
			return false
		}
	}
	// Someone who opened the lock file before has a lock on nothing from now
	// on; the worst is that two build the same index.
	_ = sub.forget(cacheLock) // if it stays, so does the folder
	return c.root.Remove(name) == nil
}
