package hook

import (
	"path/filepath"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// shellLine is what a line of shell is taken to do. It is a guess: a line can do
// anything. Paths are absolute.
type shellLine struct {
	reads   bool     // it builds, tests, or reads files that it does not name
	named   []string // all words that may be files
	shown   []string // files whose text it prints
	written []target // what it writes
	all     bool     // it may write any file of the project
}

// target is what a line writes: a file, or all that lies below a folder.
type target struct {
	path  string // absolute; a pattern begins with ** where its folder is not known
	glob  bool   // path is a pattern: *, ?, [...] in each name, ** for any number of names
	alone bool   // what lies below path is not written
}

const (
	// maxLine is how much of a line is looked at, in bytes: more is text that is
	// written down in it.
	maxLine = 64 << 10
	// maxPaths is how many files of a line are told apart. One that names more is
	// taken to read and to write anything.
	maxPaths = 1000
	// maxNested is how deep lines within lines are looked at, as in sh -c 'LINE'.
	maxNested = 4
)

// parseLine looks at a line of shell that is run in a folder. What is no shell that
// can be parsed is taken to write all files that it names.
func parseLine(line, folder string) shellLine {
	var l shellLine
	w := &walker{line: &l, folder: folder, last: folder, vars: map[string][]word{"TMPDIR": {{text: "/tmp"}}}}
	w.parse(line[:min(len(line), maxLine)])
	if len(line) > maxLine {
		l.reads, l.all = true, true
	}
	if len(l.named) > maxPaths {
		l.named, l.reads = l.named[:maxPaths], true
	}
	if len(l.written) > maxPaths {
		l.written, l.all = l.written[:maxPaths], true
	}
	return l
}

// walker goes through a line's commands in their order.
type walker struct {
	line   *shellLine
	folder string            // the working directory; unknown where the line does not tell it
	last   string            // the one before
	vars   map[string][]word // what a variable may be; shared by subshells
	nested int
}

func (w *walker) parse(line string) {
	if w.nested++; w.nested > maxNested {
		w.line.all = true
	} else {
		w.parsed(line)
	}
	w.nested--
}

func (w *walker) parsed(line string) {
	all, rest := statements(line)
	w.walk(all...)
	w.unparsed(rest)
}

// statements returns those of a line, and what follows the last one where that is no
// shell.
func statements(line string) (all []*syntax.Stmt, rest string) {
	end, failed := 0, false
	defer func() {
		if recover() != nil || failed { // a line that the parser cannot bear holds up nobody
			rest = line[min(end, len(line)):]
		}
	}()
	// The loop goes on behind an error: the parser may give the same one twice.
	for s, err := range syntax.NewParser(syntax.Variant(syntax.LangBash)).StmtsSeq(strings.NewReader(line)) {
		if failed = failed || err != nil; !failed {
			all, end = append(all, s), int(s.End().Offset())
		}
	}
	return all, ""
}

// unparsed takes each word of what is no shell for a file that is written.
func (w *walker) unparsed(line string) {
	for field := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune(" \t\r\n;|&<>()'\"`$={}", r) }) {
		w.line.reads = w.line.reads || isReader(field)
		w.name(word{text: field})
		w.write(word{text: field})
	}
}

func (w *walker) walk(nodes ...*syntax.Stmt) {
	for _, n := range nodes {
		syntax.Walk(n, w.visit)
	}
}

func (w *walker) visit(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.Subshell:
		return w.subshell(n.Stmts)
	case *syntax.CmdSubst:
		return w.subshell(n.Stmts)
	case *syntax.ProcSubst:
		return w.subshell(n.Stmts)
	case *syntax.ForClause:
		if each, ok := n.Loop.(*syntax.WordIter); ok {
			w.vars[each.Name.Value] = w.words(each.Items)
		}
	case *syntax.DeclClause:
		w.assign(n.Args)
	case *syntax.Stmt:
		w.statement(n)
	}
	return true
}

// subshell goes through commands whose working directory is their own.
func (w *walker) subshell(statements []*syntax.Stmt) bool {
	inner := *w
	inner.walk(statements...)
	return false
}

