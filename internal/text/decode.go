package text

import (
	"unicode/utf8"

	"github.com/agent-lsp/agent-lsp/internal/reinterpret"
)

// Decoded is what bytes mean: a text and the format they had.
type Decoded struct {
	Text   Text
	Format Format
	// Detected tells that the encoding was guessed from the bytes: neither
	// forced, nor marked, nor plain valid UTF-8.
	Detected bool
	// Lossy tells that Format.Encode(Text) does not give the same bytes,
	// because some of them mean nothing in the encoding or are not the way
	// in which it is written.
	Lossy bool
}

// Decode makes a text of raw, the bytes of a file. The encoding is, first
// that applies: forced, unless it is ""; what a byte-order mark says; what
// [Sniff] sees in wide characters; UTF-8 if raw is valid; what [Detect] says.
// A mark of the forced encoding is a mark, not text.
//
// No bytes make it fail: what has no meaning becomes U+FFFD. The one error is
// invalid_params, for a forced encoding that is not in [Encodings]. The text
// must not be longer than [MaxLen].
func Decode(raw []byte, forced Encoding) (Decoded, error) {
	s := Sniff(raw, forced)
	if _, err := s.Format.codec(); err != nil {
		return Decoded{}, err
	}
	if !s.Assumed {
		return decodeAs(raw, s.Format, s.Detected), nil
	}
	if utf8.Valid(raw) {
		return Decoded{Text: newFrom(raw), Format: s.Format}, nil
	}
	return decodeAs(raw, Format{Encoding: Detect(raw)}, true), nil
}

func decodeAs(raw []byte, f Format, detected bool) Decoded {
	raw = raw[f.BOMLen():]
	out, _, lossy := f.NewDecoder().Append(make([]byte, 0, len(raw)+len(raw)/2), raw, true)
	return Decoded{Text: newFrom(out), Format: f, Detected: detected, Lossy: lossy}
}

// newFrom makes a text of valid UTF-8. A text's chunks are copies, so b is only
// shown, not given away.
func newFrom(b []byte) Text {
	mustFit(len(b))
	return standard().build(reinterpret.String(b))
}

// Decoder decodes the bytes of one format block by block. Its work can begin
// at the first byte of any character. It is not for concurrent use.
type Decoder struct{ code codec }

// NewDecoder returns a decoder for f; an encoding that is not in [Encodings]
// is read as UTF-8.
func (f Format) NewDecoder() *Decoder {
	if code, ok := codecOf(f.Encoding); ok {
		return &Decoder{code}
	}
	return &Decoder{utf8Codec{}}
}

// Append appends the text of raw, which begins at a character after the
// byte-order mark, to dst, whole characters only. consumed is how many bytes
// of raw it took: all at the end of the file (atEOF), else all but at most 3
// that begin a character; the next call starts with those. What was not taken
// plus one more block is enough to go on.
//
// Whatever the blocks, the pieces joined are the text that Decode gives. So
// (raw bytes taken, text bytes given) after any call are a place from which
// decoding can start again. lossy tells of this call's bytes what
// [Decoded].Lossy tells of all.
func (d *Decoder) Append(dst, raw []byte, atEOF bool) (out []byte, consumed int, lossy bool) {
	return d.code.decode(dst, raw, atEOF)
}
