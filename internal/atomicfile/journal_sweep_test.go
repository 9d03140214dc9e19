package atomicfile

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// leftWrite is a scene whose process was killed while it wrote, with what is
// left of that: own holds beside, unless that is "none", and the file now, "" is
// no file.
func leftWrite(t *testing.T, kind stepKind, whole bool, beside, now string) (s *scene, j *Journal, own, path string) {
	t.Helper()
	s = newScene(t, t.TempDir())
	if now != "" {
		s.write(sceneFile, now)
	}
	j = s.journal()
	own = exchangeName(hashOf(oldText))
	notes := j.notes(s.path, ".", s.dir)
	left := &step{kind: kind, name: sceneFile, temp: own}
	if kind == stepExchange {
		left.old = hashOf(oldText)
	}
	notes.begin(fsys.PlainCall, left, []byte(newText))
	if beside != "none" {
		s.write(own, beside)
	}
	if whole {
		notes.whole(1)
	}
	notes.file.end(false)
	return s, j, own, filepath.Join(s.path+"-journal", notes.file.name)
}

// TestSweep: what a killed write left beside its file goes where nothing is lost
// with it, is kept and told else, and the file stays as it is.
func TestSweep(t *testing.T) {
	for _, c := range []struct {
		name        string
		kind        stepKind
		whole       bool
		beside, now string
		want        string // outcome, not restored, kept; "" for nothing told
	}{
		{"nothing made yet", stepExchange, false, "none", oldText, ""},
		{"over already", stepExchange, true, "none", newText, ""},
		{"a part of the new text", stepExchange, false, newText[:9], oldText, "undone 0 0"},
		{"a part, and changed since", stepExchange, false, newText[:9], userText, "undone 1 0"},
		{"the new text", stepExchange, true, newText, oldText, "undone 0 0"},
		{"the new text, and the file is gone", stepExchange, true, newText, "", "undone 1 0"},
		{"the old text", stepExchange, true, oldText, newText, "finished 0 0"},
		{"the old text, and changed since", stepExchange, true, oldText, userText, "undone 1 1"},
		{"the old text, and the file is gone", stepExchange, true, oldText, "", "undone 1 1"},
		{"the old text, and its end not written down", stepExchange, false, oldText, userText, "undone 1 1"},
		{"a text saved meanwhile", stepExchange, true, userText, newText, "finished 0 1"},
		{"a text saved meanwhile, and that not written down", stepExchange, false, userText, newText, "finished 0 1"},
		{"another text under our name", stepExchange, true, userText, oldText, "undone 0 1"},
		{"a part of a new file", stepRenameIn, false, newText[:9], "", "undone 0 0"},
		{"a new file", stepRenameIn, true, newText, "", "undone 0 0"},
		{"a new file by linking", stepRenameIn, true, newText, newText, "finished 0 0"},
		{"another text in a new file", stepRenameIn, true, userText, "", "undone 0 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, j, own, path := leftWrite(t, c.kind, c.whole, c.beside, c.now)
			told := ""
			for _, r := range j.Recover() {
				told = fmt.Sprintf("%s %d %d", r.Outcome, len(r.NotRestored), len(r.Kept))
				if !slices.Equal(r.Files, []string{s.file(sceneFile)}) || r.Err != nil {
					t.Errorf("recovered %+v", r)
				}
			}
			if told != c.want {
				t.Errorf("told %q, want %q", told, c.want)
			}
			texts := s.texts()
			if texts[sceneFile] != c.now {
				t.Errorf("the file holds %q", texts[sceneFile])
			}
			if kept := strings.HasSuffix(c.want, "1"); kept && texts[own] != c.beside || !kept && len(s.leftovers()) > 0 {
				t.Errorf("beside it: %q", texts)
			}
			if _, err := os.Lstat(path); err == nil {
				t.Error("its journal is still there")
			}
		})
	}
}

