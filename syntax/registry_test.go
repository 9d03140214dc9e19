//go:build cgo

package syntax

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const corpus = "../testdata/corpus"

// TestRegistry holds the tables against the grammars: every grammar has a
// language with rules and a corpus, and the rules name nothing that the
// grammar does not have.
func TestRegistry(t *testing.T) {
	for name, load := range grammars {
		l := ByName(name)
		if l == nil || l.rules == nil {
			t.Errorf("%s has a grammar and no rules", name)
			continue
		}
		if unknown := load().unknown; len(unknown) > 0 {
			t.Errorf("%s: the grammar does not know %s", name, strings.Join(unknown, ", "))
		}
		if l.Name != "vue" && len(corpusFiles(t, name)) == 0 {
			t.Errorf("%s has no corpus", name)
		}
	}
	for _, l := range slices.Concat(languages, plainLanguages) {
		if l.rules != nil && grammars[l.Name] == nil {
			t.Errorf("%s has rules and no grammar", l.Name)
		}
		if len(l.Extensions)+len(l.FileNames)+len(l.Shebangs) == 0 {
			t.Errorf("no file is ever in %s", l.Name)
		}
		if ByName(l.Name) != l {
			t.Errorf("%s is hidden by another language's name", l.Name)
		}
	}
}

// corpusFiles returns the paths of a language's sources.
func corpusFiles(t testing.TB, language string) []string {
	t.Helper()
	dir := filepath.Join(corpus, language)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var files []string
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".symbols") {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	return files
}
