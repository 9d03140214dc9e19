package workspace

import (
	"bytes"
	"path/filepath"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// Names of the ignore files that keep files out of lists and searches.
const (
	gitIgnoreName = ".gitignore"
	dotIgnoreName = ".ignore"
	gitFolderName = ".git"
)

// maxIgnoreBytes is how much of an ignore file counts.
const maxIgnoreBytes = 1 << 20

// isIgnoreFile tells whether a name is an ignore file's: a change of one
// changes the rules of its folder and of those below.
func isIgnoreFile(name string) bool {
	return name == gitIgnoreName || name == dotIgnoreName || IsAgentIgnore(name)
}

// ignoreRules are the ignore files that hold in one folder. They never change.
//
// The order in which files are asked is ripgrep's: every .ignore file from
// the folder upwards, then every .gitignore, the repository's info/exclude,
// and the person's own file. The first that has a pattern for a name decides,
// in it the last such pattern. What git reads counts inside a repository
// only, and ends where another repository begins.
type ignoreRules struct {
	dir    string // the folder's absolute path
	global *ignoreList
	inRepo bool

	dotIgnore []activeList // in the order in which they are asked
	git       []activeList

	// sources are the files outside the folder that the rules come from, or
	// would if they were there.
	sources []ignoreSource
	// problems are the folder's own ignore files that do not count in full,
	// as *fault.Error.
	problems []error
}

// below returns the rules inside the folder name of the folder that ir is of;
// "" is that folder itself. names are what the folder holds; read returns the
// bytes of one of them, of which those beyond maxIgnoreBytes do not matter.
func (ir *ignoreRules) below(name string, names []string, read func(name string) ([]byte, error)) *ignoreRules {
	next := &ignoreRules{dir: ir.dir, global: ir.global, inRepo: ir.inRepo}
	if name == "" {
		next.dotIgnore, next.git = ir.dotIgnore, ir.git
	} else {
		next.dir = filepath.Join(ir.dir, name)
		next.dotIgnore, next.git = listsBelow(ir.dotIgnore, name), listsBelow(ir.git, name)
	}
	if slices.Contains(names, gitFolderName) {
		next.enterRepository()
	}
	if slices.Contains(names, dotIgnoreName) {
		next.dotIgnore = next.prepend(next.dotIgnore, dotIgnoreName, read)
	}
	if next.inRepo && slices.Contains(names, gitIgnoreName) {
		next.git = next.prepend(next.git, gitIgnoreName, read)
	}
	return next
}

// match tells whether an entry of the folder is ignored. That the folder
// itself may be is not asked.
func (ir *ignoreRules) match(name string, dir bool) bool {
	if name == gitFolderName {
		return true
	}
	if p := firstMatch(ir.dotIgnore, name, dir); p != nil {
		return !p.negated
	}
	p := firstMatch(ir.git, name, dir)
	return p != nil && !p.negated
}

func firstMatch(lists []activeList, name string, dir bool) *ignorePattern {
	for i := range lists {
		if p := lists[i].match(name, dir); p != nil {
			return p
		}
	}
	return nil
}

// changed tells whether a file outside the folder that the rules come from is
// another one by now.
func (ir *ignoreRules) changed() bool {
	for _, s := range ir.sources {
		if sourceAt(s.path) != s {
			return true
		}
	}
	return false
}

// listsBelow returns the lists as they hold in the folder name; those that can
// take nothing there are left out.
func listsBelow(lists []activeList, name string) []activeList {
	if !slices.ContainsFunc(lists, func(a activeList) bool { return len(a.paths) > 0 }) {
		return lists
	}
	next := make([]activeList, 0, len(lists))
	for _, a := range lists {
		if b := a.below(name); !b.idle() {
			next = append(next, b)
		}
	}
	return next
}

// prepend puts the folder's ignore file name before lists.
func (ir *ignoreRules) prepend(lists []activeList, name string, read func(string) ([]byte, error)) []activeList {
	content, err := read(name)
	switch {
	case isNoIgnoreFile(err):
		return lists
	case err != nil:
		ir.problems = append(ir.problems, fault.From(err).At(filepath.Join(ir.dir, name)).
			Advise("its rules do not count until it can be read"))
		return lists
	case len(content) > maxIgnoreBytes:
		content = cutIgnore(content)
		ir.problems = append(ir.problems, tooLargeIgnore(filepath.Join(ir.dir, name)))
	}
	list := parseIgnore(content)
	if len(list.patterns) == 0 {
		return lists
	}
	return slices.Concat([]activeList{list.activate()}, lists)
}

// isNoIgnoreFile: it was removed since the folder was listed, or is a folder
// or a device of that name.
func isNoIgnoreFile(err error) bool {
	switch fault.KindOf(err) {
	case fault.NotFound, fault.IsDirectory, fault.NotDirectory, fault.NotAFile:
		return true
	}
	return isNoDevice(err)
}

func tooLargeIgnore(path string) *fault.Error {
	return fault.New(fault.FileTooLarge, "only the first %d bytes of this ignore file count", maxIgnoreBytes).At(path).
		Advise("say the same with fewer patterns")
}

// cutIgnore leaves the whole lines of the first maxIgnoreBytes.
func cutIgnore(content []byte) []byte {
	content = content[:maxIgnoreBytes]
	return content[:bytes.LastIndexByte(content, '\n')+1]
}
