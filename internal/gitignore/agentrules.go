package gitignore

import (
	"bytes"
	"fmt"
	"path"
	"reflect"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// AgentFileNames are the ignore files that are policy: what they take is
// neither read, written nor listed.
var AgentFileNames = []string{".agentignore", ".cursorignore", ".geminiignore", ".aiexclude"}

// IsAgentIgnore reports whether name, the last element of a path, is that of an
// ignore file that is policy, in some spelling.
func IsAgentIgnore(name string) bool {
	return slices.ContainsFunc(AgentFileNames, func(file string) bool { return foldsTo(name, file) })
}

// foldsTo reports whether a name is a spelling of file, which begins with a dot
// and is folded.
func foldsTo(name, file string) bool {
	if len(name) < len(file) || name[0] != '.' && name[0] < 0x80 {
		return false // nearly always
	}
	return name == file || fsys.FoldPath(name) == file
}

// AgentRulePrefix begins the name of every rule from such a file.
const AgentRulePrefix = "ignored for agents: "

// AgentRules are the agents' ignore files that hold in one folder. They never
// change; nil has none.
//
// Each file decides by itself, by git's rules: an exception frees only what
// the same file takes. A place is hidden if any of them takes it.
type AgentRules struct {
	up    *AgentRules
	name  string // the folder's, "" of a workspace folder
	Lists []AgentList
	// unsaved are the texts of open documents, for the folders at and below
	// this one. Rules from the disk have none.
	unsaved *UnsavedLists
}

// AgentList is one file as it holds in a folder, twice: as written, and
// folded as rules of policy are. Each can take what the other does not.
type AgentList struct {
	Shown  string // the file's path below its workspace folder
	raw    activeList
	folded activeList
	same   bool // folded is raw
}

// Below returns the rules inside the folder name of the folder that ar is of;
// "" is that folder itself. names are what the folder holds; read returns the
// bytes of one of them, of which those beyond MaxFileBytes do not matter.
func (ar *AgentRules) Below(name string, names []string, read func(name string) ([]byte, error)) *AgentRules {
	next := &AgentRules{up: ar, name: name}
	if ar != nil {
		next.Lists, next.unsaved = agentListsBelow(ar.Lists, name), ar.unsaved
	}
	for _, file := range AgentFileNames {
		if !slices.ContainsFunc(names, func(name string) bool { return name == file || foldsTo(name, file) }) {
			continue
		}
		// Under another spelling it is read only where the system takes both
		// for one.
		shown := path.Join(next.path(), file)
		content, err := read(file)
		switch {
		case err == nil:
			next.add(NewAgentList(shown, content))
		case !isNoIgnoreFile(err):
			next.add(NewAgentList(shown+" (which cannot be read)", []byte("*")))
		}
	}
	if next.unsaved != nil {
		for _, l := range next.unsaved.Lists[next.path()] {
			next.add(l)
		}
	}
	return next
}

// add adds the list of a file of the folder. The lists may be shared until
// then.
func (ar *AgentRules) add(l AgentList) { ar.Lists = append(slices.Clip(ar.Lists), l) }

// path returns the folder's path below its workspace folder, "" for that.
func (ar *AgentRules) path() string {
	if ar == nil {
		return ""
	}
	return path.Join(ar.up.path(), ar.name)
}

// Hides returns the rule that keeps an entry of the folder from agents. That
// the folder itself is hidden is not asked. The ignore files themselves are
// not hidden: who must keep to them may know them.
func (ar *AgentRules) Hides(name string, dir bool) (rule string, ok bool) {
	if ar == nil || len(ar.Lists) == 0 || !dir && IsAgentIgnore(name) {
		return "", false
	}
	folded := fsys.FoldPath(name)
	for i := range ar.Lists {
		l := &ar.Lists[i]
		p := l.raw.match(name, dir)
		if (p == nil || p.negated) && (!l.same || folded != name) {
			p = l.folded.match(folded, dir)
		}
		if p != nil && !p.negated {
			return fmt.Sprintf("%s%s:%d: %s", AgentRulePrefix, l.Shown, p.line, p.text), true
		}
	}
	return "", false
}

// NewAgentList compiles a file of the folder it is activated in.
func NewAgentList(shown string, content []byte) AgentList {
	if len(content) > MaxFileBytes {
		content = cutIgnore(content)
	}
	content = asUTF8(content)
	raw := parseIgnore(content).activate()
	l := AgentList{Shown: shown, raw: raw, folded: raw, same: true}
	if folded := fsys.FoldPattern(string(content)); folded != string(content) {
		l.folded, l.same = parseIgnore([]byte(folded)).activate(), false
		l.keepText()
	}
	return l
}

// keepText gives the folded patterns the text as written, for messages.
func (l *AgentList) keepText() {
	written := make(map[int]string)
	for _, p := range l.raw.list.patterns {
		written[p.line] = p.text
	}
	for i := range l.folded.list.patterns {
		p := &l.folded.list.patterns[i]
		p.text = written[p.line]
	}
}

func agentListsBelow(lists []AgentList, name string) []AgentList {
	if name == "" || len(lists) == 0 {
		return lists
	}
	folded := fsys.FoldPath(name)
	next := make([]AgentList, 0, len(lists))
	for _, l := range lists {
		below := AgentList{Shown: l.Shown, raw: l.raw.below(name), same: l.same && folded == name}
		if below.folded = below.raw; !below.same {
			below.folded = l.folded.below(folded)
		}
		next = append(next, below)
	}
	return next
}

// asUTF8 decodes what some editors write as UTF-16, and takes the mark off.
func asUTF8(content []byte) []byte {
	if bytes.HasPrefix(content, []byte("\xff\xfe")) || bytes.HasPrefix(content, []byte("\xfe\xff")) {
		if d, err := text.Decode(content, ""); err == nil {
			return []byte(d.Text.String())
		}
	}
	return bytes.TrimPrefix(content, []byte("\ufeff"))
}

// SameAgents reports whether two rules, which may be nil, hide the same.
func SameAgents(a, b *AgentRules) bool { return a == b || reflect.DeepEqual(a, b) }
