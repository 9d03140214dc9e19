package bench

import (
	"bytes"
	"crypto/sha256"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// editRows measures a one-line edit on disk against a program that does the
// same to the file: reads, hashes old, new and swapped-out bytes, writes,
// syncs file and folder, and exchanges.
func editRows(x fixtures, binary string) []Figure {
	var rows []Figure
	for _, f := range []struct{ name, label string }{{"e100k.go", "100 KB"}, {"e5m.go", "5 MB"}} {
		s := server(binary, x.dir)
		known := hash(s.tool("read_file", map[string]any{"path": f.name, "limit": 1}))
		s.awaitIdle()
		content, err := os.ReadFile(x.path(f.name))
		check(err)
		middle := bytes.Split(content[len(content)/2:], []byte("\n"))[1]
		a, b := string(middle), strings.Replace(string(middle), "compute", "COMPUTE", 1)
		twin := x.path("twin-" + f.name)
		check(os.WriteFile(twin, content, 0o644))
		ours := func(int) {
			answer := s.tool("edit_file", map[string]any{"path": f.name, "expected_hash": known, "old_text": a, "new_text": b})
			known = hash(answer)
			a, b = b, a
		}
		c, d := []byte(a), []byte(b)
		least := func(int) {
			plainEdit(twin, c, d)
			c, d = d, c
		}
		got, floor := pairs(41, ours, least)
		rows = append(rows, Figure{Name: "one-line edit on disk, " + f.label + ", hash known", Got: got, Floor: floor, Unit: "µs", Bar: 1.5})
		s.stop()
	}
	return rows
}

func plainEdit(path string, old, fresh []byte) {
	before, err := os.ReadFile(path)
	check(err)
	guard := sha256.Sum256(before)
	after := bytes.Replace(before, old, fresh, 1)
	_ = sha256.Sum256(after)
	dir, err := os.Open(filepath.Dir(path))
	check(err)
	defer dir.Close()
	temp := path + ".tmp"
	f, err := os.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	check(err)
	_, err = f.Write(after)
	check(err)
	check(f.Sync())
	check(f.Close())
	check(unix.Renameat2(unix.AT_FDCWD, temp, unix.AT_FDCWD, path, unix.RENAME_EXCHANGE))
	out, err := os.ReadFile(temp)
	check(err)
	if sha256.Sum256(out) != guard {
		panic("the floor's own file changed")
	}
	check(os.Remove(temp))
	check(dir.Sync())
}
