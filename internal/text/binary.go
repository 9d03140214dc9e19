package text

import "bytes"

// binaryHead is how many bytes tell whether a file is binary.
const binaryHead = 8 << 10

// IsBinary reports whether a file that begins with head is not text: it has a
// zero byte in its first 8 KiB, no UTF-16 or UTF-32 mark, and is not plainly
// UTF-16 or UTF-32 without one.
func IsBinary(head []byte) bool {
	head = head[:min(len(head), binaryHead)]
	if bytes.IndexByte(head, 0) < 0 {
		return false
	}
	e := Sniff(head, "").Format.Encoding
	return e == EncodingUTF8
}
