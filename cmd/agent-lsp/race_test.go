//go:build race

package main

// raced tells that the race detector is on, with which every process takes
// a second to start.
const raced = true
