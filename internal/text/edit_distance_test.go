package text

import "testing"

func TestEditDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 1}, {"main", "mian", 1}, {"abc", "abd", 1}, {"abc", "abcd", 1}, {"kitten", "sitting", 3}, {"aaaa", "bbbb", 4}, {"abc", "xyzw", 4},
	} {
		if got := EditDistance(tt.a, tt.b, 4); got != tt.want {
			t.Errorf("EditDistance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
		for limit := range 5 {
			if got := EditDistance(tt.a, tt.b, limit); got != tt.want && (got <= limit || tt.want <= limit) {
				t.Errorf("EditDistance(%q, %q) with limit %d = %d", tt.a, tt.b, limit, got)
			}
		}
	}
}
