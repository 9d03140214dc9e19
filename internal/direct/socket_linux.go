package direct

import (
	"errors"
	"io"
	"net"
	"os"
	"syscall"
	"time"
)

// looks is how often [Socket.ReadSoon] looks before it sleeps: for about 100 µs
// on a processor that nobody else wants, and lookTime at most, because where
// others want it each look may take milliseconds.
const (
	looks    = 150
	lookTime = time.Millisecond / 2
)

// writePiece is what one system call writes that waits, in bytes: it waits anew
// for each buffer that it fills.
const writePiece = 64 << 10

// Socket is one end of a connection between two local sockets. Its methods may
// be called from any goroutine, but no two at once that read, nor that write.
//
// The runtime's poller does not know the socket. Who has to wait for bytes has
// an epoll of the socket's own tell it, which the poller knows, for as long as
// somebody waits.
type Socket struct {
	net.Conn // closed; has the addresses
	file     *os.File
	raw      syscall.RawConn
	arrivals arrivals
	patience time.Duration // of writes
}

// NewSocket returns a connection of package net as a Socket, which takes its
// place, or as it is where that cannot be. A write waits for room for at most
// the time given, and fails then.
func NewSocket(c net.Conn, patience time.Duration) net.Conn {
	fd, err := duplicate(c)
	if err != nil {
		return c
	}
	s := &Socket{Conn: c, patience: patience}
	limit := syscall.NsecToTimeval(patience.Nanoseconds())
	err = syscall.SetsockoptTimeval(fd, syscall.SOL_SOCKET, syscall.SO_SNDTIMEO, &limit)
	if err == nil {
		err = s.arrivals.open(fd)
	}
	if err == nil {
		err = syscall.SetNonblock(fd, false) // so that os.NewFile leaves the poller out
	}
	if err != nil {
		_ = s.arrivals.close()
		_ = syscall.Close(fd)
		return c
	}
	s.file = os.NewFile(uintptr(fd), "socket")
	s.raw, _ = s.file.SyscallConn() // it fails for none that is open
	_ = c.Close()                   // which leaves the poller, too
	return s
}

// duplicate returns another descriptor of a connection's socket.
func duplicate(c net.Conn) (fd int, err error) {
	s, ok := c.(syscall.Conn)
	if !ok {
		return 0, errors.ErrUnsupported
	}
	raw, err := s.SyscallConn()
	if err != nil {
		return 0, err
	}
	failed := raw.Control(func(of uintptr) {
		r, _, errno := syscall.Syscall(syscall.SYS_FCNTL, of, syscall.F_DUPFD_CLOEXEC, 0)
		fd, err = result(r, errno)
	})
	return fd, errors.Join(failed, err)
}

// SyscallConn implements [syscall.Conn]: its Control is of use.
func (s *Socket) SyscallConn() (syscall.RawConn, error) { return s.raw, nil }

// Read implements [io.Reader].
func (s *Socket) Read(b []byte) (n int, err error) { return s.read(b, 1) }

// ReadSoon is Read for what is about to come: it looks for it a while before it
// sleeps, and lets others have the processor meanwhile.
func (s *Socket) ReadSoon(b []byte) (n int, err error) { return s.read(b, looks) }

func (s *Socket) read(b []byte, looks int) (n int, err error) {
	if len(b) == 0 {
		return 0, nil
	}
	failed := s.raw.Control(func(fd uintptr) {
		for {
			n, err = Receive(fd, b)
			for i, end := 1, time.Now().Add(lookTime); i < looks && isNotYet(err) && time.Now().Before(end); i++ {
				yield()
				n, err = Receive(fd, b)
			}
			if !isNotYet(err) {
				return
			}
			if err = s.arrivals.wait(fd); err != nil {
				return
			}
			looks = 1
		}
	})
	switch {
	case failed != nil:
		return 0, failed
	case err != nil:
		return 0, err
	case n == 0:
		return 0, io.EOF
	}
	return n, nil
}

// Write implements [io.Writer].
func (s *Socket) Write(b []byte) (n int, err error) {
	return len(b), s.WriteParts([][]byte{b})
}

