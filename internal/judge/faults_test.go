package judge

import (
	"os"
	"strings"
	"testing"
)

// TestFaultsAreTold demands that the documentation tells every fault that is
// held against a judge.
func TestFaultsAreTold(t *testing.T) {
	faults, err := readFaults("faults.txt")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := os.ReadFile("../../docs/outline-accuracy.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range faults.faults {
		if !strings.Contains(string(doc), f.why) {
			t.Errorf("docs/outline-accuracy.md does not tell: %s: %s", f.language, f.why)
		}
	}
}

func TestFaultsAreRead(t *testing.T) {
	for line, want := range map[string]string{
		"go\tmissed\t*\tx\t.":           "has 5 columns, not 6",
		"go\tmisses\t*\tx\t.\twhy":      "no such difference",
		"go\tmissed\t*\t(\t.\twhy":      "missing closing )",
		"go\tmissed\t*\tx\t[\twhy":      "missing closing ]",
		"go\tmissed\t[\tx\t.\twhy":      "syntax error in pattern",
		"go\tmissed\t*\tx\tsay:(\twhy":  "missing closing )",
		"go\tmissed\ta/*.go\tx\t.\twhy": "",
	} {
		_, err := parseFault(line)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, expected %q", line, err, want)
		}
	}
}

func TestFaultsCover(t *testing.T) {
	f, err := parseFault("go\tmissed\tf*.go\t\\w+\\.x\t\\b{name}\\(\twhy")
	if err != nil {
		t.Fatal(err)
	}
	list := &faultList{faults: []*fault{f}}
	for _, c := range []struct {
		d    difference
		want bool
	}{
		{difference{what: "missed", file: "go/a/file.go", name: "a.x", text: "\ta.x()"}, true},
		{difference{what: "end", file: "go/a/file.go", name: "a.x", text: "\ta.x()"}, false},
		{difference{what: "missed", file: "go/a/other.go", name: "a.x", text: "\ta.x()"}, false},
		{difference{what: "missed", file: "go/a/file.go", name: "a.xy", text: "\ta.xy()"}, false},
		{difference{what: "missed", file: "go/a/file.go", name: "a.x", text: "\taax()"}, false},
	} {
		if got := list.covers("go", c.d); got != c.want {
			t.Errorf("%+v is covered: %v", c.d, got)
		}
	}
	if list.covers("c", difference{what: "missed", file: "file.go", name: "a.x", text: "a.x("}) {
		t.Error("a fault is of one language")
	}
}
