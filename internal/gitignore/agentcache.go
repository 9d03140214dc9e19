package gitignore

import (
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// maxAgentFolders bounds how many folders' rules are remembered. Beyond it
// all are forgotten.
const maxAgentFolders = 1 << 15

// agentCache remembers the agents' ignore files of a workspace folder's
// folders. A folder's own state reports whether names were added to it; only
// the ignore files that are there are looked at besides.
type agentCache struct {
	mu      sync.Mutex
	folders map[string]*agentFolder // by slash path, "" is the top
}

// agentFolder is what a folder was found to hold. It never changes.
type agentFolder struct {
	seen  seenID
	files []agentFile
	rules *AgentRules // with those of the folders around it, from rules.up on
}

type agentFile struct {
	name string
	seen seenID
}

// seenID is a state, and whether everything that happens later gives another.
type seenID struct {
	id    fsys.ID
	final bool
}

// see notes a state; what it stands for is looked at after now.
func see(id fsys.ID, now time.Time) seenID { return seenID{id, fsys.TimesAreFinal(id, now)} }

// Hides returns the rule of an ignore file on disk that keeps the place rel,
// a slash path below the directory, from agents. What rel is is looked up if
// it matters; what does not exist is a file.
func Hides(o *fsys.Dir, rel string) (rule string, ok bool) {
	enter := func(folder string, up *AgentRules) *AgentRules { return RulesIn(o, folder, up) }
	return HidesPath(rel, enter, func() bool { return IsFolder(o, rel) })
}

// HidesPath walks down to rel. enter returns the rules inside a folder from
// those of the one it is in.
func HidesPath(rel string, enter func(folder string, up *AgentRules) *AgentRules, isFolder func() bool) (rule string, ok bool) {
	if rel == "." {
		return "", false
	}
	var rules *AgentRules
	for start := 0; ; {
		rules = enter(strings.TrimSuffix(rel[:start], "/"), rules)
		name, rest, more := strings.Cut(rel[start:], "/")
		if !more {
			return rules.hidesEntry(name, isFolder)
		}
		if rule, ok := rules.Hides(name, true); ok {
			return rule, true
		}
		start = len(rel) - len(rest)
	}
}

// hidesEntry is hides for an entry of which only isFolder, which is slow,
// knows what it is.
func (ar *AgentRules) hidesEntry(name string, isFolder func() bool) (rule string, ok bool) {
	if rule, ok = ar.Hides(name, false); ok {
		return rule, true
	}
	if rule, ok = ar.Hides(name, true); ok && isFolder() {
		return rule, true
	}
	return "", false
}

// IsFolder reports whether the path rel below o leads to a folder.
func IsFolder(o *fsys.Dir, rel string) bool {
	st, _ := o.StatBelow(rel) // nothing is no folder
	return st.Mode.IsDir()
}

// RulesIn returns the rules inside a folder; up are those of the one it is
// in.
func RulesIn(o *fsys.Dir, folder string, up *AgentRules) *AgentRules {
	st, _ := o.StatBelow(folder)
	if !st.Mode.IsDir() {
		return up.Below(folderBase(folder), nil, nil)
	}
	cache := cacheOf(o)
	known := cache.get(folder)
	if known != nil && known.rules.up == up && known.seen.final && known.seen.id == st.ID && unchanged(o, folder, known.files) {
		return known.rules
	}
	now := time.Now() // before looking for files: see fsys.TimesAreFinal
	next := &agentFolder{seen: see(st.ID, now), files: agentFiles(o, folder, now)}
	if known != nil && known.rules.up == up && len(known.files) == 0 && len(next.files) == 0 {
		next.rules = known.rules // the same pointer: the folders below stay known
	} else {
		next.rules = up.Below(folderBase(folder), next.names(), readerOf(o, folder))
	}
	cache.put(folder, next)
	return next.rules
}

// folderBase returns the last name of a slash path, "" of "".
func folderBase(folder string) string { return folder[strings.LastIndexByte(folder, '/')+1:] }

// unchanged reports whether the files are as they were seen.
func unchanged(o *fsys.Dir, folder string, files []agentFile) bool {
	for _, f := range files {
		st, err := o.StatBelow(path.Join(folder, f.name))
		if err != nil || !f.seen.final || st.ID != f.seen.id {
			return false
		}
	}
	return true
}

// agentFiles returns the ignore files that a folder holds.
func agentFiles(o *fsys.Dir, folder string, now time.Time) []agentFile {
	var files []agentFile
	for _, name := range AgentFileNames {
		if st, err := o.StatBelow(path.Join(folder, name)); err == nil {
			files = append(files, agentFile{name, see(st.ID, now)})
		}
	}
	return files
}

func (f *agentFolder) names() []string {
	names := make([]string, len(f.files))
	for i, file := range f.files {
		names[i] = file.name
	}
	return names
}

// readerOf returns what reads the ignore files of a folder. A link is followed
// wherever it leads: whoever made it wants those rules, and nobody sees the
// text.
func readerOf(o *fsys.Dir, folder string) func(string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		return readSmall(filepath.Join(o.Real, filepath.FromSlash(folder), name), MaxFileBytes+1)
	}
}

// cacheOf returns what is remembered of the directory's folders.
func cacheOf(o *fsys.Dir) *agentCache {
	return o.Memo(func() any { return new(agentCache) }).(*agentCache)
}

func (c *agentCache) get(folder string) *agentFolder {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.folders[folder]
}

func (c *agentCache) put(folder string, f *agentFolder) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.folders == nil || len(c.folders) >= maxAgentFolders {
		c.folders = make(map[string]*agentFolder)
	}
	c.folders[strings.Clone(folder)] = f
}
