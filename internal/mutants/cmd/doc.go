// Command cmd tells how many random changes of a package its tests notice; see
// package mutants.
package main
