package hook

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// command notes what one command does. typed is its standard input where that
// stands in the line.
func (w *walker) command(words []word, typed string) {
	for len(words) > 0 {
		name := programName(words[0].text)
		w.line.reads = w.line.reads || isReader(words[0].text)
		args := words[1:]
		prefix, known := prefixes[name]
		if len(args) > 0 {
			if of, both := prefixes[name+" "+args[0].text]; both {
				prefix, known, args = of, true, args[1:]
			}
		}
		if !known {
			w.run(name, args, typed)
			return
		}
		if name == "command" && len(args) > 0 && has("-v -V", args[0].text) {
			return
		}
		if name == "env" {
			inner := *w // which may work in another folder
			inner.env(args)
			w = &inner
		}
		if words = args[min(w.flags(args, prefix.values)+prefix.operands, len(args)):]; has("xargs parallel", name) && len(words) > 0 {
			words = append(slices.Clone(words), word{text: "."}) // what it is given is not known
		}
	}
}

// programName returns what a program is called, without its folder and version.
func programName(text string) string {
	name, _, _ := strings.Cut(filepath.Base(text), "@")
	if rest, ok := strings.CutPrefix(name, "python"); ok && strings.Trim(rest, "0123456789.") == "" {
		return "python"
	}
	return name
}

// env goes through what env splits into words, and notes the folder that it goes to.
func (w *walker) env(args []word) {
	for i, a := range args {
		to, ok := strings.CutPrefix(a.text, "--chdir=")
		switch {
		case ok:
			w.enter(word{to, a.glob})
		case i+1 < len(args) && has("-C --chdir", a.text):
			w.enter(args[i+1])
		case i+1 < len(args) && has("-S --split-string", a.text):
			w.parse(args[i+1].text)
		}
	}
}

// enter changes the working directory.
func (w *walker) enter(to word) {
	from := w.folder
	switch {
	case to.text == "-":
		w.folder = w.last
	case to.glob:
		w.folder = unknown
	case w.folder != unknown || filepath.IsAbs(to.text):
		w.folder = w.at(to)
	}
	w.last = from
}

// flags returns how many of the first words are flags, their values, or settings of
// variables.
func (w *walker) flags(args []word, values string) int {
	i := 0
	for i < len(args) {
		a := args[i].text
		switch {
		case a == "--":
			return i + 1
		case has(values, a):
			i++
		case !strings.HasPrefix(a, "-") && !strings.Contains(a, "="):
			return i
		}
		i++
	}
	return len(args)
}

// run notes what a program does with its arguments.
func (w *walker) run(name string, args []word, typed string) {
	switch name {
	case "cd", "pushd":
		to := word{unknown, true} // the home folder, or what a variable holds
		if n := len(args); n > 0 {
			to = args[n-1]
		}
		w.enter(to)
		return
	case "popd":
		w.enter(word{text: "-"})
		return
	case "read", "mapfile", "readarray":
		for _, a := range args {
			w.vars[a.text] = []word{{"*", true}}
		}
		return
	case "sh", "bash", "zsh", "dash", "ash", "ksh", "fish", "su", "eval", "trap":
		w.script(name, args, typed)
	case "python", "node", "bun", "deno", "ruby", "perl", "php":
		w.interpreted(args, typed)
	case "git":
		w.git(args)
		return
	case "find":
		w.find(args)
	case "fd", "fdfind":
		if at := slices.IndexFunc(args, func(a word) bool { return has("-x -X --exec --exec-batch", a.text) }); at >= 0 && w.nested <= maxNested {
			w.nested++
			w.command(append(slices.Clone(args[at+1:]), word{text: "."}), "")
			w.nested--
		}
	case "dd":
		for _, a := range args {
			if to, ok := strings.CutPrefix(a.text, "of="); ok {
				w.write(word{to, a.glob})
			}
		}
	}
	p := programs[name]
	if len(args) > 0 {
		if of, ok := programs[name+" "+args[0].text]; ok {
			p, args = of, args[1:]
		}
	}
	w.program(name, p, args)
}

// script goes through a line that a shell is given.
func (w *walker) script(name string, args []word, typed string) {
	at := slices.IndexFunc(args, func(a word) bool {
		return strings.HasPrefix(a.text, "-") && !strings.HasPrefix(a.text, "--") && strings.Contains(a.text, "c")
	})
	inner := *w
	switch {
	case name == "eval" || name == "trap":
		w.parse(strings.Join(texts(args), " "))
	case at >= 0 && at+1 < len(args):
		inner.parse(args[at+1].text)
	case typed != "":
		inner.parse(typed)
	}
}

