package workspace

import "testing"

// newTestGate opens folders, given by path, under settings that tune adjusts;
// tune may be nil.
func newTestGate(t testing.TB, tune func(*Settings), dirs ...string) *Gate {
	t.Helper()
	s := DefaultSettings()
	if tune != nil {
		tune(&s)
	}
	var folders []Folder
	for _, dir := range dirs {
		folders = append(folders, Folder{Path: dir})
	}
	g, problems := NewGate(nil, folders, s)
	if len(problems) > 0 {
		t.Fatalf("NewGate: %v", problems)
	}
	return g
}
