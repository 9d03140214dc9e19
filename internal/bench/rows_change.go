package bench

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// changeRows measure what edits of older texts rest on, and the output of
// commands.
func changeRows(x fixtures, binary string) []Figure {
	return []Figure{mergeRow(), rememberRow(), patchRow(x, binary), outputRow(binary)}
}

// mergeRow merges two texts of 10,000 lines with 100 changes each.
func mergeRow() Figure {
	r := rand.New(rand.NewPCG(1, 2))
	lines := make([]string, 10_000)
	for i := range lines {
		lines[i] = fmt.Sprintf("\tline %d does something with %d\n", i, r.IntN(100))
	}
	side := func(odd int) string {
		out := append([]string(nil), lines...)
		for i := range 100 {
			out[i*100+odd*50] = fmt.Sprintf("changed %d\n", i)
		}
		return strings.Join(out, "")
	}
	base, ours, theirs := strings.Join(lines, ""), side(0), side(1)
	got := medianOf(15, func(int) {
		if _, conflicts := diff.Merge(base, ours, theirs); len(conflicts) > 0 {
			panic("the sides do not touch each other")
		}
	})
	return Figure{Name: "merge of 10,000 lines, 100 changes on each side", Got: got / 1000, Unit: "ms", Bar: 30}
}

// rememberRow tells what a thousand versions of a buffer take.
func rememberRow() Figure {
	r := rand.New(rand.NewPCG(3, 4))
	x := text.New(source(megabyte))
	before := heap()
	texts := buffers.NewTexts()
	for i := range 1000 {
		at := r.IntN(x.Len())
		x = x.Replace(text.Span{Start: at, End: at}, "typed")
		texts.Remember("buffer", text.HashBytes([]byte(fmt.Sprint(i))), x)
	}
	for i := range 1000 {
		if _, ok := texts.Lookup(text.HashBytes([]byte(fmt.Sprint(i)))); !ok {
			panic("a version was forgotten")
		}
	}
	took := heap() - before
	runtime.KeepAlive(texts)
	return Figure{Name: "memory for remembering 1,000 versions of 1 MB", Got: took / 1e6, Unit: "MB", Bar: 64}
}

// outputRow tells what memory 100 MB of a command's output take beyond that of
// the idle program.
func outputRow(binary string) Figure {
	most := func(args ...string) (peak float64) {
		cmd := exec.Command(binary, args...)
		check(cmd.Start())
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		for {
			select {
			case err := <-ended:
				check(err)
				return peak
			case <-time.After(time.Millisecond):
				peak = max(peak, peakMemory(cmd.Process.Pid))
			}
		}
	}
	check(os.Setenv("XDG_CACHE_HOME", os.TempDir()+"/agent-lsp-bench-output"))
	defer os.RemoveAll(os.TempDir() + "/agent-lsp-bench-output")
	idle := most("persist-output", "--", "sleep", "0.2")
	busy := most("persist-output", "--", "sh", "-c", "seq 13000000 | head -c 100000000")
	return Figure{Name: "100 MB of a command's output, concise: memory above idle", Got: busy - idle, Unit: "MB", Bar: 32}
}

// peakMemory returns the most that a process held in physical memory so far,
// in megabytes; 0 when it has ended.
func peakMemory(pid int) float64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kb, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	n, _ := strconv.ParseFloat(kb, 64)
	return n / 1000
}
