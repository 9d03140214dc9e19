package text

import (
	"slices"
	"strings"
	"testing"
)

func TestEncodings(t *testing.T) {
	all := Encodings()
	if !slices.IsSorted(all) || len(slices.Compact(slices.Clone(all))) != len(all) {
		t.Errorf("not sorted and unique: %v", all)
	}
	for _, e := range all {
		for _, name := range []string{string(e), strings.ToUpper(string(e)), strings.ReplaceAll(string(e), "-", ""), strings.ReplaceAll(string(e), "-", "_")} {
			if got, ok := ParseEncoding(name); !ok || got != e {
				t.Errorf("ParseEncoding(%q) = %q, %v; want %q", name, got, ok, e)
			}
		}
	}
	for alias, e := range encodingAliases {
		if !slices.Contains(all, e) {
			t.Errorf("alias %q means %q, which is not there", alias, e)
		}
		if encodingKey(alias) != alias {
			t.Errorf("alias %q can never match", alias)
		}
	}
}

func TestParseEncoding(t *testing.T) {
	for _, c := range []struct {
		names string
		want  Encoding
	}{
		{"utf8 utf8bom UTF-8 utf-8-sig ascii US-ASCII", EncodingUTF8},
		{"utf16le UTF-16LE ucs-2le", EncodingUTF16LE},
		{"utf16be utf-16 UTF-16BE ucs-2 ucs-2be", EncodingUTF16BE},
		{"utf-32le ucs-4le", EncodingUTF32LE},
		{"utf-32 ucs-4 utf-32be", EncodingUTF32BE},
		{"latin1 iso88591 ISO-8859-1 ISO8859_1 l1", EncodingLatin1},
		{"windows1252 cp1252 CP-1252 8bit-cp1252 Windows-1252", EncodingWindows1252},
		{"windows1250 cp1250", "windows-1250"},
		{"iso88592 latin2 iso-8859-2", "iso-8859-2"},
		{"iso885915 latin9 iso-8859-15", "iso-8859-15"},
		{"koi8r koi8-r KOI8-R 8bit-koi8-r", "koi8-r"},
		{"koi8u koi8-u koi8ru", "koi8-u"},
		{"cp866 ibm866", "ibm866"},
		{"cp437 ibm437", "ibm437"},
		{"macroman macintosh", "macintosh"},
		{"gbk gb2312 cp936 euc-cn 2byte-cp936 chinese", EncodingGBK},
		{"gb18030 GB-18030", EncodingGB18030},
		{"big5 cp950 big5hkscs Big5-HKSCS taiwan", EncodingBig5},
		{"shiftjis sjis cp932 Shift_JIS shift-jis windows-31j", EncodingShiftJIS},
		{"eucjp euc-jp EUC_JP ujis japan", EncodingEUCJP},
		{"euckr euc-kr cp949 korea uhc", EncodingEUCKR},
		{"windows874 cp874 tis-620", "windows-874"},
	} {
		for name := range strings.FieldsSeq(c.names) {
			if got, ok := ParseEncoding(name); !ok || got != c.want {
				t.Errorf("ParseEncoding(%q) = %q, %v; want %q", name, got, ok, c.want)
			}
		}
	}
	for _, name := range []string{"", "utf-7", "iso-2022-jp", "ucs-bom", "default", "klingon", "utf-8x", "utf-8a", "utf-8z", "utf-80", "utf-89", "-", "日本"} {
		if got, ok := ParseEncoding(name); ok {
			t.Errorf("ParseEncoding(%q) = %q", name, got)
		}
	}
}
