//go:build !windows

package fault

import "syscall"

const errNotDirectory = syscall.ENOTDIR

// ownKinds is empty: what Unix has names for all systems have.
var ownKinds = []systemError{}
