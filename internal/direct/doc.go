// Package direct reads and writes pipes and local sockets with as few wake-ups
// as the system allows. On a machine whose processors sleep, and most of all on
// a virtual one, waking a processor takes longer than making many an answer.
//
// Two habits of the runtime are avoided. Before a system call the scheduler is
// told that it may wait, which wakes the runtime's monitor thread when the
// process had been idle: calls that never wait are made without that. And the
// runtime's poller wants to hear of each socket that it can be written to,
// which wakes a thread whenever the other end reads: [Socket] asks to be told
// only of what somebody waits for.
//
// It is Linux's; elsewhere a connection stays as it is.
package direct
