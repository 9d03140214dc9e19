package hook

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// word is what a word of a line may stand for.
type word struct {
	text string
	glob bool // text is a pattern
}

const (
	// unknown stands for a part of a path that the line does not tell.
	unknown = "**"
	// maxValues is how many texts a word may stand for; more are taken for any.
	maxValues = 64
	// maxWord is the length of the longest text of a variable, in
	// bytes; longer ones are taken for any.
	maxWord = 4 << 10
)

func texts(words []word) []string {
	var list []string
	for _, w := range words {
		list = append(list, w.text)
	}
	return list
}

func (w *walker) words(all []*syntax.Word) []word {
	var list []word
	for _, of := range all {
		if len(list) > 2*maxPaths {
			w.line.reads, w.line.all = true, w.line.all || len(list) > 0 && isWriter(list[0].text)
			break
		}
		list = append(list, w.word(of, false)...)
	}
	return list
}

// word returns what a word may stand for: nothing where that is a variable of
// which nothing is known.
func (w *walker) word(of *syntax.Word, quoted bool) []word {
	list := w.parts([]word{{}}, of.Parts, quoted)
	kept := list[:0]
	for _, v := range list {
		if !v.glob || v.text != unknown {
			kept = append(kept, v)
		}
	}
	return kept
}

// parts appends parts to each of the texts that a word may have.
func (w *walker) parts(list []word, parts []syntax.WordPart, quoted bool) []word {
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			list = each(list, literal(p.Value, quoted, list[0].text == ""))
		case *syntax.SglQuoted:
			if p.Dollar && strings.Contains(p.Value, "\\") {
				list = each(list, word{"*", true})
				continue
			}
			list = each(list, word{text: p.Value})
		case *syntax.DblQuoted:
			list = w.parts(list, p.Parts, true)
		case *syntax.ParamExp:
			list = each(list, w.variable(p, quoted)...)
		case *syntax.CmdSubst:
			list = each(list, output(p))
		default:
			list = each(list, word{"*", true})
		}
	}
	return list
}

// each appends each of the texts to each of list.
func each(list []word, texts ...word) []word {
	if len(texts) == 0 {
		texts = []word{{unknown, true}}
	}
	if len(list)*len(texts) > maxValues {
		return []word{{"*", true}}
	}
	var all []word
	for _, a := range list {
		for _, b := range texts {
			if a.text != "" && b.glob && b.text == unknown {
				b.text = "*"
			}
			all = append(all, word{a.text + b.text, a.glob || b.glob})
		}
	}
	return all
}

// variable returns what a variable may be: without quotes each word of it.
func (w *walker) variable(p *syntax.ParamExp, quoted bool) []word {
	if p.Param == nil {
		return []word{{"*", true}}
	}
	values, known := w.vars[p.Param.Value]
	switch p.Param.Value {
	case "PWD":
		values, known = []word{{w.folder, w.folder == unknown}}, true
	case "OLDPWD":
		values, known = []word{{w.last, w.last == unknown}}, true
	}
	long := func(v word) bool { return len(v.text) > maxWord }
	switch {
	case !known:
		return nil
	case p.Exp != nil || p.Repl != nil || p.Slice != nil || p.Excl || p.Length || slices.ContainsFunc(values, long):
		return []word{{"*", true}}
	}
	if quoted {
		return values
	}
	var fields []word
	for _, v := range values {
		for field := range strings.FieldsSeq(v.text) {
			fields = append(fields, word{field, v.glob})
		}
	}
	return fields
}

// output returns what a command within a word may print: any names of the working
// directory, but for a temporary file's.
func output(c *syntax.CmdSubst) word {
	if len(c.Stmts) == 1 {
		if call, ok := c.Stmts[0].Cmd.(*syntax.CallExpr); ok && len(call.Args) > 0 && call.Args[0].Lit() == "mktemp" {
			return word{text: "/tmp/mktemp"}
		}
	}
	return word{"*", true}
}

// literal takes the backslashes off a part of a word. begins is whether the word
// begins with it.
func literal(raw string, quoted, begins bool) word {
	var v word
	var text strings.Builder
	if !quoted && begins && strings.HasPrefix(raw, "~") { // a home folder
		text.WriteString(unknown)
		v.glob = true
		raw = strings.TrimLeft(raw, "~abcdefghijklmnopqrstuvwxyz0123456789_-.")
	}
	if open, end := strings.IndexByte(raw, '{'), strings.LastIndexByte(raw, '}'); !quoted && open >= 0 && open < end && (strings.Contains(raw[open:end], ",") || strings.Contains(raw[open:end], "..")) {
		raw = raw[:open] + "*" + raw[end+1:] // one of several
	}
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		switch {
		case c == '\\' && i+1 < len(raw) && (!quoted || strings.IndexByte("\\\"$`\n", raw[i+1]) >= 0):
			if i++; raw[i] != '\n' {
				text.WriteByte(raw[i])
			}
			continue
		case !quoted && (c == '*' || c == '?' || c == '['):
			v.glob = true
		}
		text.WriteByte(c)
	}
	v.text = text.String()
	return v
}
