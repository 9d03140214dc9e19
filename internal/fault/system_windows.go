package fault

import "syscall"

// errNotDirectory says that a part of a path is a file. (ENOTDIR is the number for
// a path that does not exist.)
const errNotDirectory = syscall.Errno(267) // ERROR_DIRECTORY

// ownKinds are errors that Windows has names of its own for.
var ownKinds = []systemError{
	{syscall.Errno(19), ReadOnly},       // ERROR_WRITE_PROTECT
	{syscall.Errno(39), DiskFull},       // ERROR_HANDLE_DISK_FULL
	{syscall.Errno(112), DiskFull},      // ERROR_DISK_FULL
	{syscall.Errno(1295), DiskFull},     // ERROR_DISK_QUOTA_EXCEEDED
	{syscall.Errno(123), InvalidParams}, // ERROR_INVALID_NAME
	{syscall.Errno(206), InvalidParams}, // ERROR_FILENAME_EXCED_RANGE
	{syscall.Errno(82), AlreadyExists},  // ERROR_CANNOT_MAKE
}
