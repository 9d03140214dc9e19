// Command cmd has conversations with real assistant hosts; see package
// hosttest.
package main
