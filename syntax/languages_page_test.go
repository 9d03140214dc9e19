//go:build cgo

package syntax

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the page of the languages")

// TestLanguagesPageIsFresh holds docs/languages.md against the tables of the
// languages and of the grammars and the module's requirements.
func TestLanguagesPageIsFresh(t *testing.T) {
	source, err := os.ReadFile("grammars_cgo.go")
	if err != nil {
		t.Fatal(err)
	}
	goMod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	want, err := languagesPage(source, goMod)
	if err != nil {
		t.Fatal(err)
	}
	const page = "../docs/languages.md"
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(page); err != nil || string(got) != want {
		t.Errorf("%s is not as the program has it (%v); make generate writes it", page, err)
	}
}

// languagesPage returns the page of the languages. source is that of the table
// of grammars, goMod the module's requirements.
func languagesPage(source, goMod []byte) (string, error) {
	paths, err := grammarPaths(source)
	if err != nil {
		return "", err
	}
	var rows strings.Builder
	parsed, guessed := 0, 0
	for _, l := range allLanguages() {
		by := "by patterns"
		if p, ok := paths[l.Name]; ok {
			if by, err = moduleOf(p, goMod); err != nil {
				return "", err
			}
			parsed++
		} else {
			guessed++
		}
		fmt.Fprintf(&rows, "| %s | %s | %s |\n", l.Name, by, knows(l))
	}
	return "# Languages\n\n<!-- Made by `make generate`; do not edit. -->\n\n" + fmt.Sprintf(`%d languages are parsed, each by a grammar of tree-sitter; in the %d others, and where a grammar fails on a text, definitions are found by patterns of lines and by indentation, which is a guess, and answers say so. How right outlines are: [outline-accuracy](outline-accuracy.md).

Names are those that editors use. A program that is built without C, as the released ones for macOS and Windows are, finds everything by patterns.

| language | grammar | what its outline knows |
|---|---|---|
`, parsed, guessed) + rows.String(), nil
}

func knows(l *Language) string {
	var names []string
	for _, k := range kindsOf(l) {
		names = append(names, k.String())
	}
	if len(names) == 0 {
		return "sections or keys, if it has them"
	}
	return strings.Join(names, ", ")
}

// grammarPaths returns the import path of each language's grammar, by its name.
func grammarPaths(source []byte) (map[string]string, error) {
	file, err := parser.ParseFile(gotoken.NewFileSet(), "", source, 0)
	if err != nil {
		return nil, fmt.Errorf("parsing the table of grammars: %w", err)
	}
	imports := map[string]string{} // by the name in the file
	for _, spec := range file.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, fmt.Errorf("import %s: %w", spec.Path.Value, err)
		}
		name := path.Base(p)
		if spec.Name != nil && spec.Name.Name != "_" {
			name = spec.Name.Name
		}
		imports[name] = p
	}
	paths := map[string]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 2 || nameOf(call.Fun) != "once" {
			return true
		}
		if language, ok := call.Args[0].(*ast.BasicLit); ok {
			paths[strings.Trim(language.Value, `"`)] = imports[packageOf(call.Args[1])]
		}
		return true
	})
	return paths, nil
}

// packageOf returns the name of the package that a grammar is from: python of
// "python.GetLanguage" and of "of(python.Language)", swift of "mendedSwift".
func packageOf(load ast.Expr) string {
	switch load := load.(type) {
	case *ast.CallExpr:
		return packageOf(load.Args[0])
	case *ast.SelectorExpr:
		return nameOf(load.X)
	}
	return strings.ToLower(strings.TrimPrefix(nameOf(load), "mended"))
}

func nameOf(e ast.Expr) string {
	if ident, ok := e.(*ast.Ident); ok {
		return ident.Name
	}
	return ""
}

// moduleOf returns the required module that a package is in, and its version.
func moduleOf(importPath string, goMod []byte) (string, error) {
	for line := range strings.Lines(string(goMod)) {
		module, version, found := strings.Cut(strings.TrimSpace(line), " ")
		if found && strings.HasPrefix(importPath+"/", module+"/") {
			return fmt.Sprintf("`%s` %s", module, strings.TrimSuffix(version, " // indirect")), nil
		}
	}
	return "", fmt.Errorf("no module of go.mod holds %q", importPath)
}

// allLanguages returns the languages, those without a grammar included, in the
// order of their names.
func allLanguages() []*Language {
	all := slices.Concat(languages, plainLanguages)
	slices.SortFunc(all, func(a, b *Language) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// kindsOf returns the kinds of the definitions that the rules of the language,
// or without a grammar its line patterns, find, in the order of their numbers;
// none where sections are found by code.
func kindsOf(l *Language) []Kind {
	var kinds []Kind
	for _, rule := range l.rules {
		kinds = append(kinds, rule.kinds()...)
	}
	if d := dialects[l.Name]; l.rules == nil && d != nil {
		for _, one := range d.lines {
			kinds = append(kinds, one.kind)
		}
		if d.heads == typedHeads || d.heads == plainHeads {
			kinds = append(kinds, Function)
		}
	}
	slices.Sort(kinds)
	kinds = slices.Compact(kinds)
	return slices.DeleteFunc(kinds, func(k Kind) bool { return k == NoKind })
}

// kinds returns what the rule can define, each perhaps more than once. Without
// a name it is only what it makes of the definitions inside.
func (r *Rule) kinds() []Kind {
	var kinds []Kind
	for _, one := range r.Cases {
		kinds = append(kinds, one.Kind)
	}
	if r.Name == "" {
		return kinds
	}
	if r.Calls == nil {
		kinds = append(kinds, r.Kind)
	}
	kinds = append(kinds, r.Member, r.Free, r.Caps)
	for _, one := range r.Calls {
		kinds = append(kinds, one.Kind)
	}
	for _, one := range r.Kinds {
		kinds = append(kinds, one)
	}
	return kinds
}
