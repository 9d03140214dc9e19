package syntax_test

import (
	"testing"

	"github.com/agent-lsp/agent-lsp/syntax"
)

func TestHeadersOfCAndCPP(t *testing.T) {
	for head, want := range map[string]string{
		"":                                    "c",
		"#include <stdio.h>\nint main(void);": "c",
		"/* a class of its own\nclass Node {\n*/\nstruct node { int class_; };": "c",
		"// namespace a\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n":          "c",
		"#include <sys/types.h>\n":                 "c",
		"#  include <vector>\n":                    "cpp",
		"/* licence */ namespace a::b {\n":         "cpp",
		"#pragma once\n\nclass Node final {\n":     "cpp",
		"int f(const std::string &s);\n":           "cpp",
		"struct Node {\n private:\n  int x;\n};\n": "cpp",
		"template<class T> T max(T a, T b);":       "cpp",
	} {
		if got := syntax.Detect("dir/node.h", []byte(head)); got == nil || got.Name != want {
			t.Errorf("%q is %v, expected %s", head, got, want)
		}
	}
}
