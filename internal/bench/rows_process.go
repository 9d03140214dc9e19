package bench

import (
	"fmt"
	"os"
	"path/filepath"
)

// processRows measures what the program costs before it does anything.
func processRows(x fixtures, binary string) []Figure {
	startUp := medianOf(30, func(int) { server(binary, x.dir).stopNow() })
	small := filepath.Join(x.dir, "small")
	check(os.Mkdir(small, 0o755))
	check(os.WriteFile(filepath.Join(small, "f10k.go"), []byte(source(10<<10)), 0o644))
	s := server(binary, small)
	defer s.stop()
	s.tool("read_file", map[string]any{"path": "f10k.go"})
	s.awaitIdle()
	all := server(binary, x.dir)
	defer all.stop()
	all.tool("read_file", map[string]any{"path": "f10k.txt"})
	all.awaitIdle()
	return []Figure{
		{Name: "process start to answered initialize", Got: startUp / 1000, Unit: "ms", Bar: 15},
		{Name: "idle memory, a small workspace", Got: s.memory() / (1 << 20), Unit: "MB", Bar: 20, Note: fmt.Sprintf("in all fixtures, which it indexes: %s MB", short(all.memory()/(1<<20)))},
	}
}

// stopNow ends the process without waiting for an orderly end.
func (p *process) stopNow() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}
