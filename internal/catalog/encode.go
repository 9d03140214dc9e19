package catalog

import (
	"encoding/binary"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/gitignore"
)

// encoder writes the form in which lists are saved.
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

func (e *encoder) id(id fsys.ID) {
	for _, n := range [...]uint64{id.Dev, id.Ino, uint64(id.Size), uint64(id.Mtime), uint64(id.Ctime)} {
		e.b = binary.LittleEndian.AppendUint64(e.b, n)
	}
}

func (e *encoder) sources(rules *gitignore.Rules) {
	e.num(uint64(len(rules.Sources)))
	for _, s := range rules.Sources {
		e.str(s.Path)
		e.id(s.ID)
	}
}

// node writes n and all below. What is not sure of n is written as not known.
func (e *encoder) node(n *node) {
	id := n.id
	if !n.final || !n.idle() || n.problem != nil {
		id = fsys.ID{}
	}
	e.str(n.name)
	e.id(id)
	rules := &gitignore.Rules{}
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
