package bench

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
)

// line is what fixtures are made of: ASCII that looks like source, with what
// JSON has to escape.
func line(i int) string {
	return fmt.Sprintf("\tline%07d := compute(%d, \"value %d\") // keep <tag> & \\ quote\n", i, i*7919%104729, i)
}

// source returns about size bytes of lines.
func source(size int) string {
	b := make([]byte, 0, size+100)
	for i := 1; len(b) < size; i++ {
		b = append(b, line(i)...)
	}
	return string(b)
}

// fixtures are the files that the rows read and edit.
type fixtures struct {
	dir string
	// giant is the size of the largest one, in bytes.
	giant int64
}

const giantBytes = 1 << 30

func makeFixtures(dir string) fixtures {
	for name, size := range map[string]int{"f10k.txt": 10 << 10, "f10m.txt": 10 << 20, "e100k.go": 100 << 10, "e5m.go": 5 << 20} {
		check(os.WriteFile(filepath.Join(dir, name), []byte(source(size)), 0o644))
	}
	giant := filepath.Join(dir, "f1g.log")
	f, err := os.Create(giant)
	check(err)
	w := bufio.NewWriterSize(f, 1<<20)
	written := int64(0)
	for i := 1; written < giantBytes; i++ {
		n, err := w.WriteString(line(i))
		check(err)
		written += int64(n)
	}
	check(w.Flush())
	check(f.Close())
	return fixtures{dir: dir, giant: written}
}

func (x fixtures) path(name string) string { return filepath.Join(x.dir, name) }
