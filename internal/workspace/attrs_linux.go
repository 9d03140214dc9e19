package workspace

import "golang.org/x/sys/unix"

const (
	accessList = "system.posix_acl_access"
	errNoAttr  = unix.ENODATA
)

// ofContent names the kernel's signatures over content, which it makes anew.
func ofContent(name string) bool {
	return name == "security.ima" || name == "security.evm"
}
