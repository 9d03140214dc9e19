package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// patchRow applies a patch of 100 files with 10 hunks each, and takes it back
// the next time, against writing, syncing and renaming the same texts one by
// one.
func patchRow(x fixtures, binary string) Figure {
	const files, hunks = 100, 10
	dir, err := os.MkdirTemp(x.dir, "patch-")
	check(err)
	defer os.RemoveAll(dir)
	old := strings.SplitAfter(source(10<<10), "\n")
	fresh := append([]string(nil), old...)
	for i := range hunks {
		at := 5 + i*12
		fresh[at] = "\tchanged" + fresh[at]
	}
	texts := []string{strings.Join(old, ""), strings.Join(fresh, "")}
	s := server(binary, dir)
	defer s.stop()
	var patches [2]strings.Builder
	for i := range files {
		name := fmt.Sprintf("f%d.go", i)
		check(os.WriteFile(filepath.Join(dir, name), []byte(texts[0]), 0o644))
		for k := range patches {
			before := text.New(texts[k])
			patches[k].WriteString(diff.Unified(name, before, diff.Compute(texts[k], texts[1-k]), 3))
		}
		s.tool("read_file", map[string]any{"path": name, "limit": 1}) // its hash is what the patch is for
	}
	bodies := [][]byte{
		toolBody("apply_patch", map[string]any{"patch": patches[0].String()}),
		toolBody("apply_patch", map[string]any{"patch": patches[1].String()}),
	}
	twin := filepath.Join(dir, "twin")
	check(os.Mkdir(twin, 0o755))
	turn, floorTurn := 0, 0
	got, floor := pairs(9, func(int) {
		s.ask(bodies[turn%2])
		turn++
	}, func(int) {
		floorTurn++
		for i := range files {
			replaceSynced(filepath.Join(twin, fmt.Sprintf("f%d.go", i)), texts[floorTurn%2])
		}
	})
	return Figure{Name: "patch of 100 files, 10 hunks each", Got: got / 1000, Floor: floor / 1000, Unit: "ms", Bar: 3}
}

func replaceSynced(path, content string) {
	f, err := os.Create(path + ".tmp")
	check(err)
	_, err = f.WriteString(content)
	check(err)
	check(f.Sync())
	check(f.Close())
	check(os.Rename(path+".tmp", path))
}
