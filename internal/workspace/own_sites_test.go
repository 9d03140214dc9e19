package workspace

import "testing"

// TestSites: a folder holds itself and all below it wherever it is mounted, by
// names in any case where it does not exist yet.
func TestSites(t *testing.T) {
	for _, tt := range []struct {
		s, t site
		want bool
	}{
		{site{1, 2, ""}, site{1, 2, ""}, true},
		{site{1, 2, ""}, site{1, 2, "a"}, true},
		{site{1, 2, "a"}, site{1, 2, "a"}, true},
		{site{1, 2, "a"}, site{1, 2, "a/b"}, true},
		{site{1, 2, "a"}, site{1, 2, "ab"}, false},
		{site{1, 2, "a"}, site{1, 2, ""}, false},
		{site{1, 2, ""}, site{1, 3, ""}, false},
		{site{1, 2, ""}, site{3, 2, ""}, false},
	} {
		if got := tt.s.holds(tt.t); got != tt.want {
			t.Errorf("%+v holds %+v: %v", tt.s, tt.t, got)
		}
	}
}
