//go:build linux || darwin

package workspace

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// FuzzReadJournal: whatever stands in a journal that has the right sums, it is
// refused, or names single names only, and temporary files of ours only.
func FuzzReadJournal(f *testing.F) {
	trial := newTrial(f, f.TempDir(), mixedBefore, mixedAfter, mixedChanges...)
	trial.crashed()
	raw, err := os.ReadFile(filepath.Join(trial.state, trial.journals()[0]))
	must(f, err)
	lines := bytes.SplitN(raw, []byte("\n"), 3)
	f.Add(lines[0][9:], append(lines[1], '\n'))
	f.Add([]byte(`{"journal":1,"folders":[{"root":"\"/\"","parent":-1}],"steps":[{"kind":2,"in":0,"name":"\"a\"","home":0,"temp":"\".agent-lsp-x\"","moved":true,"like":0,"new":"sha256:`+
		`0000000000000000000000000000000000000000000000000000000000000000"}]}`), []byte{})
	f.Fuzz(func(t *testing.T, plan, marks []byte) {
		line, err := journalLine(rawObject(plan))
		if err != nil {
			return
		}
		c, _, err := readJournal(append(line, marks...))
		if err != nil {
			return
		}
		for _, s := range c.steps {
			if singleName(s.name) != nil || s.temp != "" && !ownSingle(s.temp) || s.away != "" && !ownSingle(s.away) {
				t.Errorf("names %q, %q, %q", s.name, s.temp, s.away)
			}
			var r residue
			r.changed(s, nil)
			_ = s.file()
		}
	})
}

type rawObject []byte

func (o rawObject) MarshalJSON() ([]byte, error) { return o, nil }

// TestQuotedNames: names of any bytes come back.
func TestQuotedNames(t *testing.T) {
	for _, name := range []string{"", "plain", "a b", "ü\xff\x01\"\\\u2028", "\n"} {
		line, err := journalLine(recordedFolder{Name: quoted(name)})
		must(t, err)
		var back recordedFolder
		if _, ok := nextRecord(line, &back); !ok || string(back.Name) != name {
			t.Errorf("%q came back as %q (%t)", name, back.Name, ok)
		}
		if _, ok := nextRecord(line[:len(line)-1], &back); ok {
			t.Error("a cut line was taken for whole")
		}
	}
}
