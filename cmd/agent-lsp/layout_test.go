package main

import (
	"testing"

	"github.com/agent-lsp/agent-lsp/tools"
)

// TestInColumns: what a person reads stands in columns, whatever its length.
func TestInColumns(t *testing.T) {
	for _, c := range []struct{ tool, text, want string }{
		{"read_file", "9|nine\n10|ten 1|2\n100|\n", "  9|nine\n 10|ten 1|2\n100|\n"},
		{"read_file", "no number\n", "no number\n"},
		{
			"list_directory", "sub/\n  ü.go  9  2026-11-22 08:49\nlong name.txt  121K  2026-11-22 08:49  [open]\nlnk -> a\n",
			"sub/\n  ü.go            9  2026-11-22 08:49\nlong name.txt  121K  2026-11-22 08:49  [open]\nlnk -> a\n",
		},
		{"list_directory", "a  1\nlonger  20", "a        1\nlonger  20"},
		{"grep_files", "a.go 01234567\n@ main\n9- x\n10: y: 3: z\n", "a.go 01234567\n@ main\n 9- x\n10: y: 3: z\n"},
		{"find_files", "1: a\n10: b\n", "1: a\n10: b\n"},
	} {
		if got := (layout{terminal: tools.Find(c.tool).Terminal, columns: true}).text(c.text); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.tool, got, c.want)
		}
	}
}

func TestColours(t *testing.T) {
	const hash = " 01234567"
	for _, c := range []struct{ tool, line, want string }{
		{"read_file", " 7|+x\n", "\x1b[2m 7|\x1b[0m+x\n"},
		{"grep_files", "12- ", "\x1b[2m12- \x1b[0m"},
		{"grep_files", "a b.go [buffer]" + hash + "\n", "\x1b[1ma b.go [buffer]\x1b[0m\x1b[2m" + hash + "\x1b[0m\n"},
		{"list_directory", "sub/\n", "\x1b[34msub/\x1b[0m\n"},
		{"read_file", "sub/\n", "sub/\n"},
		{"edit_file", "+new\n", "\x1b[32m+new\x1b[0m\n"},
		{"edit_file", "-old", "\x1b[31m-old\x1b[0m"},
		{"edit_file", "--- a/x\n", "\x1b[1m--- a/x\x1b[0m\n"},
		{"edit_file", " same\n", " same\n"},
	} {
		if got := (layout{terminal: tools.Find(c.tool).Terminal, colour: true}).text(c.line); got != c.want {
			t.Errorf("%s: %q, want %q", c.tool, got, c.want)
		}
	}
}
