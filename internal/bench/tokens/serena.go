package tokens

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"sort"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// serenaVersion is the version of Serena whose tools are modelled, by its
// source: its answers are these, given what a language server says. What one
// says stands beside a call, recorded by hand:
//
//	@ FILE FIRST-LAST KIND NAME_PATH   a symbol, its lines 1-based
//	@ FILE FIRST-LAST KIND NAME_PATH LINE   a symbol that refers, and where
//	@ children KIND NAME…   members of the symbol before
//	@ KIND REGEXP   an overview: names by kind, as the first group matches them
const serenaVersion = "1.7.0"

// serena is Serena's tools for files and symbols.
type serena struct{ shell }

func (s *serena) stop() {}

type serenaArguments struct {
	Path      string `json:"relative_path"`
	NamePath  string `json:"name_path"`
	Body      *string
	With      bool   `json:"include_body"`
	Pattern   string `json:"substring_pattern"`
	Before    int    `json:"context_lines_before"`
	After     int    `json:"context_lines_after"`
	Include   string `json:"paths_include_glob"`
	Exclude   string `json:"paths_exclude_glob"`
	Multiline *bool
	Mask      string `json:"file_mask"`
	First     int    `json:"start_line"`
	Last      *int   `json:"end_line"`
	Needle    string
	Repl      string
	Mode      string
	Many      bool `json:"allow_multiple_occurrences"`
	Recursive bool
	Content   string
}

// serenaLimit is the most characters of an answer.
const serenaLimit = 150_000

func (s *serena) call(made call) (string, error) {
	answer, err := s.answer(made)
	if len(answer) > serenaLimit {
		answer = fmt.Sprintf("The answer is too long (%d characters). Please try a more specific tool query or raise the max_answer_chars parameter.", len(answer))
	}
	return answer, err
}

func (s *serena) answer(made call) (string, error) {
	var a serenaArguments
	if err := json.Unmarshal([]byte(made.arguments), &a); err != nil {
		return "", err
	}
	switch made.name {
	case "read_file":
		return s.read(a)
	case "find_file":
		return s.findFile(a)
	case "list_dir":
		return s.list(a)
	case "search_for_pattern":
		return s.search(a)
	case "replace_content", "replace_in_files":
		return s.replace(made.name, a)
	case "create_text_file":
		return "File created: " + a.Path + ".", put(s.dir, map[string]string{a.Path: a.Content})
	case "get_symbols_overview":
		return s.overview(a, made.recorded)
	case "find_symbol":
		return s.symbols(a, made.recorded)
	case "find_referencing_symbols":
		return s.references(made.recorded)
	case "find_implementations":
		return s.symbols(a, made.recorded)
	case "insert_after_symbol", "insert_before_symbol", "replace_symbol_body":
		return s.editSymbol(made.name, a, made.recorded)
	}
	return "", fmt.Errorf("Serena has no tool %q here", made.name)
}

func (s *serena) read(a serenaArguments) (string, error) {
	text, err := s.text(a.Path)
	if err != nil {
		return "", err
	}
	lines := strings.Split(text, "\n")
	first, last := a.First, len(lines)-1
	if first < 0 {
		first = max(0, len(lines)+first)
	}
	if a.Last != nil {
		last = min(last, *a.Last)
	}
	return strings.Join(lines[first:last+1], "\n"), nil
}

// walk calls f with the files below a path, relative and in order.
func (s *serena) walk(below string, f func(name string) error) error {
	return filepath.WalkDir(filepath.Join(s.dir, below), func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == ".git" {
				return fs.SkipDir
			}
			return nil
		}
		name, err := filepath.Rel(s.dir, p)
		if err != nil {
			return err
		}
		return f(name)
	})
}

func (s *serena) findFile(a serenaArguments) (string, error) {
	found := []string{}
	err := s.walk(a.Path, func(name string) error {
		ok, err := path.Match(a.Mask, path.Base(name))
		if ok {
			found = append(found, name)
		}
		return err
	})
	return python(object{{"files", found}}), err
}

func (s *serena) list(a serenaArguments) (string, error) {
	dirs, files := []string{}, []string{}
	root := filepath.Join(s.dir, a.Path)
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || p == root {
			return err
		}
		name, err := filepath.Rel(s.dir, p)
		if !d.IsDir() {
			files = append(files, name)
			return err
		}
		dirs = append(dirs, name)
		if !a.Recursive {
			return fs.SkipDir
		}
		return err
	})
	return python(object{{"dirs", dirs}, {"files", files}}), err
}

