package ledger

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/statedir"
	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// Version is that of the file format, see docs/history.md.
const Version = 1

// DefaultLimit is how large a ledger may become, in bytes.
const DefaultLimit = 64 << 20

// header is the first entry of a ledger's file.
type header struct {
	Version  int       `json:"agent_lsp_ledger"`
	Roots    []string  `json:"roots"`
	Began    time.Time `json:"began"`
	Replaces []string  `json:"replaces,omitempty"` // files whose entries it holds, all of them before the line that says so
}

// whole is the entry behind those of the files that a file replaces.
const doReplaced Do = "replaced"

// suffix ends the names of ledgers' files.
const suffix = ".ledger"

// Log keeps entries in a file of its own. Other processes may have logs in the same
// folder. It is safe for concurrent use.
type Log struct {
	folder *statedir.KeptFolder
	roots  []string
	limit  int64
	now    func() time.Time

	mu     sync.Mutex
	file   *os.File // nil when it is closed
	name   string
	size   int64
	broken bool // a write failed: what is in memory is not all in the file
	fail   func(step string) error
}

// Opened is what there was when a log was opened.
type Opened struct {
	State *State
	// Newer are files of a later version, which are left alone.
	Newer []string
	// Damaged is how many entries could not be read.
	Damaged int
}

// Open opens the log of the workspace folders roots in a folder, and takes over
// the entries of all logs there that no process has open. They are made one log of
// at most limit bytes by shrink, which writes what is to be kept of a state.
func Open(folder *statedir.KeptFolder, roots []string, limit int64, now func() time.Time, shrink func(*State, int64) []Entry) (*Log, Opened, error) {
	l := &Log{folder: folder, roots: roots, limit: limit, now: now}
	found, err := l.takeOver()
	defer found.release()
	if err != nil {
		return nil, Opened{}, err
	}
	opened := Opened{State: found.state, Newer: found.newer, Damaged: found.damaged}
	if len(found.files) == 1 && found.damaged == 0 && found.size < limit/2 {
		last := found.files[0]
		l.file, l.name, l.size = last.file, last.name, found.size
		found.files = nil // it stays locked
		return l, opened, nil
	}
	return l, opened, l.replace(found.names(), shrink(found.state, limit/2))
}

// foundLog is a file that no process has open; it is locked.
type foundLog struct {
	name string
	file *os.File
}

// foundLogs are all of a folder.
type foundLogs struct {
	files   []foundLog
	state   *State
	newer   []string
	damaged int
	size    int64 // of the readable entries of the last
}

func (f *foundLogs) names() (names []string) {
	for _, one := range f.files {
		names = append(names, one.name)
	}
	return names
}

func (f *foundLogs) release() {
	for _, one := range f.files {
		one.file.Close()
	}
}

