package archtest

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"
)

// A check returns what it found wrong, each finding on a line of its own that
// begins with where.
type check struct {
	name string
	find func(*module) []string
}

var checks = []check{
	{"every package has a rule", unruled},
	{"imports go down", badImports},
	{"one door to each module", badDoors},
	{"what a rule allows is made use of", idle},
	{"unsafe stays in its packages", unsafeImports},
	{"reserved functions", reserved},
	{"every package has its doc.go", undocumented},
	{"no init", inits},
	{"no goroutine without an owner", goroutines},
	{"no hidden state", variables},
	{"standard words", privateWords},
}

func ruleOf(pkg string) (rule, bool) {
	i := slices.IndexFunc(rules, func(r rule) bool { return r.pkg == pkg })
	if i < 0 {
		return rule{pkg: pkg}, false
	}
	return rules[i], true
}

func unruled(m *module) []string {
	var found []string
	for _, pkg := range m.packages() {
		if _, ok := ruleOf(pkg); !ok && !isTestPackage(pkg) {
			found = append(found, fmt.Sprintf("%s: has no rule: give it a level and its imports", pkg))
		}
	}
	return found
}

// badImports finds imports of our own packages.
func badImports(m *module) []string {
	var found []string
	for _, f := range m.files {
		own, _ := ruleOf(f.pkg)
		for p, spec := range f.imports() {
			pkg, ours := strings.CutPrefix(p, modulePath+"/")
			if !ours || pkg == f.pkg || f.test && isTestPackage(pkg) || isTestPackage(f.pkg) {
				continue
			}
			if !listed(everybodys, pkg) && !listed(own.imports, pkg) {
				found = append(found, fmt.Sprintf("%s: %s may not import %s", m.at(spec.Pos()), f.pkg, pkg))
			}
		}
	}
	return found
}

// badDoors finds imports of third-party modules.
func badDoors(m *module) []string {
	var found []string
	for _, f := range m.files {
		own, _ := ruleOf(f.pkg)
		for p, spec := range f.imports() {
			first, _, _ := strings.Cut(p, "/")
			if !strings.Contains(first, ".") || strings.HasPrefix(p, modulePath+"/") || isTestPackage(f.pkg) {
				continue
			}
			door := inModules(own.doors, p) || f.test && (inModules(testModules, p) || inModules(testDoors, p))
			if !door {
				found = append(found, fmt.Sprintf("%s: %s is no door to %s", m.at(spec.Pos()), f.pkg, p))
			}
		}
	}
	return found
}

// idle finds imports that the rules of m's packages allow, and no file makes.
func idle(m *module) []string {
	made := make(map[string]bool) // "folder import"
	for _, f := range m.files {
		for p := range f.imports() {
			made[f.pkg+" "+strings.TrimPrefix(p, modulePath+"/")] = true
		}
	}
	var found []string
	for _, pkg := range m.packages() {
		own, _ := ruleOf(pkg)
		for p := range strings.FieldsSeq(own.imports) {
			if !made[pkg+" "+p] {
				found = append(found, fmt.Sprintf("%s: no file imports %s", pkg, p))
			}
		}
	}
	return found
}

// unsafeImports finds imports of unsafe, and packages that may have it and do
// not. Tests may look at memory.
func unsafeImports(m *module) []string {
	var found []string
	used := map[string]bool{}
	for _, f := range m.files {
		spec := f.imports()["unsafe"]
		switch {
		case spec == nil || f.test:
		case listed(unsafes, f.pkg):
			used[f.pkg] = true
		default:
			found = append(found, fmt.Sprintf("%s: imports unsafe: use internal/reinterpret", m.at(spec.Pos())))
		}
	}
	for pkg := range strings.FieldsSeq(unsafes) {
		if !used[pkg] && slices.Contains(m.packages(), pkg) {
			found = append(found, fmt.Sprintf("%s: may import unsafe, and no file does", pkg))
		}
	}
	return found
}

func inModules(modules, importPath string) bool {
	return slices.ContainsFunc(strings.Fields(modules), func(m string) bool {
		return importPath == m || strings.HasPrefix(importPath, m+"/")
	})
}

func reserved(m *module) []string {
	var found []string
	for _, f := range m.files {
		if f.test {
			continue
		}
		names := f.qualifiers()
		if _, dot := names["."]; dot {
			found = append(found, fmt.Sprintf("%s: imports into its own scope, which hides what it uses", f.path))
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if function := qualified(n, names); function != "" {
				if why := reservedTo(function, f.pkg); why != "" {
					found = append(found, fmt.Sprintf("%s: uses %s, but %s", m.at(n.Pos()), function, why))
				}
			}
			return true
		})
	}
	return found
}

