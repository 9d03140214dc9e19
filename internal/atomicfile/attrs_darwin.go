package atomicfile

import "syscall"

// Access control lists are no extended attributes on macOS, so a list that a
// single file was given is not copied. Lists inherited from the folder are.
const (
	accessList = ""
	errNoAttr  = syscall.ENOATTR
)

// ofContent names what the system itself notes about the program that wrote
// the content, and lets nobody else set.
func ofContent(name string) bool { return name == "com.apple.provenance" }
