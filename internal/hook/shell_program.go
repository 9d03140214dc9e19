package hook

import (
	"path/filepath"
	"slices"
	"strings"
)

// readers are programs that read files of a project without naming them: builds,
// tests, linters and searches.
const readers = " ant bazel black buck bun bundle cargo clang clippy cmake composer conan ctest deno dotnet eslint flake8 gcc g++ go gofmt golangci-lint" +
	" gradle gradlew grep ack ag rg jest just lein make mix mocha mvn mvnw mypy next ninja nox npm npx nx perl phpunit pnpm prettier pre-commit" +
	" pylint pyright pytest python python3 rake rspec ruby ruff rubocop rustc sbt scons stack swift task tox ts-node tsc turbo uv vite vitest webpack yarn zig node java javac php sh bash "

// printers print the files that they name.
const printers = " awk bat batcat cat head less more nl sed tail "

func isReader(program string) bool {
	return has(readers, filepath.Base(program)) || strings.HasPrefix(program, "./")
}

func isPrinter(program string) bool { return has(printers, filepath.Base(program)) }

func isWriter(program string) bool {
	_, known := programs[filepath.Base(program)]
	return known
}

// has reports whether a list, in which blanks part its members, has one.
func has(list, member string) bool {
	return member != "" && strings.Contains(" "+list+" ", " "+member+" ")
}

// program is which files a program writes of those that it names. Flags are lists
// in which blanks part them.
type program struct {
	writes  string // flags with which it writes its operands; "*" where it always does
	unless  string // flags with which it does not
	values  string // flags whose value is the next word, no operand
	script  string // flags in whose absence the first operand is no file
	outputs string // flags whose value is a file that it writes
	short   bool   // flags of one letter may stand together
	to      bool   // its last operand is a file or a folder that the others go to
	here    bool   // without operands it writes the working directory
}

// programs are those that write files which they name; of some a subcommand.
var programs = map[string]program{
	"sed":           {writes: "-i --in-place", values: "-e -f -l --expression --file", script: "-e -f --expression --file", short: true},
	"gsed":          {writes: "-i --in-place", values: "-e -f -l --expression --file", script: "-e -f --expression --file", short: true},
	"perl":          {writes: "-i", values: "-e -E -I -M -m -F", script: "-e -E", short: true},
	"ruby":          {writes: "-i", values: "-e -I -r -F -E", script: "-e", short: true},
	"rm":            {writes: "*"},
	"unlink":        {writes: "*"},
	"shred":         {writes: "*", values: "-n -s"},
	"truncate":      {writes: "*", values: "-s -r --size --reference"},
	"tee":           {writes: "*"},
	"mv":            {writes: "*", values: "-S --suffix", outputs: "-t --target-directory", short: true, to: true},
	"cp":            {values: "-S --suffix", outputs: "-t --target-directory", short: true, to: true},
	"install":       {values: "-g -m -o -S", outputs: "-t --target-directory", to: true},
	"ln":            {values: "-S --suffix", outputs: "-t --target-directory", short: true, to: true},
	"rsync":         {values: "-e --exclude --include --rsh", to: true},
	"scp":           {values: "-P -i -o -F", to: true},
	"patch":         {writes: "*", unless: "--dry-run", outputs: "-o --output", here: true},
	"dd":            {},
	"sort":          {values: "-k -t -S -T", outputs: "-o --output", short: true},
	"curl":          {values: "-d -H -X -u -A --data --header --request --user", outputs: "-o --output", short: true},
	"wget":          {outputs: "-O --output-document -o"},
	"gcc":           {outputs: "-o"},
	"g++":           {outputs: "-o"},
	"cc":            {outputs: "-o"},
	"clang":         {outputs: "-o"},
	"go":            {outputs: "-o"},
	"pandoc":        {outputs: "-o --output"},
	"gofmt":         {writes: "-w", values: "-r", here: true},
	"gofumpt":       {writes: "-w", here: true},
	"goimports":     {writes: "-w", values: "-local -srcdir"},
	"shfmt":         {writes: "-w --write", values: "-i -ln"},
	"prettier":      {writes: "--write -w", values: "--config --parser --ignore-path"},
	"eslint":        {writes: "--fix", values: "-c --config --ext --rule", here: true},
	"stylelint":     {writes: "--fix", values: "--config"},
	"biome":         {writes: "--write --apply --fix", here: true},
	"black":         {writes: "*", unless: "--check --diff", values: "-l -t --line-length --target-version --config --exclude"},
	"isort":         {writes: "*", unless: "-c --check --check-only --diff", values: "--profile -l"},
	"autopep8":      {writes: "-i --in-place", values: "--max-line-length"},
	"yapf":          {writes: "-i --in-place", values: "--style"},
	"ruff":          {writes: "--fix", values: "--select --ignore --config", here: true},
	"ruff format":   {writes: "*", unless: "--check --diff", values: "--config --line-length", here: true},
	"rubocop":       {writes: "-a -A --autocorrect --autocorrect-all", here: true},
	"rustfmt":       {writes: "*", unless: "--check", values: "--edition --config"},
	"cargo fmt":     {writes: "*", unless: "--check", values: "-p --package --manifest-path", here: true},
	"cargo fix":     {writes: "*", values: "-p --package", here: true},
	"go fmt":        {writes: "*", unless: "-n", here: true},
	"go fix":        {writes: "*", here: true},
	"deno fmt":      {writes: "*", unless: "--check", here: true},
	"dart format":   {writes: "*", here: true},
	"mix format":    {writes: "*", unless: "--check-formatted", here: true},
	"terraform fmt": {writes: "*", unless: "-check", here: true},
	"zig fmt":       {writes: "*", unless: "--check"},
	"clang-format":  {writes: "-i", values: "-style --style"},
	"dos2unix":      {writes: "*"},
	"git checkout":  {writes: "*", values: "-b -B --orphan --conflict"},
	"git restore":   {writes: "*", unless: "-S --staged", values: "-s --source"},
	"git rm":        {writes: "*", unless: "-n --dry-run --cached"},
	"git mv":        {writes: "*", to: true},
	"git clean":     {writes: "*", unless: "-n --dry-run", values: "-e --exclude", short: true, here: true},
	"git stash":     {writes: "*", values: "-m --message"},
	"unix2dos":      {writes: "*"},
}

