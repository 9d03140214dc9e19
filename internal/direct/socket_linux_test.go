package direct_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/agent-lsp/agent-lsp/internal/direct"
)

const patience = 100 * time.Millisecond

// connected returns the two ends of a connection.
func connected(tb testing.TB) (a, b *direct.Socket) {
	tb.Helper()
	l, err := net.Listen("unix", filepath.Join(tb.TempDir(), "s"))
	if err != nil {
		tb.Fatal(err)
	}
	defer l.Close()
	one, err := net.Dial("unix", l.Addr().String())
	if err != nil {
		tb.Fatal(err)
	}
	two, err := l.Accept()
	if err != nil {
		tb.Fatal(err)
	}
	a, b = socket(tb, one), socket(tb, two)
	tb.Cleanup(func() { a.Close(); b.Close() })
	return a, b
}

func socket(tb testing.TB, c net.Conn) *direct.Socket {
	tb.Helper()
	s, ok := direct.NewSocket(c, patience).(*direct.Socket)
	if !ok {
		tb.Fatal("no socket")
	}
	return s
}

// TestEveryWakeUp sends bytes to and fro after random pauses: a reader who is
// not woken waits for ever.
func TestEveryWakeUp(t *testing.T) {
	t.Parallel()
	a, b := connected(t)
	const rounds = 2000
	pause := func() {
		if rand.IntN(4) == 0 {
			time.Sleep(time.Duration(rand.IntN(150)) * time.Microsecond)
		}
	}
	var work sync.WaitGroup
	work.Go(func() {
		echo := make([]byte, 1)
		for range rounds {
			if _, err := b.Read(echo); err != nil {
				t.Error(err)
				return
			}
			pause()
			if _, err := b.Write(echo); err != nil {
				t.Error(err)
				return
			}
		}
	})
	got := make([]byte, 1)
	for i := range rounds {
		pause()
		if _, err := a.Write([]byte{byte(i)}); err != nil {
			t.Fatal(err)
		}
		read := a.Read
		if i%2 == 0 {
			read = a.ReadSoon
		}
		if n, err := read(got); n != 1 || err != nil || got[0] != byte(i) {
			t.Fatal(i, n, err, got)
		}
	}
	work.Wait()
}

// TestWakeUpsAfterDeadlines: a wait that ended by its deadline takes no later
// wake-up away.
func TestWakeUpsAfterDeadlines(t *testing.T) {
	t.Parallel()
	a, b := connected(t)
	const bytesSent = 1000
	var work sync.WaitGroup
	work.Go(func() {
		for i := range bytesSent {
			time.Sleep(time.Duration(rand.IntN(100)) * time.Microsecond)
			if _, err := b.Write([]byte{byte(i)}); err != nil {
				t.Error(err)
				return
			}
		}
	})
	got := make([]byte, 1)
	for i := 0; i < bytesSent; {
		deadline := time.Time{}
		if rand.IntN(2) == 0 {
			deadline = time.Now().Add(time.Duration(rand.IntN(100)) * time.Microsecond)
		}
		if err := a.SetReadDeadline(deadline); err != nil {
			t.Fatal(err)
		}
		switch _, err := a.Read(got); {
		case errors.Is(err, os.ErrDeadlineExceeded):
		case err != nil:
			t.Fatal(err)
		case got[0] != byte(i):
			t.Fatal(i, got)
		default:
			i++
		}
	}
	work.Wait()
}

// TestEveryEnd: a reader hears of an end that comes close behind bytes: the
// system tells of both, and the poller perhaps once.
func TestEveryEnd(t *testing.T) {
	t.Parallel()
	var work sync.WaitGroup
	for range 8 {
		work.Go(func() {
			for range 200 {
				a, b := connected(t)
				var other sync.WaitGroup
				other.Go(func() {
					defer b.Close()
					_, _ = b.Write([]byte("x"))
					_, _ = io.Copy(io.Discard, b)
				})
				_, _ = a.Write([]byte("x"))
				_, _ = a.Read(make([]byte, 1))
				a.Close()
				other.Wait()
			}
		})
	}
	work.Wait()
}

// TestPartsArriveWhole writes parts of all sizes to a reader that is slower.
func TestPartsArriveWhole(t *testing.T) {
	t.Parallel()
	a, b := connected(t)
	var parts [][]byte
	for i := range 40 {
		part := make([]byte, rand.IntN(1<<(i%18)))
		for j := range part {
			part[j] = byte(rand.Uint32())
		}
		parts = append(parts, part)
	}
	want := slices.Concat(parts...)
	var work sync.WaitGroup
	work.Go(func() {
		if err := a.WriteParts(parts); err != nil {
			t.Error(err)
		}
		a.Close()
	})
	var got bytes.Buffer
	for chunk := make([]byte, 64<<10); ; {
		n, err := b.Read(chunk)
		got.Write(chunk[:n])
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(100 * time.Microsecond)
	}
	work.Wait()
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("%d bytes came of %d", got.Len(), len(want))
	}
}

func TestWriteWaitsSoLong(t *testing.T) {
	t.Parallel()
	a, _ := connected(t)
	if _, err := a.Write(make([]byte, 16<<20)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error(err)
	}
}

// TestWriteToWhoReadsLittle: who takes a little now and then does not hold a
// write for ever.
func TestWriteToWhoReadsLittle(t *testing.T) {
	t.Parallel()
	a, b := connected(t)
	stop := make(chan struct{})
	var work sync.WaitGroup
	work.Go(func() {
		for little := make([]byte, 1<<10); ; time.Sleep(patience / 50) {
			select {
			case <-stop:
				return
			default:
				_ = b.SetReadDeadline(time.Now().Add(patience))
				_, _ = b.Read(little)
			}
		}
	})
	if _, err := a.Write(make([]byte, 1<<20)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error(err)
	}
	close(stop)
	work.Wait()
}

