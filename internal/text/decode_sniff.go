package text

import "strings"

// Sniffed is what a file's first bytes say of its format.
type Sniffed struct {
	Format   Format
	Detected bool // guessed from the shape of the bytes
	// Assumed: nothing speaks for or against Format, which is plain UTF-8.
	// It holds if all bytes turn out valid; otherwise [Detect] decides.
	Assumed bool
}

// Sniff decides a file's format from its head, as far as that is possible
// without reading on: forced, unless it is ""; else the encoding of the
// byte-order mark; else UTF-16 or UTF-32 without mark, when the zero bytes of
// head leave no doubt. head should be 8 KiB or the whole file.
func Sniff(head []byte, forced Encoding) Sniffed {
	if forced != "" {
		return Sniffed{Format: Format{Encoding: forced, BOM: startsWithMark(head, forced)}}
	}
	// UTF-32LE before UTF-16LE, whose mark is the beginning of the other's.
	for _, e := range []Encoding{EncodingUTF8, EncodingUTF32LE, EncodingUTF32BE, EncodingUTF16LE, EncodingUTF16BE} {
		if startsWithMark(head, e) {
			return Sniffed{Format: Format{Encoding: e, BOM: true}}
		}
	}
	if e, ok := wideWithZeros(head); ok {
		return Sniffed{Format: Format{Encoding: e}, Detected: true}
	}
	return Sniffed{Format: Format{Encoding: EncodingUTF8}, Assumed: true}
}

func startsWithMark(head []byte, e Encoding) bool {
	mark := markOf(e)
	return mark != "" && strings.HasPrefix(string(head[:min(len(head), len(mark))]), mark)
}
