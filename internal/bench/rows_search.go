package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/agent-lsp/agent-lsp/internal/settings"
)

// query is one search, as it is asked of us and of ripgrep.
type query struct {
	name      string
	pattern   string
	multiline bool
	capped    int     // only so many hits; 0 is all
	bar       float64 // of our time against ripgrep's; 0 for none of its own
}

// queries are the ten that searches are measured by. What a bar says of
// milliseconds is in [searchRows].
var queries = []query{
	{name: "rare", pattern: `PodSandboxChanged`, bar: 0.05},
	{name: "common", pattern: `context\.Context`, bar: 0.5},
	{name: "whole word", pattern: `\bNewSharedInformerFactory\b`, bar: 0.05},
	{name: "any case", pattern: `(?i)deadline exceeded`, bar: 0.05},
	{name: "alternatives", pattern: `ErrNotFound|ErrAlreadyExists|ErrConflict`, bar: 0.05},
	{name: "expression", pattern: `func \(.*\) Read[A-Z]\w+`},
	{name: "anchored", pattern: `^type \w+ struct`, bar: 0.5},
	{name: "no match", pattern: `NoSuchNameAnywhere_qzx`},
	{name: "over lines", pattern: `if err != nil \{\n\s+return err\n\s+\}\n\s+return nil`, multiline: true, bar: 0.5},
	{name: "first 100", pattern: `err`, capped: 100},
}

// unfilterable have no literal that an index could know.
var unfilterable = []query{
	{name: "no literal, digits", pattern: `[A-Z][a-z]+[0-9]{3,}`, bar: 1},
	{name: "no literal, words", pattern: `\b\w{3}\d{4}\b`, bar: 1},
}

// workspaceServer starts the program over the corpus. cache is where it keeps
// its index.
func workspaceServer(binary, dir, cache string, settings map[string]any) *process {
	check(os.Setenv("XDG_CACHE_HOME", cache))
	p, err := start(binary, "lsp")
	check(err)
	options := map[string]any{"log.level": "error"}
	maps.Copy(options, settings)
	p.call("initialize", map[string]any{
		"processId": os.Getpid(), "rootUri": fileURI(dir), "capabilities": map[string]any{},
		"initializationOptions": map[string]any{"agentLsp": options},
	})
	p.notify("initialized", map[string]any{})
	return p
}

// indexState is what agent/stats says of the index.
type indexState struct {
	Building bool  `json:"building"`
	Files    int   `json:"files"`
	Bytes    int64 `json:"disk_bytes"`
}

func (p *process) indexState() indexState {
	var answer struct {
		Result struct {
			Index indexState `json:"index"`
		} `json:"result"`
	}
	check(json.Unmarshal(p.call("agent/stats", map[string]any{"index": true}), &answer))
	return answer.Result.Index
}

// awaitIndex waits until the index is ready, and returns how long that took
// in microseconds and the most memory that was seen meanwhile, in bytes.
func (p *process) awaitIndex() (took, peak float64) {
	began := time.Now()
	for s := p.indexState(); s.Building || s.Files == 0; s = p.indexState() {
		peak = max(peak, p.memory())
		time.Sleep(2 * time.Millisecond)
	}
	return float64(time.Since(began).Microseconds()), max(peak, p.memory())
}

func (q query) body(more map[string]any) []byte {
	arguments := map[string]any{"pattern": q.pattern, "case": "sensitive", "multiline": q.multiline, "max_results": 100_000}
	if q.capped > 0 {
		arguments["max_results"] = q.capped
	}
	maps.Copy(arguments, more)
	return toolBody("grep_files", arguments)
}

// ripgrep runs the peer with its output into a file, and returns the file.
func (q query) ripgrep(rg, dir, out string, more ...string) string {
	args := append([]string{"-n", "--no-heading", "--color=never", "-e", q.pattern}, more...)
	if q.multiline {
		args = append(args, "-U")
	}
	cmd := exec.Command(rg, append(args, ".")...)
	if q.capped > 0 {
		cmd = exec.Command("sh", append([]string{"-c", fmt.Sprintf(`"$0" "$@" | head -%d`, q.capped), rg}, append(args, ".")...)...)
	}
	cmd.Dir = dir
	f, err := os.Create(out)
	check(err)
	defer f.Close()
	cmd.Stdout = f
	_ = cmd.Run() // 1 when nothing is found
	return out
}

// measure holds our answer against ripgrep's process.
func (q query) measure(p *process, rg, dir, out string) Figure {
	body := q.body(nil)
	n := 15
	got, floor := pairs(n, func(int) { p.ask(body) }, func(int) { q.ripgrep(rg, dir, out) })
	found := ""
	if q.capped == 0 && !q.multiline {
		found = q.compare(p, rg, dir, out)
	}
	return Figure{Name: "grep: " + q.name, Got: got, Floor: floor, Unit: "µs", Bar: q.bar, Note: found}
}