// prefixes run the command that follows their flags, some after operands.
var prefixes = map[string]struct {
	values   string
	operands int
}{
	"nohup": {}, "setsid": {}, "command": {}, "builtin": {}, "chronic": {}, "exec": {values: "-a"},
	"env": {values: "-u -C --unset --chdir"}, "sudo": {values: "-u -g -h -p -C -T -U -D -R -r -t --user --group"}, "doas": {values: "-u -C"},
	"nice": {values: "-n"}, "ionice": {values: "-c -n"}, "timeout": {values: "-k -s --signal --kill-after", operands: 1},
	"stdbuf": {values: "-i -o -e"}, "time": {values: "-f -o"},
	"npx": {values: "-p --package"}, "bunx": {}, "uvx": {values: "--from --with -p"},
	"pnpm exec": {}, "pnpm dlx": {}, "yarn": {}, "bundle exec": {}, "poetry run": {}, "uv run": {values: "--with -p"},
	"python -m": {}, "python3 -m": {},
	"xargs": {values: "-n -P -I -L -d -s -a -E"},
}

// command notes what one command does. typed is its standard input where that
// stands in the line.
func (w *walker) command(words []word, typed string) {
	for len(words) > 0 {
		name := filepath.Base(words[0].text)
		w.line.reads = w.line.reads || isReader(words[0].text)
		args := words[1:]
		prefix, known := prefixes[name]
		if !known && len(args) > 0 {
			if prefix, known = prefixes[name+" "+args[0].text]; known {
				args = args[1:]
			}
		}
		if !known {
			w.run(name, args, typed)
			return
		}
		if name == "command" && len(args) > 0 && has("-v -V", args[0].text) {
			return
		}
		if words = args[min(w.flags(args, prefix.values)+prefix.operands, len(args)):]; name == "xargs" && len(words) > 0 {
			words = append(slices.Clone(words), word{text: "."}) // what it is given is not known
		}
	}
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
		if len(args) > 0 && !args[0].glob {
			w.folder = w.at(args[0])
		}
		return
	case "read", "mapfile", "readarray":
		for _, a := range args {
			w.vars[a.text] = []word{{"*", true}}
		}
		return
	case "sh", "bash", "zsh", "dash", "eval":
		w.script(name, args, typed)
	case "git":
		w.git(args)
		return
	case "find":
		w.find(args)
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
	at := slices.IndexFunc(args, func(a word) bool { return strings.HasPrefix(a.text, "-") && strings.HasSuffix(a.text, "c") })
	inner := *w
	switch {
	case name == "eval":
		w.parse(strings.Join(texts(args), " "))
	case at >= 0 && at+1 < len(args):
		inner.parse(args[at+1].text)
	case typed != "":
		inner.parse(typed)
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
	case "restore":
		if flagged("-W --worktree") {
			p.unless = ""
		}
	case "checkout", "switch":
		w.line.all = w.line.all || flagged("-f --force --discard-changes")
	case "reset":
		w.line.all = w.line.all || flagged("--hard --merge --keep")
	case "apply", "am":
		w.line.all = w.line.all || !flagged("--check --stat --numstat --summary --cached")
	}
	inner.program("git", p, args)
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
		if !o.glob && isPrinter(name) && len(w.line.shown) < maxPaths {
			w.line.shown = append(w.line.shown, w.at(o))
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
