//go:build linux || darwin

package atomicfile

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/gatetest"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// BenchmarkTransaction changes 100 files of 10 KB, in turn by a transaction
// with a journal and by writing, flushing and renaming them one by one. The
// ratio is of medians.
func BenchmarkTransaction(b *testing.B) {
	const files = 100
	dir := b.TempDir()
	content := bytes.Repeat([]byte("a line of text, as long as lines are on the average\n"), 200)
	for i := range files {
		disktest.Plant(b, dir, fileOf(i), string(content))
	}
	g := gatetest.New(b, nil, dir)
	j, err := OpenJournal(b.TempDir())
	disktest.Must(b, err)
	var plain, ours []time.Duration
	for b.Loop() {
		changed := bytes.Clone(content)
		copy(changed, fmt.Sprint(len(ours)))
		start := time.Now()
		for i := range files {
			disktest.Must(b, plainWrite(filepath.Join(dir, fileOf(i)), changed))
		}
		plain = append(plain, time.Since(start))

		guard := text.HashBytes(changed)
		changed = bytes.ToUpper(changed)
		start = time.Now()
		txn := Begin(g, j)
		for i := range files {
			p, err := g.Resolve(filepath.Join(dir, fileOf(i)), nil)
			disktest.Must(b, err)
			disktest.Must(b, txn.Replace(p, guard, changed))
		}
		disktest.Must(b, txn.Stage())
		disktest.Must(b, txn.Apply())
		_, err := txn.Commit()
		disktest.Must(b, err)
		ours = append(ours, time.Since(start))
	}
	p, o := median(plain), median(ours)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(p.Microseconds())/1000, "one-by-one-ms")
	b.ReportMetric(float64(o.Microseconds())/1000, "transaction-ms")
	b.ReportMetric(float64(o)/float64(p), "ratio")
}

func fileOf(i int) string { return fmt.Sprintf("d%d/f%d.txt", i%10, i) }

// plainWrite is what a careful program does that changes one file.
func plainWrite(path string, content []byte) error {
	f, err := os.Create(path + ".new")
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(content); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}
