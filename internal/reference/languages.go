package reference

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strconv"
	"strings"

	"github.com/agent-lsp/agent-lsp/syntax"
)

// Languages returns the page of the languages. source is that of the table of
// grammars, goMod the module's requirements.
func Languages(source, goMod []byte) (string, error) {
	paths, err := grammarPaths(source)
	if err != nil {
		return "", err
	}
	var rows strings.Builder
	parsed, guessed := 0, 0
	for _, l := range syntax.Languages() {
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
	return "# Languages\n\n" + notice + "\n" + fmt.Sprintf(`%d languages are parsed, each by a grammar of tree-sitter; in the %d others, and where a grammar fails on a text, definitions are found by patterns of lines and by indentation, which is a guess, and answers say so. How right outlines are: [outline-accuracy](outline-accuracy.md).

Names are those that editors use. A program that is built without C, as the released ones for macOS and Windows are, finds everything by patterns.

| language | grammar | what its outline knows |
|---|---|---|
`, parsed, guessed) + rows.String(), nil
}

func knows(l *syntax.Language) string {
	var names []string
	for _, k := range l.Kinds() {
		names = append(names, k.String())
	}
	if len(names) == 0 {
		return "sections or keys, if it has them"
	}
	return strings.Join(names, ", ")
}

// grammarPaths returns the import path of each language's grammar, by its name.
func grammarPaths(source []byte) (map[string]string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", source, 0)
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
		if !ok || len(call.Args) != 2 || name(call.Fun) != "once" {
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
		return name(load.X)
	}
	return strings.ToLower(strings.TrimPrefix(name(load), "mended"))
}

func name(e ast.Expr) string {
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