// WriteParts writes all parts, one after the other; it changes parts. After an
// error it is not known how much was written. The error is
// [os.ErrDeadlineExceeded] when there was too little room for too long.
func (s *Socket) WriteParts(parts [][]byte) error {
	var err error
	failed := s.raw.Control(func(fd uintptr) {
		for err == nil && len(parts) > 0 {
			var n int
			n, err = send(fd, parts)
			parts = without(parts, n)
		}
	})
	if failed == nil && isNotYet(err) {
		return s.writeSlowly(parts)
	}
	return errors.Join(failed, err)
}

// writeSlowly waits in the system for room, as long as that lets it, and for
// about that long in all.
func (s *Socket) writeSlowly(parts [][]byte) error {
	end := time.Now().Add(s.patience)
	for _, p := range parts {
		for len(p) > 0 {
			if time.Now().After(end) {
				return os.ErrDeadlineExceeded
			}
			n, err := s.file.Write(p[:min(len(p), writePiece)])
			if isNotYet(err) {
				return os.ErrDeadlineExceeded
			}
			if err != nil {
				return err
			}
			p = p[n:]
		}
	}
	return nil
}

// without returns parts without their first n bytes, and without empty ones
// that come first then.
func without(parts [][]byte, n int) [][]byte {
	for len(parts) > 0 && n >= len(parts[0]) {
		n -= len(parts[0])
		parts = parts[1:]
	}
	if n > 0 {
		parts[0] = parts[0][n:]
	}
	return parts
}

// SetReadDeadline implements [net.Conn]. A read that finds bytes gives them
// after its deadline, too.
func (s *Socket) SetReadDeadline(t time.Time) error { return s.arrivals.epoll.SetReadDeadline(t) }

// SetWriteDeadline is not for a Socket: see [NewSocket].
func (s *Socket) SetWriteDeadline(time.Time) error { return errors.ErrUnsupported }

// SetDeadline is not for a Socket.
func (s *Socket) SetDeadline(time.Time) error { return errors.ErrUnsupported }

// Close implements [io.Closer]. It ends reads and writes that wait.
func (s *Socket) Close() error {
	_ = s.raw.Control(func(fd uintptr) { _ = syscall.Shutdown(int(fd), syscall.SHUT_RDWR) })
	return errors.Join(s.arrivals.close(), s.file.Close())
}

// arrivals tell who waits that a socket can be read.
type arrivals struct {
	epoll *os.File
	raw   syscall.RawConn
}

func (a *arrivals) open(socket int) error {
	fd, err := syscall.EpollCreate1(syscall.EPOLL_CLOEXEC)
	if err != nil {
		return err
	}
	err = errors.Join(
		syscall.EpollCtl(fd, syscall.EPOLL_CTL_ADD, socket, &syscall.EpollEvent{Events: oneShot}),
		syscall.SetNonblock(fd, true), // so that os.NewFile has the poller know it
	)
	a.epoll = os.NewFile(uintptr(fd), "epoll")
	a.raw, _ = a.epoll.SyscallConn()                              // it fails for none that is open
	return errors.Join(err, a.epoll.SetReadDeadline(time.Time{})) // which fails when the poller does not know it
}

func (a *arrivals) close() error {
	if a.epoll == nil {
		return nil
	}
	return a.epoll.Close()
}

// wait returns when the socket may have something to read. Errors:
// [os.ErrDeadlineExceeded], [os.ErrClosed].
func (a *arrivals) wait(socket uintptr) error {
	began := false
	var err error
	failed := a.raw.Read(func(epoll uintptr) (done bool) {
		// What it has not told yet, of an earlier wait perhaps, an epoll does
		// not tell again when it is armed, and the wake-up would be lost. What
		// it tells from here on, the poller hears.
		disarm(epoll)
		if began {
			return true
		}
		began = true
		err = arm(epoll, socket)
		return err != nil
	})
	return errors.Join(failed, err)
}

func isNotYet(err error) bool { return errors.Is(err, syscall.EAGAIN) }
