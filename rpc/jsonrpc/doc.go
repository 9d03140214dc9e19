// Package jsonrpc serves JSON-RPC over LSP's base protocol: framing, the
// validation of messages, dispatch and the lifecycle of a connection. It knows
// messages, not what the methods mean.
//
// Invariants:
//   - No input makes it crash, hang or grow without bound. A message that is
//     no good costs that message: it is answered with the standard code and
//     the next one is read. Only lost framing ends the connection.
//   - The JSON-RPC library sees only messages that it is known to take.
//   - Notifications and inline calls run one at a time, in the order of
//     arrival. An asynchronous call takes what it needs of the state on its
//     arrival, in the same order, and then runs beside others.
//   - A handler that panics costs its call, and an error of a notification is
//     logged. Neither ends the connection.
//   - Each call that was accepted is answered once, cancelled ones too, as
//     long as the client reads. A client that stops reading loses the
//     connection after a time limit, and meanwhile no new work is begun.
//   - Every goroutine ends with the connection.
//   - Logs hold neither source text nor params.
//
// It does not know LSP's methods beyond initialize, shutdown, exit and
// $/cancelRequest, nor how their params are encoded: that is its [Codec]'s.
package jsonrpc
