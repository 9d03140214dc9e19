package text

// EditDistance counts the bytes to insert, delete, replace or swap with their
// neighbour that turn a into b; any number over limit when it is more. It is
// for telling which known name an unknown one resembles.
func EditDistance(a, b string, limit int) int {
	if least := max(len(a)-len(b), len(b)-len(a)); least > limit {
		return least
	}
	before, last, now := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		now[0] = i
		least := now[0]
		for j := 1; j <= len(b); j++ {
			now[j] = min(last[j]+1, now[j-1]+1, last[j-1]+differs(a[i-1], b[j-1]))
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				now[j] = min(now[j], before[j-2]+1)
			}
			least = min(least, now[j])
		}
		if least > limit {
			return least
		}
		before, last, now = last, now, before
	}
	return last[len(b)]
}

func differs(a, b byte) int {
	if a == b {
		return 0
	}
	return 1
}
