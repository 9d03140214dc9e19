package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// binaries are files that are not for searching: so many bytes of head, and a
// hole up to size.
type binaries struct {
	name string
	head []byte
	size int64
}

// binaryRows measure a first search, without an index or a list, in a tree
// that holds large files without text, against the same tree without them.
func binaryRows(x fixtures, binary, dir string) (rows []Figure) {
	prose := []byte(strings.Repeat("some text\n", 6554))[:64<<10]
	noise := []byte(strings.Repeat("\x7fELF\x02\x01\x00\xfe", 8<<20))
	body := queries[0].body(map[string]any{"symbols": false})
	searches := 0
	first := func() float64 {
		searches++
		return firstAnswer(binary, dir, filepath.Join(x.dir, fmt.Sprintf("cold%d", searches)), body)
	}
	for _, b := range []binaries{
		{"ten binary files of 2 GB, sparse", []byte{0}, 2 << 30},
		{"ten of 2 GB, text up to 64 KB and a hole behind it", prose, 2 << 30},
		{"ten of 200 MB, text up to 64 KB and a hole behind it", prose, 200 << 20},
		{"ten of 64 MB, not sparse", noise, int64(len(noise))},
	} {
		var with, without []float64
		folder := filepath.Join(dir, "binaries")
		for range 5 {
			without = append(without, first())
			b.place(folder)
			with = append(with, first())
			check(os.RemoveAll(folder))
		}
		rows = append(rows, Figure{
			Name: "grep: cold, with " + b.name, Got: median(with) / 1000, Floor: median(without) / 1000, Unit: "s", Bar: 1.5,
		})
	}
	return rows
}

// place makes ten of the files in a folder.
func (b *binaries) place(folder string) {
	check(os.Mkdir(folder, 0o755))
	for i := range 10 {
		path := filepath.Join(folder, fmt.Sprintf("image%d.dat", i))
		check(os.WriteFile(path, b.head, 0o644))
		check(os.Truncate(path, b.size))
	}
}