// TestSweepBelievesNoForgery: what this program did not write down as it stands
// there removes nothing; nor is anything removed that is not written down.
func TestSweepBelievesNoForgery(t *testing.T) {
	for _, c := range []struct {
		name  string
		forge func(s *scene, path string)
		want  []RecoveryOutcome
	}{
		{"another name", func(_ *scene, path string) { disktest.Must(t, os.Rename(path, path[:len(path)-8]+writeSuffix)) }, []RecoveryOutcome{RecoveryUnreadable}},
		{"as a transaction's", func(_ *scene, path string) {
			disktest.Must(t, os.Rename(path, strings.TrimSuffix(path, writeSuffix)+journalSuffix))
		}, []RecoveryOutcome{RecoveryUnreadable}},
		{"others may read it", func(_ *scene, path string) { disktest.Must(t, os.Chmod(path, 0o644)) }, []RecoveryOutcome{RecoveryUnreadable}},
		{"garbage", func(_ *scene, path string) { disktest.Must(t, os.WriteFile(path, []byte("garbage\n"), 0o600)) }, []RecoveryOutcome{RecoveryUnreadable}},
		{"none", func(_ *scene, path string) { disktest.Must(t, os.Remove(path)) }, nil},
		{"an empty one", func(_ *scene, path string) { disktest.Must(t, os.Truncate(path, 0)) }, nil},
		{"a line that was cut", func(_ *scene, path string) { disktest.Must(t, os.Truncate(path, 100)) }, nil},
		{"another folder", func(s *scene, _ string) {
			disktest.Must(t, os.Rename(s.path, s.path+"-moved"))
			disktest.Must(t, os.CopyFS(s.path, os.DirFS(s.path+"-moved")))
		}, nil},
		{"no folder", func(s *scene, _ string) { disktest.Must(t, os.Rename(s.path, s.path+"-moved")) }, []RecoveryOutcome{RecoveryPostponed}},
	} {
		if !HasModes && strings.HasPrefix(c.name, "others may") {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			s, j, own, path := leftWrite(t, stepExchange, true, newText, oldText)
			c.forge(s, path)
			var outcomes []RecoveryOutcome
			for _, r := range j.Recover() {
				outcomes = append(outcomes, r.Outcome)
			}
			if !slices.Equal(outcomes, c.want) {
				t.Errorf("outcomes %q, want %q", outcomes, c.want)
			}
			if _, err := os.Stat(s.path); err == nil && s.read(own) != newText {
				t.Errorf("it holds %q", s.read(own))
			}
		})
	}
}

// TestWritesNoted: many writes leave nothing in the journal once it is closed,
// and no file for each before; a living process's are left alone.
func TestWritesNoted(t *testing.T) {
	s := oldScene(t)
	j := s.journal()
	for i, text := 0, oldText; i < 20; i++ {
		next := fmt.Sprint("text ", i)
		_, err := replaceAt(j.notes(s.path, ".", s.dir), s.dir, sceneFile, hashOf(text), []byte(next))
		disktest.Must(t, err)
		text = next
		_, err = createAt(j.notes(s.path, ".", s.dir), s.dir, fmt.Sprint(i), []byte(next))
		disktest.Must(t, err)
	}
	if all := s.journal().Recover(); all != nil {
		t.Errorf("recovered %+v", all)
	}
	if files, _ := filepath.Glob(s.path + "-journal/*" + writeSuffix); len(files) != 1 {
		t.Errorf("journals %q, want one", files)
	}
	j.Close()
	if files, _ := filepath.Glob(s.path + "-journal/*" + writeSuffix); files != nil {
		t.Errorf("journals %q after closing", files)
	}
}

// TestNotesFlushNothing: what a write says of itself costs no flush and no
// listing of a folder, but two small writes.
func TestNotesFlushNothing(t *testing.T) {
	if !fsys.Exchanges {
		return // there a write is a transaction
	}
	s := oldScene(t)
	j := s.journal()
	defer j.Close()
	calls := map[bool]map[string]int{}
	for _, noted := range []bool{false, true, true} { // the last finds a journal that is there
		calls[noted] = map[string]int{}
		d := s.calling(func(what string, do func() error) error {
			calls[noted][what]++
			return fsys.PlainCall(what, do)
		})
		if noted {
			d.notes = j.notes(s.path, ".", s.dir)
		}
		_, err := d.replace(sceneFile, hashOf(oldText), []byte(oldText))
		disktest.Must(t, err)
		d.notes.end()
	}
	want := calls[false]
	want[fsys.CallWrite] += 2
	want["ftruncate"] += 2
	if !maps.Equal(calls[true], want) {
		t.Errorf("calls %v, want %v", calls[true], want)
	}
}
