package tools

import "testing"

// An activity says what was looked for, whatever else the call has.
func TestQueryOfActivity(t *testing.T) {
	for _, c := range []struct{ tool, arguments, want string }{
		{"grep_files", `{"pattern":"TODO","path":"src","limit":"3"}`, "TODO"},
		{"find_files", `{"pattern":"*.go"}`, "*.go"},
		{"replace_in_files", `{"pattern":"a"}`, "a"},
		{"outline", `{"query":"run","depth":1}`, "run"},
		{"outline", `{"path":"a"}`, ""},
		{"grep_files", `[1]`, ""},
		{"grep_files", `{"pattern":1}`, ""},
		{"grep_files", ``, ""},
		{"read_file", `{"path":"a"}`, ""},
	} {
		if got := Find(c.tool).About([]byte(c.arguments)).Query; got != c.want {
			t.Errorf("%s %s: %q, want %q", c.tool, c.arguments, got, c.want)
		}
	}
}
