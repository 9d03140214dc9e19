package text

// PositionEncoding is the unit in which a position counts the columns of a
// line.
type PositionEncoding uint8

// The position encodings of LSP 3.17.
const (
	UTF16 PositionEncoding = iota // UTF-16 code units; LSP's default
	UTF8                          // bytes
	UTF32                         // Unicode code points
)

// String returns LSP's name of the encoding.
func (e PositionEncoding) String() string {
	switch e {
	case UTF8:
		return "utf-8"
	case UTF32:
		return "utf-32"
	default:
		return "utf-16"
	}
}

// ParsePositionEncoding returns the encoding that LSP calls name.
func ParsePositionEncoding(name string) (PositionEncoding, bool) {
	for _, e := range []PositionEncoding{UTF16, UTF8, UTF32} {
		if e.String() == name {
			return e, true
		}
	}
	return UTF16, false
}

// LineRule is what ends a line of a position.
type LineRule uint8

const (
	// AnyLineEnd is LSP's rule: LF, CRLF and a lone CR each end a line.
	AnyLineEnd LineRule = iota
	// OnlyLF is the rule of editors for which a CR, also one before an LF, is
	// a character of its line: the line's content reaches to its LF.
	OnlyLF
)

// String returns the rule's name: any or lf.
func (r LineRule) String() string {
	if r == OnlyLF {
		return "lf"
	}
	return "any"
}

// ParseLineRule returns the rule of that name.
func ParseLineRule(name string) (LineRule, bool) {
	switch name {
	case "any":
		return AnyLineEnd, true
	case "lf":
		return OnlyLF, true
	default:
		return AnyLineEnd, false
	}
}

// Coord is how one editor counts positions. The zero value is LSP's default.
type Coord struct {
	Encoding PositionEncoding
	Lines    LineRule
}

// Position is a place between two characters as an editor counts it: a
// 0-based line, and a 0-based column in the units of a [Coord].
type Position struct{ Line, Character uint32 }
