package bench

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os"
	"time"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/tools"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

const window = 64 << 10

// readRows measures reads over LSP against the floor server.
func readRows(x fixtures, binary, floorBinary string) []Figure {
	s := server(binary, x.dir)
	defer s.stop()
	floor, err := start(floorBinary, "-floor")
	check(err)
	defer floor.stop()
	var rows []Figure

	first := timed(func() { s.tool("read_file", windowAt("f1g.log", x.giant/2)) })
	pass := timed(func() { hashPass(x.path("f1g.log")) })
	again, pass2 := firstAgain(x, binary)
	rows = append(rows, Figure{Name: "first 64 KiB window of a 1 GB file, against one hashing pass", Got: min(first, again) / 1000, Floor: min(pass, pass2) / 1000, Unit: "ms", Bar: 1.2})

	s.tool("read_file", windowAt("f10m.txt", 0))
	small, smallFloor := windowPair(s, floor, x, "f10m.txt", largeDocument)
	before := s.memory()
	giant, giantFloor := windowPair(s, floor, x, "f1g.log", x.giant)
	growth := s.memory() - before
	rows = append(rows,
		Figure{Name: "64 KiB window at a random offset of it", Got: giant, Floor: giantFloor, Unit: "µs", Bar: 2},
		Figure{Name: "… of a 10 MB file", Got: small, Floor: smallFloor, Unit: "µs", Bar: 2},
		Figure{Name: "1 GB against 10 MB (flat)", Got: giant / giantFloor, Floor: small / smallFloor, Unit: "×", Bar: 1.25},
		Figure{Name: "memory growth over 1,000 windows of 1 GB, after as many of 10 MB", Got: growth / (1 << 20), Unit: "MB", Bar: 1})

	content, err := os.ReadFile(x.path("f10m.txt"))
	check(err)
	s.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": fileURI(x.path("f10m.txt")), "languageId": "plaintext", "version": 1, "text": string(content)}})
	s.tool("read_file", windowAt("f10m.txt", 0))
	open, openFloor := windowPair(s, floor, x, "f10m.txt", largeDocument)
	rows = append(rows, Figure{Name: "64 KiB window of a 10 MB open buffer", Got: open, Floor: openFloor, Unit: "µs", Bar: 2})

	read := toolBody("read_file", map[string]any{"path": "f10k.txt", "format": "plain"})
	least := floorBody(0, x.path("f10k.txt"), 0, 10<<10)
	whole, wholeFloor := pairs(3000, func(int) { s.ask(read) }, func(int) { floor.exchange(least) })
	return append(rows, Figure{Name: "a 10 KB file read whole", Got: whole, Floor: wholeFloor, Unit: "µs", Bar: 2})
}

// firstAgain measures the first window once more, with a server that knows
// nothing: one such measurement is too few.
func firstAgain(x fixtures, binary string) (first, pass float64) {
	s := server(binary, x.dir)
	defer s.stop()
	first = timed(func() { s.tool("read_file", windowAt("f1g.log", x.giant/2)) })
	return first, timed(func() { hashPass(x.path("f1g.log")) })
}

func windowAt(path string, off int64) map[string]any {
	return map[string]any{"path": path, "start_byte": off, "max_bytes": window, "format": "plain", "expand": "lines"}
}

// windowPair reads windows at random offsets, by turns with the floor, which
// is asked for the very bytes that the server returned.
func windowPair(s, floor *process, x fixtures, name string, size int64) (got, least float64) {
	r := rand.New(rand.NewPCG(5, 6))
	ours, plain := make([][]byte, 1000), make([][]byte, 1000)
	for i := range ours {
		off := r.Int64N(size - 2*window)
		ours[i] = toolBody("read_file", windowAt(name, off))
		plain[i] = floorBody(i, x.path(name), off, shownBytes(s.ask(ours[i])))
	}
	return pairs(len(ours), func(i int) { s.ask(ours[i]) }, func(i int) { floor.exchange(plain[i]) })
}

