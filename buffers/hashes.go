package buffers

import (
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// hashesKept is how many hashes of files one half of a [hashes] holds; an
// entry takes about 130 bytes.
const hashesKept = 32 << 10

// hashes remembers the hashes of files whose other facts nobody asked for.
// When the young half is full it becomes the old one, and what nobody asks
// for until the next time is forgotten.
type hashes struct {
	young, old map[diskKey]knownHash
}

type knownHash struct {
	id   fsys.ID
	hash text.Hash
}

func (h *hashes) get(id fsys.ID) (text.Hash, bool) {
	key := diskKey{dev: id.Dev, ino: id.Ino}
	k, ok := h.young[key]
	if !ok {
		if k, ok = h.old[key]; ok {
			h.put(key, k)
		}
	}
	return k.hash, ok && k.id == id
}

func (h *hashes) put(key diskKey, k knownHash) {
	if len(h.young) >= hashesKept {
		h.old, h.young = h.young, nil
	}
	if h.young == nil {
		h.young = make(map[diskKey]knownHash)
	}
	h.young[key] = k
}

// HashOf returns the hash of the bytes of a file on disk in the state id.
// read returns all of them; it is asked when the hash is not known, and its
// error is returned. It may be called from any goroutine.
func (s *Snapshot) HashOf(id fsys.ID, read func() ([]byte, error)) (text.Hash, error) {
	if h, ok := s.disk.knownHash(id); ok {
		return h, nil
	}
	b, err := read()
	if err != nil {
		return text.Hash{}, err
	}
	h := text.HashBytes(b)
	s.disk.learnHash(id, h)
	return h, nil
}

func (d *Disk) knownHash(id fsys.ID) (text.Hash, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if e, ok := d.kept[diskKey{dev: id.Dev, ino: id.Ino}]; ok {
		if f := e.Value.(*keptFacts).facts; f.id == id {
			return f.hash, true
		}
	}
	return d.hashes.get(id)
}

func (d *Disk) learnHash(id fsys.ID, h text.Hash) {
	if !d.stable(id) {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hashes.put(diskKey{dev: id.Dev, ino: id.Ino}, knownHash{id, h})
}
