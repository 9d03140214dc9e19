package text

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/agent-lsp/agent-lsp/internal/reinterpret"
)

// singleByte lists the encodings of one byte a character. All hold ASCII
// unchanged.
var singleByte = []struct {
	name  Encoding
	table *charmap.Charmap
}{
	{"ibm437", charmap.CodePage437}, {"ibm850", charmap.CodePage850}, {"ibm852", charmap.CodePage852},
	{"ibm855", charmap.CodePage855}, {"ibm858", charmap.CodePage858}, {"ibm860", charmap.CodePage860},
	{"ibm862", charmap.CodePage862}, {"ibm863", charmap.CodePage863}, {"ibm865", charmap.CodePage865},
	{"ibm866", charmap.CodePage866},
	{EncodingLatin1, charmap.ISO8859_1}, {"iso-8859-2", charmap.ISO8859_2}, {"iso-8859-3", charmap.ISO8859_3},
	{"iso-8859-4", charmap.ISO8859_4}, {"iso-8859-5", charmap.ISO8859_5}, {"iso-8859-6", charmap.ISO8859_6},
	{"iso-8859-7", charmap.ISO8859_7}, {"iso-8859-8", charmap.ISO8859_8}, {"iso-8859-9", charmap.ISO8859_9},
	{"iso-8859-10", charmap.ISO8859_10}, {"iso-8859-13", charmap.ISO8859_13}, {"iso-8859-14", charmap.ISO8859_14},
	{"iso-8859-15", charmap.ISO8859_15}, {"iso-8859-16", charmap.ISO8859_16},
	{"koi8-r", charmap.KOI8R}, {"koi8-u", charmap.KOI8U},
	{"macintosh", charmap.Macintosh}, {"x-mac-cyrillic", charmap.MacintoshCyrillic},
	{"windows-874", charmap.Windows874}, {"windows-1250", charmap.Windows1250}, {"windows-1251", charmap.Windows1251},
	{EncodingWindows1252, charmap.Windows1252}, {"windows-1253", charmap.Windows1253}, {"windows-1254", charmap.Windows1254},
	{"windows-1255", charmap.Windows1255}, {"windows-1256", charmap.Windows1256}, {"windows-1257", charmap.Windows1257},
	{"windows-1258", charmap.Windows1258},
}

// byteCodec reads and writes one byte a character. Bytes 0x80 to 0x9F that
// its table leaves undefined stand for the control characters of the same
// number, as in ISO 8859 and in browsers, so that any file in windows-1252
// comes back as it was. Other undefined bytes are U+FFFD, and lossy.
type byteCodec struct{ table *charmap.Charmap }

func (c byteCodec) decode(dst, src []byte, _ bool) ([]byte, int, bool) {
	lossy := false
	for i := 0; i < len(src); {
		n := asciiPrefix(src[i:])
		dst = append(dst, src[i:i+n]...)
		for i += n; i < len(src) && src[i] >= utf8.RuneSelf; i++ {
			r := c.table.DecodeByte(src[i])
			if r == utf8.RuneError {
				if r = rune(src[i]); !unicode.IsControl(r) {
					r, lossy = utf8.RuneError, true
				}
			}
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst, len(src), lossy
}

func (c byteCodec) encode(dst []byte, s string) ([]byte, int) {
	for i := 0; i < len(s); {
		n := asciiPrefix(reinterpret.Bytes(s[i:]))
		dst = append(dst, s[i:i+n]...)
		i += n
		for i < len(s) && s[i] >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			b, ok := c.encodeRune(r)
			if !ok {
				return dst, i
			}
			dst = append(dst, b)
			i += size
		}
	}
	return dst, len(s)
}

func (c byteCodec) encodeRune(r rune) (byte, bool) {
	if b, ok := c.table.EncodeRune(r); ok {
		return b, true
	}
	isUndefined := unicode.IsControl(r) && c.table.DecodeByte(byte(r)) == utf8.RuneError
	return byte(r), isUndefined
}
