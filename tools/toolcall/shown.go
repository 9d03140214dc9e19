package toolcall

import (
	"container/list"
	"fmt"
	"strings"
	"sync"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

const (
	// maxShown is how many hashes are remembered of all files together, and
	// maxShownOfFile of one: the latest ones.
	maxShown       = 100_000
	maxShownOfFile = 256
)

// Shown remembers the hashes of each file that callers were shown, which are
// shown by their first digits, so that these digits mean what they meant when
// they were shown. It may be used from any goroutine. A nil Shown remembers
// nothing.
type Shown struct {
	mu     sync.Mutex
	byKey  map[string][]*list.Element // in the order in which they were shown first
	recent *list.List                 // of *shownHash, the latest first
}

type shownHash struct {
	key    string // of the file
	client Client
	hash   text.Hash
}

// NewShown returns an empty memory.
func NewShown() *Shown { return &Shown{byKey: make(map[string][]*list.Element), recent: list.New()} }

// show remembers that a client is shown a hash of the file key, and returns the
// digits to show: those that no other hash of the file begins with.
func (s *Shown) show(c Client, key string, h text.Hash) text.HashPrefix {
	if s == nil {
		return h.Prefix(nil)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.note(shownHash{key, c, h})
	return h.Prefix(func(p text.HashPrefix) bool { return len(s.fitting(key, p, nil)) > 1 })
}

func (s *Shown) note(one shownHash) {
	for _, e := range s.byKey[one.key] {
		if *e.Value.(*shownHash) == one {
			s.recent.MoveToFront(e)
			return
		}
	}
	if of := s.byKey[one.key]; len(of) >= maxShownOfFile {
		s.forget(of[0])
	}
	s.byKey[one.key] = append(s.byKey[one.key], s.recent.PushFront(&one))
	if s.recent.Len() > maxShown {
		s.forget(s.recent.Back())
	}
}

func (s *Shown) forget(e *list.Element) {
	key := s.recent.Remove(e).(*shownHash).key
	var left []*list.Element
	for _, other := range s.byKey[key] {
		if other != e {
			left = append(left, other)
		}
	}
	if s.byKey[key] = left; left == nil {
		delete(s.byKey, key)
	}
}

// named returns the hashes of the file key that p begins: of those that the
// client was shown, and where there are none of those that others were.
func (s *Shown) named(c Client, key string, p text.HashPrefix) []text.Hash {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if own := s.fitting(key, p, &c); len(own) > 0 {
		return own
	}
	return s.fitting(key, p, nil)
}

// fitting returns the different hashes of a file that p begins, of one client
// or of all.
func (s *Shown) fitting(key string, p text.HashPrefix, of *Client) (found []text.Hash) {
	seen := make(map[text.Hash]bool)
	for _, e := range s.byKey[key] {
		one := e.Value.(*shownHash)
		if (of == nil || one.client == *of) && !seen[one.hash] && p.Of(one.hash) {
			seen[one.hash] = true
			found = append(found, one.hash)
		}
	}
	return found
}

// ShowHash returns the digits by which a hash is shown. path names the file as
// the answer does.
type ShowHash func(path, hash string) string

// FirstDigits is the [ShowHash] of who remembers nothing.
func FirstDigits(_, hash string) string {
	h, err := text.ParseHash(hash)
	if err != nil {
		return hash
	}
	return string(h.Prefix(nil))
}

// ShowHash is the call's [ShowHash].
func (e *Env) ShowHash(path, hash string) string {
	h, err := text.ParseHash(hash)
	if err != nil {
		return hash
	}
	p, err := e.Snapshot.Resolve(path)
	if err != nil {
		return string(h.Prefix(nil))
	}
	return string(e.Shown.show(e.Client, p.Key(), h))
}

// HashNamed returns the hash that an argument names by all of its digits or the
// first ones: one that was shown of the file, else the present one. ok is false
// where it is none of these.
func (e *Env) HashNamed(name, given string, f *buffers.File) (h text.Hash, ok bool, err error) {
	p, err := text.ParseHashPrefix(given)
	if err != nil {
		bad := fault.From(err)
		return h, false, fault.New(fault.InvalidParams, "%q: %s", name, bad.Message).At(f.Path.Rel).Advise("%s", bad.Hint)
	}
	if h, ok := p.Whole(); ok {
		return h, true, nil
	}
	switch shown := e.Shown.named(e.Client, f.Path.Key(), p); {
	case len(shown) > 1:
		return h, false, severalTexts(name, p, shown).At(f.Path.Rel)
	case len(shown) == 1:
		return shown[0], true, nil
	}
	if !p.Of(f.Hash) {
		return h, false, nil
	}
	return f.Hash, true, nil
}

// severalTexts is the error for a prefix that fits several hashes of a file; it
// names them.
func severalTexts(name string, p text.HashPrefix, shown []text.Hash) *fault.Error {
	var digits, whole []string
	for i, h := range shown {
		digits = append(digits, string(h.Prefix(func(p text.HashPrefix) bool {
			for j, other := range shown {
				if i != j && p.Of(other) {
					return true
				}
			}
			return false
		})))
		whole = append(whole, h.String())
	}
	return fault.New(fault.InvalidParams, "%q: %s fits several texts of this file that were shown: %s", name, p, strings.Join(digits, ", ")).
		Advise("Give more digits of the one that is meant.").With("hashes", whole)
}

// Failure returns the result of a call that failed. Of the hashes that its
// words name, models see the first digits.
func Failure(err error, show ShowHash) Result {
	e := fault.From(err)
	words := e.Error()
	for _, detail := range []string{"expected", "actual"} {
		if hash, _ := e.Details[detail].(string); hash != "" && strings.Contains(words, hash) {
			words = strings.ReplaceAll(words, hash, show(e.Path, hash))
		}
	}
	return Result{Rendering: Rendering{Header: words + changedSince(e)}, Err: e}
}

// changedSince shows, below an error's words, what its details say of changes:
// not everybody reads details.
func changedSince(e *fault.Error) string {
	if d, _ := e.Details["diff"].(string); d != "" {
		return "\nWhat changed since:\n" + strings.TrimSuffix(d, "\n")
	}
	conflicts, _ := e.Details["conflicts"].([]map[string]any)
	var b strings.Builder
	for _, c := range conflicts {
		fmt.Fprintf(&b, "\nLines %d-%d of the older text:\n%s", c["start_line"], c["end_line"], c["base"])
		fmt.Fprintf(&b, "are now:\n%swhere the edit has:\n%s", c["present"], c["edit"])
	}
	return strings.TrimSuffix(b.String(), "\n")
}
