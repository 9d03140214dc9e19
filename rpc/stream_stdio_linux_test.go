package rpc

import (
	"io"
	"os"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"
)

// TestModeOfOthers: who shares a pipe or socket may set its mode, as Node does
// when it ends. A read, or a write, that waits then keeps nothing else waiting.
func TestModeOfOthers(t *testing.T) {
	for name, open := range map[string]func(*testing.T) (in, out, client *os.File){"pipes": pipesOfOthers, "socket": socketOfOthers} {
		t.Run(name, func(t *testing.T) {
			stdin, stdout, client := open(t)
			in, out := Stdio(stdin, stdout)
			for _, f := range []*os.File{stdin, stdout} {
				if nonblocking(t, f) {
					t.Error("others' mode is changed")
				}
				setMode(t, f, false)
			}
			var work sync.WaitGroup
			work.Go(func() {
				if _, err := in.Read(make([]byte, 1)); err == nil {
					t.Error("read from nobody")
				}
			})
			work.Go(func() {
				if _, err := out.Write(make([]byte, 4<<20)); err == nil {
					t.Error("all is written to who reads nothing")
				}
			})
			if _, err := io.ReadFull(client, make([]byte, 1<<20)); err != nil {
				t.Error(err)
			}
			runtime.GC() // which waits for all processors
			in.Close()
			time.Sleep(time.Millisecond)
			if _, err := client.Read(make([]byte, 64<<10)); err != nil {
				t.Error(err)
			}
			runtime.GC()
			out.Close()
			work.Wait()
		})
	}
}

// TestLentMode: where the mode has to be lent, of two ends that share it the
// last takes it back.
func TestLentMode(t *testing.T) {
	stdin, stdout, client := socketOfOthers(t)
	l := new(lent)
	var ends []*stdio
	for _, f := range []*os.File{stdin, stdout} {
		s, err := openShared(f, l)
		if err != nil {
			t.Fatal(err)
		}
		s.raw, _ = s.SyscallConn()
		ends = append(ends, s)
	}
	if _, err := ends[1].Write([]byte("hello")); err != nil {
		t.Error(err)
	}
	if _, err := io.ReadFull(client, make([]byte, 5)); err != nil {
		t.Error(err)
	}
	ends[0].Close()
	ends[0].Close()
	if !nonblocking(t, stdout) {
		t.Error("the mode is taken from one that is open")
	}
	ends[1].Close()
	if nonblocking(t, stdout) {
		t.Error("the mode is kept")
	}
}

func pipesOfOthers(t *testing.T) (in, out, client *os.File) {
	in, keep, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	client, out, err = os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	setMode(t, in, false)
	setMode(t, out, false)
	closeAll(t, in, keep, client, out)
	return in, out, client
}

// socketOfOthers returns one socket as both ends, as inetd gives it.
func socketOfOthers(t *testing.T) (in, out, client *os.File) {
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	other, err := syscall.Dup(pair[0])
	if err != nil {
		t.Fatal(err)
	}
	in, out, client = os.NewFile(uintptr(pair[0]), "in"), os.NewFile(uintptr(other), "out"), os.NewFile(uintptr(pair[1]), "client")
	closeAll(t, in, out, client)
	return in, out, client
}

func closeAll(t *testing.T, files ...*os.File) {
	t.Cleanup(func() {
		for _, f := range files {
			f.Close()
		}
	})
}

func setMode(t *testing.T, f *os.File, nonblock bool) {
	t.Helper()
	if err := syscall.SetNonblock(int(f.Fd()), nonblock); err != nil {
		t.Fatal(err)
	}
}