func (s *serena) search(a serenaArguments) (string, error) {
	flags := "(?m)"
	if a.Multiline == nil || *a.Multiline {
		flags = "(?ms)"
	}
	r, err := regexp.Compile(flags + a.Pattern)
	if err != nil {
		return "", err
	}
	var found object
	err = s.walk(a.Path, func(name string) error {
		if a.Include != "" && !doublestar.MatchUnvalidated(a.Include, name) || a.Exclude != "" && doublestar.MatchUnvalidated(a.Exclude, name) {
			return nil
		}
		text, err := s.text(name)
		if err != nil || strings.Contains(text, "\x00") {
			return err
		}
		if hits := searchText(r, text, a.Before, a.After); hits != nil {
			found = append(found, member{name, hits})
		}
		return nil
	})
	return python(found), err
}

// searchText returns each hit with the lines around it.
func searchText(r *regexp.Regexp, text string, before, after int) (hits []string) {
	var lines []string
	for _, at := range r.FindAllStringIndex(text, -1) {
		if lines == nil {
			lines = strings.Split(text, "\n")
		}
		first := strings.Count(text[:at[0]], "\n")
		last := first + strings.Count(text[at[0]:at[1]], "\n")
		var shown []string
		for i := max(0, first-before); i <= min(len(lines)-1, last+after); i++ {
			prefix := "..."
			if i >= first && i <= last {
				prefix = "  >"
			}
			shown = append(shown, fmt.Sprintf("%s%4d:%s", prefix, i, strings.TrimSuffix(lines[i], "\r")))
		}
		hits = append(hits, strings.Join(shown, "\n"))
	}
	return hits
}

// backreference is a group in a replacement, its dollar doubled.
var backreference = regexp.MustCompile(`\$\$!(\d)`)

func (s *serena) replace(tool string, a serenaArguments) (string, error) {
	needle, repl := a.Needle, strings.ReplaceAll(a.Repl, "$", "$$")
	if a.Mode == "literal" {
		needle = regexp.QuoteMeta(needle)
	} else {
		repl = backreference.ReplaceAllString(repl, "$${$1}")
	}
	r, err := regexp.Compile("(?ms)" + needle)
	if err != nil {
		return "", err
	}
	all, perFile := 0, ""
	files := 0
	err = s.walk(a.Path, func(name string) error {
		if a.Include != "" && !doublestar.MatchUnvalidated(a.Include, name) {
			return nil
		}
		text, err := s.text(name)
		if err != nil || strings.Contains(text, "\x00") {
			return err
		}
		n := len(r.FindAllStringIndex(text, -1))
		if n == 0 {
			return nil
		}
		all, files, perFile = all+n, files+1, fmt.Sprintf("%s\n  %s: %d", perFile, name, n)
		if tool == "replace_content" && n > 1 && !a.Many {
			return nil
		}
		return os.WriteFile(filepath.Join(s.dir, name), []byte(r.ReplaceAllString(text, repl)), 0o644)
	})
	switch {
	case err != nil:
		return "", err
	case tool == "replace_in_files":
		return fmt.Sprintf("Replaced %d occurrence(s) in %d file(s):%s", all, files, perFile), nil
	case all == 0:
		return "Error executing tool: No matches of search expression found in file '" + a.Path + "'.", nil
	case all > 1 && !a.Many:
		return fmt.Sprintf("Error executing tool: Expression matches %d occurrences in file '%s'.", all, a.Path), nil
	}
	return "OK", nil
}

// overview renders names by kind.
func (s *serena) overview(a serenaArguments, recorded []string) (string, error) {
	text, err := s.text(a.Path)
	if err != nil {
		return "", err
	}
	var kinds object
	for _, line := range recorded {
		kind, pattern, _ := strings.Cut(line, " ")
		r, err := regexp.Compile("(?m)" + pattern)
		if err != nil {
			return "", err
		}
		var names []string
		for _, m := range r.FindAllStringSubmatch(text, -1) {
			names = append(names, strings.Join(m[1:], ""))
		}
		kinds = append(kinds, member{kind, names})
	}
	return python(kinds), nil
}

// symbol is what was recorded of one, its lines 1-based and inclusive.
type symbol struct {
	file, kind, namePath string
	first, last, line    int
}