// takeOver locks and reads the logs that nobody has open, oldest first.
func (l *Log) takeOver() (*foundLogs, error) {
	found := &foundLogs{state: NewState()}
	files, err := l.folder.Files()
	if err != nil {
		return found, err
	}
	slices.SortFunc(files, func(a, b statedir.KeptFile) int { return strings.Compare(a.Name, b.Name) })
	// What a later file replaces was read with it.
	done := make(map[string]bool)
	var logs []readLog
	for _, f := range slices.Backward(files) {
		if !strings.HasSuffix(f.Name, suffix) {
			continue
		}
		file, free, err := l.folder.Resume(f.Name)
		if err != nil || !free {
			continue
		}
		one := readAll(file)
		switch {
		case one.head.Version > Version:
			found.newer = append(found.newer, f.Name)
			file.Close()
			continue
		case done[f.Name], one.head.Version == 0 && len(one.entries) == 0, len(one.head.Replaces) > 0 && !one.complete:
			found.damaged += boolInt(one.head.Version == 0 && !done[f.Name] && f.Size > 0)
			file.Close()
			l.folder.Remove(f.Name)
			continue
		}
		for _, name := range one.head.Replaces {
			done[name] = true
		}
		found.files = append(found.files, foundLog{f.Name, file})
		logs = append(logs, one)
	}
	slices.Reverse(found.files)
	slices.Reverse(logs)
	for i, one := range logs {
		found.add(one, len(logs) > 1)
		if i == len(logs)-1 {
			found.size = one.size
			if one.torn {
				_ = found.files[i].file.Truncate(one.size) // else the next read finds it damaged
			}
		}
	}
	return found, nil
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// add adds what one log holds. Tracks of several logs get other numbers; of those
// of one file the last counts.
func (f *foundLogs) add(one readLog, several bool) {
	f.damaged += one.damaged
	if !several {
		for _, e := range one.entries {
			f.state.Add(e)
		}
		f.damaged += f.state.Lost
		return
	}
	s := NewState()
	for _, e := range one.entries {
		s.Add(e)
	}
	f.damaged += s.Lost
	offset := 0
	for id := range f.state.Tracks {
		offset = max(offset, id)
	}
	for _, t := range s.Tracks {
		for id, old := range f.state.Tracks {
			if old.Path == t.Path {
				delete(f.state.Tracks, id)
			}
		}
		t.renumber(t.ID + offset)
		t.turns = nil // each log counted its own
		f.state.Tracks[t.ID] = t
	}
	for _, k := range s.Changes {
		f.state.Add(Entry{Do: DoChange, Key: k.Key, Value: k.Value})
	}
}

// renumber gives a track another number, and its hunks other ids.
func (t *Track) renumber(id int) {
	t.ID = id
	for i := range t.hunks {
		t.hunks[i].ID = t.newID()
	}
}

// readLog is what a file holds.
type readLog struct {
	head     header
	entries  []Entry
	size     int64 // up to the end of the last whole entry
	damaged  int
	torn     bool // the last entry is not whole
	complete bool
}

// readAll reads a log as far as it can be read. An entry that is damaged is left
// out; one that the file ends in was never written.
func readAll(file io.Reader) (r readLog) {
	in := bufio.NewReaderSize(file, 1<<20)
	for first := true; ; first = false {
		line, err := in.ReadBytes('\n')
		if err != nil {
			r.torn = len(line) > 0
			return r
		}
		raw, ok := checked(line)
		switch {
		case !ok:
			r.damaged++
		case first:
			if wire.Unmarshal(raw, &r.head) != nil || r.head.Version > Version {
				return r
			}
		default:
			var e Entry
			if wire.Unmarshal(raw, &e) != nil {
				r.damaged++
				break
			}
			if e.Do == doReplaced {
				r.complete = true
				break
			}
			r.entries = append(r.entries, e)
		}
		r.size += int64(len(line))
	}
}

// castagnoli is the polynomial of the checksums.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// line writes an entry as a line: the checksum of its JSON, a blank, the JSON.
func line(v any) ([]byte, error) {
	raw, err := wire.Marshal(v)
	if err != nil {
		return nil, err
	}
	b := make([]byte, 0, len(raw)+10)
	b = fmt.Appendf(b, "%08x ", crc32.Checksum(raw, castagnoli))
	return append(append(b, raw...), '\n'), nil
}

// checked returns the JSON of a line whose checksum is right.
func checked(line []byte) (raw []byte, ok bool) {
	sum, raw, found := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte(" "))
	var want [4]byte
	if !found || len(sum) != 8 {
		return nil, false
	}
	if _, err := hex.Decode(want[:], sum); err != nil {
		return nil, false
	}
	got := crc32.Checksum(raw, castagnoli)
	return raw, want == [4]byte{byte(got >> 24), byte(got >> 16), byte(got >> 8), byte(got)}
}

// errFull says that a log has to be made anew before it takes more, see [Log.Shrink].
var errFull = fault.New(fault.DiskFull, "the history has grown too large")

