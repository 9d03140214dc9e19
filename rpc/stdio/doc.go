// Package stdio opens a process's standard input and output as the two ends of
// a connection: reads and writes that closing interrupts, and that wait in the
// runtime's poller.
//
// Invariants: the descriptors that others share keep their mode, or get it back
// when the last end is closed; a client that is gone is an error, no signal; a
// drain returns only after what had been sent was handled, or its time is over.
//
// It does not know what is read or written.
package stdio
