package atomicfile

import "syscall"

const (
	accessList = "system.posix_acl_access"
	errNoAttr  = syscall.ENODATA
)

// ofContent names the kernel's signatures over content, which it makes anew.
func ofContent(name string) bool {
	return name == "security.ima" || name == "security.evm"
}
