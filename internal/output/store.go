package output

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/statedir"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// The budget of a store. Both count for all processes that share its folder.
const (
	maxStoreBytes = 256 << 20
	maxStoreAge   = 7 * 24 * time.Hour
	// maxStreamBytes is what is kept of one stream: the beginning.
	maxStreamBytes = maxStoreBytes / 2
	// maxStoreFiles bounds the number of files, however small.
	maxStoreFiles = 10_000
)

// Store is a folder of kept output: for each command <id>.stdout and
// <id>.stderr. Several processes may share the folder. It may be used from
// any goroutine.
type Store struct {
	folder *statedir.KeptFolder
	now    func() time.Time
	limits limits
}

type limits struct {
	bytes, stream int64
	age           time.Duration
	files         int
}

// OpenStore opens the store below the cache folder cacheHome, an absolute
// path. now is the clock that ages are held against.
func OpenStore(cacheHome string, now func() time.Time) (*Store, error) {
	folder, err := statedir.OpenKeptFolder(filepath.Join(cacheHome, "agent-lsp", "outputs"))
	if err != nil {
		return nil, err
	}
	return &Store{folder, now, limits{maxStoreBytes, maxStreamBytes, maxStoreAge, maxStoreFiles}}, nil
}

// Folder is the folder of the kept files, for [workspace.Gate.WithOutputs].
func (s *Store) Folder() *statedir.KeptFolder { return s.folder }

// Path returns the path on disk of a kept file, which [Recording.Finish] names
// by its place in the reserved folder.
func (s *Store) Path(shown string) string {
	return s.folder.Path(strings.TrimPrefix(shown, workspace.OutputsPrefix))
}

// prune removes files that are too old and then, oldest first, what is over
// the budget. Files that are being written stay, whichever process writes
// them, and so does what is not named like a kept stream.
func (s *Store) prune() {
	files, err := s.folder.Files()
	if err != nil {
		return // nothing can be removed, and keeping more does no harm yet
	}
	files = slices.DeleteFunc(files, func(f statedir.KeptFile) bool { return !isStream(f.Name) })
	slices.SortFunc(files, func(a, b statedir.KeptFile) int {
		return cmp.Or(a.Modified.Compare(b.Modified), cmp.Compare(a.Name, b.Name))
	})
	var total int64
	for _, f := range files {
		total += f.Size
	}
	oldest := s.now().Add(-s.limits.age)
	left := len(files)
	for _, f := range files {
		if total <= s.limits.bytes && left <= s.limits.files && !f.Modified.Before(oldest) {
			return
		}
		if s.folder.Remove(f.Name) {
			total -= f.Size
			left--
		}
	}
}

const (
	stdoutSuffix = ".stdout"
	stderrSuffix = ".stderr"
)

func isStream(name string) bool {
	return strings.HasSuffix(name, stdoutSuffix) || strings.HasSuffix(name, stderrSuffix)
}
