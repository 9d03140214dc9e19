// Package soak is a long test: editors, assistants, other programs and a person
// who types, all at once and each in real processes, for as long as is asked.
//
// Its test runs a minute; `make soak` runs as long as SOAKTIME says.
//
// An actor takes decisions by a random source of its own, made from the run's
// seed and the actor's name, and takes as many random numbers for a step
// whatever comes of it. So a seed repeats each actor's decisions; how the
// actors meet in time it cannot repeat.
//
// What is right is decided by ownership, not by time. Each part of a text has one
// actor that writes it: the person the typed part, each assistant its regions,
// another program its files. So its owner knows at any moment what it may hold.
// When all actors stand still, a checkpoint looks at everything.
package soak
