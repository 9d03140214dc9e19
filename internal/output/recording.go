package output

import (
	"crypto/rand"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// Recording is the output of one command on its way to the store. Stdout and
// Stderr may be written to at the same time; [Recording.Finish] ends both.
type Recording struct {
	ID             string
	Stdout, Stderr io.Writer

	store          *Store
	level          Level
	stdout, stderr *stream
}

// Shown is what is shown of a command's output, and where all of it is.
type Shown struct {
	Stdout, Stderr string // within the level's budget together
	// Files are the kept files in the reserved folder: both, or none when
	// nothing could be kept.
	Files []string
	// StdoutLines and StderrLines are the lines of the whole streams, as files
	// count them.
	StdoutLines, StderrLines int
	// Bytes counts both streams.
	Bytes int64
	// Whole tells that nothing was left out, cut or cleaned of both streams.
	Whole bool
	// Notes are sentences about what could not be kept.
	Notes []string
}

// Record begins a recording. The id is made fit for a file's name and unique;
// "" makes one up. The error is that of making the files.
func (s *Store) Record(id string, level Level) (*Recording, error) {
	base := cleanID(id)
	for try := 1; ; try++ {
		r, err := s.tryRecord(numbered(base, try), level)
		if fault.KindOf(err) != fault.AlreadyExists || try > 2*maxIDTries {
			return r, err
		}
	}
}

// numbered is an id for the next try: with a number behind it, or by chance.
func numbered(base string, try int) string {
	switch {
	case try == 1:
		return base
	case try <= maxIDTries:
		return base + "-" + strconv.Itoa(try)
	}
	return shorten(base, 8) + "-" + randomID()
}

// tryRecord makes both files of an id, or none.
func (s *Store) tryRecord(id string, level Level) (*Recording, error) {
	out, err := s.folder.Create(id + stdoutSuffix)
	if err != nil {
		return nil, err
	}
	errFile, err := s.folder.Create(id + stderrSuffix)
	if err != nil {
		out.Close()
		s.folder.Remove(id + stdoutSuffix)
		return nil, err
	}
	return s.recording(id, level, out, errFile), nil
}

// maxIDTries is how many numbers are tried behind an id that exists.
const maxIDTries = 20

func (s *Store) recording(id string, level Level, out, errFile *os.File) *Recording {
	r := &Recording{
		ID: id, store: s, level: level,
		stdout: newStream(out, id+stdoutSuffix, s.limits.stream, level), stderr: newStream(errFile, id+stderrSuffix, s.limits.stream, level),
	}
	r.Stdout, r.Stderr = r.stdout, r.stderr
	return r
}

// maxID is the length of an id, in bytes.
const maxID = 40

// cleanID makes an id of ASCII letters, digits, "_" and "-".
func cleanID(id string) string {
	id = strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, shorten(id, maxID))
	if strings.Trim(id, "_-") == "" {
		return "out-" + randomID()
	}
	return id
}

func randomID() string { return strings.ToLower(rand.Text()[:12]) }

// Finish closes the files and returns what is shown. It then brings the store
// back within its budget.
func (r *Recording) Finish() Shown {
	r.stdout.close()
	r.stderr.close()
	shown := Shown{
		StdoutLines: r.stdout.selector.Lines(), StderrLines: r.stderr.selector.Lines(),
		Bytes: r.stdout.bytes + r.stderr.bytes,
	}
	outName, errName := r.ID+stdoutSuffix, r.ID+stderrSuffix
	shown.Files = []string{workspace.OutputsPrefix + outName, workspace.OutputsPrefix + errName}
	r.stdout.selector.beside = r.stderr.selector.gravest() >= likely
	r.stderr.selector.beside = r.stdout.selector.gravest() >= likely
	forOut, forErr := shares(r.level.Budget(), r.stdout, r.stderr)
	var wholeOut, wholeErr bool
	shown.Stdout, wholeOut = r.stdout.selector.Text(forOut, outName)
	if r.stdout.selector.beside {
		forErr = max(forErr, r.level.Budget()-len(shown.Stdout)) // the noise took less than its share
	}
	shown.Stderr, wholeErr = r.stderr.selector.Text(forErr, errName)
	if left := r.level.Budget() - len(shown.Stderr); r.stderr.selector.beside && left > forOut {
		shown.Stdout, wholeOut = r.stdout.selector.Text(left, outName)
	}
	shown.Whole = wholeOut && wholeErr
	for _, s := range []*stream{r.stdout, r.stderr} {
		if note := s.note(); note != "" {
			shown.Notes = append(shown.Notes, note)
		}
	}
	r.store.prune()
	return shown
}

// shares divides a budget: what one stream does not need is the other's. Where
// there is too little for both, the stream with the graver error gets all but
// a mark.
func shares(budget int, out, err *stream) (forOut, forErr int) {
	needOut, needErr := out.need(), err.need()
	half := budget / 2
	switch {
	case needOut == 0:
		return MinBudget, budget
	case needErr == 0:
		return budget, MinBudget
	case needOut+needErr <= budget:
		return needOut, needErr
	case budget < 8*MinBudget && out.selector.gravest() > err.selector.gravest():
		return budget - MinBudget, MinBudget
	case budget < 8*MinBudget:
		return MinBudget, budget - MinBudget
	case needOut <= half:
		return needOut, budget - needOut
	case needErr <= half:
		return budget - needErr, needErr
	}
	return half, budget - half
}

// stream is one stream on its way: to its file, and through its selector.
type stream struct {
	file     *os.File
	name     string
	room     int64 // bytes that the file may still take
	selector *Selector
	bytes    int64 // of the stream
	kept     int64 // of it in the file
	err      error // of the file; nothing is written to it after one
}

func newStream(f *os.File, name string, most int64, level Level) *stream {
	return &stream{file: f, name: name, room: most, selector: NewSelector(level.Budget())}
}

// Write takes the next bytes. It never fails.
func (s *stream) Write(p []byte) (int, error) {
	s.bytes += int64(len(p))
	_, _ = s.selector.Write(p) // it takes everything
	if s.err == nil {
		n, err := s.file.Write(p[:min(int64(len(p)), s.room)])
		s.kept += int64(n)
		s.room -= int64(n)
		s.err = err
	}
	return len(p), nil
}

func (s *stream) close() {
	s.selector.Close()
	if err := s.file.Close(); err != nil && s.err == nil {
		s.err = err
	}
}

// need is how many bytes show all of the stream, or at least its budget.
func (s *stream) need() int {
	if s.bytes == 0 {
		return 0
	}
	return max(MinBudget, s.selector.Need())
}

// note tells that the kept file lacks something.
func (s *stream) note() string {
	if s.kept == s.bytes && s.err == nil {
		return ""
	}
	why := "more is not kept"
	if s.err != nil {
		why = fault.From(s.err).Message
	}
	return "The kept file " + workspace.OutputsPrefix + s.name + " is cut after " + grouped(int(s.kept)) + " of " +
		grouped(int(s.bytes)) + " bytes: " + why + "."
}
