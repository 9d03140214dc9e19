package stdio

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// TestModeOfOthers: who shares a pipe or socket may set its mode, as Node does
// when it ends. A read, or a write, that waits then keeps nothing else waiting.
func TestModeOfOthers(t *testing.T) {
	for name, open := range map[string]func(*testing.T) (in, out, client *os.File){"pipes": pipesOfOthers, "socket": socketOfOthers, "two sockets": socketsOfOthers} {
		t.Run(name, func(t *testing.T) {
			stdin, stdout, client := open(t)
			in, out, _ := Open(stdin, stdout)
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

// TestTerminal: closing ends a read there, too, so that ^C ends the process.
func TestTerminal(t *testing.T) {
	control, terminal := pseudoTerminal(t)
	in, out, _ := Open(terminal, terminal)
	if _, err := io.WriteString(out, "to\n"); err != nil {
		t.Error(err)
	}
	if _, err := io.WriteString(control, "fro\n"); err != nil {
		t.Error(err)
	}
	got := make([]byte, 16)
	if n, err := in.Read(got); string(got[:n]) != "fro\n" || err != nil {
		t.Errorf("read %q, %v", got[:n], err)
	}
	if n, err := control.Read(got); n < 2 || string(got[:2]) != "to" || err != nil {
		t.Errorf("read %q, %v", got[:n], err)
	}
	ended := make(chan error)
	go func() {
		_, err := in.Read(got)
		ended <- err
	}()
	time.Sleep(10 * time.Millisecond)
	in.Close()
	if err := <-ended; err == nil {
		t.Error("read from nobody")
	}
	out.Close()
	if nonblocking(t, terminal) {
		t.Error("the shell's mode is changed")
	}
}

func pseudoTerminal(t *testing.T) (control, terminal *os.File) {
	control, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	var unlock, number int32
	for request, value := range map[uintptr]*int32{syscall.TIOCSPTLCK: &unlock, syscall.TIOCGPTN: &number} {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, control.Fd(), request, uintptr(unsafe.Pointer(value))); errno != 0 {
			t.Skip(errno)
		}
	}
	terminal, err = os.OpenFile(fmt.Sprint("/dev/pts/", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	setMode(t, terminal, false)
	closeAll(t, control, terminal)
	return control, terminal
}

// TestNoPipes: what has no other end stays as it is.
func TestNoPipes(t *testing.T) {
	f, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if in, out, _ := Open(f, f); in != io.ReadCloser(f) || out != io.WriteCloser(f) {
		t.Error("it was replaced")
	}
}

// TestSharedMode: where the mode has to be changed, of two ends that share it the
// last takes it back.
func TestSharedMode(t *testing.T) {
	stdin, stdout, client := socketOfOthers(t)
	modes := new(sharedModes)
	var ends []*file
	for _, f := range []*os.File{stdin, stdout} {
		s, err := openShared(f, modes)
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

// socketsOfOthers returns a socket for each end, as Node gives them.
func socketsOfOthers(t *testing.T) (in, out, client *os.File) {
	var ends [2][2]*os.File
	for i := range ends {
		pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
		if err != nil {
			t.Fatal(err)
		}
		ends[i] = [2]*os.File{os.NewFile(uintptr(pair[0]), "ours"), os.NewFile(uintptr(pair[1]), "client")}
		closeAll(t, ends[i][:]...)
	}
	return ends[0][0], ends[1][0], ends[1][1]
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
