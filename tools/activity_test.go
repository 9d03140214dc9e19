package tools

import "testing"

// An activity says what was looked for, whatever else the call has.
func TestSoughtBy(t *testing.T) {
	for arguments, want := range map[string]string{
		`{"pattern":"TODO","path":"src","limit":"3"}`: "TODO",
		`{"query":"run","depth":1}`:                   "run",
		`{"path":"a"}`:                                "",
		`[1]`:                                         "",
		``:                                            "",
	} {
		if got := soughtBy([]byte(arguments)); got != want {
			t.Errorf("%s: %q, want %q", arguments, got, want)
		}
	}
}
