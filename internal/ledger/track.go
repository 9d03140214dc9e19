package ledger

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// Kind says who changed a file.
type Kind string

// The kinds. A line of no kind was there before, or nobody saw who wrote it.
const (
	Editor  Kind = "editor"  // through the editor: the person, and what else works in it
	Agent   Kind = "agent"   // through this program, or by a command that an agent's host ran
	Program Kind = "program" // on disk, by another program
)

// Origin is who wrote lines. It does not change.
type Origin struct {
	Kind   Kind      `json:"kind,omitempty"`
	Client string    `json:"client,omitempty"` // of an agent
	Edit   string    `json:"edit,omitempty"`   // id of the change, of an agent
	Time   time.Time `json:"time,omitzero"`
}

// Line is a line of a track. By is nil for those of nobody known.
type Line struct {
	Sum Sum     `json:"-"`
	By  *Origin `json:"by,omitempty"`
}

// Removed is a line that an agent took away.
type Removed struct {
	Line
	Text string `json:"text"`
}

// Hunk is a part of a text that agents changed and nobody has accepted: where
// the lines of Removed were, those from At on, Len of them, are now. Either may
// be none.
type Hunk struct {
	// ID names the hunk as it is; another one does when an agent changes it.
	ID      string    `json:"id"`
	At      int       `json:"at"`
	Len     int       `json:"len"`
	Removed []Removed `json:"removed,omitempty"`
	Clients []string  `json:"clients,omitempty"` // agents, each once
	Edits   []string  `json:"edits,omitempty"`   // ids of their changes, each once
	Time    time.Time `json:"time,omitzero"`
	// Typed: some of it was changed by others than agents since.
	Typed bool `json:"typed,omitzero"`
}

// Track is what is known of one file. It is not safe for concurrent use.
type Track struct {
	// ID tells tracks apart and begins the ids of their hunks.
	ID int
	// Path is the file's, absolute, or a URI.
	Path string
	// Created and Gone: an agent made the file, or deleted it, and nobody has
	// accepted that. From is where an agent moved it from, "" for nowhere.
	Created, Gone bool
	From          string
	// Absent: there is no file, as before an agent made it.
	Absent bool
	// Hash is that of the file on disk that has the lines, "" where it is not known;
	// Value is the owner's.
	Hash  string
	Value wire.RawValue

	lines []Line
	hunks []Hunk // in order, not overlapping; two may touch
	next  int    // number of the next hunk
	turns []since
}

// NewTrack begins a track of a file whose lines nobody known has written.
func NewTrack(id int, path string, sums []Sum) *Track {
	t := &Track{ID: id, Path: path, lines: make([]Line, len(sums))}
	for i, s := range sums {
		t.lines[i].Sum = s
	}
	return t
}

// Lines returns the lines as they are. They must not be changed, and stay valid
// until the track changes.
func (t *Track) Lines() []Line { return t.lines }

// Sums returns the sums of the lines.
func (t *Track) Sums() []Sum {
	sums := make([]Sum, len(t.lines))
	for i, l := range t.lines {
		sums[i] = l.Sum
	}
	return sums
}

// Newest returns when the latest change of a line that is there was made; zero where
// no time is known.
func (t *Track) Newest() (newest time.Time) {
	for _, l := range t.lines {
		if l.By != nil && l.By.Time.After(newest) {
			newest = l.By.Time
		}
	}
	return newest
}

// Hunks returns the pending hunks in order. They must not be changed, and stay
// valid until the track changes.
func (t *Track) Hunks() []Hunk { return t.hunks }

// Pending reports whether there is anything that nobody has accepted.
func (t *Track) Pending() bool { return len(t.hunks) > 0 || t.Created || t.Gone || t.From != "" }

// Hunk returns the hunk of that id; nil when there is none.
func (t *Track) Hunk(id string) *Hunk {
	i := slices.IndexFunc(t.hunks, func(h Hunk) bool { return h.ID == id })
	if i < 0 {
		return nil
	}
	return &t.hunks[i]
}

// errBadEvent is an event that does not fit its track.
var errBadEvent = fault.New(fault.Internal, "the event is of another text")

// Apply makes splices, which all refer to the present lines, in order and not
// overlapping. On an error the track is as before.
func (t *Track) Apply(by Origin, splices []Splice) error {
	end := 0
	for _, s := range splices {
		if s.At < end || s.Del < 0 || s.At+s.Del > len(t.lines) || s.Gone != nil && len(s.Gone) != s.Del {
			return errBadEvent
		}
		end = s.At + s.Del
	}
	origin := &by
	for _, s := range slices.Backward(splices) {
		if by.Kind == Agent && (s.Gone != nil || s.Del == 0) {
			t.byAgent(origin, s)
		} else {
			t.byOthers(origin, s)
		}
	}
	return nil
}

// Strip drops from splices the text of lines that nobody has to have again when
// they are applied.
func (t *Track) Strip(by Origin, splices []Splice) {
	for i := range splices {
		s := splices[i]
		if !t.needsText(by, s) && !slices.ContainsFunc(t.turns, func(at since) bool { return at.track.needsText(by, s) }) {
			splices[i].Gone = nil
		}
	}
}

