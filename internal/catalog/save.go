package catalog

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"hash/crc32"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/pathmatch"
)

// savedMagic begins what Save returns. Its number is counted up when the form
// or the meaning of anything in it changes.
const savedMagic = "agent-lsp files 2\n"

// Save returns what is known of the workspace folder at path, one of
// workspace.Gate.Folders, for [Catalog.Load] of a later process; nil if nothing is known.
// It waits for a list that is being made.
func (c *Catalog) Save(path string) []byte {
	c.mu.Lock()
	views := slices.Clone(c.views)
	c.mu.Unlock()
	for _, v := range views {
		if b := v.save(path); b != nil {
			return b
		}
	}
	return nil
}

func (v *view) save(path string) []byte {
	<-v.token
	defer func() { v.token <- struct{}{} }()
	for _, t := range v.trees {
		// What the gate adds to the agents' rules is not known to a later one.
		if t.root.Path == path && t.top != nil && v.files != nil && t.above.agents == nil {
			return t.save(v.fingerprint())
		}
	}
	return nil
}

func (t *folderTree) save(fingerprint []byte) []byte {
	e := encoder{append(make([]byte, 0, 1<<16), savedMagic...)}
	e.str(t.dir.Real)
	e.str(string(fingerprint))
	e.sources(t.above.ignore)
	e.node(t.top)
	return binary.LittleEndian.AppendUint32(e.b, savedSum(e.b))
}

// savedSumBytes is the length of the sum that ends what Save returned: it
// tells of damage, and shall not cost a start more than that is worth.
const savedSumBytes = 4

func savedSum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

// fingerprint tells apart what lists depend on besides the disk.
func (v *view) fingerprint() []byte {
	var e encoder
	private, excluded := v.gate.HidingPatterns()
	e.strs(private)
	e.strs(excluded)
	e.strs(pathmatch.DefaultPrivate)
	e.strs(pathmatch.PublicSuffixes)
	e.str(string(v.catalog.excludes))
	for _, t := range v.trees {
		e.str(t.root.Real())
		e.strs(t.root.Above)
		e.str(t.root.At)
	}
	sum := sha256.Sum256(e.b)
	return sum[:]
}

// Load takes over what Save returned, to be compared with the disk when the
// folder's files are first asked for. What is damaged, or from another
// version, is ignored.
func (c *Catalog) Load(saved []byte) {
	body, ok := openSaved(saved)
	if !ok {
		return
	}
	d := decoder{b: body}
	path := d.str()
	if d.bad {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.saved[path] = d.b
}

// openSaved checks the frame of what Save returned and takes it off.
func openSaved(saved []byte) (body []byte, ok bool) {
	if len(saved) < len(savedMagic)+savedSumBytes || !bytes.HasPrefix(saved, []byte(savedMagic)) {
		return nil, false
	}
	body, want := saved[:len(saved)-savedSumBytes], saved[len(saved)-savedSumBytes:]
	if savedSum(body) != binary.LittleEndian.Uint32(want) {
		return nil, false
	}
	return body[len(savedMagic):], true
}

// takeSaved returns the top of the tree as it was saved, all of it to be
// checked; nil if nothing was, or under other rules.
func (c *Catalog) takeSaved(v *view, t *folderTree) *node {
	c.loadOnce(t.root)
	c.mu.Lock()
	saved, ok := c.saved[t.dir.Real]
	delete(c.saved, t.dir.Real)
	c.mu.Unlock()
	d := decoder{b: saved}
	if !ok || d.str() != string(v.fingerprint()) || t.above.agents != nil || !slices.Equal(d.sources(), t.above.ignore.Sources) {
		return nil
	}
	top := d.node(t, nil, 0)
	if d.bad || len(d.b) > 0 {
		return nil
	}
	top.remark()
	return top
}