// qualified returns the import path and name of what n refers to in another
// package, joined by a dot, and "" for other nodes.
func qualified(n ast.Node, names map[string]string) string {
	sel, ok := n.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	q, ok := sel.X.(*ast.Ident)
	if !ok || names[q.Name] == "" {
		return ""
	}
	return names[q.Name] + "." + sel.Sel.Name
}

// reservedTo says why pkg may not use a function, or "" when it may.
func reservedTo(function, pkg string) string {
	for _, r := range reservations {
		if listed(r.functions, function) && !listed(r.packages, pkg) {
			return r.why
		}
	}
	return ""
}

func undocumented(m *module) []string {
	documented := map[string]bool{}
	var found []string
	for _, f := range m.files {
		if f.ast.Doc == nil {
			continue
		}
		doc := f.ast.Doc.Text()
		if !strings.HasSuffix(f.path, "/doc.go") {
			found = append(found, fmt.Sprintf("%s: the package comment belongs into doc.go", m.at(f.ast.Package)))
		} else if strings.HasPrefix(doc, "Package "+f.ast.Name.Name+" ") || strings.HasPrefix(doc, "Command ") {
			documented[f.pkg] = true
		}
	}
	for _, pkg := range m.packages() {
		if !documented[pkg] {
			found = append(found, fmt.Sprintf("%s: no doc.go that says what the package is", pkg))
		}
	}
	return found
}

func inits(m *module) []string {
	var found []string
	for _, f := range m.files {
		for _, d := range f.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				found = append(found, fmt.Sprintf("%s: func init", m.at(fn.Pos())))
			}
		}
	}
	return found
}

func goroutines(m *module) []string {
	var found []string
	used := map[string]bool{}
	for _, f := range m.files {
		if f.test {
			continue
		}
		for _, d := range f.ast.Decls {
			where := f.pkg + "." + nameOf(d)
			ast.Inspect(d, func(n ast.Node) bool {
				if g, ok := n.(*ast.GoStmt); ok && !excepted(goStatements, where) {
					found = append(found, fmt.Sprintf("%s: go statement in %s: use internal/parallel", m.at(g.Pos()), where))
				} else if ok {
					used[where] = true
				}
				return true
			})
		}
	}
	return append(found, unused(m, "goStatements", goStatements, used)...)
}

func excepted(list []exception, where string) bool {
	return slices.ContainsFunc(list, func(e exception) bool { return e.where == where })
}

// unused finds exceptions that no code of a package of m needs any more.
func unused(m *module, table string, list []exception, used map[string]bool) []string {
	var found []string
	for _, e := range list {
		pkg, _, _ := strings.Cut(e.where, ".")
		if !used[e.where] && slices.Contains(m.packages(), pkg) {
			found = append(found, fmt.Sprintf("%s: nothing needs the entry in %s", e.where, table))
		}
	}
	return found
}

// nameOf returns Function, Type.Method or (*Type).Method of a declaration.
func nameOf(d ast.Decl) string {
	fn, ok := d.(*ast.FuncDecl)
	if !ok {
		return ""
	}
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return fn.Name.Name
	}
	switch r := fn.Recv.List[0].Type.(type) {
	case *ast.StarExpr:
		return "(*" + typeName(r.X) + ")." + fn.Name.Name
	default:
		return typeName(r) + "." + fn.Name.Name
	}
}

// typeName returns the name of a type without its parameters.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.IndexExpr:
		return typeName(e.X)
	case *ast.IndexListExpr:
		return typeName(e.X)
	case *ast.SelectorExpr:
		return typeName(e.X) + "." + e.Sel.Name
	}
	return ""
}

// tableErrors finds what is wrong with the tables themselves.
func tableErrors(rules []rule) []string {
	var found []string
	doors := map[string]string{}
	levels := map[string]int{}
	for _, r := range rules {
		if _, twice := levels[r.pkg]; twice {
			found = append(found, r.pkg+": has two rules")
		}
		levels[r.pkg] = r.level
		for d := range strings.FieldsSeq(r.doors) {
			if other, taken := doors[d]; taken {
				found = append(found, fmt.Sprintf("%s: %s is the door to %s already", r.pkg, other, d))
			}
			doors[d] = r.pkg
		}
	}
	for _, r := range rules {
		for p := range strings.FieldsSeq(r.imports) {
			if level, ok := levels[p]; !ok || level >= r.level {
				found = append(found, fmt.Sprintf("%s: importing %s does not go down", r.pkg, p))
			}
		}
	}
	for _, d := range slices.Sorted(maps.Keys(doors)) {
		if inModules(testModules, d) {
			found = append(found, doors[d]+": "+d+" is for tests alone")
		}
	}
	return found
}
