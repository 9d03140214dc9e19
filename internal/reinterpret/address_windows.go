package reinterpret

import "unsafe"

// Address returns where the bytes of b lie, for a call of the system that takes a
// number. The caller keeps b alive until the call is over.
func Address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }
