package reinterpret

import "unsafe"

// String returns b as a string. b must not be changed for as long as the
// string is used.
func String(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// Bytes returns the bytes of s. They must not be changed.
func Bytes(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// Start returns where the bytes of s begin, by which strings that share memory
// can be told. Of an empty string it tells nothing.
func Start(s string) *byte { return unsafe.StringData(s) }
