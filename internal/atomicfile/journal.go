package atomicfile

import (
	"crypto/rand"
	"os"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/statedir"
)

// Journal is a private folder in which transactions and writes of single files
// write down what they are about to do, one file each, so that what a process
// leaves unfinished is finished or undone by another one. Several processes may
// use it at a time.
type Journal struct {
	folder *statedir.KeptFolder
	key    []byte            // of the seals
	spare  chan *journalFile // empty ones of single writes, for the next ones
}

// maxSpare is how many single writes at a time find a file in the journal that
// need not be made first.
const maxSpare = 4

// OpenJournal opens the journal in the folder at an absolute path and makes
// what is missing of it. The caller closes it. Errors are those of [statedir.OpenKeptFolder], and
// permission_denied for a link.
func OpenJournal(path string) (*Journal, error) {
	k, err := statedir.OpenKeptFolder(path)
	if err != nil {
		return nil, err
	}
	if info, err := os.Lstat(path); err != nil || !info.IsDir() {
		return nil, fault.New(fault.PermissionDenied, "the journal's folder is a link").At(path).Advise("put a folder in its place")
	}
	key, err := key(k)
	if err != nil {
		return nil, err
	}
	return &Journal{k, key, make(chan *journalFile, maxSpare)}, nil
}

const (
	keyFile  = "key"
	keyBytes = 32
)

// key returns the folder's key, random bytes that only this user can read. It
// is made anew where it is missing or others may have read or made it.
func key(k *statedir.KeptFolder) ([]byte, error) {
	if key, ok := readKey(k); ok {
		return key, nil
	}
	var key []byte
	err := k.Update(keyFile, func([]byte) ([]byte, error) {
		known, ok := readKey(k) // another process may just have made it
		if key = known; !ok {
			key = make([]byte, keyBytes)
			_, _ = rand.Read(key) // it never fails
		}
		return key, nil
	})
	return key, err
}

func readKey(k *statedir.KeptFolder) (key []byte, ok bool) {
	info, err := k.Root().Lstat(keyFile)
	if err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o077 != 0 && fsys.HasPermissions || !fsys.OwnedByUser(info) {
		return nil, false
	}
	key, err = k.Read(keyFile)
	return key, err == nil && len(key) == keyBytes
}

// damagedSuffix ends the names of journals that were moved aside.
const damagedSuffix = ".damaged"

// Damaged returns the paths of the journals that were moved aside, as they
// cannot be read.
func (j *Journal) Damaged() (paths []string) {
	files, _ := j.folder.Files() // Recover tells of a folder that cannot be read
	for _, f := range files {
		if strings.HasSuffix(f.Name, damagedSuffix) {
			paths = append(paths, j.folder.Path(f.Name))
		}
	}
	return paths
}

// Recovered tells what became of one interrupted transaction or write of a
// single file. Paths are absolute.
type Recovered struct {
	Outcome RecoveryOutcome
	// Files are those that it was about.
	Files []string
	// NotRestored are those of Files that another program has changed since,
	// so that they were left as they are.
	NotRestored []string
	// Refused are those of Files that policy does not let be changed without consent,
	// so that they were left as they are; what they held is among Kept.
	Refused []string
	// Kept are further files that were left, for what they hold.
	Kept []string
	// Journal is the journal's file where it is still there.
	Journal string
	// Err is why it was postponed or unreadable; else nil.
	Err error
}

// RecoveryOutcome is what was done about an interrupted transaction.
type RecoveryOutcome string

// The outcomes.
const (
	RecoveryFinished   RecoveryOutcome = "finished"   // it was committed: the old texts are gone now
	RecoveryUndone     RecoveryOutcome = "undone"     // the files are as before, but for NotRestored and Refused
	RecoveryPostponed  RecoveryOutcome = "postponed"  // the system failed, or the workspace is not there; the next Recover tries again
	RecoveryUnreadable RecoveryOutcome = "unreadable" // the journal is damaged and was moved aside
)