// compare reports whether both find the same lines.
func (q query) compare(p *process, rg, dir, out string) string {
	var answer struct {
		Result struct {
			StructuredContent struct {
				Files []struct {
					Path string
					Hits []struct{ Line int }
				}
			} `json:"structuredContent"`
		}
	}
	check(json.Unmarshal(p.ask(q.body(nil)), &answer))
	ours := map[string]bool{}
	for _, f := range answer.Result.StructuredContent.Files {
		for _, h := range f.Hits {
			ours[f.Path+":"+strconv.Itoa(h.Line)] = true
		}
	}
	raw, err := os.ReadFile(q.ripgrep(rg, dir, out, privateGlobs()...))
	check(err)
	theirs := map[string]bool{}
	for line := range bytes.Lines(raw) {
		parts := strings.SplitN(strings.TrimPrefix(string(line), "./"), ":", 3)
		theirs[parts[0]+":"+parts[1]] = true
	}
	missing, extra := "", ""
	lost, more := 0, 0
	for l := range theirs {
		if !ours[l] {
			lost, missing = lost+1, l
		}
	}
	for l := range ours {
		if !theirs[l] {
			more, extra = more+1, l
		}
	}
	if lost+more == 0 {
		return fmt.Sprintf("the same %d lines", len(ours))
	}
	return fmt.Sprintf("%d lines; %d only ripgrep's (%s), %d only ours (%s)", len(ours), lost, missing, more, extra)
}

// privateGlobs are what ripgrep must leave out as we do by default.
func privateGlobs() (args []string) {
	for _, p := range settings.Default().Policy.Private {
		if !strings.HasPrefix(p, "!") {
			args = append(args, "--iglob", "!"+p)
		}
	}
	return args
}

func searchRows(x fixtures, binary string) []Figure {
	rg := ripgrep()
	dir, out := filepath.Join(x.dir, "corpus"), filepath.Join(x.dir, "rg.out")
	size := makeCorpus(dir)
	cache := filepath.Join(x.dir, "cache")
	rows := []Figure{scanRow(binary, rg, dir, out)}
	p := workspaceServer(binary, dir, cache, nil)
	p.ask(queries[0].body(nil)) // begins to index
	took, peak := p.awaitIndex()
	indexed := float64(p.indexState().Bytes)
	rows = append(rows,
		Figure{Name: "index: built, for 200 MB of text", Got: took / 1000 / float64(size) * 200e6, Unit: "ms", Bar: 1000},
		Figure{Name: "index: size against the text", Got: indexed, Floor: float64(size), Unit: "B", Bar: 0.2},
		Figure{Name: "index: peak memory while it is built, beyond twice its size", Got: (peak - 2*indexed) / 1e6, Unit: "MB", Bar: 64},
	)
	product := 1.0
	for _, q := range queries {
		f := q.measure(p, rg, dir, out)
		product *= f.Got / f.Floor
		switch q.name {
		case "no match":
			f = Figure{Name: f.Name, Got: f.Got / 1000, Unit: "ms", Bar: 1, Note: "ripgrep " + short(f.Floor/1000) + " ms"}
		case "first 100":
			f = Figure{Name: f.Name, Got: f.Got / 1000, Unit: "ms", Bar: 3, Note: "ripgrep " + short(f.Floor/1000) + " ms"}
		}
		if f.Bar == 0 {
			f.Bar = 0.5
		}
		rows = append(rows, f)
	}
	rows = append(rows, Figure{
		Name: "grep: geometric mean of the ten", Got: math.Pow(product, 1/float64(len(queries))), Unit: "×", Bar: 0.1,
	})
	for _, q := range unfilterable {
		rows = append(rows, q.measure(p, rg, dir, out))
	}
	rows = append(rows, freshRows(p, dir)...)
	rows = append(rows, findRow(p))
	p.stop()
	rows = append(rows, restartRows(binary, dir, cache)...)
	rows = append(rows, unsavedRow(binary, dir, cache))
	rows = append(rows, binaryRows(x, binary, dir)...)
	rows = append(rows, listRows(x, binary)...)
	return rows
}

// scanRow measures a search without an index.
func scanRow(binary, rg, dir, out string) Figure {
	p := workspaceServer(binary, dir, filepath.Join(dir, "..", "nocache"), map[string]any{"index.enabled": false})
	defer p.stop()
	f := queries[0].measure(p, rg, dir, out)
	f.Name, f.Bar = "grep: no index", 1.3
	return f
}

