package gitignore

import "testing"

// BenchmarkIgnoreMatch is one name under typical rules.
func BenchmarkIgnoreMatch(b *testing.B) {
	top := (&Rules{inRepo: true}).Below("", []string{GitIgnoreName}, func(string) ([]byte, error) { return []byte(typicalIgnore), nil })
	ir := top.Below("src", nil, nil).Below("inner", nil, nil)
	names := []string{"main.go", "handler_test.go", "README.md", "index.d.ts", "component.module.css", "a.min.js", "data"}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		ir.Match(names[i%len(names)], false)
	}
}

// BenchmarkIgnoreBelow is entering one folder under typical rules.
func BenchmarkIgnoreBelow(b *testing.B) {
	top := (&Rules{inRepo: true}).Below("", []string{GitIgnoreName}, func(string) ([]byte, error) { return []byte(typicalIgnore), nil })
	names := []string{"main.go", "handler_test.go", "README.md", "index.d.ts", "component.module.css", "a.min.js", "data"}
	b.ReportAllocs()
	for b.Loop() {
		top.Below("src", names, nil)
	}
}

// typicalIgnore is what a project's .gitignore is made of.
const typicalIgnore = `# build
/build/
/dist
node_modules/
target/
*.o
*.so
*.a
*.pyc
__pycache__/
*.log
*.swp
*~
.DS_Store
.idea/
.vscode/*
!.vscode/settings.json
coverage/
*.min.js
docs/_build/
**/generated/*.go
vendor/**/testdata
Thumbs.db
*.class
*.jar
.env*
/tmp
*.bak
npm-debug.log*
[Bb]in/
`
