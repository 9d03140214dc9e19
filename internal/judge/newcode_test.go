package judge

import (
	"slices"
	"testing"
)

// TestNewCode tells at how many files of new code each grammar fails.
func TestNewCode(t *testing.T) {
	if testing.Short() {
		t.Skip("the bar is for all of the files")
	}
	sources := setUp(t)
	var all []parsed
	var languages []string
	for _, s := range newCode {
		if !slices.Contains(languages, s.language) {
			languages = append(languages, s.language)
		}
	}
	for _, language := range languages {
		files, err := sources.pickFrom(newCode, language, t.TempDir(), sample{1, *other})
		if err != nil {
			t.Fatal(err)
		}
		p := parseAll(t.Context(), language, files)
		all = append(all, p)
		for _, name := range p.at {
			t.Logf("%s: an error in %s", language, name)
		}
	}
	t.Log("\n" + parsedTable(all))
}