// needsText reports whether lines that go belong to the accepted text of a hunk
// afterwards and to none now.
func (t *Track) needsText(by Origin, s Splice) bool {
	switch {
	case s.Del == 0:
		return false
	case by.Kind == Agent:
		return true
	case len(s.Add) == 0:
		return false
	}
	lo, hi := t.inside(s)
	covered := 0
	for _, h := range t.hunks[lo:hi] {
		covered += max(0, min(h.At+h.Len, s.At+s.Del)-max(h.At, s.At))
	}
	return lo < hi && covered < s.Del
}

// touching returns which hunks share a line with the lines that go, or stand
// beside them: hunks[lo:hi].
func (t *Track) touching(s Splice) (lo, hi int) {
	lo = t.firstEnding(s.At)
	hi = lo
	for hi < len(t.hunks) && t.hunks[hi].At <= s.At+s.Del {
		hi++
	}
	return lo, hi
}

// inside returns which hunks share a line with the lines that go, or stand
// between two of them; of an insertion, in which hunk it is.
func (t *Track) inside(s Splice) (lo, hi int) {
	lo, hi = t.touching(s)
	for lo < hi && t.hunks[lo].At+t.hunks[lo].Len <= s.At {
		lo++
	}
	for lo < hi && t.hunks[hi-1].At >= s.At+s.Del {
		hi--
	}
	return lo, hi
}

// firstEnding returns the first hunk that ends at a line or behind it.
func (t *Track) firstEnding(line int) int {
	i, _ := slices.BinarySearchFunc(t.hunks, line, func(h Hunk, line int) int {
		if h.At+h.Len < line {
			return -1
		}
		return 1
	})
	return i
}

// byAgent makes a splice of an agent: it makes one hunk of all that it touches.
func (t *Track) byAgent(by *Origin, s Splice) {
	lo, hi := t.touching(s)
	h := t.join(s, lo, hi)
	t.replaceLines(s, by)
	h.ID, h.Time = t.newID(), by.Time
	h.Clients, h.Edits = appendOnce(h.Clients, by.Client), appendOnce(h.Edits, by.Edit)
	t.put(lo, hi, h, s)
}

// byOthers makes a splice of the person or another program: outside of hunks it
// is accepted text, within one it changes what is pending.
func (t *Track) byOthers(by *Origin, s Splice) {
	if s.Del == 0 && t.restores(s) {
		return
	}
	lo, hi := t.inside(s)
	switch {
	case lo == hi:
		t.replaceLines(s, by)
		t.shift(s)
	case s.Del == 0:
		t.split(lo, s.At)
		t.replaceLines(s, by)
		t.shift(s)
	case len(s.Add) == 0:
		t.replaceLines(s, by)
		t.shrink(lo, hi, s)
	case s.Gone == nil && t.needsText(*by, s):
		// What was there is not known: the lines that came are accepted text.
		gone, came := s, s
		gone.Add, came.Del = nil, 0
		t.byOthers(by, gone)
		t.byOthers(by, came)
	default:
		h := t.join(s, lo, hi)
		h.Typed = true
		t.replaceLines(s, by)
		t.put(lo, hi, h, s)
	}
}

// join returns the hunk that hunks[lo:hi] and the lines that a splice takes away
// make together: as it is when the splice is made.
func (t *Track) join(s Splice, lo, hi int) Hunk {
	h := Hunk{At: s.At}
	at, end := s.At, s.At+s.Del
	if lo < hi {
		h = t.hunks[lo]
		h.At, h.Removed = min(h.At, s.At), nil
		h.Clients, h.Edits = slices.Clone(h.Clients), slices.Clone(h.Edits)
	}
	plain := func(to int) {
		for ; at < to; at++ {
			h.Removed = behind(h.Removed, Removed{t.lines[at], s.Gone[at-s.At]})
		}
	}
	for _, part := range t.hunks[lo:hi] {
		plain(part.At)
		h.Removed = behind(h.Removed, part.Removed...)
		for _, c := range part.Clients {
			h.Clients = appendOnce(h.Clients, c)
		}
		for _, e := range part.Edits {
			h.Edits = appendOnce(h.Edits, e)
		}
		h.Typed = h.Typed || part.Typed
		if part.Time.After(h.Time) {
			h.Time = part.Time
		}
		at = part.At + part.Len
	}
	plain(end)
	h.Len = max(at, end) - h.At + len(s.Add) - s.Del
	return h
}

// behind appends lines; the one before them, which was the text's last, gets an end.
func behind(list []Removed, lines ...Removed) []Removed {
	if n := len(list) - 1; n >= 0 && len(lines) > 0 && !strings.HasSuffix(list[n].Text, "\n") {
		last := list[n]
		last.Text += "\n"
		last.Sum = SumOf(last.Text)
		list = append(slices.Clone(list[:n]), last)
	}
	return append(list, lines...)
}

