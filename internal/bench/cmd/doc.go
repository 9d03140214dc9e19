// Command cmd measures the program; see package bench.
package main
