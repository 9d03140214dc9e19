// Package mutants tells how much of a package its tests notice: it changes one
// token at a time, at random places, and runs the tests.
//
// All changes are compiled once. Each place is rewritten so that an environment
// variable chooses, when the program runs, between the code as it stands and
// one changed version (mutant schemata; Untch, Offutt, Harrold, 1993). The
// rewritten files reach the compiler through its overlay; the checkout is never
// written to.
//
// Invariants: with no mutant chosen a rewritten package does what the original
// does, and all its tests pass, or nothing is judged; a chosen mutant is the
// program that changing the token in the source gives; the same seed picks the
// same mutants of the same source.
//
// It does not look at test files, nor at files of other systems.
package mutants
