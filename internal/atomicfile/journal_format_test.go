package atomicfile

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
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

// TestPlansThatAreNotOurs: a journal is believed that names folders by whole
// paths, what is in them by single names, and temporary files of ours; a change
// of any of these is refused.
func TestPlansThatAreNotOurs(t *testing.T) {
	hash := text.HashBytes(nil).String()
	const one, two, three, four = workspace.OwnPrefix + "1", workspace.OwnPrefix + "2", workspace.OwnPrefix + "3", workspace.OwnPrefix + "4"
	root := quoted(filepath.VolumeName(t.TempDir()) + string(filepath.Separator) + "w")
	plan := func() *recordedPlan {
		return &recordedPlan{
			Folders: []recordedFolder{{Root: root, Rel: "a", Parent: -1, Ino: 1}, {Parent: 0, Name: "new"}},
			Steps: []recordedStep{
				{Kind: stepRenameAway, In: 0, Name: "x", Home: -1, Away: one, Like: -1, Old: hash},
				{Kind: stepExchange, In: 0, Name: "y", Home: 0, Temp: two, Away: three, Like: -1, Old: hash, New: hash},
				{Kind: stepRenameIn, In: 1, Name: "z", Home: 0, Temp: one, Moved: true, Like: 0, New: hash},
				{Kind: stepRenameIn, In: 1, Name: "n", Home: 1, Temp: four, Like: -1, New: hash},
			},
		}
	}
	if c, err := plan().change(); err != nil || c.folders[1].parent != c.folders[0] || !c.folders[1].made || c.folders[0].made ||
		c.steps[0].home != nil || c.steps[1].home != c.folders[0] || c.steps[2].like != c.steps[0] || c.steps[3].like != nil {
		t.Fatalf("read as %+v, %v", c, err)
	}
	for name, change := range map[string]func(*recordedPlan){
		"a root that is no whole path":     func(p *recordedPlan) { p.Folders[0].Root = "w" },
		"a root with an end":               func(p *recordedPlan) { p.Folders[0].Root += "/" },
		"a root that climbs":               func(p *recordedPlan) { p.Folders[0].Root += "/../v" },
		"a folder above its root":          func(p *recordedPlan) { p.Folders[0].Rel = "../a" },
		"a folder beside its root":         func(p *recordedPlan) { p.Folders[0].Rel = "/a" },
		"a parent before all":              func(p *recordedPlan) { p.Folders[0].Parent = -2 },
		"a folder in itself":               func(p *recordedPlan) { p.Folders[1].Parent = 1 },
		"the first folder in itself":       func(p *recordedPlan) { p.Folders[0].Parent, p.Folders[0].Name = 0, "a" },
		"a parent behind all":              func(p *recordedPlan) { p.Folders[1].Parent = 2 },
		"a new folder of two names":        func(p *recordedPlan) { p.Folders[1].Name = "a/b" },
		"a new folder above":               func(p *recordedPlan) { p.Folders[1].Name = ".." },
		"a kind that is none":              func(p *recordedPlan) { p.Steps[0].Kind = stepRenameIn + 1 },
		"taken, an old text that is none":  func(p *recordedPlan) { p.Steps[0].Old = "" },
		"swapped, an old text that's none": func(p *recordedPlan) { p.Steps[1].Old = "x" },
		"swapped, a new text that is none": func(p *recordedPlan) { p.Steps[1].New = "x" },
		"put, a new text that is none":     func(p *recordedPlan) { p.Steps[3].New = "x" },
		"two names":                        func(p *recordedPlan) { p.Steps[0].Name = "a/b" },
		"a name above":                     func(p *recordedPlan) { p.Steps[3].Name = ".." },
		"in no folder":                     func(p *recordedPlan) { p.Steps[0].In = -1 },
		"in a folder behind all":           func(p *recordedPlan) { p.Steps[0].In = 2 },
		"taken to another's name":          func(p *recordedPlan) { p.Steps[0].Away = "x" },
		"swapped away to another's name":   func(p *recordedPlan) { p.Steps[1].Away = "x" },
		"swapped with another's file":      func(p *recordedPlan) { p.Steps[1].Temp = "x" },
		"swapped with what is nowhere":     func(p *recordedPlan) { p.Steps[1].Home = -1 },
		"swapped with what is behind all":  func(p *recordedPlan) { p.Steps[1].Home = 2 },
		"put from another's name":          func(p *recordedPlan) { p.Steps[3].Temp = "x" },
		"put from a longer name":           func(p *recordedPlan) { p.Steps[3].Temp = four + "/x" },
		"put from nowhere":                 func(p *recordedPlan) { p.Steps[3].Home = -1 },
		"moved like nothing":               func(p *recordedPlan) { p.Steps[2].Like = -1 },
		"moved like what is behind all":    func(p *recordedPlan) { p.Steps[2].Like = 4 },
		"moved like what is swapped":       func(p *recordedPlan) { p.Steps[2].Like, p.Steps[2].Temp = 1, three },
		"moved from another name":          func(p *recordedPlan) { p.Steps[2].Temp = two },
		"moved from another folder":        func(p *recordedPlan) { p.Steps[2].Home = 1 },
	} {
		p := plan()
		change(p)
		if _, err := p.change(); err == nil {
			t.Errorf("%s: it is believed", name)
		}
	}
}
