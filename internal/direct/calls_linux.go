package direct

import (
	"syscall"
	"unsafe"
)

// Read reads into b, which is not empty, what is there; 0 at the stream's end.
// fd is in non-blocking mode, which nobody else can change: a call that waits
// keeps the garbage collector waiting, and with it the whole process. The error
// is a [syscall.Errno]: EAGAIN when nothing is there yet.
func Read(fd uintptr, b []byte) (n int, err error) {
	defer ordered()
	for {
		r, _, errno := syscall.RawSyscall(syscall.SYS_READ, fd, uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)))
		if errno != syscall.EINTR {
			return result(r, errno)
		}
	}
}

// Write writes as much of b as there is room for. fd is as for [Read]. The error
// is a [syscall.Errno]: EAGAIN when there is no room.
func Write(fd uintptr, b []byte) (n int, err error) {
	ordered()
	for {
		r, _, errno := syscall.RawSyscall(syscall.SYS_WRITE, fd, uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)))
		if errno != syscall.EINTR {
			return result(r, errno)
		}
	}
}

// Receive is [Read] for a socket in any mode.
func Receive(fd uintptr, b []byte) (n int, err error) {
	defer ordered()
	for {
		r, _, errno := syscall.RawSyscall6(syscall.SYS_RECVFROM, fd, uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)), syscall.MSG_DONTWAIT, 0, 0)
		if errno != syscall.EINTR {
			return result(r, errno)
		}
	}
}

// Send is [Write] for a socket in any mode.
func Send(fd uintptr, b []byte) (n int, err error) { return send(fd, [][]byte{b}) }

// maxParts is how many parts are sent by one call.
const maxParts = 8

// send is Send of parts one after the other.
func send(fd uintptr, parts [][]byte) (n int, err error) {
	var list [maxParts]syscall.Iovec
	for i, p := range parts[:min(len(parts), maxParts)] {
		list[i].Base = unsafe.SliceData(p)
		list[i].SetLen(len(p))
	}
	m := syscall.Msghdr{Iov: &list[0], Iovlen: maxParts}
	ordered()
	for {
		r, _, errno := syscall.RawSyscall(syscall.SYS_SENDMSG, fd, uintptr(unsafe.Pointer(&m)), syscall.MSG_DONTWAIT|syscall.MSG_NOSIGNAL)
		if errno != syscall.EINTR {
			return result(r, errno)
		}
	}
}

// result is what a call says: no count comes with an error.
func result(r uintptr, errno syscall.Errno) (n int, err error) {
	if errno != 0 {
		return 0, errno
	}
	return int(r), nil
}

// yield lets a thread run that waits for this one's processor.
func yield() { _, _, _ = syscall.RawSyscall(syscall.SYS_SCHED_YIELD, 0, 0, 0) }

// oneShot is EPOLLONESHOT.
const oneShot = 1 << 30

// arm has the epoll tell once that a socket, which it knows, can be read.
func arm(epoll, socket uintptr) error {
	event := syscall.EpollEvent{Events: syscall.EPOLLIN | syscall.EPOLLRDHUP | oneShot}
	_, _, errno := syscall.RawSyscall6(syscall.SYS_EPOLL_CTL, epoll, syscall.EPOLL_CTL_MOD, socket, uintptr(unsafe.Pointer(&event)), 0, 0)
	_, err := result(0, errno)
	return err
}

// disarm takes what the epoll has to tell, so that it tells no more.
func disarm(epoll uintptr) {
	var told syscall.EpollEvent
	_, _, _ = syscall.RawSyscall6(syscall.SYS_EPOLL_PWAIT, epoll, uintptr(unsafe.Pointer(&told)), 1, 0, 0, 0)
}
