package toolcall

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// What is watched for each client, and for how many.
const (
	maxNoticed        = 20
	maxNoticedClients = 200
	// diskPause is how long closed files are not looked at again.
	diskPause = time.Second
)

// Noticed knows which files each client read lately, as they were then. It may be
// used from any goroutine; a nil Noticed knows none.
type Noticed struct {
	mu      sync.Mutex
	clients map[Client]*noticedBy
}

// noticedBy are the files of one client, the one read last is the last.
type noticedBy struct {
	files  []*noticedFile
	looked time.Time // at closed files
}

// noticedFile is one, as it was when the client was shown it last.
type noticedFile struct {
	path workspace.Path
	hash text.Hash // that the client knows it by
	at   time.Time
	text text.Text // of a document
	open bool
	id   fsys.ID // of a file that is not open
	// told: the client was told that it changed since.
	told bool
}

// NewNoticed returns what knows no files.
func NewNoticed() *Noticed { return &Noticed{clients: make(map[Client]*noticedBy)} }

// ChangedFile is one that changed since its reader was shown it.
type ChangedFile struct {
	Path workspace.Path
	// Hash is that of the text which the reader was shown.
	Hash text.Hash
	// By is who changed it: "the person", "another program", or an agent's name.
	By string
}

// Changes returns which of the files that the caller has read lately were changed
// since by others. What the call itself read or wrote is as the caller knows it; a
// file that it was told of before, and reads now, means that it looks: then it is
// told no more of the others that it was told of with it.
func (e *Env) Changes() []ChangedFile {
	n := e.Noticed
	if n == nil || e.Client.Name == "" || e.Person {
		return nil
	}
	fresh, now := e.Reads.takeFresh(e.Client), e.Reviews.Now()
	n.mu.Lock()
	defer n.mu.Unlock()
	c := n.clients[e.Client]
	if c == nil {
		if len(fresh) == 0 {
			return nil
		}
		if len(n.clients) >= maxNoticedClients {
			clear(n.clients)
		}
		c = &noticedBy{}
		n.clients[e.Client] = c
	}
	e.renew(c, fresh, now)
	disk := now.Sub(c.looked) >= diskPause
	if disk {
		c.looked = now
	}
	var changed []ChangedFile
	for _, f := range c.files {
		if f.told || e.isChanged(f, disk) {
			f.told = true
			changed = append(changed, ChangedFile{f.path, f.hash, e.changedBy(f)})
		}
	}
	return changed
}

// renew takes files for known as they are now: those that the call was about, and
// where one of them had been told of, all that had.
func (e *Env) renew(c *noticedBy, fresh []freshRead, now time.Time) {
	looked := false
	for _, r := range fresh {
		p, err := e.Snapshot.Resolve(r.key)
		if err != nil {
			continue
		}
		c.files = slices.DeleteFunc(c.files, func(f *noticedFile) bool {
			looked = looked || f.told && f.path.Key() == r.key
			return f.path.Key() == r.key
		})
		f := &noticedFile{path: p, hash: r.hash}
		e.know(f, now)
		c.files = append(c.files, f)
	}
	c.files = c.files[max(0, len(c.files)-maxNoticed):]
	for _, f := range c.files {
		if looked && f.told {
			f.told = false
			e.know(f, now)
		}
	}
}

// know takes a file for known as it is in the call's snapshot.
func (e *Env) know(f *noticedFile, now time.Time) {
	f.at, f.open = now, false
	if d := e.Snapshot.Overlay.Get(f.path.Key()); d != nil {
		f.open, f.text = true, d.Text
		return
	}
	f.text = text.Text{}
	f.id, _ = e.Snapshot.Gate.Stat(f.path) // zero where it is not there
}

// isChanged reports whether a file is another than its reader knows.
func (e *Env) isChanged(f *noticedFile, disk bool) bool {
	d := e.Snapshot.Overlay.Get(f.path.Key())
	switch {
	case d != nil && f.open:
		return !d.Text.Same(f.text) && !d.Text.Equal(f.text)
	case d != nil || f.open: // opened or closed since: that changes nothing by itself
		e.know(f, f.at)
		return false
	case !disk:
		return false
	}
	id, err := e.Snapshot.Gate.Stat(f.path)
	return err == nil && id != f.id
}

// changedBy returns who changed a file since its reader saw it.
func (e *Env) changedBy(f *noticedFile) string {
	for _, entry := range e.History.All() {
		if !entry.Time.After(f.at) || entry.Ran != nil {
			break
		}
		for _, file := range entry.Files {
			if (file.Path == f.path.Key() || file.To == f.path.Key()) && entry.Client != e.Client.Name {
				return entry.Client
			}
		}
	}
	if f.open {
		return "the person"
	}
	return "another program"
}

// DescribeChanges says in a line which files changed since; "" for none.
func DescribeChanges(changed []ChangedFile) string {
	if len(changed) == 0 {
		return ""
	}
	const most = 5
	var names []string
	for _, c := range changed[:min(len(changed), most)] {
		names = append(names, strings.ReplaceAll(c.Path.Rel, "\n", " ")+" by "+c.By)
	}
	if len(changed) > most {
		names = append(names, "more")
	}
	return "changed since you read it: " + strings.Join(names, ", ") + ` (diffs: open_files since "read")`
}

// LastChanges returns the files of which the caller was told last that they changed.
func (e *Env) LastChanges() (changed []ChangedFile) {
	n := e.Noticed
	if n == nil {
		return nil
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	c := n.clients[e.Client]
	if c == nil {
		return nil
	}
	for _, f := range c.files {
		if f.told || e.isChanged(f, true) {
			changed = append(changed, ChangedFile{f.path, f.hash, e.changedBy(f)})
		}
	}
	return changed
}
