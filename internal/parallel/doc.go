// Package parallel runs work on several goroutines, each with an owner that
// waits for it and a bound on how many there are.
//
// [ForEach] fans a loop out and returns when it is done. A [Group] takes
// background work that must not hold up whoever asks for it.
//
// Invariants: no goroutine outlives the ForEach call or the Group's Wait; a
// panic in the work never kills the process unnoticed: ForEach raises it again
// in its caller, a Group reports it.
//
// It does not retry, order or time work.
package parallel
