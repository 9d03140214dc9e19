// Package rpc is the connection to an editor: the Language Server Protocol
// over a pair of streams, down to the tools and back.
//
// It has two layers. The connection layer (files stream*.go and dispatch*.go)
// knows messages: framing, JSON-RPC's and LSP's rules for every method, order,
// cancelling and limits. The server on top of it knows what the methods mean.
//
// Invariants of the connection layer:
//   - No input makes it crash, hang or grow without bound. A message that is
//     no good costs that message: it is answered with the standard code and
//     the next one is read. Only lost framing ends the connection.
//   - The JSON-RPC library sees only messages that it is known to take.
//   - Notifications and inline calls run one at a time, in the order of
//     arrival. An asynchronous call works on what it captured on arrival.
//   - A handler that panics costs its call, and an error of a notification is
//     logged. Neither ends the connection.
//   - Each call that was accepted is answered once, cancelled ones too, as
//     long as the client reads. A client that stops reading loses the
//     connection after a time limit, and meanwhile no new work is begun.
//   - Every goroutine ends with the connection.
//   - Logs hold neither source text nor params.
//
// It does not read or write files, and decides nothing about texts: buffers
// and tools do.
package rpc
