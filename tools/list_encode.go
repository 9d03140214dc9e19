package tools

import (
	"context"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/catalog"
	"github.com/agent-lsp/agent-lsp/internal/parallel"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/tools/read"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// encodedEntries are entries in both forms that an answer has them in. An
// answer holds thousands, which is why they are encoded by hand, and once.
type encodedEntries struct {
	count int
	json  []byte // each with a comma behind it
	text  []byte // each on a line
}

// add encodes an entry.
func (x *encodedEntries) add(e *listEntry) {
	x.count++
	x.json = append(e.appendJSON(x.json), ',')
	x.text = e.appendLine(x.text)
}

// keptEntries are all entries of a listing, as they are when no document is
// open there.
type keptEntries struct {
	encodedEntries
	ends []keptEnd // of each
}

type keptEnd struct{ json, text int }

// keptListings bounds the listings whose entries are kept encoded: between
// those of which encoding costs little, and those that would take much memory.
const (
	minKept = 512
	maxKept = 2 * maxListedHere
)

// keptPart is how many entries are encoded in a row, of many at a time.
const keptPart = 1024

func keptOf(l *catalog.Listing) *keptEntries {
	return l.Derived(func() any {
		parts := make([]keptEntries, (len(l.Entries)+keptPart-1)/keptPart)
		// It cannot fail, and is not given up half done: others wait for it.
		_ = parallel.ForEach(context.Background(), runtime.GOMAXPROCS(0), len(parts), func(_ context.Context, i int) error {
			parts[i].encode(l.Entries[i*keptPart : min((i+1)*keptPart, len(l.Entries))])
			return nil
		})
		return joinKept(parts)
	}).(*keptEntries)
}

// encode makes k all of the entries.
func (k *keptEntries) encode(entries []catalog.Entry) {
	k.ends = make([]keptEnd, len(entries))
	k.json = make([]byte, 0, 96*len(entries))
	k.text = make([]byte, 0, 48*len(entries))
	var clock stamps
	for i := range entries {
		item := clock.entry(&entries[i])
		k.add(&item)
		k.ends[i] = keptEnd{len(k.json), len(k.text)}
	}
}

// joinKept puts parts one behind the other.
func joinKept(parts []keptEntries) *keptEntries {
	var all keptEntries
	size := keptEnd{}
	for i := range parts {
		all.count += parts[i].count
		size.json, size.text = size.json+len(parts[i].json), size.text+len(parts[i].text)
	}
	all.ends = make([]keptEnd, 0, all.count)
	all.json, all.text = make([]byte, 0, size.json), make([]byte, 0, size.text)
	for i := range parts {
		start := keptEnd{len(all.json), len(all.text)}
		for _, end := range parts[i].ends {
			all.ends = append(all.ends, keptEnd{start.json + end.json, start.text + end.text})
		}
		all.json, all.text = append(all.json, parts[i].json...), append(all.text, parts[i].text...)
	}
	return &all
}

// take adds the entries [from, to) of those that are kept, without a copy when
// they are the first.
func (x *encodedEntries) take(k *keptEntries, from, to int) {
	if from == to {
		return
	}
	var start keptEnd
	if from > 0 {
		start = k.ends[from-1]
	}
	end := k.ends[to-1]
	json, text := k.json[start.json:end.json:end.json], k.text[start.text:end.text:end.text]
	if x.count == 0 {
		x.json, x.text = json, text
	} else {
		x.json, x.text = append(x.json, json...), append(x.text, text...)
	}
	x.count += to - from
}

// show puts entries, and what stands in them, into the answer.
func (l *lister) show(v level, depth int) {
	open := l.openIn(v.dir)
	var kept *keptEntries
	if !l.out.tree && len(v.list) >= minKept && v.listing != nil && len(v.listing.Entries) <= maxKept {
		kept = keptOf(v.listing)
	}
	var clock stamps
	from, to := 0, 0 // of what is kept, not taken yet
	for i := range v.list {
		e := &v.list[i]
		d := open[e.Name]
		if kept != nil && d == nil && e.at >= 0 && e.Type != catalog.Symlink && utf8.ValidString(e.Name) {
			if e.at != to {
				l.out.shown.take(kept, from, to)
				from = e.at
			}
			to = e.at + 1
			continue
		}
		l.out.shown.take(kept, from, to)
		from, to = 0, 0
		l.showOne(&v, e, d, depth, &clock)
		if e.inside != nil {
			l.show(*e.inside, depth+1)
		}
	}
	l.out.shown.take(kept, from, to)
}

func (l *lister) showOne(v *level, e *listed, d *buffers.Document, depth int, clock *stamps) {
	item := clock.entry(e.Entry)
	item.Depth, item.Target, item.Unsaved = depth, l.target(v, e), e.unsaved
	if e.root != nil {
		item.Name = e.root.shown
	}
	if !utf8.ValidString(item.Name) {
		if p, err := l.env.Snapshot.Resolve(v.path(e)); err == nil {
			item.URI = p.URI
		}
	}
	if e.root != nil {
		d = l.env.Snapshot.Overlay.Get(e.root.path)
	}
	if d != nil {
		item.Open, item.Dirty = true, l.env.IsDirty(l.ctx, d)
	}
	l.out.shown.add(&item)
}

// pathSeparator is the system's, as a string.
const pathSeparator = string(filepath.Separator)

// openIn returns the open documents in a folder by their names.
func (l *lister) openIn(dir string) map[string]*buffers.Document {
	if dir == "" {
		return nil
	}
	prefix := strings.TrimSuffix(dir, pathSeparator) + pathSeparator
	var open map[string]*buffers.Document
	for _, d := range toolcall.DocumentsBelow(l.env.Snapshot.Overlay.Documents(), prefix) {
		if name := d.Key()[len(prefix):]; !strings.Contains(name, pathSeparator) {
			if open == nil {
				open = make(map[string]*buffers.Document)
			}
			open[name] = d
		}
	}
	return open
}

// stamps renders times; files of one folder often share theirs.
type stamps struct {
	second   int64
	rendered string
}

func (c *stamps) of(mtime int64) string {
	t := time.Unix(0, mtime)
	if s := t.Unix(); c.rendered == "" || s != c.second {
		c.second, c.rendered = s, t.UTC().Format(time.RFC3339)
	}
	return c.rendered
}

// entry returns what an entry says by itself.
func (c *stamps) entry(e *catalog.Entry) listEntry {
	item := listEntry{Name: e.Name, Type: e.Type, Ignored: e.Ignored}
	if e.Type == catalog.RegularFile {
		item.Size = &e.ID.Size
	}
	if e.ID.Mtime != 0 && e.Type != catalog.Symlink {
		item.Modified = c.of(e.ID.Mtime)
	}
	return item
}

// toolcall.AppendJSON encodes as the tags of the type say.
func (e *listEntry) appendJSON(dst []byte) []byte {
	dst = wire.AppendString(append(dst, `{"name":`...), e.Name)
	dst = append(append(append(dst, `,"type":"`...), e.Type...), '"')
	if e.Depth != 0 {
		dst = strconv.AppendInt(append(dst, `,"depth":`...), int64(e.Depth), 10)
	}
	if e.Size != nil {
		dst = strconv.AppendInt(append(dst, `,"size":`...), *e.Size, 10)
	}
	if e.Modified != "" {
		dst = append(append(append(dst, `,"modified":"`...), e.Modified...), '"')
	}
	if e.Target != "" {
		dst = wire.AppendString(append(dst, `,"target":`...), e.Target)
	}
	if e.URI != "" {
		dst = wire.AppendString(append(dst, `,"uri":`...), e.URI)
	}
	for _, mark := range [...]struct {
		set  bool
		name string
	}{{e.Open, "open"}, {e.Dirty, "dirty"}, {e.Unsaved, "unsaved"}, {e.Ignored, "ignored"}} {
		if mark.set {
			dst = append(append(append(dst, `,"`...), mark.name...), `":true`...)
		}
	}
	return append(dst, '}')
}

// AppendJSON encodes as the tags of the type say.
func (o *listOutput) AppendJSON(dst []byte) ([]byte, error) {
	dst = slices.Grow(dst, len(o.shown.json)+1<<10)
	dst = wire.AppendString(append(dst, `{"path":`...), o.Path)
	if o.URI != "" {
		dst = wire.AppendString(append(dst, `,"uri":`...), o.URI)
	}
	dst = append(append(dst, `,"entries":[`...), o.shown.json[:max(0, len(o.shown.json)-1)]...)
	dst = append(dst, ']')
	at := len(dst)
	dst, err := toolcall.AppendJSON(dst, o.listCounts)
	if err == nil {
		dst[at] = ',' // for the brace
	}
	return dst, err
}

// appendLine renders an entry. Times, which cost more than the rest of the line and
// tell a model little, are in the structured result alone, and so are sizes but
// those of files that one page does not hold.
func (e *listEntry) appendLine(b []byte) []byte {
	for range e.Depth {
		b = append(b, "  "...)
	}
	if e.URI != "" {
		b = append(b, e.URI...)
	} else {
		b = append(b, wording.OneLine(e.Name)...)
	}
	switch e.Type {
	case catalog.Directory:
		b = append(b, '/')
	case catalog.Symlink:
		b = append(append(b, " -> "...), wording.OneLine(e.Target)...)
	case catalog.Other:
		b = append(b, "  (no file)"...)
	}
	if e.Size != nil && *e.Size > read.MaxPageBytes {
		b = appendHumanSize(append(b, "  "...), *e.Size)
	}
	if marks := toolcall.OpenMarks(e.Open, e.Dirty, e.Unsaved); marks != "" {
		b = append(append(b, "  "...), marks...)
	}
	if e.Ignored {
		b = append(b, "  [ignored]"...)
	}
	return append(b, '\n')
}

// appendHumanSize renders a number of bytes with at most three digits.
func appendHumanSize(b []byte, n int64) []byte {
	if n < 1000 {
		return strconv.AppendInt(b, n, 10)
	}
	size, unit := float64(n), 0
	for size >= 999.5 {
		size, unit = size/1024, unit+1
	}
	digits := 0
	if size < 9.95 {
		digits = 1
	}
	return append(strconv.AppendFloat(b, size, 'f', digits, 64), " KMGTPE"[unit])
}
