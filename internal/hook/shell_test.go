package hook

import (
	"slices"
	"strings"
	"testing"
)

// TestParseLine: what a line of shell, run in /w, is taken to read and to write.
func TestParseLine(t *testing.T) {
	for _, c := range []struct {
		line           string
		reads          bool
		shown, written string
	}{
		{"make test", true, "", ""},
		{"FOO=1 time go test ./...", true, "", ""},
		{"./gradlew build && echo done", true, "", ""},
		{"ls -la", false, "", ""},
		{"echo make", false, "", ""},
		{"cat a.txt", false, "/w/a.txt", ""},
		{"cat 'my file' b | head -3", false, "/w/my file /w/b", ""},
		{"sed -n 1,3p a.txt", false, "/w/1,3p /w/a.txt", ""},
		{"sed -i.bak s/a/b/ a.txt", false, "/w/s/a/b /w/a.txt", "/w/s/a/b /w/a.txt"},
		{"cd sub; cat ../a.txt > /tmp/x", false, "/w/a.txt", "/tmp/x"},
		{"echo x >> a.txt", false, "", "/w/a.txt"},
		{"go vet ./... 2>&1", true, "", ""},
		{"make 2> err.txt", true, "", "/w/err.txt"},
		{"cmd &> both.txt", false, "", "/w/both.txt"},
		{"cp b.txt a.txt", false, "", "/w/a.txt"},
		{"git checkout -- a.txt", false, "", "/w/checkout /w/a.txt"},
		{"git diff a.txt", false, "", ""},
		{"echo \"a > b\"", false, "", ""},
		{"cat <<'EOF' > a.txt\nx\nEOF", false, "/w/EOF", "/w/a.txt"},
		{"", false, "", ""},
		{"'open", false, "", ""},
		{strings.Repeat("a ", 1<<20), false, "", ""},
	} {
		l := parseLine(c.line, "/w")
		shown, written := strings.Join(l.shown, " "), strings.Join(l.written, " ")
		if l.reads != c.reads || shown != c.shown || written != c.written {
			t.Errorf("%.60q: reads %v, shown %q, written %q", c.line, l.reads, shown, written)
		}
	}
}

// FuzzParseLine: any bytes are a line.
func FuzzParseLine(f *testing.F) {
	f.Add("cat a > b; c && 'd'")
	f.Add("\\")
	f.Fuzz(func(t *testing.T, line string) {
		l := parseLine(line, "/w")
		if slices.ContainsFunc(slices.Concat(l.named, l.shown, l.written), func(p string) bool { return !strings.HasPrefix(p, "/") }) {
			t.Errorf("%q: %v", line, l)
		}
	})
}
