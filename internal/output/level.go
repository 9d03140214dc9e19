package output

// Level says how much of an output is shown.
type Level string

// The levels, by growing size.
const (
	Silent  Level = "silent"
	Concise Level = "concise" // the default
	Normal  Level = "normal"
	Verbose Level = "verbose"
	Full    Level = "full" // capped all the same; the rest is for reading
)

// Budget returns how many bytes a selection of both streams together takes at
// most. What is no level counts as Concise.
func (l Level) Budget() int {
	switch l {
	case Silent:
		return 200
	case Normal:
		return 8 << 10
	case Verbose:
		return 16 << 10
	case Full:
		return 256 << 10
	}
	return 2 << 10
}
