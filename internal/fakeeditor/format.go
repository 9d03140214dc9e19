package fakeeditor

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Format is how a document stands in bytes. The zero value is UTF-8 without a
// mark.
type Format struct {
	Encoding string // "" or "utf-8", "utf-16le", "utf-16be", "iso-8859-1"
	BOM      bool
}

const byteOrderMark = "\uFEFF"

// DetectFormat tells a format by its mark; without one it is UTF-8.
func DetectFormat(raw []byte) Format {
	switch {
	case bytes.HasPrefix(raw, []byte(byteOrderMark)):
		return Format{UTF8, true}
	case bytes.HasPrefix(raw, []byte{0xff, 0xfe}):
		return Format{"utf-16le", true}
	case bytes.HasPrefix(raw, []byte{0xfe, 0xff}):
		return Format{"utf-16be", true}
	}
	return Format{Encoding: UTF8}
}

// Decode returns the text without its mark. Bytes that are no text in the
// format become U+FFFD, as editors show them.
func (f Format) Decode(raw []byte) string {
	text := f.decode(raw)
	if f.BOM {
		text = strings.TrimPrefix(text, byteOrderMark)
	}
	return text
}

func (f Format) decode(raw []byte) string {
	switch f.Encoding {
	case "utf-16le", "utf-16be":
		units := make([]uint16, 0, len(raw)/2)
		for i := 0; i+1 < len(raw); i += 2 {
			hi, lo := raw[i], raw[i+1]
			if f.Encoding == "utf-16le" {
				hi, lo = lo, hi
			}
			units = append(units, uint16(hi)<<8|uint16(lo))
		}
		return string(utf16.Decode(units))
	case "iso-8859-1":
		runes := make([]rune, len(raw))
		for i, b := range raw {
			runes[i] = rune(b)
		}
		return string(runes)
	}
	return strings.ToValidUTF8(string(raw), string(utf8.RuneError))
}

// Encode returns the bytes that saving text would write.
func (f Format) Encode(text string) ([]byte, error) {
	if f.BOM {
		text = byteOrderMark + text
	}
	var out []byte
	switch f.Encoding {
	case "", UTF8:
		return []byte(text), nil
	case "utf-16le", "utf-16be":
		for _, u := range utf16.Encode([]rune(text)) {
			hi, lo := byte(u>>8), byte(u)
			if f.Encoding == "utf-16le" {
				hi, lo = lo, hi
			}
			out = append(out, hi, lo)
		}
		return out, nil
	case "iso-8859-1":
		for _, r := range text {
			if r > 0xff {
				return nil, fmt.Errorf("%q does not exist in iso-8859-1", r)
			}
			out = append(out, byte(r))
		}
		return out, nil
	}
	return nil, fmt.Errorf("the fake editor does not know the encoding %q", f.Encoding)
}
