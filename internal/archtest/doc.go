// Package archtest tests the order of the house: which package may import
// which, that each third-party module has one door, that one package alone
// touches the disk, and that no package hides state or goroutines.
//
// The rules are tables in rules_test.go, a statement of policy: a finding is
// mended in the code that it names, not in the table. The checks read source
// files of all platforms, without building them.
//
// It has no code besides its tests, and does not check what the compiler or
// the linter finds.
package archtest
