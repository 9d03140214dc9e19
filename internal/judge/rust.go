package judge

import (
	"regexp"
	"slices"
	"strings"
)

// ctags does not know the type of an impl block with a where clause, and takes
// the length of an array for it. Rust's code is laid out by one program, so its
// indentation tells what a definition stands in.

var (
	reference = regexp.MustCompile(`^(?:&\s*(?:'\w+\s+)?(?:mut\s+)?)+`)
	rustImpl  = regexp.MustCompile(`^(?:unsafe |default )*impl\b`)
	rustOuter = regexp.MustCompile(`^(?:pub(?:\([^)]*\))? |unsafe |const |async |default |auto |extern "C" )*(?:trait|mod|fn|enum|struct|union) (?:r#)?(\w+)`)
)

// rustContainers returns what the definition on a line stands in by its
// indentation, as the judge and as the outline may call it; nil where that
// does not tell.
func rustContainers(lines *lineTable, line int) []string {
	inner := indentation(lines.line(line))
	if inner == 0 {
		return []string{""}
	}
	for line--; line > 0; line-- {
		text := strings.TrimSpace(lines.line(line))
		if text == "" || indentation(lines.line(line)) >= inner {
			continue
		}
		if rustImpl.MatchString(text) {
			return implementor(lines, line)
		}
		if m := rustOuter.FindStringSubmatch(text); m != nil {
			return []string{m[1]}
		}
		if !continuesHead.MatchString(text) {
			return nil
		}
	}
	return nil
}

// continuesHead fits lines between the beginning of a head and its body.
var continuesHead = regexp.MustCompile(`^(where\b|\{|\)|>)`)

func indentation(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// implementor returns the type of the impl block that begins on a line: its
// name, and as it is written, as in "[T; N]".
func implementor(lines *lineTable, line int) []string {
	head := lines.line(line)
	for n := line + 1; n < line+8 && !strings.Contains(head, "{"); n++ {
		head += lines.line(n)
	}
	head, _, _ = strings.Cut(head, "{")
	head, _, _ = strings.Cut(head, "where")
	head = dropBrackets(strings.ReplaceAll(head, "->", ""))
	if _, of, found := strings.Cut(head, " for "); found {
		head = of
	} else {
		head = rustImpl.ReplaceAllString(strings.TrimSpace(head), "")
	}
	words := regexp.MustCompile(`'?[\w:]+`).FindAllString(head, -1)
	for len(words) > 0 && (words[0][0] == '\'' || words[0] == "mut" || words[0] == "dyn" || words[0] == "const") {
		words = words[1:]
	}
	if len(words) == 0 {
		return nil
	}
	return []string{lastPart(words[0]), reference.ReplaceAllString(strings.TrimSpace(head), "")}
}

// correctRust takes containers from the indentation where ctags tells none or
// an odd one.
func (c *corrections) correctRust(files []*file, v verdict) {
	for _, f := range files {
		lines := newLineTable(f.text)
		for at := range v[f.path] {
			i := &v[f.path][at]
			if i.Containers == nil || len(i.Containers[0]) > 1 && i.Containers[0] != "LEN" {
				continue
			}
			containers := rustContainers(lines, i.Line)
			if !slices.Contains(containers, i.Containers[0]) {
				c.container++
			}
			i.Containers = containers
		}
	}
}
