package reinterpret

import "unsafe"

// As returns the first bytes of b as a T, which must hold no pointers. It
// panics when b is shorter than a T. The bytes need not be aligned only where
// T is handed to the system.
func As[T any](b []byte) *T {
	_ = b[unsafe.Sizeof(*new(T))-1]
	return (*T)(unsafe.Pointer(unsafe.SliceData(b)))
}
