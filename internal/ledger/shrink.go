package ledger

import (
	"cmp"
	"slices"
)

// Snapshots returns entries from which tracks can be made again, as many as take
// room bytes: those with something pending before others, and the newest first.
func Snapshots(tracks []*Track, room int64) []Entry {
	slices.SortStableFunc(tracks, func(a, b *Track) int {
		if a.Pending() != b.Pending() {
			return cmp.Compare(boolInt(b.Pending()), boolInt(a.Pending()))
		}
		return cmp.Compare(b.ID, a.ID)
	})
	var entries []Entry
	for _, t := range tracks {
		if room -= t.size(); room < 0 {
			break
		}
		entries = append(entries, t.Snapshot())
	}
	return entries
}

// Shrunk returns entries that make a state again, as much as takes room bytes.
func Shrunk(s *State, room int64) []Entry {
	tracks := make([]*Track, 0, len(s.Tracks))
	for _, t := range s.Tracks {
		tracks = append(tracks, t)
	}
	entries := Snapshots(tracks, room/2)
	entries = append(entries, Newest(DoChange, s.Changes, room/4)...)
	return append(entries, Newest(DoCheckpoint, s.Checkpoints, room/8)...)
}

// size is about how many bytes the snapshot of a track takes.
func (t *Track) size() int64 {
	n := int64(512 + 12*len(t.lines))
	for _, h := range t.hunks {
		n += 200
		for _, r := range h.Removed {
			n += int64(len(r.Text)) + 150
		}
	}
	for _, s := range t.turns {
		n += s.track.size()
	}
	return n
}

// Newest returns the entries of the newest of kept values that take room bytes, in
// their order.
func Newest(do Do, kept []Kept, room int64) []Entry {
	from := len(kept)
	for from > 0 {
		if room -= int64(len(kept[from-1].Value)) + 100; room < 0 {
			break
		}
		from--
	}
	entries := make([]Entry, 0, len(kept)-from)
	for _, k := range kept[from:] {
		entries = append(entries, Entry{Do: do, Key: k.Key, Value: k.Value})
	}
	return entries
}
