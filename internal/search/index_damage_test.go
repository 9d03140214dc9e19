package search

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/catalog"
	"github.com/agent-lsp/agent-lsp/internal/parallel"
	"github.com/agent-lsp/agent-lsp/internal/testscale"
)

// TestDamageWhileSearching damages, truncates and deletes saved segments at
// random while they are in use, and compares with reading everything.
func TestDamageWhileSearching(t *testing.T) {
	r := source(7)
	contents := randomFiles(r, 40)
	for i := range 50 {
		contents[fmt.Sprintf("z%d", i)] = randomContent(r)
	}
	d := newDisk(t, contents)
	files := d.list()
	truths := truthsOf(files, contents)
	for round := range testscale.Of(6, 2) {
		x := d.indexer()
		built(t, x, files)
		var damaging sync.WaitGroup
		seed := uint64(round)
		damaging.Go(func() { damage(t, source(seed), d) })
		for range 15 {
			v, required := x.View(files), randomRequired(r, truths)
			checkAll(t, v, files, truths, required)
		}
		damaging.Wait()
		checkAll(t, built(t, x, files), files, truths, randomRequired(r, truths))
		x.Close()
	}
}

// checkAll checks that whatever holds required is a candidate or unindexed.
func checkAll(t *testing.T, v *View, files *catalog.Files, truths []truth, required [][]Literal) {
	t.Helper()
	all := candidates(t, v, files, required, false)
	unindexed := map[int]bool{}
	for _, i := range v.Unindexed(files) {
		unindexed[i] = true
	}
	for i, truth := range truths {
		blocks, candidate := all[i]
		for n, line := range truth.lines {
			if holdsAll(line.flat, line.lower, required) && !unindexed[i] && (!candidate || blocks != nil && !covered(line, blocks)) {
				t.Fatalf("line %d of %s is left out for %+v", n, files.List[i].Rel, required)
			}
		}
	}
}

func damage(t *testing.T, r *rand.Rand, d *disk) {
	for range 30 {
		paths := savedSegments(t, d)
		if len(paths) == 0 {
			continue
		}
		path := paths[r.IntN(len(paths))]
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // it was replaced meanwhile
		}
		if err != nil {
			t.Error(err)
			return
		}
		switch at := r.Int64N(info.Size() + 1); r.IntN(12) {
		case 0:
			err = os.Remove(path)
		case 1, 2:
			err = os.Truncate(path, at)
		case 3, 4:
			err = flip(path, at, byte(1<<r.IntN(8)))
		default:
			for range 500 {
				err = errors.Join(err, flip(path, r.Int64N(info.Size()+1), byte(1<<r.IntN(8))))
			}
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
		time.Sleep(time.Duration(r.IntN(4)) * time.Millisecond)
	}
}

func flip(path string, at int64, bits byte) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	b := make([]byte, 1)
	if _, err := f.ReadAt(b, at); err != nil {
		return nil // it became shorter
	}
	b[0] ^= bits
	_, err = f.WriteAt(b, at)
	return err
}

// TestDamageIsMended: an index that turns out damaged is built anew.
func TestDamageIsMended(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(path string) error
	}{
		{"truncated", func(p string) error { return os.Truncate(p, 100) }},
		{"emptied", func(p string) error { return os.Truncate(p, 0) }},
		{"flipped at the start", func(p string) error { return flip(p, 0, 1) }},
		{"flipped at the end", func(p string) error {
			info, err := os.Stat(p)
			return errors.Join(err, flip(p, info.Size()-1, 0x80))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDisk(t, manyFiles(200))
			x := d.indexer()
			built(t, x, d.list())
			for _, path := range savedSegments(t, d) {
				must(t, c.spoil(path))
			}
			again, files := d.indexer(), d.list()
			candidates(t, again.View(files), files, [][]Literal{literals("number 17.")}, false) // may notice
			v := built(t, again, files)
			if got := names(files, candidates(t, v, files, [][]Literal{literals("number 17.")}, false)); got != "f017" {
				t.Errorf("found %s", got)
			}
			if s := again.State(); s.Files != 200 || s.Segments != len(savedSegments(t, d)) {
				t.Errorf("%d files saved, state %+v", len(savedSegments(t, d)), s)
			}
		})
	}
}

