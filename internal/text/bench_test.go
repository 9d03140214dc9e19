package text

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// The sizes of the texts that are measured.
var benchSizes = []struct {
	name  string
	bytes int
}{
	{"100KB", 100_000},
	{"1MB", 1_000_000},
	{"10MB", 10_000_000},
	{"100MB", 100_000_000},
}

// sourceLike returns ASCII text in lines of about 40 bytes.
func sourceLike(size int) string {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.Grow(size + 100)
	for b.Len() < size {
		b.WriteString(strings.Repeat("\t", r.IntN(4)))
		b.WriteString("the_quick_brown_fox_jumps_over_the_lazy_dog_1234567890"[:10+r.IntN(44)])
		b.WriteByte('\n')
	}
	return b.String()[:size]
}

// wideSource returns lines of CJK, accented letters and emoji.
func wideSource(size int) string {
	const line = "// 世界 naïve café 😀 plain words here\r\n"
	s := strings.Repeat(line, size/len(line)+1)
	return s[:floorChar(s, size)]
}

func forSizes(b *testing.B, bench func(b *testing.B, t Text)) {
	for _, size := range benchSizes {
		b.Run(size.name, func(b *testing.B) {
			t := New(sourceLike(size.bytes))
			b.ReportAllocs()
			b.ResetTimer()
			bench(b, t)
		})
	}
}

// BenchmarkEditAnywhere puts in one character at a random place.
func BenchmarkEditAnywhere(b *testing.B) {
	forSizes(b, func(b *testing.B, t Text) {
		r := rand.New(rand.NewPCG(3, 4))
		times := medianOf(b)
		for b.Loop() {
			o := r.IntN(t.Len())
			times.measure(func() { t = t.Replace(Span{o, o}, "x") })
		}
		times.report()
	})
}

// BenchmarkTyping puts in one character after the other.
func BenchmarkTyping(b *testing.B) {
	forSizes(b, func(b *testing.B, t Text) {
		o := t.Len() / 2
		times := medianOf(b)
		for b.Loop() {
			times.measure(func() { t = t.Replace(Span{o, o}, "x") })
			o++
		}
		times.report()
	})
}

// median collects how long the first operations take: on a busy machine the mean
// tells more about the neighbours.
type median struct {
	b     *testing.B
	times []time.Duration
}

func medianOf(b *testing.B) *median {
	return &median{b: b, times: make([]time.Duration, 0, 1<<16)}
}

func (m *median) measure(op func()) {
	start := time.Now()
	op()
	if took := time.Since(start); len(m.times) < cap(m.times) {
		m.times = append(m.times, took)
	}
}

func (m *median) report() {
	slices.Sort(m.times)
	m.b.ReportMetric(float64(m.times[len(m.times)/2]), "median-ns/op")
}

// BenchmarkEditByPosition is what one change of an editor takes.
func BenchmarkEditByPosition(b *testing.B) {
	forSizes(b, func(b *testing.B, t Text) {
		r := rand.New(rand.NewPCG(3, 4))
		times := medianOf(b)
		for b.Loop() {
			p := Position{uint32(r.IntN(t.Breaks())), uint32(r.IntN(40))}
			times.measure(func() {
				o := t.OffsetAt(p, Coord{})
				t = t.Replace(Span{o, o}, "x")
			})
		}
		times.report()
	})
}

func BenchmarkOffsetAt(b *testing.B) {
	forSizes(b, func(b *testing.B, t Text) {
		r := rand.New(rand.NewPCG(3, 4))
		for b.Loop() {
			t.OffsetAt(Position{uint32(r.IntN(t.Breaks())), uint32(r.IntN(40))}, Coord{})
		}
	})
}

func BenchmarkPositionAt(b *testing.B) {
	forSizes(b, func(b *testing.B, t Text) {
		r := rand.New(rand.NewPCG(3, 4))
		for b.Loop() {
			t.PositionAt(r.IntN(t.Len()), Coord{})
		}
	})
}

func BenchmarkLineStart(b *testing.B) {
	forSizes(b, func(b *testing.B, t Text) {
		r := rand.New(rand.NewPCG(3, 4))
		for b.Loop() {
			t.LineStart(r.IntN(t.Breaks()))
		}
	})
}

// BenchmarkLongLine converts positions on one line of ten megabytes.
func BenchmarkLongLine(b *testing.B) {
	t := New(strings.Repeat("a😀é", 10_000_000/7))
	for _, e := range []PositionEncoding{UTF16, UTF8, UTF32} {
		c := Coord{Encoding: e}
		units := int(t.PositionAt(t.Len(), c).Character)
		r := rand.New(rand.NewPCG(3, 4))
		b.Run("OffsetAt/"+e.String(), func(b *testing.B) {
			for b.Loop() {
				t.OffsetAt(Position{0, uint32(r.IntN(units))}, c)
			}
		})
		b.Run("PositionAt/"+e.String(), func(b *testing.B) {
			for b.Loop() {
				t.PositionAt(r.IntN(t.Len()), c)
			}
		})
	}
}

func BenchmarkNew(b *testing.B) {
	for _, size := range benchSizes {
		benchNew(b, size.name+"/ascii", sourceLike(size.bytes))
		benchNew(b, size.name+"/wide", wideSource(size.bytes))
	}
}

func benchNew(b *testing.B, name, s string) {
	b.Run(name, func(b *testing.B) {
		b.SetBytes(int64(len(s)))
		for b.Loop() {
			New(s)
		}
	})
}

func BenchmarkString(b *testing.B) {
	forSizes(b, func(b *testing.B, t Text) {
		b.SetBytes(int64(t.Len()))
		for b.Loop() {
			_ = t.String()
		}
	})
}

// BenchmarkEqual compares a text with one that an edit and its undoing made.
func BenchmarkEqual(b *testing.B) {
	forSizes(b, func(b *testing.B, t Text) {
		o := t.Len() / 3
		u := t.Replace(Span{o, o}, "x").Replace(Span{o, o + 1}, "")
		for b.Loop() {
			if !t.Equal(u) {
				b.Fatal("texts differ")
			}
		}
	})
}

// BenchmarkMemory reports the heap that one text takes per byte (heap/byte),
// the same after a thousand random edits, and what a thousand snapshots, one
// after each edit, take in relation to the text alone (snapshots/text).
func BenchmarkMemory(b *testing.B) {
	const edits = 1000
	for _, size := range benchSizes[1:] {
		b.Run(size.name, func(b *testing.B) {
			for b.Loop() {
				s := sourceLike(size.bytes)
				empty := heapInUse()
				t := New(s)
				one := heapInUse() - empty

				r := rand.New(rand.NewPCG(5, 6))
				snapshots := make([]Text, 0, edits)
				for range edits {
					o := r.IntN(t.Len())
					t = t.Replace(Span{o, o}, "x")
					snapshots = append(snapshots, t)
				}
				all := heapInUse() - empty
				last := snapshots[edits-1]
				clear(snapshots)
				edited := heapInUse() - empty

				b.ReportMetric(float64(one)/float64(len(s)), "heap/byte")
				b.ReportMetric(float64(edited)/float64(len(s)), "edited-heap/byte")
				b.ReportMetric(float64(all)/float64(one), "snapshots/text")
				runtime.KeepAlive([]any{s, t, last, snapshots})
			}
		})
	}
}

func heapInUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