var (
	// scriptWrites finds what a script of Python, JavaScript and their like writes by.
	scriptWrites = regexp.MustCompile(`(?i)write|unlink|remove\(|rename|rmtree|truncate|shutil|copyfile|inplace|open\([^)]*,\s*["'](?:[wax][bt+]*["']|>)`)
	// scriptPrints finds writing that is none of a file.
	scriptPrints = regexp.MustCompile(`std(?:out|err)(?:\.buffer)?\.write`)
	// scriptTexts finds the texts in it that may be names of files.
	scriptTexts = regexp.MustCompile(`["'<>+]([^"'<>+\s]+)["']`)
)

// interpreted takes each text in a script that stands in the line for a file which the
// script names, and writes where it writes any.
func (w *walker) interpreted(args []word, typed string) {
	script := []string{typed}
	for i, a := range args[:max(len(args)-1, 0)] {
		if strings.HasPrefix(a.text, "-") && strings.HasSuffix(a.text, "c") || has("-e -E -p -r -ne -pe -le eval --eval", a.text) {
			script = append(script, args[i+1].text)
		}
	}
	whole := strings.Join(script, "\n")
	writes := scriptWrites.MatchString(scriptPrints.ReplaceAllString(whole, ""))
	for _, m := range scriptTexts.FindAllStringSubmatch(whole, maxPaths) {
		of := word{text: m[1]}
		if w.name(of); writes {
			w.writeOnly(of)
		}
	}
}

// git notes what a subcommand of git writes.
func (w *walker) git(args []word) {
	i := 0
	inner := *w
	for ; i < len(args) && strings.HasPrefix(args[i].text, "-"); i++ {
		if has("-C -c --git-dir --work-tree --namespace", args[i].text) {
			if i++; args[i-1].text == "-C" && i < len(args) {
				inner.folder = w.at(args[i])
			}
		}
	}
	if i >= len(args) {
		return
	}
	sub, args := args[i].text, args[i+1:]
	flagged := func(flags string) bool {
		return slices.ContainsFunc(args, func(a word) bool { return has(flags, a.text) })
	}
	p := programs["git "+sub]
	switch sub {
	case "stash":
		if len(args) > 0 && has("list show drop clear create store", args[0].text) {
			return
		}
		if len(args) > 0 && has("push save pop apply branch", args[0].text) {
			sub, args = args[0].text, args[1:]
		}
		w.line.all = w.line.all || !has("stash push", sub) || len(p.call(args).operands) == 0
	case "checkout-index":
		w.line.all = true
	case "restore":
		args = pathspecs(args)
		if flagged("-W --worktree") {
			p.unless = ""
		}
	case "checkout", "switch":
		w.line.all = w.line.all || flagged("-f -qf -fq --force --discard-changes")
		args = pathspecs(args)
	case "reset":
		w.line.all = w.line.all || flagged("--hard --merge --keep")
	case "apply", "am":
		w.line.all = w.line.all || !flagged("--check --stat --numstat --summary --cached")
	}
	inner.program("git", p, args)
}

// pathspecs returns git's words with those that it takes for patterns by itself,
// whatever quotes keep them from the shell.
func pathspecs(args []word) []word {
	args = slices.Clone(args)
	for i, a := range args {
		if strings.HasPrefix(a.text, ":") { // with magic, as :/ for the top
			args[i] = word{unknown + "/*", true}
		}
		args[i].glob = args[i].glob || strings.ContainsAny(a.text, "*?[")
	}
	return args
}

