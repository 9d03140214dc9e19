package testscale

import "testing"

// Of is all, or few under -short: the rounds of a test, or the stride between
// its cases. Whatever it gives, the test must fail when what it tests is
// plainly broken.
func Of(all, few int) int {
	if testing.Short() {
		return few
	}
	return all
}
