package atomicfile

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// A journal is up to three lines, each a seal and a JSON object, written in
// this order:
//
//	what is planned, before any temporary file is made
//	"staged", with the new files' numbers, before any name changes
//	"committed", before any old text is removed
//
// A line that was cut was not written. Texts are never in it, only their
// hashes. The seal shows that the line was written as this one of a journal of
// this name by somebody who had the key that lies beside it.
type (
	recordedPlan struct {
		Journal int              `json:"journal"` // the version of this form
		Folders []recordedFolder `json:"folders"`
		Steps   []recordedStep   `json:"steps"`
	}
	recordedFolder struct {
		Root   quoted `json:"root,omitempty"`
		Rel    quoted `json:"rel,omitempty"`
		Parent int    `json:"parent"` // index; -1: it existed, below root
		Name   quoted `json:"name,omitempty"`
		Ino    uint64 `json:"ino,omitempty"` // of one that existed
	}
	recordedStep struct {
		Kind  stepKind `json:"kind"`
		In    int      `json:"in"`
		Name  quoted   `json:"name"`
		Home  int      `json:"home"` // -1: none
		Temp  quoted   `json:"temp,omitempty"`
		Away  quoted   `json:"away,omitempty"`
		Moved bool     `json:"moved,omitempty"`
		Like  int      `json:"like"` // -1: none
		Old   string   `json:"old,omitempty"`
		New   string   `json:"new,omitempty"`
	}
	recordedMark struct {
		Staged    []uint64 `json:"staged,omitempty"` // a number for each step
		Committed bool     `json:"committed,omitempty"`
	}
)

const journalVersion = 2

// quoted is a name of any bytes in a form that JSON holds.
type quoted string

func (q quoted) MarshalText() ([]byte, error) { return strconv.AppendQuoteToASCII(nil, string(q)), nil }

func (q *quoted) UnmarshalText(b []byte) error {
	s, err := strconv.Unquote(string(b))
	*q = quoted(s)
	return err
}

// journalSeal makes and checks the seals of one journal.
type journalSeal struct {
	key  []byte
	name string // the journal's
}

// of returns the seal of the n-th line, which holds object.
func (j journalSeal) of(n int, object []byte) string {
	mac := hmac.New(sha256.New, j.key)
	fmt.Fprintf(mac, "%s\x00%d\x00", j.name, n)
	mac.Write(object)
	return hex.EncodeToString(mac.Sum(nil))
}

// line returns the n-th line.
func (j journalSeal) line(n int, record any) ([]byte, error) {
	raw, err := json.Marshal(record)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "%s %s\n", j.of(n, raw), raw), nil
}

// read reads the n-th line, the first of raw, into record. It is not ok when
// that was cut or damaged, or somebody else wrote it.
func (j journalSeal) read(n int, raw []byte, record any) (rest []byte, ok bool) {
	line, rest, whole := bytes.Cut(raw, []byte("\n"))
	seal, object, _ := bytes.Cut(line, []byte(" "))
	ok = whole && hmac.Equal(seal, []byte(j.of(n, object))) && json.Unmarshal(object, record) == nil
	return rest, ok
}

// recorded is the plan as it is written down.
func (c *diskChange) recorded() recordedPlan {
	folders, steps := positions(c.folders), positions(c.steps)
	p := recordedPlan{Journal: journalVersion}
	for _, f := range c.folders {
		p.Folders = append(p.Folders, recordedFolder{quoted(f.root), quoted(f.rel), at(folders, f.parent), quoted(f.name), f.ino})
	}
	for _, s := range c.steps {
		r := recordedStep{
			Kind: s.kind, In: at(folders, s.in), Name: quoted(s.name), Home: at(folders, s.home), Temp: quoted(s.temp),
			Away: quoted(s.away), Moved: s.moved, Like: at(steps, s.like),
		}
		if s.kind != stepRenameIn {
			r.Old = s.old.String()
		}
		if s.kind != stepRenameAway {
			r.New = s.new.String()
		}
		p.Steps = append(p.Steps, r)
	}
	return p
}

