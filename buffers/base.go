package buffers

import (
	"context"
	"sync"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// base is the disk text of an open document as of open, save or reload. What
// it takes to know it (reading and hashing the file) is done once, by the
// first who asks; until then the text that the editor held at that moment
// stands for it at no cost.
type base struct {
	text   text.Text
	id     fsys.ID      // the file at that moment; zero when there was none
	clean  bool         // the editor vouched that text is what the file holds
	likely *text.Format // what the client told, or the base before had

	mu    sync.Mutex
	known *baseFacts
}

// baseFacts is what is known of a base.
type baseFacts struct {
	// format is how the text stands in the file's bytes; nil when unknown.
	format *text.Format
	// hash is that of the file's bytes as of the base; nil when they were
	// never seen or there was no file.
	hash *text.Hash
	// altered: the editor vouched for a text that does not give these bytes.
	altered bool
	// seen is the state of the file in which it was seen to have that hash.
	seen fsys.ID
}

// plain is the format of documents that have no bytes yet.
var plain = text.Format{Encoding: text.EncodingUTF8}

// facts returns what is to be known of b. Problems with reading leave facts
// unknown; only ctx's end is an error, and the next caller tries again.
func (b *base) facts(ctx context.Context, p workspace.Path, g *workspace.Gate, disk *Disk) (baseFacts, error) {
	b.mu.Lock()
	known := b.known
	b.mu.Unlock()
	if known != nil {
		return *known, nil
	}
	f, err := b.read(ctx, p, g, disk)
	if err != nil {
		return baseFacts{}, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.known = &f
	return f, nil
}

func (b *base) read(ctx context.Context, p workspace.Path, g *workspace.Gate, disk *Disk) (baseFacts, error) {
	if b.id == (fsys.ID{}) {
		f := plain
		if b.likely != nil {
			f = *b.likely
		}
		return baseFacts{format: &f}, nil
	}
	now, err := disk.documentFacts(ctx, g, p)
	if ctx.Err() != nil {
		return baseFacts{}, fault.From(ctx.Err())
	}
	if err == nil {
		if f, ok := b.reencodes(now); ok {
			return baseFacts{format: &f, hash: &now.hash, seen: now.id}, nil
		}
	}
	known := baseFacts{format: b.likely}
	switch {
	case err == nil && now.id == b.id:
		known.hash, known.seen, known.altered = &now.hash, now.id, b.clean
	case b.clean && b.likely != nil:
		if h, err := b.likely.Hash(b.text); err == nil {
			known.hash = &h
		}
	}
	return known, nil
}

// reencodes returns the format under which b's text gives the bytes that the
// file has now: first the likely one, then what was detected, then those that
// editors open files with.
func (b *base) reencodes(file *facts) (text.Format, bool) {
	tries := make([]text.Format, 0, len(editorFormats)+2)
	if b.likely != nil {
		tries = append(tries, *b.likely)
	}
	tries = append(append(tries, file.format), editorFormats[:]...)
	for _, f := range tries {
		if h, err := f.Hash(b.text); err == nil && h == file.hash {
			return f, true
		}
	}
	return text.Format{}, false
}

var editorFormats = [...]text.Format{
	{Encoding: text.EncodingUTF8},
	{Encoding: text.EncodingUTF8, BOM: true},
	{Encoding: text.EncodingUTF16LE, BOM: true},
	{Encoding: text.EncodingUTF16BE, BOM: true},
	{Encoding: text.EncodingLatin1},
	{Encoding: text.EncodingWindows1252},
}
