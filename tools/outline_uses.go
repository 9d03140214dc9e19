package tools

import (
	"context"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/agent-lsp/agent-lsp/tools/find"
)

// uses returns how often the folder's files use a name of those that are not
// shown whole; nil where all are.
func (f *folder) uses(ctx context.Context) (func(name string) int, error) {
	names := make(map[string]int) // to places in counts
	for i := range f.files {
		if f.files[i].File == nil || f.files[i].whole {
			continue
		}
		for _, n := range f.files[i].which {
			name := f.files[i].Outline.Symbols[n].Name
			if _, ok := names[name]; !ok {
				names[name] = len(names)
			}
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	counts := make([]int, len(names))
	var mu sync.Mutex
	_, err := f.scope.Scan(ctx, f.chosen, nil, func(b []byte) find.Likelihood {
		own := countWords(b, names)
		mu.Lock()
		defer mu.Unlock()
		for i, n := range own {
			counts[i] += n
		}
		return find.Unlikely
	})
	return func(name string) int { return counts[names[name]] }, err
}

// countWords counts the words of a text that are in names, at the places which
// these give.
func countWords(b []byte, names map[string]int) []int {
	counts := make([]int, len(names))
	start := -1
	for i := 0; i <= len(b); i++ {
		switch inWord := i < len(b) && (find.IsNameByte(b[i]) || b[i] >= utf8.RuneSelf); {
		case inWord && start < 0:
			start = i
		case !inWord && start >= 0:
			if at, ok := names[string(b[start:i])]; ok {
				counts[at]++
			}
			start = -1
		}
	}
	return counts
}

// withoutTests divides files into code and its tests, by how they are named.
func withoutTests(all []find.Candidate) (code, tests []find.Candidate) {
	for _, c := range all {
		if isTest(c.Rel) {
			tests = append(tests, c)
		} else {
			code = append(code, c)
		}
	}
	return code, tests
}

// testFolders are what folders of tests and their data are called.
var testFolders = [...]string{"test", "tests", "__tests__", "spec", "specs", "testdata", "fixtures", "__mocks__"}

// isTest reports whether a path is that of a test, or of what tests need.
func isTest(rel string) bool {
	folder, name := path.Split(rel)
	for in := range strings.SplitSeq(folder, "/") {
		if slices.Contains(testFolders[:], strings.ToLower(in)) {
			return true
		}
	}
	stem, _, _ := strings.Cut(name, ".")
	middle := strings.TrimSuffix(strings.TrimPrefix(name, stem), path.Ext(name))
	return strings.HasPrefix(stem, "test_") || strings.HasSuffix(stem, "_test") || strings.HasSuffix(stem, "_spec") ||
		strings.HasSuffix(stem, "Test") || strings.HasSuffix(stem, "Tests") || strings.HasSuffix(stem, "Spec") ||
		stem == "conftest" || middle == ".test" || middle == ".spec"
}
