package text

import (
	"slices"
	"strings"
)

// Encoding names how characters stand in bytes, without a byte-order mark.
// Only the canonical names listed by [Encodings] are used inside the program;
// [ParseEncoding] makes one from what others write. "" stands for UTF-8 in a
// [Format] and for "not given" as an argument.
type Encoding string

// The encodings that have code of their own or are named elsewhere in the
// program; [Encodings] lists all.
const (
	EncodingUTF8    Encoding = "utf-8"
	EncodingUTF16LE Encoding = "utf-16le"
	EncodingUTF16BE Encoding = "utf-16be"
	EncodingUTF32LE Encoding = "utf-32le"
	EncodingUTF32BE Encoding = "utf-32be"

	EncodingLatin1      Encoding = "iso-8859-1"
	EncodingWindows1252 Encoding = "windows-1252"

	EncodingGB18030  Encoding = "gb18030"
	EncodingGBK      Encoding = "gbk"
	EncodingBig5     Encoding = "big5"
	EncodingShiftJIS Encoding = "shift_jis"
	EncodingEUCJP    Encoding = "euc-jp"
	EncodingEUCKR    Encoding = "euc-kr"
)

// Encodings returns the canonical names of all encodings, sorted.
func Encodings() []Encoding {
	all := []Encoding{EncodingUTF8, EncodingUTF16LE, EncodingUTF16BE, EncodingUTF32LE, EncodingUTF32BE}
	for _, t := range multiByte {
		all = append(all, t.name)
	}
	for _, t := range singleByte {
		all = append(all, t.name)
	}
	slices.Sort(all)
	return all
}

// ParseEncoding returns the encoding that name means: its IANA name, a common
// alias, or the spelling of VS Code ("utf8bom", "windows1252", "shiftjis") or
// Neovim ("latin1", "cp1252", "euc-cn", "8bit-koi8-r"). Case and separators
// do not matter. Names that also tell of a mark ("utf8bom") give the encoding
// alone. UTF-16 and UTF-32 without a byte order mean big endian, as IANA and
// Vim have it.
func ParseEncoding(name string) (Encoding, bool) {
	key := encodingKey(name)
	if e, ok := encodingAliases[key]; ok {
		return e, true
	}
	for _, e := range Encodings() {
		if encodingKey(string(e)) == key {
			return e, true
		}
	}
	return "", false
}

// encodingKey drops what names are not told apart by: case, separators, and
// the prefixes that Vim puts before the names of unknown code pages.
func encodingKey(name string) string {
	name = strings.ToLower(name)
	name = strings.TrimPrefix(name, "8bit-")
	name = strings.TrimPrefix(name, "2byte-")
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, name)
}

func joinEncodings() string {
	var names []string
	for _, e := range Encodings() {
		names = append(names, string(e))
	}
	return strings.Join(names, ", ")
}
