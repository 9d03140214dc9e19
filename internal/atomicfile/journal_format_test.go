//go:build linux || darwin

package atomicfile

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
)

// FuzzReadJournal: whatever stands in a journal that has the right seals, it is
// refused, or names single names only, and temporary files of ours only.
func FuzzReadJournal(f *testing.F) {
	trial := newTrial(f, f.TempDir(), mixedBefore, mixedAfter, mixedChanges...)
	trial.crashed()
	raw, err := os.ReadFile(filepath.Join(trial.state, trial.journals()[0]))
	disktest.Must(f, err)
	lines := bytes.SplitN(raw, []byte("\n"), 3)
	f.Add(lines[0][65:], lines[1][65:])
	f.Add([]byte(`{"journal":2,"folders":[{"root":"\"/\"","parent":-1}],"steps":[{"kind":2,"in":0,"name":"\"a\"","home":0,"temp":"\".agent-lsp-x\"","moved":true,"like":0,"new":"sha256:`+
		`0000000000000000000000000000000000000000000000000000000000000000"}]}`), []byte(`{"staged":[1]}`))
	f.Fuzz(func(t *testing.T, plan, mark []byte) {
		seal := journalSeal{[]byte("key"), "name"}
		var raw []byte
		for n, object := range [][]byte{plan, mark} {
			line, err := seal.line(n, rawObject(object))
			if err != nil {
				return
			}
			raw = append(raw, line...)
		}
		c, _, err := readJournal(raw, seal)
		if err != nil {
			return
		}
		for _, s := range c.steps {
			if singleName(s.name) != nil || s.temp != "" && !ownSingle(s.temp) || s.away != "" && !ownSingle(s.away) {
				t.Errorf("names %q, %q, %q", s.name, s.temp, s.away)
			}
			var r leftovers
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
		seal := journalSeal{[]byte("key"), "name"}
		line, err := seal.line(0, recordedFolder{Name: quoted(name)})
		disktest.Must(t, err)
		var back recordedFolder
		if _, ok := seal.read(0, line, &back); !ok || string(back.Name) != name {
			t.Errorf("%q came back as %q (%t)", name, back.Name, ok)
		}
		if _, ok := seal.read(0, line[:len(line)-1], &back); ok {
			t.Error("a cut line was taken for whole")
		}
		for _, other := range []journalSeal{{[]byte("another"), "name"}, {[]byte("key"), "another"}} {
			if _, ok := other.read(0, line, &back); ok {
				t.Errorf("a line of another journal was believed: %v", other)
			}
		}
		if _, ok := seal.read(1, line, &back); ok {
			t.Error("a line was believed in another's place")
		}
	}
}