// find notes the files that it deletes, or has commands write.
func (w *walker) find(args []word) {
	first := slices.IndexFunc(args, func(a word) bool { return strings.HasPrefix(a.text, "-") || a.text == "(" || a.text == "!" })
	if first < 0 {
		return
	}
	folders := args[:first]
	if first == 0 {
		folders = []word{{text: "."}}
	}
	var named []string
	for i, a := range args[:len(args)-1] {
		if a.text == "-name" {
			named = append(named, args[i+1].text)
		}
	}
	var files []word
	for _, f := range folders {
		if len(named) == 1 && !slices.ContainsFunc(args, func(a word) bool { return has("-o -or -not !", a.text) }) {
			f = word{filepath.Join(w.at(f), unknown, named[0]), true}
		}
		files = append(files, f)
	}
	inner, commands := *w, 0
	inner.nested++
	for i, a := range args {
		switch {
		case a.text == "-delete":
			for _, f := range files {
				w.write(f)
			}
		case has("-exec -execdir -ok -okdir", a.text) && commands < maxNested && w.nested <= maxNested:
			commands++
			inner.command(filled(args[i+1:], files), "")
		}
	}
}

// filled returns the command of find's -exec with the files in the place of {}.
func filled(words, files []word) []word {
	var list []word
	for _, a := range words {
		switch a.text {
		case ";", "+":
			return list
		case "{}":
			list = append(list, files...)
		default:
			list = append(list, a)
		}
	}
	return list
}

// called is how a program was called.
type called struct {
	operands []word
	outputs  []word // values of its flags for what it writes
	writes   bool   // it writes its operands
	scripted bool   // a flag gave its script
}

// call tells flags from operands.
func (p program) call(args []word) called {
	c := called{writes: p.writes == "*"}
	spared := false
	for i := 0; i < len(args); i++ {
		text := args[i].text
		if text == "--" {
			c.operands = append(c.operands, args[i+1:]...)
			break
		}
		if text == "-" || !strings.HasPrefix(text, "-") {
			c.operands = append(c.operands, args[i])
			continue
		}
		for _, f := range p.split(text) {
			c.writes = c.writes || has(p.writes, f.name)
			spared = spared || has(p.unless, f.name)
			c.scripted = c.scripted || has(p.script, f.name)
			if !has(p.values, f.name) && !has(p.outputs, f.name) {
				continue
			}
			value := word{text: f.value}
			if !f.attached && i+1 < len(args) {
				i++
				value = args[i]
			}
			if has(p.outputs, f.name) && value.text != "" {
				c.outputs = append(c.outputs, value)
			}
			break
		}
	}
	c.writes = c.writes && !spared
	return c
}

// flag is one of an argument's.
type flag struct {
	name, value string
	attached    bool // value is part of the argument
}

// split returns the flags of an argument: one, or several of one letter.
func (p program) split(text string) []flag {
	if !p.short || strings.HasPrefix(text, "--") {
		name, value, attached := strings.Cut(text, "=")
		return []flag{{name, value, attached}}
	}
	var list []flag
	for i := 1; i < len(text); i++ {
		f := flag{"-" + text[i:i+1], text[i+1:], i+1 < len(text)}
		list = append(list, f)
		if has(p.values, f.name) || has(p.outputs, f.name) || has(p.writes, f.name) {
			break // what follows is its value
		}
	}
	return list
}

// program notes the files of a program.
func (w *walker) program(name string, p program, args []word) {
	c := p.call(args)
	if p.script != "" && !c.scripted && len(c.operands) > 0 {
		c.operands = c.operands[1:]
	}
	for _, o := range c.operands {
		w.name(o)
		if at := w.at(o); !o.glob && filepath.IsAbs(at) && isPrinter(name) && len(w.line.shown) < maxPaths {
			w.line.shown = append(w.line.shown, at)
		}
	}
	if p.to {
		w.copied(c)
		return
	}
	for _, o := range c.outputs {
		w.write(o)
	}
	if c.writes && p.here && len(c.operands) == 0 {
		w.write(word{text: "."})
	}
	for _, o := range c.operands {
		if c.writes {
			w.write(word{strings.TrimSuffix(o.text, "/..."), o.glob})
		}
	}
}

// copied notes what a program writes that copies or moves its operands to the last
// one: that, or what is called like them in it.
func (w *walker) copied(c called) {
	from, to := c.operands, c.outputs
	if n := len(from); len(to) == 0 && n > 1 {
		from, to = from[:n-1], from[n-1:]
	}
	for _, o := range from {
		if c.writes {
			w.write(o)
		}
		for _, t := range to {
			w.writeOnly(t)
			if base := filepath.Base(o.text); strings.HasSuffix(o.text, "/") || base == "." || base == ".." || base == unknown {
				w.write(t)
			} else {
				w.write(word{filepath.Join(t.text, base), t.glob || o.glob})
			}
		}
	}
}
