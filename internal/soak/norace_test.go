//go:build linux && !race

package soak

// raceFlag is how the test was built, for building the program.
const raceFlag = ""
