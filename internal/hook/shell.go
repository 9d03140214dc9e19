package hook

import (
	"path/filepath"
	"slices"
	"strings"
)

// shellLine is what a line of shell is taken to do. It is a guess: a line can do
// anything. Paths are absolute.
type shellLine struct {
	reads   bool     // it builds, tests, or reads files that it does not name
	named   []string // all words that may be files
	shown   []string // files whose text it prints
	written []string // files that it writes in place
}

// readers are programs that read files of a project without naming them: builds,
// tests, linters and searches.
const readers = " ant bazel black buck bun bundle cargo clang clippy cmake composer conan ctest deno dotnet eslint flake8 gcc g++ go gofmt golangci-lint" +
	" gradle gradlew grep ack ag rg jest just lein make mix mocha mvn mvnw mypy next ninja nox npm npx nx perl phpunit pnpm prettier pre-commit" +
	" pylint pyright pytest python python3 rake rspec ruby ruff rubocop rustc sbt scons stack swift task tox ts-node tsc turbo uv vite vitest webpack yarn zig node java javac php sh bash "

// printers print the files that they name.
const printers = " awk bat batcat cat head less more nl sed tail "

// inPlace writes the files that it names where one of its flags begins so; "" where
// it always does.
var inPlace = map[string]string{
	"sed": "-i", "perl": "-i", "ruby": "-i", "gofmt": "-w", "goimports": "-w", "prettier": "--write", "eslint": "--fix", "ruff": "--fix",
	"black": "", "rustfmt": "", "tee": "", "rm": "", "unlink": "", "mv": "", "truncate": "", "shred": "", "patch": "",
}

// parseLine looks at a line of shell that is run in a folder.
func parseLine(line, folder string) (l shellLine) {
	for _, c := range commands(line) {
		l.take(c, &folder)
	}
	return l
}

// command is one of a line's: its words, and the files that its output goes to.
type command struct {
	words, outputs []string
}

func (l *shellLine) take(c command, folder *string) {
	at := func(word string) string {
		if filepath.IsAbs(word) {
			return filepath.Clean(word)
		}
		return filepath.Join(*folder, word)
	}
	for _, w := range c.outputs {
		l.written = append(l.written, at(w))
	}
	words := c.words
	for len(words) > 0 && (strings.Contains(words[0], "=") || slices.Contains([]string{"sudo", "time", "env", "nice", "command", "exec", "then", "do", "else", "if", "while", "!", "{", "("}, words[0])) {
		words = words[1:]
	}
	if len(words) == 0 {
		return
	}
	name, args := filepath.Base(words[0]), words[1:]
	if name == "cd" && len(args) > 0 {
		*folder = at(args[0])
		return
	}
	l.reads = l.reads || strings.Contains(readers, " "+name+" ") || strings.HasPrefix(words[0], "./")
	writes := l.writes(name, args)
	for _, w := range args {
		if w == "" || w[0] == '-' {
			continue
		}
		l.named = append(l.named, at(w))
		if strings.Contains(printers, " "+name+" ") {
			l.shown = append(l.shown, at(w))
		}
		if writes {
			l.written = append(l.written, at(w))
		}
	}
	if n := len(args); n > 1 && slices.Contains([]string{"cp", "install", "ln"}, name) {
		l.written = append(l.written, at(args[n-1]))
	}
}

// writes reports whether a program writes the files that it names.
func (l *shellLine) writes(name string, args []string) bool {
	if name == "git" {
		return slices.ContainsFunc(args, func(a string) bool { return a == "checkout" || a == "restore" || a == "rm" || a == "mv" })
	}
	flag, known := inPlace[name]
	return known && (flag == "" || slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, flag) }))
}

// maxLine is how much of a line is looked at, in bytes: more is text that is
// written down in it.
const maxLine = 64 << 10

// commands splits a line into its commands. Quotes are taken off; what is quoted
// is one word.
func commands(line string) []command {
	var all []command
	var now command
	var word []byte
	quoted, inWord, toFile := byte(0), false, false
	endWord := func() {
		switch {
		case !inWord:
		case toFile:
			now.outputs, toFile = append(now.outputs, string(word)), false
		default:
			now.words = append(now.words, string(word))
		}
		word, inWord = word[:0], false
	}
	line = line[:min(len(line), maxLine)]
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quoted != 0 && c == quoted:
			quoted = 0
		case quoted != '\'' && c == '\\' && i+1 < len(line):
			i++
			if line[i] != '\n' {
				word, inWord = append(word, line[i]), true
			}
		case quoted != 0:
			word = append(word, c)
		case c == '\'' || c == '"':
			quoted, inWord = c, true
		case c == ' ' || c == '\t':
			endWord()
		case c == ';' || c == '|' || c == '&' && !(toFile && !inWord) || c == '\n' || c == '(' || c == ')':
			if c == '&' && i+1 < len(line) && line[i+1] == '>' {
				endWord()
				continue
			}
			endWord()
			all, now, toFile = append(all, now), command{}, false
		case c == '>':
			if inWord && (string(word) == "1" || string(word) == "2") {
				word, inWord = word[:0], false
			}
			endWord()
			toFile = true
		case c == '<':
			endWord()
		default:
			word, inWord = append(word, c), true
		}
	}
	endWord()
	return append(all, now)
}
