package syntax

import "testing"

// TestDetectByName tells languages by names and first lines that several rows
// of the table might claim.
func TestDetectByName(t *testing.T) {
	for _, c := range []struct{ file, head, want string }{
		{"a/Dockerfile", "", "dockerfile"},
		{"Dockerfile.dev", "", "dockerfile"},
		{"web.dockerfile", "", "dockerfile"},
		{"Containerfile", "", "dockerfile"},
		{"dockerfile.go", "", "go"},
		{".zshrc", "", "shellscript"},
		{"install", "#!/usr/bin/env -S bash -eu\n", "shellscript"},
		{"install", "#!/bin/ash\n", "shellscript"},
		{"tool", "#!/usr/bin/lua5.4\n", "lua"},
		{"mix.exs", "", "elixir"},
		{"tide.ml", "", "ocaml"},
		{"tide.mli", "", "ocaml.interface"},
		{"schema.SQL", "", "sql"},
		{"harbour.proto", "", "proto"},
		{"notes", "", ""},
	} {
		got := ""
		if l := Detect(c.file, []byte(c.head)); l != nil {
			got = l.Name
		}
		if got != c.want {
			t.Errorf("%s, %q: %q, want %q", c.file, c.head, got, c.want)
		}
	}
}
