package syntax

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"
	"sync"
)

// languages is the table of the languages with a grammar, ordered by name.
// Those without one are in languages_plain.go.
var languages = []*Language{
	langRuby, langPHP, langKotlin, langSwift, langScala, langGroovy,
	langC, langCPP, langCSharp, langJava, langRust,
	langGo, langJavaScript, langJavaScriptReact, langTypeScript, langTypeScriptReact, langPython,
	langCSS, langHTML, langVue, langSvelte, langMarkdown, langYAML, langTOML, langHCL, langCUE,
	langShell, langElm, langLua, langElixir, langProto, langDockerfile, langSQL, langOCaml, langOCamlInterface,
	langProperties, langXML,
}

// index finds languages by what their files and editors call them.
type index struct {
	byName, byExtension, byFile, byShebang map[string]*Language
}

var table = sync.OnceValue(func() *index {
	x := &index{
		byName: map[string]*Language{}, byExtension: map[string]*Language{},
		byFile: map[string]*Language{}, byShebang: map[string]*Language{},
	}
	all := slices.Concat(languages, plainLanguages)
	slices.SortFunc(all, func(a, b *Language) int { return strings.Compare(a.Name, b.Name) })
	for _, l := range all {
		enter(x.byName, l, append(l.Aliases, l.Name))
		enter(x.byExtension, l, l.Extensions)
		enter(x.byFile, l, l.FileNames)
		enter(x.byShebang, l, l.Shebangs)
	}
	return x
})

func enter(index map[string]*Language, l *Language, names []string) {
	for _, name := range names {
		if index[name] == nil {
			index[name] = l
		}
	}
}

// ByName returns the language that editors call by this name, or nil.
func ByName(name string) *Language { return table().byName[strings.ToLower(name)] }

// HeadBytes is how much of a text [Detect] and [Choose] look at, at most: the
// beginning of a header reports whether it is C or C++.
const HeadBytes = 8 << 10

// Detect returns the language of a file by its name, else by the shebang that
// its first bytes hold; nil for an unknown one.
func Detect(name string, head []byte) *Language {
	base := strings.ToLower(path.Base(name))
	if l := table().byFile[base]; l != nil {
		return l
	}
	for rest := base; ; { // "a.d.ts" has the extensions "d.ts" and "ts"
		_, extension, found := strings.Cut(rest, ".")
		if !found {
			return cmp.Or(byStem(base), byShebang(head))
		}
		if extension == "h" {
			return headerLanguage(head)
		}
		if l := table().byExtension[extension]; l != nil {
			return l
		}
		rest = extension
	}
}

// byStem knows "Dockerfile.dev" by a file name "dockerfile." in the table.
func byStem(base string) *Language {
	stem, _, found := strings.Cut(base, ".")
	if !found {
		return nil
	}
	return table().byFile[stem+"."]
}

// byShebang knows scripts by their first line, whichever interpreter it names
// first: "#!/usr/bin/env -S python3 -u".
func byShebang(head []byte) *Language {
	line, found := bytes.CutPrefix(head, []byte("#!"))
	if !found {
		return nil
	}
	line, _, _ = bytes.Cut(line, []byte("\n"))
	for word := range strings.FieldsSeq(string(line)) {
		if l := table().byShebang[strings.TrimRight(path.Base(word), "0123456789.")]; l != nil {
			return l
		}
	}
	return nil
}

// Choose returns the language of an open document: as its editor names it,
// where that says something, else as [Detect] finds.
func Choose(editorsName, fileName string, head []byte) *Language {
	if l := ByName(editorsName); l != nil && l.Name != "plaintext" {
		return l
	}
	return Detect(fileName, head)
}
