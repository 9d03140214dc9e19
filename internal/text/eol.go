package text

// EOL is the line ending that a text uses.
type EOL uint8

// The line endings. Mixed is any two of the others in one text.
const (
	None EOL = iota
	LF
	CRLF
	CR
	Mixed
)

// String returns the name: none, lf, crlf, cr or mixed.
func (e EOL) String() string {
	switch e {
	case LF:
		return "lf"
	case CRLF:
		return "crlf"
	case CR:
		return "cr"
	case Mixed:
		return "mixed"
	default:
		return "none"
	}
}

// EOL returns the line ending that all lines of the text use, Mixed when they
// differ, None when there is none. It takes constant time.
func (t Text) EOL() EOL {
	sum := t.summary()
	crlf := sum.crlf()
	lf, cr := sum.lf-crlf, sum.cr-crlf
	switch {
	case lf+crlf+cr == 0:
		return None
	case crlf+cr == 0:
		return LF
	case lf+cr == 0:
		return CRLF
	case lf+crlf == 0:
		return CR
	default:
		return Mixed
	}
}
