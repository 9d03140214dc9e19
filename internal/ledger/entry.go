package ledger

import (
	"encoding/base64"
	"encoding/binary"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// Entry is one record of a ledger: what happened to a track, or something that is
// kept for others.
type Entry struct {
	// Do says what happened.
	Do    Do  `json:"do"`
	Track int `json:"track,omitzero"`

	Path    string    `json:"path,omitempty"`
	Sums    Sums      `json:"sums,omitempty"`
	By      *Origin   `json:"by,omitempty"`
	Splices []Splice  `json:"splices,omitempty"`
	Turn    int       `json:"turn,omitzero"` // of the agent whose edit it is
	Parts   []Part    `json:"parts,omitempty"`
	Marks   *Marks    `json:"marks,omitempty"`
	Whole   *Snapshot `json:"whole,omitempty"`

	// Key names what is kept; Value is it.
	Key   string        `json:"key,omitempty"`
	Value wire.RawValue `json:"value,omitempty"`
}

// Do is what an entry says that happened.
type Do string

// What happens to a track, which Track names.
const (
	DoBegin Do = "begin" // it begins: Path, Sums
	DoEdit  Do = "edit"  // lines changed: By, Splices
	DoUndo  Do = "undo"  // Parts were taken back
	DoKeep  Do = "keep"  // Parts were accepted, all where there are none
	DoMarks Do = "marks" // what became of the file: Marks
	DoWhole Do = "whole" // it is as in Whole, whatever it was before
	DoEnd   Do = "end"   // it ends
)

// What is kept for others, by Key.
const (
	DoChange     Do = "change"     // a change of the history
	DoCheckpoint Do = "checkpoint" // a checkpoint
)

// Marks are what became of a track's file as a whole.
type Marks struct {
	Path    string        `json:"path"`
	From    string        `json:"from,omitempty"`
	Created bool          `json:"created,omitzero"`
	Gone    bool          `json:"gone,omitzero"`
	Absent  bool          `json:"absent,omitzero"`
	Hash    string        `json:"hash,omitempty"` // of the file on disk that has the lines
	Value   wire.RawValue `json:"value,omitempty"`
}

// Snapshot is all of a track.
type Snapshot struct {
	Sums    Sums     `json:"sums"`
	Origins []Origin `json:"origins,omitempty"`
	Runs    [][2]int `json:"runs,omitempty"` // how many lines, and which of Origins, from 1; 0 is none
	Hunks   []Hunk   `json:"hunks,omitempty"`
	Next    int      `json:"next"`
	Marks   Marks    `json:"marks"`
	Turns   []Turn   `json:"turns,omitempty"`
}

// Turn is a snapshot of what changed from an agent's turn on.
type Turn struct {
	Turn  int      `json:"turn"`
	Since Snapshot `json:"since"`
}

// Sums are written as base64 of their bytes, 8 each, the highest first.
type Sums []Sum

// MarshalText implements [encoding.TextMarshaler].
func (s Sums) MarshalText() ([]byte, error) {
	raw := make([]byte, 0, 8*len(s))
	for _, sum := range s {
		raw = binary.BigEndian.AppendUint64(raw, uint64(sum))
	}
	return base64.StdEncoding.AppendEncode(nil, raw), nil
}

// UnmarshalText implements [encoding.TextUnmarshaler].
func (s *Sums) UnmarshalText(b []byte) error {
	raw, err := base64.StdEncoding.AppendDecode(nil, b)
	if err != nil || len(raw)%8 != 0 {
		return fault.New(fault.InvalidParams, "these are no sums")
	}
	*s = make(Sums, len(raw)/8)
	for i := range *s {
		(*s)[i] = Sum(binary.BigEndian.Uint64(raw[8*i:]))
	}
	return nil
}

// Do makes what an entry of the track says true.
func (t *Track) Do(e Entry) error {
	switch e.Do {
	case DoEdit:
		if e.By == nil {
			return errBadEvent
		}
		if e.By.Kind == Agent {
			t.beginTurn(e.Turn)
		}
		if err := t.Apply(*e.By, e.Splices); err != nil {
			return err
		}
		for _, s := range t.turns {
			_ = s.track.Apply(*e.By, e.Splices) // they fit: the lines are the same
		}
	case DoUndo:
		t.undoSince(e.Parts)
		t.Undo(e.Parts)
	case DoKeep:
		if len(e.Parts) == 0 {
			t.KeepAll()
		} else {
			t.Keep(e.Parts)
		}
	case DoMarks:
		if e.Marks == nil {
			return errBadEvent
		}
		t.mark(*e.Marks)
	default:
		return errBadEvent
	}
	return nil
}

func (t *Track) mark(m Marks) {
	t.Path, t.From, t.Created, t.Gone, t.Absent, t.Hash, t.Value = m.Path, m.From, m.Created, m.Gone, m.Absent, m.Hash, m.Value
}

// Marked returns the marks of the track.
func (t *Track) Marked() Marks {
	return Marks{Path: t.Path, From: t.From, Created: t.Created, Gone: t.Gone, Absent: t.Absent, Hash: t.Hash, Value: t.Value}
}

// Snapshot returns an entry from which the track can be made again.
func (t *Track) Snapshot() Entry { return Entry{Do: DoWhole, Track: t.ID, Whole: t.whole()} }

func (t *Track) whole() *Snapshot {
	s := &Snapshot{Sums: t.Sums(), Hunks: t.hunks, Next: t.next, Marks: t.Marked()}
	index := map[*Origin]int{}
	for _, l := range t.lines {
		by := 0
		if l.By != nil {
			if by = index[l.By]; by == 0 {
				s.Origins = append(s.Origins, *l.By)
				by = len(s.Origins)
				index[l.By] = by
			}
		}
		if n := len(s.Runs) - 1; n >= 0 && s.Runs[n][1] == by {
			s.Runs[n][0]++
		} else {
			s.Runs = append(s.Runs, [2]int{1, by})
		}
	}
	for _, turn := range t.turns {
		s.Turns = append(s.Turns, Turn{turn.turn, *turn.track.whole()})
	}
	return s
}

// restore makes the track that a snapshot is of.
func restore(id int, s Snapshot) (*Track, error) {
	t := NewTrack(id, s.Marks.Path, s.Sums)
	t.mark(s.Marks)
	t.hunks, t.next = s.Hunks, s.Next
	at := 0
	for _, run := range s.Runs {
		if run[0] < 0 || at+run[0] > len(t.lines) || run[1] < 0 || run[1] > len(s.Origins) {
			return nil, errBadEvent
		}
		if run[1] > 0 {
			for i := at; i < at+run[0]; i++ {
				t.lines[i].By = &s.Origins[run[1]-1]
			}
		}
		at += run[0]
	}
	for _, turn := range s.Turns {
		then, err := restore(id, turn.Since)
		if err != nil {
			return nil, err
		}
		t.turns = append(t.turns, since{turn.Turn, then})
	}
	end := 0
	for i := range t.hunks {
		h := &t.hunks[i]
		if h.At < end || h.Len < 0 || h.At+h.Len > len(t.lines) {
			return nil, errBadEvent
		}
		end = h.At + h.Len
		for j := range h.Removed {
			h.Removed[j].Sum = SumOf(h.Removed[j].Text)
		}
	}
	return t, nil
}

// Kept is a value that is kept for others.
type Kept struct {
	Key   string
	Value wire.RawValue
}

// State is what the entries of a ledger make together.
type State struct {
	Tracks map[int]*Track
	// Changes and Checkpoints are in order; the last value of each key counts.
	Changes, Checkpoints []Kept
	// Lost is how many entries were damaged, or about a track that they are missing
	// of.
	Lost int

	at map[string]int // where a key is
}

// NewState returns the state of no entries.
func NewState() *State { return &State{Tracks: make(map[int]*Track), at: make(map[string]int)} }

// Add makes true what an entry says. A track that an entry does not fit is
// dropped: entries before it are missing.
func (s *State) Add(e Entry) {
	switch e.Do {
	case DoBegin:
		t := NewTrack(e.Track, e.Path, e.Sums)
		t.Absent = e.Marks != nil && e.Marks.Absent
		s.Tracks[e.Track] = t
	case DoWhole:
		if e.Whole == nil {
			s.Lost++
			return
		}
		t, err := restore(e.Track, *e.Whole)
		if err != nil {
			s.Lost++
			return
		}
		s.Tracks[e.Track] = t
	case DoEnd:
		delete(s.Tracks, e.Track)
	case DoChange:
		s.keep(&s.Changes, "e"+e.Key, e)
	case DoCheckpoint:
		s.keep(&s.Checkpoints, "c"+e.Key, e)
	default:
		t := s.Tracks[e.Track]
		if t == nil || t.Do(e) != nil {
			delete(s.Tracks, e.Track)
			s.Lost++
		}
	}
}

func (s *State) keep(list *[]Kept, key string, e Entry) {
	if i, ok := s.at[key]; ok {
		(*list)[i].Value = e.Value
		return
	}
	s.at[key] = len(*list)
	*list = append(*list, Kept{e.Key, e.Value})
}
