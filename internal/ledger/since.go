package ledger

import "slices"

// maxSince is for how many turns of agents a track knows what changed since.
const maxSince = 20

// since is what changed from an agent's turn on: a track of its own in which all
// was accepted when the turn began, and nothing was since.
type since struct {
	turn  int
	track *Track
}

// beginTurn notes that an agent's turn changes the file, before its first change.
func (t *Track) beginTurn(turn int) {
	if n := len(t.turns); turn == 0 || n > 0 && t.turns[n-1].turn >= turn {
		return
	}
	then := &Track{ID: t.ID, Path: t.Path, Absent: t.Absent, lines: slices.Clone(t.lines)}
	t.turns = append(t.turns, since{turn, then})
	if len(t.turns) > maxSince {
		t.turns = slices.Delete(t.turns, 0, 1)
	}
}

// Since returns the track in which all that agents changed from a turn on is
// pending: nil where they changed nothing. Its Path and Absent are those of the
// file before.
func (t *Track) Since(turn int) *Track {
	for _, s := range t.turns {
		if s.turn >= turn {
			return s.track
		}
	}
	return nil
}

// Differs reports whether a track of [Track.Since], which may be nil, holds anything
// that is not as it was, of a file that is now as in present.
func (t *Track) Differs(present *Track) bool {
	return t != nil && (len(t.hunks) > 0 || t.Absent != present.Absent || t.Path != present.Path)
}

// undoSince makes in the tracks of turns what taking back parts does.
func (t *Track) undoSince(parts []Part) {
	if len(t.turns) == 0 {
		return
	}
	list, _ := t.Replacements(parts)
	splices := make([]Splice, len(list))
	for i, r := range list {
		splices[i] = Splice{At: r.At, Del: r.Del}
		for _, l := range r.Lines {
			splices[i].Add = append(splices[i].Add, SumOf(l))
		}
	}
	for _, s := range t.turns {
		_ = s.track.Apply(Origin{Kind: Editor}, splices) // they fit: the lines are the same
	}
}
