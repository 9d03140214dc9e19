// Package testscale says how much of a test that goes through many cases is run.
// docs/testing.md tells what that leaves out.
package testscale
