// Package reinterpret shows memory as another type without copying it. It is
// the one package that imports unsafe, besides syntax, whose C code does.
//
// Nothing here checks how long memory is left as it is: each function says
// what its caller promises.
package reinterpret
