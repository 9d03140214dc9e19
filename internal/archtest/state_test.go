package archtest

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// variables finds package variables that are neither errors nor tables, or
// that something in their package writes to. It goes by names, so that a local
// variable of the same name counts as the package's.
func variables(m *module) []string {
	var found []string
	used := map[string]bool{}
	writes := writesByPackage(m)
	for _, f := range m.files {
		if f.test {
			continue
		}
		for _, v := range packageVariables(f) {
			where := f.pkg + "." + v.name.Name
			problem := v.problem()
			if w, ok := writes[where]; ok && problem == "" {
				problem = "is written to at " + m.at(w)
			}
			switch {
			case problem == "":
			case excepted(packageVars, where):
				used[where] = true
			default:
				found = append(found, fmt.Sprintf("%s: package variable %s %s", m.at(v.name.Pos()), v.name.Name, problem))
			}
		}
	}
	return append(found, unused(m, "packageVars", packageVars, used)...)
}

type variable struct {
	name  *ast.Ident
	value ast.Expr // nil without one
}

func packageVariables(f *file) []variable {
	var vars []variable
	for _, d := range f.ast.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok || decl.Tok != token.VAR {
			continue
		}
		for _, s := range decl.Specs {
			spec := s.(*ast.ValueSpec)
			for i, name := range spec.Names {
				v := variable{name: name}
				if len(spec.Values) > 0 {
					v.value = spec.Values[min(i, len(spec.Values)-1)]
				}
				if name.Name != "_" {
					vars = append(vars, v)
				}
			}
		}
	}
	return vars
}

// problem says why v cannot be a constant in all but form, or "".
func (v variable) problem() string {
	if v.value == nil {
		return "has no value: something must write to it"
	}
	state := ""
	ast.Inspect(v.value, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ChanType:
			state = "is a channel"
		case *ast.SelectorExpr:
			name := typeName(n)
			if name == "sync.OnceValue" || name == "sync.OnceValues" {
				return true // a table made when first needed
			}
			if strings.HasPrefix(name, "sync.") || strings.HasPrefix(name, "atomic.") {
				state = "holds a " + name
			}
		}
		return true
	})
	return state
}

// writesByPackage returns where each folder.name is assigned to, in whole or
// in part, or has its address taken, outside of declarations.
func writesByPackage(m *module) map[string]token.Pos {
	writes := map[string]token.Pos{}
	for _, f := range m.files {
		if f.test {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			for _, target := range targets(n) {
				if name := root(target); name != nil {
					writes[f.pkg+"."+name.Name] = n.Pos()
				}
			}
			return true
		})
	}
	return writes
}

// targets returns the expressions that n writes to.
func targets(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			return n.Lhs
		}
	case *ast.IncDecStmt:
		return []ast.Expr{n.X}
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			return slices.DeleteFunc([]ast.Expr{n.Key, n.Value}, func(e ast.Expr) bool { return e == nil })
		}
	case *ast.UnaryExpr:
		if n.Op == token.AND {
			return []ast.Expr{n.X}
		}
	case *ast.CallExpr:
		if fn, ok := n.Fun.(*ast.Ident); ok && (fn.Name == "delete" || fn.Name == "clear") && len(n.Args) > 0 {
			return n.Args[:1]
		}
	}
	return nil
}

// root returns the variable that e is or is a part of: t of t.field[i].
func root(e ast.Expr) *ast.Ident {
	switch e := e.(type) {
	case *ast.Ident:
		return e
	case *ast.IndexExpr:
		return root(e.X)
	case *ast.SelectorExpr:
		return root(e.X)
	case *ast.ParenExpr:
		return root(e.X)
	case *ast.StarExpr:
		return root(e.X)
	}
	return nil
}
