package workspace

import "strings"

// Journal is a private folder in which transactions write down what they are
// about to do, one file each, so that what a process leaves unfinished is
// finished or undone by another one. Several processes may use it at a time.
type Journal struct{ folder *KeptFolder }

// OpenJournal opens the journal in the folder at an absolute path and makes
// what is missing of it. Errors are those of [OpenKeptFolder].
func OpenJournal(path string) (*Journal, error) {
	k, err := OpenKeptFolder(path)
	if err != nil {
		return nil, err
	}
	return &Journal{k}, nil
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

// Recovered tells what became of one interrupted transaction. Paths are
// absolute.
type Recovered struct {
	Outcome RecoveryOutcome
	// Files are those that the transaction was about.
	Files []string
	// NotRestored are those of Files that another program has changed since,
	// so that they were left as they are.
	NotRestored []string
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
	RecoveryUndone     RecoveryOutcome = "undone"     // the files are as before, but for NotRestored
	RecoveryPostponed  RecoveryOutcome = "postponed"  // the system failed, or the workspace is not there; the next Recover tries again
	RecoveryUnreadable RecoveryOutcome = "unreadable" // the journal is damaged and was moved aside
)
