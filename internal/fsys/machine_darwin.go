package fsys

import "golang.org/x/sys/unix"

// machine returns what the system says of itself.
func machine() (id, boot string) {
	id, _ = unix.Sysctl("kern.uuid")
	boot, _ = unix.Sysctl("kern.bootsessionuuid")
	return id, boot
}
