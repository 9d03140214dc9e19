package setup

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// A TOML file is changed by whole tables: one is added at the end, where it is
// never in the way of what is before it, and cut with all lines down to its
// last value. What such a change makes of the file is read again, and refused
// when it is more than that table.

// addTable returns src with a table of these lines at the end. There is none at
// path yet.
func addTable(src []byte, path []string, lines ...string) ([]byte, error) {
	before, err := decode(src)
	if err != nil {
		return nil, err
	}
	// Our reader takes a table below an inline one. TOML has none, and Codex's
	// reader then takes nothing of the file.
	for _, p := range parts(src) {
		if p.inline && hasPrefix(path, p.path) {
			name := header(p.path)
			return nil, fmt.Errorf("%s is an inline table, to which TOML adds nothing; write it as %s", strings.Trim(name, "[]"), name)
		}
	}
	eol := lineEnd(src)
	out := bytes.Clone(src)
	if len(src) > 0 {
		if !bytes.HasSuffix(src, []byte("\n")) {
			out = append(out, eol...)
		}
		out = append(out, eol...)
	}
	out = append(out, header(path)+eol...)
	for _, l := range lines {
		out = append(out, l+eol...)
	}
	after, err := decode(out)
	if err != nil {
		return nil, fmt.Errorf("%s is not written as tables: %w", path[0], err)
	}
	if !alike(without(after, path), without(before, path)) {
		return nil, fmt.Errorf("a table at the end would change what is before it")
	}
	return out, nil
}

// cutTables returns src without the tables and values that drop reports true
// for.
func cutTables(src []byte, drop func(path []string) bool) ([]byte, error) {
	before, err := decode(src)
	if err != nil {
		return nil, err
	}
	var out []byte
	kept := 0
	for _, t := range parts(src) {
		if t.end <= kept || !drop(t.path) {
			continue
		}
		before = without(before, t.path)
		begin := t.begin
		if above := bytes.TrimSuffix(src[:begin], []byte(lineEnd(src))); t.begin-len(above) > 0 && endsLine(above) {
			begin = len(above) // the blank line that addTable writes
		}
		out = append(out, src[kept:max(kept, begin)]...)
		kept = t.end
	}
	out = append(out, src[kept:]...)
	after, err := decode(out)
	if err != nil || !alike(without(after, nil), without(before, nil)) {
		return nil, fmt.Errorf("it is not written as tables of its own")
	}
	return out, nil
}

// alike reports whether values are the same; nan is the same as nan.
func alike(a, b map[string]any) bool { return fmt.Sprintf("%#v", a) == fmt.Sprintf("%#v", b) }

func endsLine(b []byte) bool { return len(b) == 0 || b[len(b)-1] == '\n' }

// part is where a table or a value of a TOML file stands: a table from its
// header to the end of the line of its last value, a value with all its lines.
type part struct {
	path       []string
	begin, end int  // bytes, half open
	inline     bool // a value that is a table
	members    int  // where what is in such a value begins
}

var (
	// headerLine is a line that begins a table, or an element of a list of
	// tables.
	headerLine = regexp.MustCompile(`^[ \t]*\[(\[?)[ \t]*(.*?)[ \t]*\]?\][ \t]*(#.*)?$`)
	// valueLine is one that begins a value.
	valueLine = regexp.MustCompile(`^[ \t]*((?:[A-Za-z0-9_-]|"(?:[^"\\]|\\.)*"|'[^']*'|[ \t]*\.[ \t]*)+?)[ \t]*=[ \t]*(\{?)`)
)

// parts returns the tables and values of a file that reads as TOML, in the
// order in which they begin. Lists of tables, and what is in them, have no
// path.
func parts(src []byte) []part {
	var all []part
	var open string // what ends the value that goes over lines: """, ''' or ]
	var value part
	var above []string // the path of the table
	table, list := -1, false
	for begin := 0; begin < len(src); {
		end := len(src)
		if n := bytes.IndexByte(src[begin:], '\n'); n >= 0 {
			end = begin + n + 1
		}
		line := strings.TrimRight(string(src[begin:end]), "\r\n")
		m := headerLine.FindStringSubmatch(line)
		switch {
		case open == "" && m != nil:
			p := part{begin: begin, end: end}
			if list = m[1] != ""; !list {
				p.path = keys(m[2])
			}
			table, above, all = len(all), p.path, append(all, p)
		case open == "" && isBlank(line):
		default:
			if open == "" {
				value = part{begin: begin}
				if !list {
					value = valueAt(src, begin, above)
				}
			}
			open = scan(line, open)
			if value.end = end; open == "" {
				all = append(append(all, value), inlined(src, value)...)
			}
			if table >= 0 {
				all[table].end = end
			}
		}
		begin = end
	}
	return all
}

// valueAt returns the value that begins at a place, in the table above, as far
// as its name goes.
func valueAt(src []byte, begin int, above []string) part {
	p := part{begin: begin}
	line, _, _ := bytes.Cut(src[begin:], []byte("\n"))
	if m := valueLine.FindSubmatchIndex(line); m != nil {
		p.path = slices.Concat(above, keys(string(line[m[2]:m[3]])))
		if p.inline = m[4] < m[5]; p.inline {
			p.members = begin + m[5]
		}
	}
	return p
}