// replaceLines makes a splice of the lines alone.
func (t *Track) replaceLines(s Splice, by *Origin) {
	if s.Del == len(s.Add) {
		for i, sum := range s.Add {
			t.lines[s.At+i] = Line{sum, by}
		}
		return
	}
	add := make([]Line, len(s.Add))
	for i, sum := range s.Add {
		add[i] = Line{sum, by}
	}
	t.lines = slices.Replace(t.lines, s.At, s.At+s.Del, add...)
}

// put replaces hunks[lo:hi] by h, whose lines are there already, as far as it
// differs from the accepted text, and moves those behind it.
func (t *Track) put(lo, hi int, h Hunk, s Splice) {
	for i := hi; i < len(t.hunks); i++ {
		t.hunks[i].At += len(s.Add) - s.Del
	}
	t.hunks = slices.Replace(t.hunks, lo, hi, t.differing(h, hi > lo)...)
}

// differing returns the parts of h in which it differs from the accepted text:
// none where it was taken back, and then its lines are those of who wrote them
// first. Where it was not merged of several it is one part.
func (t *Track) differing(h Hunk, merged bool) []Hunk {
	if t.isBack(h) {
		return nil
	}
	if !merged {
		return []Hunk{h}
	}
	was, now := make([]Sum, len(h.Removed)), make([]Sum, h.Len)
	for i, r := range h.Removed {
		was[i] = r.Sum
	}
	for i, l := range t.lines[h.At : h.At+h.Len] {
		now[i] = l.Sum
	}
	var parts []Hunk
	shift := 0
	for i, s := range SplicesOfSums(was, now) {
		part := h
		part.At, part.Len, part.Removed = h.At+s.At+shift, len(s.Add), slices.Clip(h.Removed[s.At:s.At+s.Del])
		shift += len(s.Add) - s.Del
		if i > 0 {
			part.ID = t.newID()
		}
		parts = append(parts, part)
	}
	return parts
}

// isBack reports whether a hunk holds what was there before, and gives its
// lines back to who wrote them.
func (t *Track) isBack(h Hunk) bool {
	now := t.lines[h.At : h.At+h.Len]
	if !slices.EqualFunc(now, h.Removed, func(l Line, r Removed) bool { return l.Sum == r.Sum }) {
		return false
	}
	for i, r := range h.Removed {
		now[i] = r.Line
	}
	return true
}

// restores makes an insertion where that takes a hunk back, as an editor's undo
// does. It reports whether it did.
func (t *Track) restores(s Splice) bool {
	lo, hi := t.touching(s)
	for i := lo; i < hi; i++ {
		h := t.hunks[i]
		if h.Len+len(s.Add) != len(h.Removed) {
			continue
		}
		before := s.At - h.At
		same := true
		for j, r := range h.Removed {
			var sum Sum
			switch {
			case j < before:
				sum = t.lines[h.At+j].Sum
			case j < before+len(s.Add):
				sum = s.Add[j-before]
			default:
				sum = t.lines[h.At+j-len(s.Add)].Sum
			}
			same = same && sum == r.Sum
		}
		if !same {
			continue
		}
		t.replaceLines(s, nil)
		h.Len += len(s.Add)
		t.put(i, i+1, h, s)
		return true
	}
	return false
}

// shift moves the hunks behind a splice that touches none of their lines.
func (t *Track) shift(s Splice) {
	for i := t.firstEnding(s.At); i < len(t.hunks); i++ {
		h := &t.hunks[i]
		if h.At >= s.At+s.Del && (h.At > s.At || h.Len > 0) {
			h.At += len(s.Add) - s.Del
		}
	}
}

// split makes two of a hunk, of which the first ends before a line. What was
// there before belongs to the first.
func (t *Track) split(i, line int) {
	first, second := t.hunks[i], t.hunks[i]
	first.Len = line - first.At
	second.At, second.Len, second.Removed, second.ID = line, second.Len-first.Len, nil, t.newID()
	t.hunks = slices.Replace(t.hunks, i, i+1, first, second)
}

// shrink takes from hunks[lo:hi] the lines that a splice took away.
func (t *Track) shrink(lo, hi int, s Splice) {
	end := s.At + s.Del
	kept := t.hunks[:lo]
	for i := lo; i < len(t.hunks); i++ {
		h := t.hunks[i]
		switch {
		case i >= hi:
			h.At -= s.Del
		default:
			h.Len -= min(h.At+h.Len, end) - max(h.At, s.At)
			h.At = min(h.At, s.At)
			h.Typed = true
			if t.isBack(h) {
				continue
			}
		}
		kept = append(kept, h)
	}
	t.hunks = kept
}

func (t *Track) newID() string {
	t.next++
	return strconv.Itoa(t.ID) + "." + strconv.Itoa(t.next)
}

// appendOnce appends s, but for "" and what is in the list. It changes no array
// that others hold.
func appendOnce(list []string, s string) []string {
	if s == "" || slices.Contains(list, s) {
		return list
	}
	return append(slices.Clip(list), s)
}
