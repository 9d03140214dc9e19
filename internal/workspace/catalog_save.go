package workspace

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"slices"
)

// savedMagic begins what Save returns. Its number is counted up when the form
// or the meaning of anything in it changes.
const savedMagic = "agent-lsp files 1\n"

// Save returns what is known of the workspace folder at path, one of
// Gate.Roots, for [Catalog.Load] of a later process; nil if nothing is known.
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
	<-v.turn
	defer func() { v.turn <- struct{}{} }()
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
	e.str(t.dir.real)
	e.str(string(fingerprint))
	e.sources(t.above.ignore)
	e.node(t.top)
	sum := sha256.Sum256(e.b)
	return append(e.b, sum[:]...)
}

// fingerprint tells apart what lists depend on besides the disk.
func (v *view) fingerprint() []byte {
	var e encoder
	p := v.gate.settings.Policy
	e.strs(p.Private)
	e.strs(p.Excluded)
	e.strs(defaultPrivate)
	e.strs(publicSuffixes)
	e.str(string(v.catalog.excludes))
	for _, t := range v.trees {
		e.str(realPath(t.root))
		e.str(t.root.folded)
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
	if len(saved) < len(savedMagic)+sha256.Size || !bytes.HasPrefix(saved, []byte(savedMagic)) {
		return nil, false
	}
	body, want := saved[:len(saved)-sha256.Size], saved[len(saved)-sha256.Size:]
	if sum := sha256.Sum256(body); !bytes.Equal(sum[:], want) {
		return nil, false
	}
	return body[len(savedMagic):], true
}

// takeSaved returns the top of the tree as it was saved, all of it to be
// checked; nil if nothing was, or under other rules.
func (c *Catalog) takeSaved(v *view, t *folderTree) *node {
	c.loadOnce(t.root)
	c.mu.Lock()
	saved, ok := c.saved[t.dir.real]
	delete(c.saved, t.dir.real)
	c.mu.Unlock()
	d := decoder{b: saved}
	if !ok || d.str() != string(v.fingerprint()) || t.above.agents != nil || !slices.Equal(d.sources(), t.above.ignore.sources) {
		return nil
	}
	top := d.node(t, nil, 0)
	if d.bad || len(d.b) > 0 {
		return nil
	}
	top.remark()
	return top
}

type encoder struct{ b []byte }

func (e *encoder) num(n uint64) { e.b = binary.AppendUvarint(e.b, n) }

func (e *encoder) str(s string) {
	e.num(uint64(len(s)))
	e.b = append(e.b, s...)
}

func (e *encoder) strs(list []string) {
	e.num(uint64(len(list)))
	for _, s := range list {
		e.str(s)
	}
}

func (e *encoder) id(id ID) {
	e.num(id.Dev)
	e.num(id.Ino)
	e.num(uint64(id.Size))
	e.num(uint64(id.Mtime))
	e.num(uint64(id.Ctime))
}

func (e *encoder) sources(rules *ignoreRules) {
	e.num(uint64(len(rules.sources)))
	for _, s := range rules.sources {
		e.str(s.path)
		e.id(s.id)
	}
}

// node writes n and all below. What is not sure of n is written as not known.
func (e *encoder) node(n *node) {
	id := n.id
	if !n.settled || !n.idle() || n.problem != nil {
		id = ID{}
	}
	e.str(n.name)
	e.id(id)
	rules := &ignoreRules{}
	if n.rules != nil {
		rules = n.rules.ignore
	}
	e.sources(rules)
	e.num(uint64(len(n.stamps)))
	for _, s := range n.stamps {
		e.str(s.name)
		e.id(s.id)
	}
	e.num(uint64(len(n.files)))
	for i := range n.files {
		e.str(n.files[i].name())
		e.id(n.files[i].ID)
	}
	e.strs(n.hidden)
	e.num(uint64(len(n.subs)))
	for _, s := range n.subs {
		e.node(s)
	}
}

// decoder reads what an encoder wrote. After the first thing that cannot be
// it is bad and returns zeros.
type decoder struct {
	b   []byte
	bad bool
}

func (d *decoder) num() uint64 {
	n, size := binary.Uvarint(d.b)
	if size <= 0 {
		d.bad, d.b = true, nil
		return 0
	}
	d.b = d.b[size:]
	return n
}

// count is num for what as many things follow, each of a byte at least.
func (d *decoder) count() int {
	n := d.num()
	if n > uint64(len(d.b)) {
		d.bad, d.b = true, nil
		return 0
	}
	return int(n)
}

func (d *decoder) str() string { return string(d.bytes()) }

func (d *decoder) bytes() []byte {
	n := d.count()
	s := d.b[:n]
	d.b = d.b[n:]
	return s
}

func (d *decoder) id() ID {
	return ID{Dev: d.num(), Ino: d.num(), Size: int64(d.num()), Mtime: int64(d.num()), Ctime: int64(d.num())}
}

func (d *decoder) sources() []ignoreSource {
	var sources []ignoreSource
	for range d.count() {
		sources = append(sources, ignoreSource{path: d.str(), id: d.id()})
	}
	return sources
}

// maxDepth bounds how deep folders lie in each other, as the length of paths
// does.
const maxDepth = maxPathBytes / 2

func (d *decoder) node(t *folderTree, parent *node, depth int) *node {
	n := &node{tree: t, parent: parent, name: d.str(), todo: todoCheck}
	if depth > maxDepth {
		d.bad = true
	}
	if parent != nil {
		n.rel, n.folded = joinSlash(parent.rel, n.name), joinSlash(parent.folded, foldPath(n.name))
	}
	n.id = d.id()
	n.settled = n.id != ID{}
	sources := d.sources()
	for range d.count() {
		n.stamps = append(n.stamps, stamp{name: d.str(), id: d.id()})
	}
	within := joinSlash(n.rel, "")
	files := d.count()
	n.files = make([]FileEntry, 0, files)
	for range files {
		rel := within + string(d.bytes())
		n.files = append(n.files, FileEntry{t.index, rel, d.id()})
	}
	for range d.count() {
		n.hidden = append(n.hidden, d.str())
	}
	for range d.count() {
		if d.bad {
			break
		}
		n.subs = append(n.subs, d.node(t, n, depth+1))
	}
	if len(sources) > 0 {
		if slices.ContainsFunc(sources, func(s ignoreSource) bool { return sourceAt(s.path) != s }) {
			n.forget()
		}
		n.climb() // so that changes from now on are noticed
	}
	return n
}
