package usage

import (
	"hash/maphash"
	"sync"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// Usage counts what the tools were used for, and what that cost and saved. It
// holds figures alone, no paths and no texts. It may be used from any
// goroutine; a nil one counts nothing.
type Usage struct {
	mu      sync.Mutex
	figures Figures
	seed    maphash.Seed
	reads   map[uint64]bool // hashes of ranges that were served
	oldest  []uint64        // of reads, in order of arrival, a ring
	next    int             // of oldest, to be replaced
}

// Figures are the counters, since the start or summed over sessions.
type Figures struct {
	// Sessions are the processes that served calls, Commands those of the
	// command line that worked without one.
	Sessions int64 `json:"sessions"`
	Commands int64 `json:"commands,omitzero"`
	// Calls counts calls by tool, Failed the failed ones by kind of error.
	Calls  map[string]int64 `json:"calls"`
	Failed map[string]int64 `json:"failed"`
	// BytesServed is the text that was answered, as rendered.
	BytesServed int64 `json:"bytes_served"`
	// BytesOfWholeFiles is what the same reads would have cost, had each read
	// its whole file.
	BytesOfWholeFiles int64 `json:"bytes_of_whole_files"`
	// RepeatedReads counts reads of a range that the same client had been
	// served before, of the same text.
	RepeatedReads int64 `json:"repeated_reads"`
	// NotModified counts reads that if_hash saved.
	NotModified int64 `json:"not_modified"`
	// StaleEdits counts edits that were refused because the text had changed;
	// Merged those that were merged with what had.
	StaleEdits int64 `json:"stale_edits"`
	Merged     int64 `json:"merged"`
}

// maxReadsSeen bounds how many ranges are remembered.
const maxReadsSeen = 8192

// New returns the counters of one session.
func New() *Usage {
	return &Usage{
		figures: Figures{Sessions: 1, Calls: map[string]int64{}, Failed: map[string]int64{}},
		seed:    maphash.MakeSeed(), reads: make(map[uint64]bool),
	}
}

// NewForCommand returns the counters of a command that works without a session.
func NewForCommand() *Usage {
	u := New()
	u.figures.Sessions, u.figures.Commands = 0, 1
	return u
}

// Figures returns the figures as they are now.
func (u *Usage) Figures() Figures {
	sum := Figures{Calls: map[string]int64{}, Failed: map[string]int64{}}
	if u == nil {
		return sum
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	sum.Add(u.figures)
	return sum
}

// Add adds other to f.
func (f *Figures) Add(other Figures) {
	f.Sessions += other.Sessions
	f.Commands += other.Commands
	f.BytesServed += other.BytesServed
	f.BytesOfWholeFiles += other.BytesOfWholeFiles
	f.RepeatedReads += other.RepeatedReads
	f.NotModified += other.NotModified
	f.StaleEdits += other.StaleEdits
	f.Merged += other.Merged
	f.Calls, f.Failed = addCounts(f.Calls, other.Calls), addCounts(f.Failed, other.Failed)
}

func addCounts(to, from map[string]int64) map[string]int64 {
	if to == nil {
		to = make(map[string]int64, len(from))
	}
	for name, n := range from {
		to[name] += n
	}
	return to
}

// Used reports whether there was any call.
func (f *Figures) Used() bool { return len(f.Calls) > 0 }

// Call is what one call adds to the figures.
type Call struct {
	Tool   string
	Failed fault.Kind // "" for a call that did not fail
	Bytes  int64      // that were answered, as rendered
	Merged int64      // edits that were merged
	Read   *Read
}

// Read is a read that did not fail.
type Read struct {
	// Range names the client and the range of a text that it was served, as a
	// comparable value; nil where none was served.
	Range       any
	WholeBytes  int64 // what reading the whole file would have cost
	NotModified bool
}

// Count takes one call into account.
func (u *Usage) Count(c Call) {
	if u == nil {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.figures.Calls[c.Tool]++
	u.figures.BytesServed += c.Bytes
	if c.Failed != "" {
		u.figures.Failed[string(c.Failed)]++
		if c.Failed == fault.StaleFile {
			u.figures.StaleEdits++
		}
		return
	}
	u.figures.Merged += c.Merged
	if c.Read != nil {
		u.countRead(*c.Read)
	}
}

func (u *Usage) countRead(r Read) {
	u.figures.BytesOfWholeFiles += r.WholeBytes
	switch {
	case r.NotModified:
		u.figures.NotModified++
	case r.Range != nil && u.seen(r.Range):
		u.figures.RepeatedReads++
	}
}

// seen reports whether a range was served before, among the last maxReadsSeen,
// and remembers it.
func (u *Usage) seen(key any) bool {
	h := maphash.Comparable(u.seed, key)
	if u.reads[h] {
		return true
	}
	if len(u.oldest) < maxReadsSeen {
		u.oldest = append(u.oldest, h)
	} else {
		delete(u.reads, u.oldest[u.next])
		u.oldest[u.next] = h
		u.next = (u.next + 1) % maxReadsSeen
	}
	u.reads[h] = true
	return false
}