// Read returns what the logs of a folder hold, those that processes have open
// included, and of which workspace folders they are. It changes nothing.
func Read(folder *statedir.KeptFolder) (s *State, roots []string, err error) {
	files, err := folder.Files()
	if err != nil {
		return nil, nil, err
	}
	slices.SortFunc(files, func(a, b statedir.KeptFile) int { return strings.Compare(a.Name, b.Name) })
	found, done := &foundLogs{state: NewState()}, make(map[string]bool)
	var logs []readLog
	for _, f := range slices.Backward(files) {
		if done[f.Name] || !strings.HasSuffix(f.Name, suffix) {
			continue
		}
		file, err := folder.Root().Open(f.Name)
		if err != nil {
			continue
		}
		one := readAll(file)
		file.Close()
		if one.head.Version != Version || len(one.head.Replaces) > 0 && !one.complete {
			continue
		}
		for _, name := range one.head.Replaces {
			done[name] = true
		}
		roots = one.head.Roots
		logs = append(logs, one)
	}
	for _, one := range slices.Backward(logs) {
		found.add(one, len(logs) > 1)
	}
	return found.state, roots, nil
}

// Clear removes the logs of a folder that no process has open. It returns how many
// are left because one has.
func Clear(folder *statedir.KeptFolder) (left int, err error) {
	files, err := folder.Files()
	for _, f := range files {
		if strings.HasSuffix(f.Name, suffix) && !folder.Remove(f.Name) {
			left++
		}
	}
	return left, err
}

// Append adds an entry. What it returns by is in the file, and outlives this process
// but not the machine. After an error nothing is added until [Log.Shrink].
func (l *Log) Append(e Entry) error {
	raw, err := line(e)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.file == nil:
		return nil
	case l.broken, l.size+int64(len(raw)) > l.limit:
		l.broken = true
		return errFull
	}
	if err := l.write(l.file, raw); err != nil {
		l.broken = true
		_ = l.file.Truncate(l.size) // a part of an entry may stay, and is told from whole ones
		return fault.From(err)
	}
	l.size += int64(len(raw))
	return nil
}

func (l *Log) write(f *os.File, raw []byte) error {
	if l.fail != nil {
		if err := l.fail("write"); err != nil {
			_, _ = f.Write(raw[:len(raw)/2])
			return err
		}
	}
	_, err := f.Write(raw)
	return err
}

// FailBefore has fail called ahead of each write; an error stands for the write's,
// of which half is made. It is for tests and comes before all other calls.
func (l *Log) FailBefore(fail func(step string) error) { l.fail = fail }

// Shrink makes the log anew of entries.
func (l *Log) Shrink(entries []Entry) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	old := l.file
	if err := l.replace([]string{l.name}, entries); err != nil {
		return err
	}
	old.Close()
	return nil
}

// Room is how many bytes the entries of a log made anew may take.
func (l *Log) Room() int64 { return l.limit / 2 }

// replace begins a file that stands for others, which are removed when it is whole.
func (l *Log) replace(names []string, entries []Entry) error {
	name := fmt.Sprintf("%020d%s", max(l.now().UnixNano(), nextName(append(names, l.name))), suffix)
	file, err := l.folder.Create(name)
	if err != nil {
		return err
	}
	size, err := l.fill(file, names, entries)
	if err != nil {
		file.Close()
		l.folder.Remove(name)
		return fault.From(err)
	}
	l.file, l.name, l.size, l.broken = file, name, size, false
	for _, old := range names {
		l.folder.Forget(old)
	}
	return nil
}

// nextName returns a number higher than those that names begin with.
func nextName(names []string) (next int64) {
	for _, n := range names {
		var at int64
		if _, err := fmt.Sscanf(n, "%d", &at); err == nil {
			next = max(next, at+1)
		}
	}
	return next
}

func (l *Log) fill(file *os.File, names []string, entries []Entry) (size int64, err error) {
	put := func(v any) {
		var raw []byte
		if err == nil {
			raw, err = line(v)
		}
		if err == nil {
			err = l.write(file, raw)
			size += int64(len(raw))
		}
	}
	put(header{Version: Version, Roots: l.roots, Began: l.now().UTC(), Replaces: names})
	for _, e := range entries {
		put(e)
	}
	put(Entry{Do: doReplaced})
	if err == nil && len(names) > 0 {
		err = file.Sync()
	}
	return size, err
}

// Close closes the log. What is in it stays.
func (l *Log) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != nil {
		l.file.Close()
		l.file = nil
	}
}
