// Package gatetest opens gates for tests of the packages above
// internal/workspace, and holds the tests of a gate that list and write too.
package gatetest
