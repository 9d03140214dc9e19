package gitignore

import (
	"bytes"
	"path/filepath"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// Names of the ignore files that keep files out of lists and searches.
const (
	GitIgnoreName = ".gitignore"
	DotIgnoreName = ".ignore"
	GitFolderName = ".git"
)

// MaxFileBytes is how much of an ignore file counts.
const MaxFileBytes = 1 << 20

// IsIgnoreFile reports whether a name is an ignore file's: a change of one
// changes the rules of its folder and of those below.
func IsIgnoreFile(name string) bool {
	return name == GitIgnoreName || name == DotIgnoreName || IsAgentIgnore(name)
}

// Rules are the ignore files that hold in one folder. They never change.
//
// The order in which files are asked is ripgrep's: every .ignore file from
// the folder upwards, then every .gitignore, the repository's info/exclude,
// and the person's own file. The first that has a pattern for a name decides,
// in it the last such pattern. What git reads counts inside a repository
// only, and ends where another repository begins.
type Rules struct {
	dir    string // the folder's absolute path
	global *ignoreList
	inRepo bool

	dotIgnore []activeList // in the order in which they are asked
	git       []activeList

	// Sources are the files outside the folder that the rules come from, or
	// would if they were there.
	Sources []Source
	// Problems are the folder's own ignore files that do not count in full,
	// as *fault.Error.
	Problems []error
}

// Below returns the rules inside the folder name of the folder that ir is of;
// "" is that folder itself. names are what the folder holds; read returns the
// bytes of one of them, of which those beyond MaxFileBytes do not matter.
func (ir *Rules) Below(name string, names []string, read func(name string) ([]byte, error)) *Rules {
	next := &Rules{dir: ir.dir, global: ir.global, inRepo: ir.inRepo}
	if name == "" {
		next.dotIgnore, next.git = ir.dotIgnore, ir.git
	} else {
		next.dir = filepath.Join(ir.dir, name)
		next.dotIgnore, next.git = listsBelow(ir.dotIgnore, name), listsBelow(ir.git, name)
	}
	if slices.Contains(names, GitFolderName) {
		next.enterRepository()
	}
	if slices.Contains(names, DotIgnoreName) {
		next.dotIgnore = next.prepend(next.dotIgnore, DotIgnoreName, read)
	}
	if next.inRepo && slices.Contains(names, GitIgnoreName) {
		next.git = next.prepend(next.git, GitIgnoreName, read)
	}
	return next
}

// Match reports whether an entry of the folder is ignored. That the folder
// itself may be is not asked.
func (ir *Rules) Match(name string, dir bool) bool {
	if name == GitFolderName {
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

// Changed reports whether a file outside the folder that the rules come from is
// another one by now.
func (ir *Rules) Changed() bool {
	for _, s := range ir.Sources {
		if SourceAt(s.Path) != s {
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
func (ir *Rules) prepend(lists []activeList, name string, read func(string) ([]byte, error)) []activeList {
	content, err := read(name)
	switch {
	case isNoIgnoreFile(err):
		return lists
	case err != nil:
		ir.Problems = append(ir.Problems, fault.From(err).At(filepath.Join(ir.dir, name)).
			Advise("its rules do not count until it can be read"))
		return lists
	case len(content) > MaxFileBytes:
		content = cutIgnore(content)
		ir.Problems = append(ir.Problems, tooLargeIgnore(filepath.Join(ir.dir, name)))
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
	return fsys.IsNoDevice(err)
}

func tooLargeIgnore(path string) *fault.Error {
	return fault.New(fault.FileTooLarge, "only the first %d bytes of this ignore file count", MaxFileBytes).At(path).
		Advise("say the same with fewer patterns")
}

// cutIgnore leaves the whole lines of the first MaxFileBytes.
func cutIgnore(content []byte) []byte {
	content = content[:MaxFileBytes]
	return content[:bytes.LastIndexByte(content, '\n')+1]
}