// TestFullDisk lets the n-th step of what is written fail, for every n.
func TestFullDisk(t *testing.T) {
	d := newDisk(t, manyFiles(200))
	files := d.list()
	for n := 1; ; n++ {
		d.cache = openCache(t, t.TempDir())
		steps := 0
		var mu sync.Mutex
		d.cache.FailBefore(func(string) error {
			mu.Lock()
			defer mu.Unlock()
			if steps++; steps >= n {
				return syscall.ENOSPC
			}
			return nil
		})
		x := d.indexer()
		v := built(t, x, files)
		if got := names(files, candidates(t, v, files, [][]Literal{literals("number 17.")}, false)); got != "f017" {
			t.Fatalf("step %d: found %s", n, got)
		}
		if s := x.State(); s.Unindexed > 0 || (s.Problem != nil) != (steps >= n) {
			t.Fatalf("step %d of %d: %+v", n, steps, s)
		}
		x.Close()
		temps, err := filepath.Glob(filepath.Join(d.cache.Path(), "*", "tmp-*"))
		if err != nil || len(temps) > 0 {
			t.Fatalf("step %d: left behind: %v, %v", n, temps, err)
		}
		if steps < n {
			if n < 6 {
				t.Errorf("only %d steps were seen", n)
			}
			return
		}
	}
}

// TestTwoShareAFolder: processes that share a folder use each other's segments.
func TestTwoShareAFolder(t *testing.T) {
	d := newDisk(t, manyFiles(300))
	files := d.list()
	var both sync.WaitGroup
	indexers := []*Indexer{d.indexer(), d.indexer()}
	for _, x := range indexers {
		both.Go(func() {
			v := built(t, x, files)
			if got := candidates(t, v, files, [][]Literal{literals("number 17.")}, false); len(got) != 1 {
				t.Errorf("found %v", got)
			}
		})
	}
	both.Wait()
	if n := len(savedSegments(t, d)); n != 1 {
		t.Errorf("%d segments are saved", n)
	}
	d.write("f017", "now it is something else")
	changed := d.list()
	for _, x := range indexers {
		v := built(t, x, changed)
		if got := names(changed, candidates(t, v, changed, [][]Literal{literals("something else")}, false)); got != "f017" {
			t.Errorf("found %s", got)
		}
	}
}

// TestLockedForGood: one that never gets the lock uses what is saved, and keeps
// the rest in memory.
func TestLockedForGood(t *testing.T) {
	d := newDisk(t, manyFiles(300))
	built(t, d.indexer(), d.list())
	folders, err := filepath.Glob(filepath.Join(d.cache.Path(), "*"))
	must(t, err)
	unlock, ok, err := openCache(t, folders[0]).TryLock()
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	defer unlock()
	d.write("f017", "something else")
	x := d.indexer()
	x.patience = 1
	v, files := built(t, x, d.list()), d.list()
	if got := names(files, candidates(t, v, files, [][]Literal{literals("something else")}, false)); got != "f017" {
		t.Errorf("found %s", got)
	}
	if s := x.State(); s.Files != 300 || s.Segments != 2 || s.Problem == nil || len(savedSegments(t, d)) != 1 {
		t.Errorf("state %+v", s)
	}
}

// killedDir, in the environment, makes TestKilled the process to be killed.
const killedDir = "AGENT_LSP_TEST_KILLED"

// TestKilled kills a process that builds and saves again and again: the next
// one finds whole segments alone, and removes what was half written.
func TestKilled(t *testing.T) {
	if dir := os.Getenv(killedDir); dir != "" {
		buildForEver(t, dir)
	}
	if runtime.GOOS == "windows" {
		t.Skip("starts processes and kills them")
	}
	d := newDisk(t, manyFiles(400))
	r := source(1)
	for range testscale.Of(8, 2) {
		var out bytes.Buffer
		child := exec.Command(os.Args[0], "-test.run=^TestKilled$")
		child.Env = append(os.Environ(), killedDir+"="+d.dir+string(filepath.ListSeparator)+d.cache.Path())
		child.Stdout, child.Stderr = &out, &out
		must(t, child.Start())
		waitForSegment(t, d)
		time.Sleep(time.Duration(r.IntN(20)) * time.Millisecond)
		must(t, child.Process.Kill())
		if err := child.Wait(); !strings.Contains(fmt.Sprint(err), "killed") {
			t.Fatalf("the child ended by itself: %v\n%s", err, &out)
		}
		x := d.indexer()
		v, files := built(t, x, d.list()), d.list()
		if got := names(files, candidates(t, v, files, [][]Literal{literals("number 17.")}, false)); got != "f017" {
			t.Fatalf("found %s", got)
		}
		d.write("f001", fmt.Sprint("changed by ", child.Process.Pid)) // so that the next build takes the lock
		built(t, x, d.list())
		if temps, _ := filepath.Glob(filepath.Join(d.cache.Path(), "*", "tmp-*")); len(temps) > 0 {
			t.Fatalf("left behind: %v", temps)
		}
		x.Close()
		for _, path := range savedSegments(t, d) {
			must(t, os.Remove(path))
		}
	}
}

