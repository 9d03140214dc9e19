package judge

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strings"
)

// askSecond has a language's own parser judge files, where there is one at
// hand; else it returns nil. A file that does not parse is not in the verdict.
func askSecond(ctx context.Context, files []*file, language, here string) (verdict, error) {
	switch language {
	case "go":
		return askGo(files), nil
	case "python":
		return askScript(ctx, files, here, "/usr/bin/python3", "-W", "ignore", "pyjudge.py")
	case "ruby":
		return askScript(ctx, files, here, "ruby", "rbjudge.rb")
	case "java":
		return askScript(ctx, files, here, javaProgram(), "JavaJudge.java")
	}
	return nil, nil
}

// javaProgram is that of the JDK whose sources are judged, or the one in PATH.
func javaProgram() string {
	if found, err := filepath.Glob("/usr/lib/jvm/java-17-openjdk-*/bin/java"); err == nil && len(found) > 0 {
		return found[0]
	}
	return "java"
}

// askScript runs a program that reads paths and prints a list of items, or
// null, for each.
func askScript(ctx context.Context, files []*file, here, name string, args ...string) (verdict, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = here
	cmd.Stdin = strings.NewReader(pathsOf(files))
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%v: %w: %s", cmd.Args, err, problems.String())
	}
	v := verdict{}
	answers := json.NewDecoder(bytes.NewReader(out))
	for _, f := range files {
		var items []item
		if err := answers.Decode(&items); err != nil {
			return nil, fmt.Errorf("%v: %w", cmd.Args, err)
		}
		if items != nil {
			v[f.path] = items
		}
	}
	return v, nil
}

func askGo(files []*file) verdict {
	v := verdict{}
	for _, f := range files {
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, f.path, f.text, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		g := goFile{set: set, items: []item{}}
		ast.Inspect(tree, g.visit)
		v[f.path] = g.items
	}
	return v
}

// goFile collects what go/parser finds in one file.
type goFile struct {
	set   *token.FileSet
	items []item
}

func (g *goFile) line(p token.Pos) int { return g.set.PositionFor(p, false).Line }

func (g *goFile) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl:
		g.items = append(g.items, g.function(n))
	case *ast.GenDecl:
		for _, spec := range n.Specs {
			if t, ok := spec.(*ast.TypeSpec); ok {
				g.addType(n, t)
			}
		}
	}
	return true
}

func (g *goFile) function(n *ast.FuncDecl) item {
	i := item{Name: n.Name.Name, Class: function, Line: g.line(n.Name.Pos()), Start: g.line(n.Pos()), End: g.line(n.End() - 1), Containers: []string{""}}
	if n.Recv != nil && len(n.Recv.List) > 0 {
		i.Containers = []string{receiver(n.Recv.List[0].Type)}
	}
	return i
}

func receiver(e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

func (g *goFile) addType(d *ast.GenDecl, t *ast.TypeSpec) {
	var whole ast.Node = t
	if !d.Lparen.IsValid() {
		whole = d
	}
	// A local type may be said to stand in its function; which one is not told here.
	g.items = append(g.items, item{Name: t.Name.Name, Class: typ, Line: g.line(t.Name.Pos()), Start: g.line(whole.Pos()), End: g.line(whole.End() - 1)})
	methods, ok := t.Type.(*ast.InterfaceType)
	if !ok {
		return
	}
	for _, m := range methods.Methods.List {
		for _, name := range m.Names {
			g.items = append(g.items, item{
				Name: name.Name, Class: function, Line: g.line(name.Pos()), Start: g.line(name.Pos()), End: g.line(m.End() - 1),
				Containers: []string{t.Name.Name}, Optional: true,
			})
		}
	}
}
