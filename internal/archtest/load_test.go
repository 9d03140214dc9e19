package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// module is the source of a module: every Go file of every platform.
type module struct {
	fset  *token.FileSet
	files []*file
}

type file struct {
	path string // slash-separated, from the module's root
	pkg  string // its folder
	test bool   // a file of tests, or of a test package
	ast  *ast.File
}

// load parses the Go files below root, but for testdata and what the go
// command ignores.
func load(t *testing.T, root fs.FS) *module {
	t.Helper()
	m := &module{fset: token.NewFileSet()}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name != "." && ignored(d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		if path.Ext(name) != ".go" || ignored(d.Name()) {
			return nil
		}
		return m.add(root, name)
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func ignored(name string) bool {
	return name == "testdata" || name == "vendor" || name == "node_modules" || name[0] == '.' || name[0] == '_'
}

func (m *module) add(root fs.FS, name string) error {
	source, err := fs.ReadFile(root, name)
	if err != nil {
		return err
	}
	parsed, err := parser.ParseFile(m.fset, name, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	pkg := path.Dir(name)
	m.files = append(m.files, &file{
		path: name,
		pkg:  pkg,
		test: strings.HasSuffix(name, "_test.go") || isTestPackage(pkg),
		ast:  parsed,
	})
	return nil
}

// packages returns the folders of m that hold Go files, sorted.
func (m *module) packages() []string {
	var pkgs []string
	for _, f := range m.files {
		pkgs = append(pkgs, f.pkg)
	}
	slices.Sort(pkgs)
	return slices.Compact(pkgs)
}

// at renders a position as file:line.
func (m *module) at(p token.Pos) string {
	position := m.fset.Position(p)
	return position.Filename + ":" + strconv.Itoa(position.Line)
}

// imports returns the import paths of f, each with where it stands.
func (f *file) imports() map[string]*ast.ImportSpec {
	specs := make(map[string]*ast.ImportSpec, len(f.ast.Imports))
	for _, spec := range f.ast.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err == nil {
			specs[p] = spec
		}
	}
	return specs
}

// qualifiers returns the names by which f refers to its imports, and the
// paths that they stand for.
func (f *file) qualifiers() map[string]string {
	names := map[string]string{}
	for p, spec := range f.imports() {
		if spec.Name != nil {
			names[spec.Name.Name] = p
		} else {
			names[path.Base(p)] = p
		}
	}
	return names
}

// isTestPackage reports whether pkg is one of testPackages or lies below one.
func isTestPackage(pkg string) bool {
	return slices.ContainsFunc(strings.Fields(testPackages), func(p string) bool {
		return pkg == p || strings.HasPrefix(pkg, p+"/")
	})
}

// listed reports whether name is one of the blank-separated names.
func listed(names, name string) bool {
	return slices.Contains(strings.Fields(names), name)
}
