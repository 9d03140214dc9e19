package review

import (
	"context"
	"slices"
	"time"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/ledger"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// News is how many hunks of a file are pending now.
type News struct {
	Path  workspace.Path
	Hunks int
}

// newsPause is how long news of one change wait for those of others.
const newsPause = 50 * time.Millisecond

// news notes that the set of the file's hunks may be another.
func (r *Reviews) news(f *file) {
	ids := make([]string, 0, 8)
	if f.track != nil {
		for _, h := range f.track.Hunks() {
			ids = append(ids, h.ID)
		}
		if f.track.Pending() {
			ids = append(ids, string(f.status()), f.track.From)
		}
	}
	if slices.Equal(ids, f.told) {
		return
	}
	f.told = ids
	n := 0
	if f.track != nil {
		n = len(f.track.Hunks())
	}
	r.mu.Lock()
	r.untold[f.path] = n
	r.mu.Unlock()
	select {
	case r.some <- struct{}{}:
	default:
	}
}

// Next waits until hunks of some files came or went, and returns these. ok is
// false when ctx ended.
func (r *Reviews) Next(ctx context.Context) (news []News, ok bool) {
	select {
	case <-r.some:
	case <-ctx.Done():
		return nil, false
	}
	pause := time.NewTimer(newsPause)
	defer pause.Stop()
	select {
	case <-pause.C:
	case <-ctx.Done():
		return nil, false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for p, n := range r.untold {
		news = append(news, News{p, n})
	}
	clear(r.untold)
	return news, true
}

// Follow takes note of what happens to the documents of a feed, until ctx ends. It
// looks at each a moment after it changed.
func (r *Reviews) Follow(ctx context.Context, feed *buffers.Feed) {
	for {
		e, ok := feed.Next(ctx)
		if !ok {
			return
		}
		f := r.followed(e.Document.Key())
		if f == nil {
			continue
		}
		r.seen(ctx, f, e)
		pause := time.NewTimer(followPause)
		select {
		case <-pause.C:
		case <-ctx.Done():
		}
		pause.Stop()
	}
}

// followPause is how long typing is let go on before it is looked at again.
const followPause = 250 * time.Millisecond

// seen takes note of a document as it was told. While an agent changes it that is
// left to who asks next.
func (r *Reviews) seen(ctx context.Context, f *file, e buffers.Event) {
	if !f.tryLock(ctx) {
		return
	}
	defer f.unlock()
	if f.track == nil {
		return
	}
	if e.Closed && f.open && e.Document.Version >= f.version && e.Document.OutOfSync == "" && r.isClosed(f) {
		_ = r.advance(f, e.Document.Text, ledger.Origin{Kind: ledger.Editor, Time: r.clock()})
		f.closed = true
	}
	r.look(ctx, f)
	r.news(f)
}

// isClosed reports whether the file has no document now.
func (r *Reviews) isClosed(f *file) bool {
	s := r.now()
	defer s.Close()
	return s.Overlay.Get(f.path.Key()) == nil
}

// OnDisk takes note that files were changed on disk, by whom.
func (r *Reviews) OnDisk(ctx context.Context, changed []workspace.Path, by ledger.Origin) {
	if r == nil {
		return
	}
	for _, p := range changed {
		f := r.followed(p.Key())
		if f == nil || !f.tryLock(ctx) {
			continue
		}
		if f.track != nil {
			f.by = &by
			r.look(ctx, f)
			f.by = nil
			r.news(f)
		}
		f.unlock()
	}
}

// Made takes note that an agent made a file in a way of its own.
func (r *Reviews) Made(ctx context.Context, p workspace.Path, by ledger.Origin) {
	if r == nil {
		return
	}
	f := r.at(p)
	if !f.tryLock(ctx) {
		return
	}
	defer f.unlock()
	if f.track != nil {
		return
	}
	s := r.now()
	defer s.Close()
	now, err := s.File(ctx, p, "")
	if err != nil || now.Binary || now.Content.Len() > maxFollowed {
		return
	}
	raw := now.Content.Append(make([]byte, 0, now.Content.Len()), text.Span{End: now.Content.Len()})
	if now.Err() != nil {
		return
	}
	c := Change{Action: Created, Path: p, Fresh: text.New(string(raw)), FreshHash: now.Hash, By: by}
	r.begin(f, c)
	r.take(f, c)
	r.mark(f)
	r.news(f)
}