func positions[T any](of []*T) map[*T]int {
	at := make(map[*T]int, len(of))
	for i, p := range of {
		at[p] = i
	}
	return at
}

func at[T any](positions map[*T]int, p *T) int {
	if p == nil {
		return -1
	}
	return positions[p]
}

// readJournal is what a journal says; invalid_params for one that says
// nothing that this program wrote.
func readJournal(raw []byte, seal journalSeal) (c *diskChange, committed bool, err error) {
	var p recordedPlan
	rest, ok := seal.read(0, raw, &p)
	if !ok || p.Journal != journalVersion {
		return nil, false, errBadJournal
	}
	if c, err = p.change(); err != nil {
		return nil, false, err
	}
	var staged, mark recordedMark
	rest, ok = seal.read(1, rest, &staged)
	if !ok {
		return c, false, nil
	}
	if len(staged.Staged) != len(c.steps) {
		return nil, false, errBadJournal
	}
	c.staged = true
	for i, s := range c.steps {
		s.made.stat.Ino = staged.Staged[i]
	}
	_, ok = seal.read(2, rest, &mark)
	return c, ok && mark.Committed, nil
}

var errBadJournal = fault.New(fault.InvalidParams, "the journal is damaged, or was not written by this version of agent-lsp for this user")

func (p *recordedPlan) change() (*diskChange, error) {
	c := &diskChange{found: true}
	for i, r := range p.Folders {
		f := &txnFolder{name: string(r.Name), root: string(r.Root), rel: string(r.Rel), ino: r.Ino}
		switch {
		case r.Parent >= 0 && r.Parent < i && singleName(f.name) == nil:
			f.parent, f.made = c.folders[r.Parent], true
		case r.Parent != -1 || !filepath.IsAbs(f.root) || filepath.Clean(f.root) != f.root || !filepath.IsLocal(f.rel):
			return nil, errBadJournal
		}
		c.folders = append(c.folders, f)
	}
	for range p.Steps {
		c.steps = append(c.steps, &step{})
	}
	for i := range p.Steps {
		if !p.Steps[i].fill(c, c.steps[i]) {
			return nil, errBadJournal
		}
	}
	for _, s := range c.steps {
		if s.kind == stepRenameIn && s.moved && (s.like.kind != stepRenameAway || s.temp != s.like.away || s.home != s.like.in) {
			return nil, errBadJournal
		}
	}
	return c, nil
}

// fill makes s what was recorded, if that is possible.
func (r *recordedStep) fill(c *diskChange, s *step) bool {
	exchanges, renamesIn := r.Kind == stepExchange, r.Kind == stepRenameIn
	*s = step{kind: r.Kind, name: string(r.Name), temp: string(r.Temp), away: string(r.Away), moved: r.Moved}
	var oldErr, newErr error
	if !renamesIn {
		s.old, oldErr = text.ParseHash(r.Old)
	}
	if exchanges || renamesIn {
		s.new, newErr = text.ParseHash(r.New)
	}
	switch {
	case r.Kind > stepRenameIn, oldErr != nil, newErr != nil, singleName(s.name) != nil,
		!within(r.In, c.folders), !renamesIn && !ownSingle(s.away), (exchanges || renamesIn) && !(within(r.Home, c.folders) && ownSingle(s.temp)),
		renamesIn && r.Moved && !within(r.Like, c.steps):
		return false
	}
	s.in = c.folders[r.In]
	if exchanges || renamesIn {
		s.home = c.folders[r.Home]
	}
	if within(r.Like, c.steps) {
		s.like = c.steps[r.Like]
	}
	return true
}

func within[T any](i int, of []T) bool { return i >= 0 && i < len(of) }

// ownSingle reports whether a name is one of our temporary files'.
func ownSingle(name string) bool {
	return strings.HasPrefix(name, workspace.OwnPrefix) && singleName(name) == nil
}