func waitForSegment(t *testing.T, d *disk) {
	t.Helper()
	for range 2000 {
		if all, _ := filepath.Glob(filepath.Join(d.cache.Path(), "*", "*")); len(all) > 1 {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal("the child saves nothing")
}

func buildForEver(t *testing.T, dirs string) {
	at := filepath.SplitList(dirs)
	d := &disk{t: t, dir: at[0], cache: openCache(t, at[1])}
	d.open(d.dir)
	for i := 0; ; i++ {
		g := parallel.NewGroup(t.Context(), 2, 8, func(err error) { panic(err) })
		x := NewIndexer(d.cache, g.Go, later)
		built(t, x, d.list())
		d.write(fmt.Sprintf("f%03d", i%400), fmt.Sprintf("This is file number %d.\n%s", i%400, strings.Repeat("more", i%50)))
		x.Close()
		g.Wait()
	}
}

// FuzzOpenSegment: no file makes opening or looking up crash, whether its
// checksums hold or not.
func FuzzOpenSegment(f *testing.F) {
	d := newDisk(f, map[string]string{"a": "some text", "b": strings.Repeat("more text\n", 5000)})
	built(f, d.indexer(), d.list())
	whole, err := os.ReadFile(savedSegments(f, d)[0])
	must(f, err)
	f.Add(whole, false)
	f.Add(whole, true)
	f.Fuzz(func(t *testing.T, data []byte, mend bool) {
		if mend {
			data = mended(bytes.Clone(data))
		}
		useAll(data)
	})
}

// useAll does whatever is done with a segment's file, and reports whether it
// could be opened.
func useAll(data []byte) bool {
	s, err := openSegment("", bytes.NewReader(data), int64(len(data)), func() {})
	if err != nil {
		return false
	}
	for file := range int(s.files) {
		s.path(file)
		s.state(file)
	}
	for _, perFile := range []bool{false, true} {
		q := newQuery([][]Literal{literals("text", "some"), {{"MORE", true}}}, perFile)
		p := part{segment: s, place: make([]int32, s.files), live: int(s.files)}
		for w := p.walk(&q); w.next(); {
		}
	}
	return true
}

// TestCraftedSegments: tables whose checksums hold may say anything.
func TestCraftedSegments(t *testing.T) {
	d := newDisk(t, map[string]string{"a": "some text", "b": strings.Repeat("more text\n", 5000), "c": "\xff\xfea\x00"})
	built(t, d.indexer(), d.list())
	whole, err := os.ReadFile(savedSegments(t, d)[0])
	must(t, err)
	opened, r := 0, source(3)
	for range 20_000 {
		data := bytes.Clone(whole)
		for range 1 + r.IntN(3) {
			data[r.IntN(len(data))] ^= byte(1 << r.IntN(8))
		}
		if useAll(mended(data)) {
			opened++
		}
	}
	if opened < 1000 {
		t.Errorf("only %d could be opened", opened)
	}
}

// mended gives data the checksums of what it holds, as far as that can be.
func mended(data []byte) []byte {
	end := len(data) - trailerBytes
	if end < 0 {
		return data
	}
	var t trailer
	t.parse(data[end:])
	tables := t.tableBytes()
	if t.postingBytes > uint64(end) || int64(t.postingBytes)+tables != int64(end) {
		return data
	}
	all := data[t.postingBytes:end]
	sums := all[len(all)-4*int(t.chunks()):]
	for i := range int(t.chunks()) {
		chunk := data[i*chunkBytes : min((i+1)*chunkBytes, int(t.postingBytes))]
		copy(sums[4*i:], le32(checksum(chunk)))
	}
	return t.append(data[:end], checksum(all))
}

func le32(n uint32) []byte { return []byte{byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)} }
