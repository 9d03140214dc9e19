package search

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/statedir"
)

// rootIndex is the index of one workspace folder. All but load is guarded by
// the indexer's lock.
type rootIndex struct {
	path string
	load func() // reads what was saved, once

	segments []*segment // oldest first; a slice that views share, never changed in place
	// unusable are files that could not be indexed in that state.
	unusable map[string]fsys.ID
	// spoiled are names of saved segments that turned out damaged.
	spoiled []string
}

// segmentSuffix ends the names of saved segments. They begin with the time,
// so that names are in the order of age.
const segmentSuffix = ".grams"

// folder opens the place where r's segments are saved.
func (x *Indexer) folder(r *rootIndex) (*statedir.CacheFolder, error) {
	return x.cache.Folder(folderName(r.path))
}

func folderName(path string) string {
	sum := sha256.Sum256([]byte(path))
	return folderPrefix + hex.EncodeToString(sum[:16])
}

const folderPrefix = "root-"

// loadRoot takes what was saved for r into use.
func (x *Indexer) loadRoot(r *rootIndex) {
	if x.cache == nil {
		return
	}
	folder, err := x.folder(r)
	if err != nil {
		x.fails(err)
		return
	}
	defer folder.Close()
	x.reload(r, folder)
}

// reload takes into use what was saved for r since it was loaded.
func (x *Indexer) reload(r *rootIndex, folder *statedir.CacheFolder) {
	if err := folder.Use(x.now()); err != nil {
		x.fails(err)
	}
	names, err := folder.List()
	if err != nil {
		x.fails(err)
		return
	}
	for _, name := range names {
		if !strings.HasSuffix(name, segmentSuffix) || x.has(r, name) {
			continue
		}
		switch s, err := openSaved(folder, name); {
		case err == nil:
			x.publish(r, s)
		case fault.KindOf(err) != fault.NotFound: // else another process removed it
			x.spoil(r, name)
		}
	}
}

func openSaved(folder *statedir.CacheFolder, name string) (*segment, error) {
	f, err := folder.Open(name)
	if err != nil {
		return nil, err
	}
	s, err := openSegment(name, f, f.Size(), f.Close)
	if err != nil {
		f.Close()
		return nil, err
	}
	return s, nil
}

func (x *Indexer) has(r *rootIndex, name string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.ContainsFunc(r.segments, func(s *segment) bool { return s.name == name }) ||
		slices.Contains(r.spoiled, name)
}

// publish takes a segment into use.
func (x *Indexer) publish(r *rootIndex, s *segment) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closed {
		s.close()
		return
	}
	r.segments = append(slices.Clip(r.segments), s)
	x.view = nil
}

// withdraw takes segments out of use. Their files are closed by the garbage
// collector after the last view that has them.
func (x *Indexer) withdraw(r *rootIndex, old []*segment) {
	x.mu.Lock()
	defer x.mu.Unlock()
	r.segments = slices.DeleteFunc(slices.Clone(r.segments), func(s *segment) bool { return slices.Contains(old, s) })
	x.view = nil
}

// dropLost takes out of use what turned out damaged, and reports whether there
// was something.
func (r *rootIndex) dropLost() bool {
	lost := func(s *segment) bool { return s.lost.Load() }
	if !slices.ContainsFunc(r.segments, lost) {
		return false
	}
	for _, s := range r.segments {
		if lost(s) && s.name != "" {
			r.spoiled = append(r.spoiled, s.name)
		}
	}
	r.segments = slices.DeleteFunc(slices.Clone(r.segments), lost)
	return true
}

func (x *Indexer) spoil(r *rootIndex, name string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	r.spoiled = append(r.spoiled, name)
}

// remove removes saved segments; the lock on folder is held.
func (x *Indexer) remove(r *rootIndex, folder *statedir.CacheFolder, old []*segment) {
	x.mu.Lock()
	names := r.spoiled
	r.spoiled = nil
	x.mu.Unlock()
	for _, s := range old {
		if s.name != "" {
			names = append(names, s.name)
		}
	}
	for _, name := range names {
		if err := folder.Remove(name); err != nil {
			x.fails(err)
		}
	}
}

// save makes the segment that b has collected: a file in folder, or in memory
// when there is no folder or it cannot be written.
func (x *Indexer) save(b *builder, folder *statedir.CacheFolder) (*segment, error) {
	if folder != nil {
		name := fmt.Sprintf("%016x-%s%s", x.now().UnixNano(), rand.Text(), segmentSuffix)
		err := folder.Write(name, b.writeTo)
		if err == nil {
			var s *segment
			if s, err = openSaved(folder, name); err == nil {
				return s, nil
			}
		}
		x.fails(err)
	}
	return b.inMemory()
}