func parseSymbol(line string) (s symbol, err error) {
	_, err = fmt.Sscanf(line, "%s %d-%d %s %s", &s.file, &s.first, &s.last, &s.kind, &s.namePath)
	if err != nil {
		return s, fmt.Errorf("recorded symbol %q: %w", line, err)
	}
	if fields := strings.Fields(line); len(fields) > 4 {
		_, err = fmt.Sscan(fields[4], &s.line)
	}
	return s, err
}

func (s symbol) location() object {
	return object{{"start_line", s.first - 1}, {"end_line", s.last - 1}}
}

func (s *serena) symbols(a serenaArguments, recorded []string) (string, error) {
	found := []any{}
	for _, line := range recorded {
		if children, ok := strings.CutPrefix(line, "children "); ok && len(found) > 0 {
			kind, names, _ := strings.Cut(children, " ")
			found[len(found)-1] = append(found[len(found)-1].(object), member{"children", object{{kind, strings.Fields(names)}}})
			continue
		}
		y, err := parseSymbol(line)
		if err != nil {
			return "", err
		}
		o := object{{"name_path", y.namePath}, {"kind", y.kind}, {"relative_path", y.file}, {"body_location", y.location()}}
		if a.With {
			body, err := s.read(serenaArguments{Path: y.file, First: y.first - 1, Last: new(y.last - 1)})
			if err != nil {
				return "", err
			}
			o = append(o, member{"body", strings.TrimLeft(body, " \t")})
		}
		found = append(found, o)
	}
	return python(found), nil
}

// references renders references by file and kind, each with a line around it.
func (s *serena) references(recorded []string) (string, error) {
	byFile := map[string]map[string][]any{}
	for _, line := range recorded {
		y, err := parseSymbol(line)
		if err != nil {
			return "", err
		}
		text, err := s.text(y.file)
		if err != nil {
			return "", err
		}
		lines := strings.Split(text, "\n")
		around := fmt.Sprintf("...%4d:%s\n  >%4d:%s\n...%4d:%s", y.line-2, lines[y.line-2], y.line-1, lines[y.line-1], y.line, lines[y.line])
		if byFile[y.file] == nil {
			byFile[y.file] = map[string][]any{}
		}
		byFile[y.file][y.kind] = append(byFile[y.file][y.kind],
			object{{"name_path", y.namePath}, {"body_location", y.location()}, {"content_around_reference", around}})
	}
	var found object
	for _, file := range sorted(byFile) {
		var kinds object
		for _, kind := range sorted(byFile[file]) {
			kinds = append(kinds, member{kind, byFile[file][kind]})
		}
		found = append(found, member{file, kinds})
	}
	return python(found), nil
}

func (s *serena) editSymbol(tool string, a serenaArguments, recorded []string) (string, error) {
	if len(recorded) != 1 || a.Body == nil {
		return "", fmt.Errorf("%s wants a body and one recorded symbol", tool)
	}
	y, err := parseSymbol(recorded[0])
	if err != nil {
		return "", err
	}
	text, err := s.text(a.Path)
	if err != nil {
		return "", err
	}
	lines := strings.SplitAfter(text, "\n")
	body := strings.Trim(*a.Body, "\n") + "\n"
	from, to := y.first-1, y.last
	switch tool {
	case "insert_after_symbol": // an empty line between
		from, body = y.last, "\n"+body
	case "insert_before_symbol":
		to, body = from, body+"\n"
	}
	text = strings.Join(lines[:from], "") + body + strings.Join(lines[to:], "")
	return "OK", os.WriteFile(filepath.Join(s.dir, a.Path), []byte(text), 0o644)
}

// object is a JSON object in the order in which Python has its members.
type object []member

type member struct {
	key   string
	value any
}

// python renders as json.dumps does, with a blank after colons and commas.
func python(v any) string {
	switch v := v.(type) {
	case object:
		parts := make([]string, len(v))
		for i, m := range v {
			parts[i] = python(m.key) + ": " + python(m.value)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []string:
		parts := make([]string, len(v))
		for i, s := range v {
			parts[i] = python(s)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case []any:
		parts := make([]string, len(v))
		for i, x := range v {
			parts[i] = python(x)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	s, err := encode(v)
	if err != nil {
		panic(err) // strings and numbers
	}
	return s
}

func sorted[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