// shownBytes returns how many bytes a window holds, from its bytes_shown.
func shownBytes(answer []byte) int {
	_, shown, _ := bytes.Cut(answer, []byte(`"bytes_shown":{"start":`))
	start, rest := digits(shown)
	end, _ := digits(rest[len(`,"end":`):])
	return end - start
}

func digits(b []byte) (n int, rest []byte) {
	for len(b) > 0 && b[0] >= '0' && b[0] <= '9' {
		n, b = n*10+int(b[0]-'0'), b[1:]
	}
	return n, b
}

// hashPass reads a file and hashes it, and nothing else.
func hashPass(path string) {
	f, err := os.Open(path)
	check(err)
	defer f.Close()
	h := sha256.New()
	_, err = io.CopyBuffer(onlyWriter{h}, onlyReader{f}, make([]byte, 256<<10))
	check(err)
}

type onlyReader struct{ io.Reader }
type onlyWriter struct{ io.Writer }

// lineRows measures ranges of lines deep in a file.
func lineRows(x fixtures, binary string) []Figure {
	deep := map[string]any{"path": "f10m.txt", "start_line": 100_000, "end_line": 100_099, "format": "plain"}
	known := map[string]any{"path": "f10m.txt", "start_line": 1, "end_line": 1}
	s := server(binary, x.dir)
	defer s.stop()
	later := time.Now()
	path := x.path("f10m.txt")
	cold, count := pairs(15,
		func(int) {
			later = later.Add(-time.Hour)
			check(os.Chtimes(path, later, later)) // so that nothing known of it counts
			s.tool("read_file", deep)
		},
		func(int) { countLines(path) })
	_, hashing := pairs(15, func(int) {}, func(int) { hashPass(path) })
	s.tool("read_file", known)
	body := toolBody("read_file", deep)
	warm := medianOf(1000, func(int) { s.ask(body) })
	return []Figure{
		{Name: "100 lines deep in a 10 MB file, cold, against reading and counting line feeds", Got: cold, Floor: count, Unit: "µs", Bar: 1.5,
			Note: "the answer carries the file's SHA-256, which alone is several times the floor"},
		{Name: "… against one hashing pass", Got: cold, Floor: hashing, Unit: "µs", Bar: 1.2},
		{Name: "… warm, over LSP", Got: warm, Unit: "µs", Bar: 40},
		{Name: "… warm, without the connection", Got: warmCall(x, deep), Unit: "µs", Bar: 40},
	}
}

// warmCall measures a call in this process: what it costs without two
// processes that wake each other.
func warmCall(x fixtures, arguments map[string]any) float64 {
	gate, problems := workspace.NewGate(nil, []workspace.Folder{{Name: "root", Path: x.dir}}, settings.Default())
	if len(problems) > 0 {
		panic(problems)
	}
	store, disk := buffers.NewStore(), buffers.NewDisk(time.Now)
	snapshot := func() *buffers.Snapshot { return buffers.NewSnapshot(store.Overlay(), gate, disk) }
	raw, err := json.Marshal(arguments)
	check(err)
	list := tools.All()
	var answer []byte
	return medianOf(1000, func(int) {
		env := &toolcall.Env{Snapshot: snapshot(), Now: snapshot}
		defer env.Close()
		result := list[0].Call(context.Background(), env, raw)
		if result.Err != nil {
			panic(result.Err)
		}
		answer, err = result.AppendStructured(answer[:0])
		check(err)
	})
}

func countLines(path string) {
	f, err := os.Open(path)
	check(err)
	defer f.Close()
	buf := make([]byte, 256<<10)
	lines := 0
	for {
		n, err := f.Read(buf)
		lines += bytes.Count(buf[:n], []byte{'\n'})
		if err == io.EOF {
			return
		}
		check(err)
	}
}
