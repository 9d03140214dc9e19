package bench

import (
	"time"
)

// processRows measures what the program costs before it does anything.
func processRows(x fixtures, binary string) []Figure {
	startUp := medianOf(30, func(int) { server(binary, x.dir).stopNow() })
	s := server(binary, x.dir)
	defer s.stop()
	s.tool("read_file", map[string]any{"path": "f10k.txt"})
	time.Sleep(200 * time.Millisecond) // idle
	return []Figure{
		{Name: "process start to answered initialize", Got: startUp / 1000, Unit: "ms", Bar: 15},
		{Name: "idle memory", Got: s.memory() / (1 << 20), Unit: "MB", Bar: 20},
	}
}

// stopNow ends the process without waiting for an orderly end.
func (p *process) stopNow() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}
