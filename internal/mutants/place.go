package mutants

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
)

// A Mutant is one token that is changed.
type Mutant struct {
	File         string // absolute
	Line, Column int    // of the token, from 1, in bytes
	Source       string // the line, without blanks around it
	Old, New     string // the token, before and after

	at, end int // region of the file that is rewritten, in bytes, half open
	// rewrite returns what stands before and after the inner part, which is
	// kept and rewritten in turn, when the mutant has number id.
	rewrite           func(id int) (before, after string)
	innerAt, innerEnd int
}

// changed maps an operator to the one that takes its place.
var changed = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
}

// places returns all mutants of a file, in the order of their tokens' parents.
// Whether each compiles is not known yet.
func places(name string, src []byte) ([]Mutant, error) {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	s := &scan{name: name, src: string(src), file: fset.File(parsed.FileStart)}
	ast.PreorderStack(parsed, nil, func(n ast.Node, above []ast.Node) bool {
		s.node(n, above)
		return true
	})
	return s.found, nil
}

type scan struct {
	name, src string
	file      *token.File
	found     []Mutant
}

func (s *scan) node(n ast.Node, above []ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		s.binary(n, above)
	case *ast.ReturnStmt:
		if len(n.Results) > 0 {
			s.result(n)
		}
	case *ast.BranchStmt:
		if n.Tok == token.CONTINUE {
			s.loop(n)
		}
	}
}

func (s *scan) binary(n *ast.BinaryExpr, above []ast.Node) {
	region := ast.Expr(n)
	switch n.Op {
	case token.LAND, token.LOR:
		region = chain(n, above)
	case token.ADD, token.SUB:
		s.step(n)
		return
	}
	op, ok := changed[n.Op]
	if !ok {
		return
	}
	at, end, opAt := s.offset(region.Pos()), s.offset(region.End()), s.offset(n.OpPos)
	instead := s.src[at:opAt] + op.String() + s.src[opAt+len(n.Op.String()):end]
	s.add(Mutant{
		Old: n.Op.String(), New: op.String(), at: at, end: end, innerAt: at, innerEnd: end,
		rewrite: func(id int) (string, string) {
			return fmt.Sprintf("(mutantOn(%d) && (%s) || !mutantOn(%d) && (", id, instead, id), "))"
		},
	}, opAt)
}

// chain returns the widest expression around n that is made of && and ||
// without parentheses: an operator that changes binds its neighbors otherwise.
func chain(n ast.Expr, above []ast.Node) ast.Expr {
	for _, around := range slices.Backward(above) {
		parent, ok := around.(*ast.BinaryExpr)
		if !ok || parent.Op != token.LAND && parent.Op != token.LOR {
			break
		}
		n = parent
	}
	return n
}

// step finds x + 1 and x - 1. Written without blanks, as in a[i+1], they are
// left out, so that figures compare with those of a plain search for text.
func (s *scan) step(n *ast.BinaryExpr) {
	one, ok := n.Y.(*ast.BasicLit)
	opAt := s.offset(n.OpPos)
	if !ok || one.Value != "1" || !strings.HasPrefix(s.src[opAt+1:], " 1") {
		return
	}
	function, old, changed := "mutantPlus", "+ 1", "+ 2"
	if n.Op == token.SUB {
		function, old, changed = "mutantMinus", "- 1", "- 0"
	}
	s.add(Mutant{
		Old: old, New: changed, at: s.offset(n.Pos()), end: s.offset(n.End()),
		innerAt: s.offset(n.X.Pos()), innerEnd: s.offset(n.X.End()),
		rewrite: func(id int) (string, string) { return fmt.Sprintf("%s(%d, ", function, id), ")" },
	}, opAt)
}

// result finds true and false as the first of what is returned.
func (s *scan) result(n *ast.ReturnStmt) {
	id, ok := n.Results[0].(*ast.Ident)
	if !ok || id.Name != "true" && id.Name != "false" {
		return
	}
	other, call := "false", "!mutantOn(%d)"
	if id.Name == "false" {
		other, call = "true", "mutantOn(%d)"
	}
	at := s.offset(id.Pos())
	s.add(Mutant{
		Old: "return " + id.Name, New: "return " + other,
		at: at, end: s.offset(id.End()), innerAt: at, innerEnd: at,
		rewrite: func(id int) (string, string) { return fmt.Sprintf(call, id), "" },
	}, s.offset(n.Pos()))
}

func (s *scan) loop(n *ast.BranchStmt) {
	at, end := s.offset(n.Pos()), s.offset(n.End())
	instead := "break" + strings.TrimPrefix(s.src[at:end], "continue")
	s.add(Mutant{
		Old: "continue", New: "break", at: at, end: end, innerAt: at, innerEnd: end,
		rewrite: func(id int) (string, string) { return fmt.Sprintf("if mutantOn(%d) { %s }; ", id, instead), "" },
	}, at)
}

// add keeps a mutant whose token is at offset at, unless it stands on the line
// where a function begins.
func (s *scan) add(m Mutant, at int) {
	start := strings.LastIndexByte(s.src[:at], '\n') + 1
	line, _, _ := strings.Cut(s.src[start:], "\n")
	m.File, m.Line, m.Column = s.name, s.file.Line(s.file.Pos(at)), at-start+1
	m.Source = strings.TrimSpace(line)
	if !strings.HasPrefix(m.Source, "func ") {
		s.found = append(s.found, m)
	}
}

func (s *scan) offset(p token.Pos) int { return s.file.Offset(p) }

// String returns where the mutant is and what it changes.
func (m Mutant) String() string {
	folder, name := filepath.Split(m.File)
	return fmt.Sprintf("%s/%s:%d:%d  %s  (%s -> %s)", filepath.Base(folder), name, m.Line, m.Column, m.Source, m.Old, m.New)
}
