package mutants

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A source is the package whose code is changed.
type source struct {
	ImportPath, Name, Dir string
	GoFiles, CgoFiles     []string
	Export                string // file of export data
	DepOnly               bool

	text  map[string]string // of each file, by its absolute name
	known *token.FileSet
	deps  types.Importer
}

// load reads the package in the folder or with the import path pattern, as it
// is built on this system.
func load(ctx context.Context, pattern string) (*source, error) {
	list, err := goCommand(ctx, "list", "-export", "-deps", "-json=ImportPath,Name,Dir,GoFiles,CgoFiles,Export,DepOnly", pattern)
	if err != nil {
		return nil, err
	}
	var pkg *source
	exports := map[string]string{}
	for d := json.NewDecoder(bytes.NewReader(list)); ; {
		p := &source{text: map[string]string{}, known: token.NewFileSet()}
		if err := d.Decode(p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		exports[p.ImportPath] = p.Export
		if !p.DepOnly {
			pkg = p
		}
	}
	if pkg == nil {
		return nil, fmt.Errorf("no package: %s", pattern)
	}
	pkg.deps = importer.ForCompiler(pkg.known, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	return pkg, pkg.read()
}

func (p *source) read() error {
	for _, names := range [][]string{p.GoFiles, p.CgoFiles} {
		for i, name := range names {
			names[i] = filepath.Join(p.Dir, name)
			text, err := os.ReadFile(names[i])
			if err != nil {
				return err
			}
			p.text[names[i]] = string(text)
		}
	}
	return nil
}

// broken returns the names of the files that do not compile when those of
// instead stand in the place of the package's, among them "" for other errors.
func (p *source) broken(instead map[string]string) map[string]bool {
	found := map[string]bool{}
	var files []*ast.File
	parse := func(name, text string) {
		f, err := parser.ParseFile(p.known, name, text, parser.SkipObjectResolution)
		if err != nil {
			found[name] = true
			return
		}
		files = append(files, f)
	}
	for name, text := range p.text {
		if other, ok := instead[name]; ok {
			text = other
		}
		parse(name, text)
	}
	parse("switch", switchFor(p.Name))
	config := types.Config{Importer: p.deps, FakeImportC: true, Error: func(err error) {
		if at, ok := errors.AsType[types.Error](err); ok {
			found[at.Fset.Position(at.Pos).Filename] = true
		}
	}}
	if _, err := config.Check(p.ImportPath, p.known, files, nil); err != nil && len(found) == 0 {
		found[""] = true
	}
	return found
}

// goCommand returns what the go command prints; what it says of an error is
// part of the error.
func goCommand(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", args[0], err, said.String())
	}
	return out, nil
}
