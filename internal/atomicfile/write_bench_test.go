//go:build linux || darwin

package atomicfile

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// BenchmarkReplaceAt changes one line of a file, in turn by replaceAt and by
// the plain program that promises the same text on the medium: read and hash
// the old text, hash the new one, write, flush, exchange, hash what came out,
// unlink, flush the folder. Both include the caller's reading and hashing. The
// figures are medians; the ratio is of medians.
func BenchmarkReplaceAt(b *testing.B) {
	for _, size := range []int{100 << 10, 5 << 20} {
		b.Run(fmt.Sprintf("%dKiB", size>>10), func(b *testing.B) {
			s := newScene(b, b.TempDir())
			line := []byte("a line of text, as long as lines are on the average\n")
			content := bytes.Repeat(line, size/len(line))
			s.write(sceneFile, string(content))
			var plain, ours []time.Duration
			for b.Loop() {
				plain = append(plain, s.timed(plainReplace))
				ours = append(ours, s.timed(guardedReplace))
			}
			p, o := median(plain), median(ours)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(p.Microseconds()), "plain-µs")
			b.ReportMetric(float64(o.Microseconds()), "replaceAt-µs")
			b.ReportMetric(float64(o)/float64(p), "ratio")
		})
	}
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

func (s *scene) timed(replace func(s *scene, old, changed []byte) error) time.Duration {
	start := time.Now()
	old, err := os.ReadFile(s.file(sceneFile))
	if err != nil {
		s.t.Fatal(err)
	}
	changed := bytes.Clone(old)
	changed[len(changed)/2] ^= 1
	if err := replace(s, old, changed); err != nil {
		s.t.Fatal(err)
	}
	return time.Since(start)
}

func guardedReplace(s *scene, old, changed []byte) error {
	guard := text.HashBytes(old)
	_ = text.HashBytes(changed)
	_, err := replaceAt(nil, s.dir, sceneFile, guard, changed)
	return err
}

func plainReplace(s *scene, old, changed []byte) error {
	guard := text.HashBytes(old)
	_ = text.HashBytes(changed)
	temp := s.file("plain.tmp")
	f, err := os.Create(temp)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(changed); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	dir := int(s.dir.Fd())
	if err := fsys.ExchangeNames(dir, "plain.tmp", sceneFile); err != nil {
		return err
	}
	out, err := os.ReadFile(temp)
	if err != nil {
		return err
	}
	if text.HashBytes(out) != guard {
		return syscall.EAGAIN
	}
	if err := os.Remove(temp); err != nil {
		return err
	}
	return s.dir.Sync()
}
