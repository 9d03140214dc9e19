package tools

import (
	"fmt"
	"testing"

	"github.com/agent-lsp/agent-lsp/tools/read"
	"github.com/agent-lsp/agent-lsp/tools/schema"
)

// TestReadPaths: whoever routes a call knows all files that it names.
func TestReadPaths(t *testing.T) {
	s := schema.Of[read.Call](enums)
	for arguments, want := range map[string]string{
		`{"path":"a"}`:            `[a]`,
		`{"file_path":"a"}`:       `[a]`,
		`{"path":"a","reads":[]}`: `[a]`,
		`{"symbol":"x"}`:          `[]`,
		`{"reads":[{"path":"a"},{"path":"b"},{"path":"a"}]}`:   `[a b]`,
		`{"Reads":["a",{"filePath":"b"}]}`:                     `[a b]`,
		`{"path":"a","reads":[{"symbol":"x"},{"symbol":"y"}]}`: `[a]`,
		`{"reads":[{"path":"a"},{"symbol":"y"}]}`:              `[]`,
		`{"reads":"[{\"path\":\"a\"}]"}`:                       `[a]`,
		`{"reads":7}`:                                          `[]`,
	} {
		if got := fmt.Sprint(readPaths([]byte(arguments), s)); got != want {
			t.Errorf("%s: %s, want %s", arguments, got, want)
		}
	}
}
