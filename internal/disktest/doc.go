// Package disktest has what tests of the packages about files share: trees of
// files, and what an error says. It is for tests alone and knows no gate, so
// that internal/workspace's own tests can use it; see internal/gatetest.
package disktest