func (w *walker) statement(s *syntax.Stmt) {
	var input []word
	var typed string
	for _, r := range s.Redirs {
		switch r.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			if r.Hdoc != nil {
				typed = strings.Join(texts(w.word(r.Hdoc, true)), "\n")
			}
		case syntax.WordHdoc:
			typed = strings.Join(texts(w.word(r.Word, false)), "\n")
		case syntax.RdrIn:
			input = append(input, w.word(r.Word, false)...)
		case syntax.DplIn:
		case syntax.DplOut:
			for _, to := range w.word(r.Word, false) {
				if strings.Trim(to.text, "0123456789-") != "" { // else an open file, 2>&1
					w.write(to)
				}
			}
		default:
			for _, to := range w.word(r.Word, false) {
				w.write(to)
			}
		}
	}
	for _, in := range input {
		w.name(in)
	}
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok {
		return
	}
	w.assign(call.Assigns)
	words := w.words(call.Args)
	if n := len(words); n > 0 && isPrinter(words[0].text) {
		words = append(words, input...)
	}
	w.command(words, typed)
}

func (w *walker) assign(all []*syntax.Assign) {
	for _, a := range all {
		if a.Name == nil || a.Naked {
			continue
		}
		var values []word
		if a.Value != nil {
			values = w.word(a.Value, false)
		}
		if a.Array != nil {
			for _, e := range a.Array.Elems {
				if e.Value != nil {
					values = append(values, w.word(e.Value, false)...)
				}
			}
		}
		if len(w.vars) < maxPaths {
			w.vars[a.Name.Value] = values[:min(len(values), maxValues)]
		}
	}
}

// at returns a word as an absolute path.
func (w *walker) at(of word) string {
	if filepath.IsAbs(of.text) || of.glob && strings.HasPrefix(of.text, unknown+"/") {
		return filepath.Clean(of.text)
	}
	return filepath.Join(w.folder, of.text)
}

// name notes a file that a line names.
func (w *walker) name(of word) {
	if at := w.at(of); !of.glob && filepath.IsAbs(at) && len(w.line.named) <= maxPaths {
		w.line.named = append(w.line.named, at)
	}
}

// write notes a file or a folder that a line writes; only, one alone.
func (w *walker) write(of word)     { w.target(of, false) }
func (w *walker) writeOnly(of word) { w.target(of, true) }

func (w *walker) target(of word, alone bool) {
	t := target{w.at(of), of.glob, alone}
	t.glob = t.glob || !filepath.IsAbs(t.path)
	if of.text != "" && len(w.line.written) <= maxPaths {
		w.line.written = append(w.line.written, t)
	}
}

// base returns the folder in which all that a target names lies; "" where it is
// not known.
func (t target) base() string {
	if !t.glob {
		return t.path
	}
	fixed := t.path[:strings.IndexAny(t.path+"*", `*?[\`)]
	if !filepath.IsAbs(fixed) {
		return ""
	}
	return filepath.Dir(fixed + "x")
}

// covers reports whether a file, an absolute path, is among what a target names.
func (t target) covers(path string) bool {
	separator := string(filepath.Separator)
	if !t.glob {
		return path == t.path || !t.alone && strings.HasPrefix(path, strings.TrimSuffix(t.path, separator)+separator)
	}
	return t.matches(strings.Split(t.path, separator), strings.Split(path, separator))
}

// matches reports whether names are matched by patterns. Each ** but the first and
// all that follows it stands for anything, so that the time is bounded.
func (t target) matches(patterns, names []string) bool {
	for i, p := range patterns {
		if p == unknown {
			rest := patterns[i+1:]
			if len(rest) == 0 || slices.Contains(rest, unknown) {
				return true
			}
			for from := i; from < len(names); from++ {
				if t.matches(rest, names[from:]) {
					return true
				}
			}
			return false
		}
		if i >= len(names) {
			return false
		}
		if ok, err := filepath.Match(p, names[i]); err == nil && !ok && p != names[i] { // a shell takes what matches nothing as it is
			return false
		}
	}
	return !t.alone || len(names) == len(patterns)
}
