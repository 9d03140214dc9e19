package text

import "bytes"

// LineLen returns the length of b's first line, its end included: LF, CRLF or a
// lone CR.
func LineLen(b []byte) int {
	n := bytes.IndexByte(b, '\n') + 1
	if n == 0 {
		n = len(b)
	}
	if cr := bytes.IndexByte(b[:n], '\r') + 1; cr > 0 && (cr == len(b) || b[cr] != '\n') {
		return cr
	}
	return n
}