// inlined returns the values in an inline table, and in those that are in it,
// each with one of the commas beside it: the first with the one behind it.
func inlined(src []byte, table part) []part {
	if !table.inline {
		return nil
	}
	var all []part
	begin, comma := table.members, table.members
	depth, quotes := 0, byte(0)
	for i := begin; i < table.end; i++ {
		c := src[i]
		switch {
		case quotes == '"' && c == '\\':
			i++
		case quotes != 0 && c == quotes:
			quotes = 0
		case quotes != 0:
		case c == '"' || c == '\'':
			quotes = c
		case depth == 0 && (c == ',' || c == '}'):
			p := valueAt(src, begin, table.path)
			switch p.end = begin + len(bytes.TrimRight(src[begin:i], " \t")); {
			case begin > table.members:
				p.begin = comma
			case c == ',':
				p.end = i + 1
			}
			if all = append(append(all, p), inlined(src, p)...); c == '}' {
				return all
			}
			begin, comma = i+1, i
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		}
	}
	return all
}

func isBlank(line string) bool {
	line = strings.TrimLeft(line, " \t")
	return line == "" || line[0] == '#'
}

// scan reads a line of a value, or the rest of one, and returns what is open
// at its end: the quotes of a string of several lines, or a bracket for each
// list.
func scan(line, open string) string {
	for line != "" {
		if q := strings.TrimLeft(open, "["); q != "" { // in a string of several lines
			n := closing(line, q)
			if n < 0 {
				return open
			}
			line, open = line[n+len(q):], strings.TrimSuffix(open, q)
			continue
		}
		switch c := line[0]; {
		case c == '#':
			return open
		case strings.HasPrefix(line, `"""`) || strings.HasPrefix(line, `'''`):
			open += line[:3]
			line = line[3:]
			continue
		case c == '"' || c == '\'':
			n := closing(line[1:], line[:1])
			if n < 0 {
				return open
			}
			line = line[1+n:]
		case c == '[' || c == '{':
			open += "["
		case (c == ']' || c == '}') && open != "":
			open = open[1:]
		}
		line = line[1:]
	}
	return open
}

// closing returns where quotes end a string; -1 where they do not.
func closing(s, quotes string) int {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && quotes[0] == '"':
			i++
		case strings.HasPrefix(s[i:], quotes):
			return i
		}
	}
	return -1
}

// keys returns the names in the header of a table.
func keys(header string) []string {
	var names []string
	_, err := toml.Decode("["+header+"]", &map[string]any{})
	if err != nil {
		return nil
	}
	meta, _ := toml.Decode("["+header+"]", &map[string]any{})
	for _, k := range meta.Keys() {
		if len(k) > len(names) {
			names = k
		}
	}
	return names
}

func header(path []string) string {
	names := make([]string, len(path))
	for i, n := range path {
		names[i] = n
		if !bareKey.MatchString(n) {
			names[i] = quote(n)
		}
	}
	return "[" + strings.Join(names, ".") + "]"
}

var bareKey = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// without returns values without what path leads to, and without empty tables:
// a header alone makes those around it.
func without(values map[string]any, path []string) map[string]any {
	kept := map[string]any{}
	for name, v := range values {
		inner, isTable := v.(map[string]any)
		switch {
		case len(path) > 0 && name == path[0] && len(path) == 1:
		case isTable:
			var deeper []string
			if len(path) > 1 && name == path[0] {
				deeper = path[1:]
			}
			if inner = without(inner, deeper); len(inner) > 0 {
				kept[name] = inner
			}
		default:
			kept[name] = v
		}
	}
	return kept
}

func decode(src []byte) (map[string]any, error) {
	config := map[string]any{}
	_, err := toml.Decode(string(src), &config)
	return config, err
}

func lineEnd(src []byte) string {
	if bytes.Contains(src, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// quote writes a basic string of TOML.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func quoteAll(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = quote(w)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// tomlFile is Codex's config.toml: a table for each server.
type tomlFile struct{}

const tomlServers = "mcp_servers"

// tomlEntry is the table of ours, tomlTools that of what it says of tools.
func tomlEntry() []string { return []string{tomlServers, Name} }
func tomlTools() []string { return []string{tomlServers, Name, "tools"} }

func (tomlFile) command(src []byte) ([]string, bool, error) {
	config, err := decode(src)
	if err != nil {
		return nil, false, err
	}
	entry, ok := lookup(config, tomlEntry())
	if !ok {
		return nil, false, nil
	}
	is, _ := entry.(map[string]any)
	return commandLine(is["command"], is["args"]), true, nil
}

func (tomlFile) add(src []byte, s Server) ([]byte, error) {
	return addTable(src, tomlEntry(), "command = "+quote(s.Command), "args = "+quoteAll(s.Args))
}

func (tomlFile) cut(src []byte) ([]byte, error) {
	return cutTables(src, func(path []string) bool { return hasPrefix(path, tomlEntry()) })
}

func hasPrefix(path, prefix []string) bool {
	return len(path) >= len(prefix) && slices.Equal(path[:len(prefix)], prefix)
}

func lookup(values map[string]any, path []string) (any, bool) {
	var at any = values
	for _, name := range path {
		t, ok := at.(map[string]any)
		if !ok {
			return nil, false
		}
		if at, ok = t[name]; !ok {
			return nil, false
		}
	}
	return at, true
}