// TestSoonIsSoon: on a processor that others want, to look many times would
// take a second.
func TestSoonIsSoon(t *testing.T) {
	const soon = 400 * time.Millisecond
	a, _ := connected(t)
	if err := a.SetReadDeadline(time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	took := time.Hour // the least of some, for the processor may be others' for long
	var over atomic.Bool
	var work sync.WaitGroup
	for range 2 {
		work.Go(func() {
			for onFirstProcessor(); !over.Load(); {
			}
		})
	}
	work.Go(func() {
		defer over.Store(true)
		onFirstProcessor()
		time.Sleep(10 * time.Millisecond)
		for tries := 0; tries < 10 && took > soon; tries++ {
			begun := time.Now()
			_, _ = a.ReadSoon(make([]byte, 1))
			took = min(took, time.Since(begun))
		}
	})
	work.Wait()
	if took > soon {
		t.Errorf("it took %v", took)
	}
}

// onFirstProcessor keeps the thread of a goroutine there, which ends with it.
func onFirstProcessor() {
	runtime.LockOSThread()
	first := [16]uint64{1}
	_, _, _ = syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY, 0, unsafe.Sizeof(first), uintptr(unsafe.Pointer(&first)))
}

func TestCloseEndsWhatWaits(t *testing.T) {
	t.Parallel()
	for _, wait := range []func(*direct.Socket) error{
		func(s *direct.Socket) error { _, err := s.Read(make([]byte, 1)); return err },
		func(s *direct.Socket) error { _, err := s.Write(make([]byte, 16<<20)); return err },
	} {
		a, _ := connected(t)
		ended := make(chan error)
		go func() { ended <- wait(a) }()
		time.Sleep(patience / 10)
		if err := a.Close(); err != nil {
			t.Error(err)
		}
		if err := <-ended; err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
			t.Error(err)
		}
		if _, err := a.Read(make([]byte, 1)); err == nil {
			t.Error("a closed socket was read")
		}
	}
}

// TestCloseAnyTime closes either end at whatever moment, twice, while both read,
// write and change deadlines: all of that ends.
func TestCloseAnyTime(t *testing.T) {
	t.Parallel()
	for range 50 {
		a, b := connected(t)
		var work sync.WaitGroup
		for _, s := range []*direct.Socket{a, b} {
			work.Go(func() {
				read, chunk := s.Read, make([]byte, 1<<10)
				for i := 0; ; i++ {
					if i%2 == 0 {
						read = s.ReadSoon
					}
					if _, err := read(chunk); err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
						return
					}
				}
			})
			work.Go(func() {
				for chunk := make([]byte, rand.IntN(512<<10)); ; {
					if _, err := s.Write(chunk); err != nil {
						return
					}
				}
			})
			work.Go(func() {
				for s.SetReadDeadline(time.Now().Add(time.Duration(rand.IntN(200))*time.Microsecond)) == nil {
					time.Sleep(50 * time.Microsecond)
				}
			})
		}
		time.Sleep(time.Duration(rand.IntN(2000)) * time.Microsecond)
		for _, s := range []*direct.Socket{a, b, a} {
			work.Go(func() { s.Close() })
		}
		ended := make(chan struct{})
		go func() { work.Wait(); close(ended) }()
		select {
		case <-ended:
		case <-time.After(time.Minute):
			t.Fatal("something still waits")
		}
	}
}

func TestOtherEndCloses(t *testing.T) {
	t.Parallel()
	a, b := connected(t)
	if _, err := a.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	a.Close()
	if n, err := b.Read(make([]byte, 4)); n != 1 || err != nil {
		t.Error(n, err)
	}
	if _, err := b.Read(make([]byte, 4)); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
	if _, err := b.Write([]byte("x")); err == nil {
		t.Error("written to nobody")
	}
}

// TestOtherConnections: what is no local socket stays as it is.
func TestOtherConnections(t *testing.T) {
	t.Parallel()
	a, b := net.Pipe()
	defer a.Close()
	defer b.Close()
	if direct.NewSocket(a, patience) != a {
		t.Error("a pipe was replaced")
	}
}

// TestNoDescriptorLeft is not parallel, either: there is none left for an epoll,
// or none at all.
func TestNoDescriptorLeft(t *testing.T) {
	for spare := range 2 {
		l, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
		if err != nil {
			t.Fatal(err)
		}
		one, err := net.Dial("unix", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		two, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
		var limit syscall.Rlimit
		if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
			t.Fatal(err)
		}
		free, err := syscall.Dup(0) // all below it are taken
		if err != nil {
			t.Fatal(err)
		}
		syscall.Close(free)
		low := limit
		low.Cur = uint64(free + spare)
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &low); err != nil {
			t.Fatal(err)
		}
		c := direct.NewSocket(one, patience)
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
			t.Fatal(err)
		}
		if _, ok := c.(*direct.Socket); ok {
			t.Errorf("with %d descriptors: %T", spare, c)
		}
		runtime.GC() // which would close what is forgotten
		go func() { _, _ = two.Write([]byte("x")) }()
		_ = c.SetReadDeadline(time.Now().Add(10 * time.Second))
		if _, err := c.Read(make([]byte, 1)); err != nil {
			t.Error(err)
		}
		c.Close()
		two.Close()
	}
}

// TestDescriptors is not parallel: it counts those of the process.
func TestDescriptors(t *testing.T) {
	count := func() int {
		list, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	connected(t) // what the runtime opens at the first
	before := count()
	for range 10 {
		a, b := connected(t)
		a.Close()
		b.Close()
	}
	if after := count(); after != before {
		t.Errorf("%d descriptors, then %d", before, after)
	}
}