// freshRows measure how soon a search sees what was written.
func freshRows(p *process, dir string) []Figure {
	path := filepath.Join(dir, "pkg", "fresh.go")
	delays := make([]float64, 100)
	for i := range delays {
		word := fmt.Sprintf("FreshWord%dq", i)
		body := toolBody("grep_files", map[string]any{"pattern": word})
		check(os.WriteFile(path, []byte("package pkg\n\n// "+word+"\n"), 0o644))
		delays[i] = timed(func() {
			for !bytes.Contains(p.ask(body), []byte(`"results":1`)) {
			}
		}) / 1000
	}
	slices.Sort(delays)
	check(os.Remove(path))
	return []Figure{{Name: "grep: sees another program's write, 99th percentile", Got: delays[98], Unit: "ms", Bar: 50}}
}

func findRow(p *process) Figure {
	body := toolBody("find_files", map[string]any{"pattern": "**/kubelet*.go"})
	loose := toolBody("find_files", map[string]any{"pattern": "kubelet server"})
	got := medianOf(50, func(int) { p.ask(body) })
	words := medianOf(50, func(int) { p.ask(loose) })
	return Figure{Name: "find_files over 23,000 paths", Got: max(got, words) / 1000, Unit: "ms", Bar: 2, Note: fmt.Sprintf("glob %s, words %s", short(got/1000), short(words/1000))}
}

// restartRows measure a program that finds its index on disk. The index is
// ready when it has answered; that the hits' symbols are named takes parsing
// the files, which is told beside.
func restartRows(binary, dir, cache string) []Figure {
	var ready, symbols, first []float64
	for range 5 {
		ready = append(ready, firstAnswer(binary, dir, cache, queries[0].body(map[string]any{"symbols": false})))
		symbols = append(symbols, firstAnswer(binary, dir, cache, queries[0].body(nil)))
		first = append(first, firstAnswer(binary, dir, cache, queries[9].body(nil)))
	}
	return []Figure{
		{
			Name: "index: ready after a restart, first answer included", Got: median(ready), Unit: "ms", Bar: 40,
			Note: "with the symbols around its hits " + short(median(symbols)) + " ms",
		},
		{Name: "grep: a first capped search", Got: median(first), Unit: "ms", Bar: 150},
	}
}

// firstAnswer starts the program, asks, and returns what the answer took in
// milliseconds.
func firstAnswer(binary, dir, cache string, body []byte) float64 {
	p := workspaceServer(binary, dir, cache, nil)
	defer p.stop()
	return timed(func() { p.ask(body) }) / 1000
}

// unsavedRow measures what 10 MB of unsaved text add to a search.
func unsavedRow(binary, dir, cache string) Figure {
	p := workspaceServer(binary, dir, cache, nil)
	defer p.stop()
	body := queries[0].body(nil)
	p.ask(body)
	p.awaitIndex()
	without := medianOf(30, func(int) { p.ask(body) })
	text := source(10 << 20)
	p.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": fileURI(filepath.Join(dir, "unsaved.go")), "languageId": "go", "version": 1, "text": text,
	}})
	with := medianOf(30, func(int) { p.ask(body) })
	return Figure{Name: "grep: 10 MB of unsaved text add", Got: (with - without) / 1000, Unit: "ms", Bar: 1}
}

// listRows measure a folder of 5,000 files.
func listRows(x fixtures, binary string) []Figure {
	dir := filepath.Join(x.dir, "folder")
	check(os.MkdirAll(dir, 0o755))
	for i := range 5000 {
		check(os.WriteFile(filepath.Join(dir, fmt.Sprintf("file%04d.go", i)), []byte("package x\n"), fs.FileMode(0o644)))
	}
	all, page := toolBody("list_directory", map[string]any{"limit": 5000}), toolBody("list_directory", map[string]any{"limit": 200})
	var cold []float64
	var p *process
	for range 5 {
		if p != nil {
			p.stop()
		}
		p = workspaceServer(binary, dir, filepath.Join(x.dir, "cache"), nil)
		cold = append(cold, timed(func() { p.ask(all) })/1000)
	}
	defer p.stop()
	plain := medianOf(5, func(int) { statAll(dir) })
	got := medianOf(50, func(int) { p.ask(page) })
	again := medianOf(50, func(int) { p.ask(all) })
	return []Figure{
		{Name: "list: a page of 200 of 5,000", Got: got / 1000, Unit: "ms", Bar: 2},
		{Name: "list: all 5,000, cold", Got: median(cold), Unit: "ms", Bar: 8, Note: fmt.Sprintf("one thread reads the names and asks for each state in %s ms", short(plain/1000))},
		{Name: "list: all 5,000, unchanged", Got: again / 1000, Unit: "ms", Bar: 1.3},
	}
}

// statAll is the least that one thread has to do for a listing with sizes and
// times.
func statAll(dir string) {
	f, err := os.Open(dir)
	check(err)
	defer f.Close()
	names, err := f.Readdirnames(-1)
	check(err)
	var st unix.Stat_t
	for _, name := range names {
		check(unix.Fstatat(int(f.Fd()), name, &st, unix.AT_SYMLINK_NOFOLLOW))
	}
}
