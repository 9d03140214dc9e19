package fsys

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSpellings: a path in another case, or by short names, is the same one, and
// one that may come to be keeps how it was written.
func TestSpellings(t *testing.T) {
	dir, err := RealPath(t.TempDir())
	must(t, err)
	must(t, os.Mkdir(filepath.Join(dir, "Some Folder"), 0o755))
	plant(t, dir, "Some Folder/File.txt", "x")
	want := filepath.Join(dir, "Some Folder")
	for _, name := range []string{"some folder", "SOME FOLDER"} {
		if at, err := FollowLinks(filepath.Join(strings.ToUpper(dir), name, "New.txt")); err != nil || filepath.Dir(at.Path) != want || filepath.Base(at.Path) != "New.txt" {
			t.Errorf("%s leads to %+v, %v", name, at, err)
		}
	}
	f, err := OpenToRead(filepath.Join(dir, "SOME FOLDER", "FILE.TXT"))
	must(t, err)
	defer f.Close()
	if real, err := DescriptorPath(f, ""); err != nil || real != filepath.Join(want, "File.txt") {
		t.Errorf("%q, %v", real, err)
	}
}

// TestRightsAreCopied: write protection, what is hidden, and the access list.
func TestRightsAreCopied(t *testing.T) {
	d, path := callsIn(t)
	plant(t, path, "from", "x")
	plant(t, path, "to", "x")
	from, err := d.Open("from", os.O_RDWR, 0)
	must(t, err)
	defer d.Close(from)
	to, err := d.Open("to", os.O_RDWR|os.O_CREATE, 0)
	if err == nil {
		t.Error("what is there was made anew")
	}
	must(t, os.Remove(filepath.Join(path, "to")))
	to, err = d.Open("to", os.O_RDWR|os.O_CREATE, 0o600)
	must(t, err)
	defer d.Close(to)
	must(t, d.CopyRights(from, to))
	st, err := d.Stat(to)
	if err != nil || !d.IsOwn(to, st) {
		t.Errorf("%+v, %v", st, err)
	}
}

// TestAJobEnds: with all its processes.
func TestAJobEnds(t *testing.T) {
	j, err := NewJob()
	must(t, err)
	j.End()
	j.Close()
}
