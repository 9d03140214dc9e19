// Package bench measures what the program costs against what the machine
// costs: each row pairs it with a floor, a program that does the least that
// the work needs, in the same run and by turns, so that a noisy machine slows
// both. What is printed and held against a bar are ratios of medians, where a
// bar is a ratio.
//
// It is run by "make bench" and by nobody's tests: figures depend on the
// machine.
package bench
