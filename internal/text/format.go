package text

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// Format is how a text stands in a file's bytes. Line endings are the text's
// own. The zero Format is UTF-8 without mark, as untitled documents have it.
type Format struct {
	Encoding Encoding // canonical
	BOM      bool     // a byte-order mark comes first; only UTF-8, -16 and -32 have one
}

// markOf returns the byte-order mark of e, "" when it has none.
func markOf(e Encoding) string {
	switch e {
	case EncodingUTF8, "":
		return "\xEF\xBB\xBF"
	case EncodingUTF16LE:
		return "\xFF\xFE"
	case EncodingUTF16BE:
		return "\xFE\xFF"
	case EncodingUTF32LE:
		return "\xFF\xFE\x00\x00"
	case EncodingUTF32BE:
		return "\x00\x00\xFE\xFF"
	}
	return ""
}

func (f Format) mark() string {
	if f.BOM {
		return markOf(f.Encoding)
	}
	return ""
}

// BOMLen returns how many bytes the byte-order mark takes: 0, 2, 3 or 4.
func (f Format) BOMLen() int { return len(f.mark()) }

// Encode returns the bytes that a file with the text t has. A character that
// the encoding does not hold is encoding_error with the details "rune" (as
// "U+20AC"), "offset" (0-based byte of t), "line" (1-based) and "encoding".
func (f Format) Encode(t Text) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(t.Len() + utf8.UTFMax)
	if err := f.WriteTo(&b, t); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Hash returns the hash of the bytes that Encode gives, and its errors. Of the
// text it makes no copy.
func (f Format) Hash(t Text) (Hash, error) {
	digest := sha256.New()
	if err := f.WriteTo(digest, t); err != nil {
		return Hash{}, err
	}
	return Hash(digest.Sum(nil)), nil
}

// writeBlock is about how many bytes WriteTo gathers before it writes them.
const writeBlock = 32 << 10

// WriteTo writes the bytes that Encode gives, in blocks, and makes no copy of
// the whole. Its errors are Encode's and those of w; w may have got bytes
// before one is found.
func (f Format) WriteTo(w io.Writer, t Text) error {
	code, err := f.codec()
	if err != nil {
		return err
	}
	block := make([]byte, 0, min(writeBlock, 4*t.Len()+utf8.UTFMax))
	return writeEncoded(w, t, f.Encoding, code, append(block, f.mark()...))
}

// writeEncoded writes block, which it uses up, and then t.
func writeEncoded(w io.Writer, t Text, e Encoding, code codec, block []byte) error {
	done := 0
	for chunk := range t.Chunks(Span{0, t.Len()}) {
		var n int
		block, n = code.encode(block, chunk)
		if n < len(chunk) {
			r, _ := utf8.DecodeRuneInString(chunk[n:])
			return unencodable(t, e, r, done+n)
		}
		done += n
		if len(block) >= writeBlock/2 {
			if _, err := w.Write(block); err != nil {
				return err
			}
			block = block[:0]
		}
	}
	_, err := w.Write(block)
	return err
}

func unencodable(t Text, e Encoding, r rune, o Offset) error {
	line := t.LineAt(o) + 1
	return fault.New(fault.EncodingError, "%#U on line %d (byte %d) has no place in %s, the file's encoding", r, line, o, e).
		Advise("write it in characters that %s holds, or convert the file to utf-8 in the editor first", e).
		With("rune", fmt.Sprintf("%U", r)).With("offset", o).With("line", line).With("encoding", string(e))
}

func (f Format) codec() (codec, error) {
	if code, ok := codecOf(f.Encoding); ok {
		return code, nil
	}
	return nil, unknownEncoding(f.Encoding)
}

func unknownEncoding(e Encoding) error {
	return fault.New(fault.InvalidParams, "%q is not a known encoding", shorten(string(e), 40)).
		Advise("known are %s", joinEncodings())
}
