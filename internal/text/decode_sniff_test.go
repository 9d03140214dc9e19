package text

import (
	"strings"
	"testing"
)

func TestSniff(t *testing.T) {
	chinese, err := Format{Encoding: EncodingUTF16LE}.Encode(New("第一行\n第二行，很长。\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, head string
		forced     Encoding
		want       Sniffed
	}{
		{"nothing", "", "", Sniffed{Format: Format{Encoding: EncodingUTF8}, Assumed: true}},
		{"ASCII", "abc", "", Sniffed{Format: Format{Encoding: EncodingUTF8}, Assumed: true}},
		{"no UTF-8", "\xFF\xFF", "", Sniffed{Format: Format{Encoding: EncodingUTF8}, Assumed: true}},
		{"UTF-8 mark", "\xEF\xBB\xBFa", "", Sniffed{Format: Format{Encoding: EncodingUTF8, BOM: true}}},
		{"half a mark", "\xEF\xBB", "", Sniffed{Format: Format{Encoding: EncodingUTF8}, Assumed: true}},
		{"UTF-16LE mark", "\xFF\xFEa\x00", "", Sniffed{Format: Format{Encoding: EncodingUTF16LE, BOM: true}}},
		{"UTF-16BE mark", "\xFE\xFF", "", Sniffed{Format: Format{Encoding: EncodingUTF16BE, BOM: true}}},
		{"UTF-32LE mark", "\xFF\xFE\x00\x00", "", Sniffed{Format: Format{Encoding: EncodingUTF32LE, BOM: true}}},
		{"UTF-32BE mark", "\x00\x00\xFE\xFF", "", Sniffed{Format: Format{Encoding: EncodingUTF32BE, BOM: true}}},
		{"UTF-16LE", "h\x00i\x00\n\x00", "", Sniffed{Format: Format{Encoding: EncodingUTF16LE}, Detected: true}},
		{"UTF-16BE", "\x00h\x00i\x00\r\x00\n", "", Sniffed{Format: Format{Encoding: EncodingUTF16BE}, Detected: true}},
		{"UTF-32LE", "h\x00\x00\x00i\x00\x00\x00", "", Sniffed{Format: Format{Encoding: EncodingUTF32LE}, Detected: true}},
		{"UTF-32BE", "\x00\x00\x00h\x00\x00\x00i", "", Sniffed{Format: Format{Encoding: EncodingUTF32BE}, Detected: true}},
		{"UTF-16LE Chinese", string(chinese), "", Sniffed{Format: Format{Encoding: EncodingUTF16LE}, Detected: true}},
		{"one zero", "plain text with a zero\x00 in it, as some have", "", Sniffed{Format: Format{Encoding: EncodingUTF8}, Assumed: true}},
		{"ASCII letters, a zero at the end", "NaNaNaNaNaNaNa\n\x00", "", Sniffed{Format: Format{Encoding: EncodingUTF8}, Assumed: true}},
		{"UTF-16LE, an eighth of its bytes above ASCII", "NaNaNaNaNaNa\x8D\x8C\n\x00", "", Sniffed{Format: Format{Encoding: EncodingUTF16LE}, Detected: true}},
		{"UTF-16LE, a third of its bytes zeros", "h\x00i\x00h\x00i\x00NaNa", "", Sniffed{Format: Format{Encoding: EncodingUTF16LE}, Detected: true}},
		{"UTF-16LE, one of twenty rare", strings.Repeat("h\x00", 19) + "\x34\x12", "", Sniffed{Format: Format{Encoding: EncodingUTF16LE}, Detected: true}},
		{"numbers", "\x01\x00\x02\x00\x03\x00\x04\x00", "", Sniffed{Format: Format{Encoding: EncodingUTF8}, Assumed: true}},
		{"forced", "abc", "koi8-r", Sniffed{Format: Format{Encoding: "koi8-r"}}},
		{"forced, another's mark", "\xFF\xFEa\x00", EncodingUTF8, Sniffed{Format: Format{Encoding: EncodingUTF8}}},
		{"forced, its mark", "\xFF\xFE\x00\x00", EncodingUTF16LE, Sniffed{Format: Format{Encoding: EncodingUTF16LE, BOM: true}}},
		{"forced, no marks", "\xEF\xBB\xBF", EncodingLatin1, Sniffed{Format: Format{Encoding: EncodingLatin1}}},
	} {
		if got := Sniff([]byte(c.head), c.forced); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestDecodeByMark(t *testing.T) {
	for _, f := range []Format{
		{Encoding: EncodingUTF8, BOM: true}, {Encoding: EncodingUTF16LE, BOM: true}, {Encoding: EncodingUTF16BE, BOM: true},
		{Encoding: EncodingUTF32LE, BOM: true}, {Encoding: EncodingUTF32BE, BOM: true},
	} {
		for _, want := range []string{"", "x", "é漢😀\r\n", "\uFEFFmarked twice", "a\x00b"} {
			raw, err := f.Encode(New(want))
			if err != nil {
				t.Fatal(err)
			}
			if d := decoded(t, raw, ""); d.Format != f || d.Text.String() != want || d.Detected || d.Lossy {
				t.Errorf("%v %q: %+v %q", f, want, d.Format, d.Text)
			}
		}
	}
}

// Without zero bytes UTF-16 shows only in being nothing else.
func TestDecodeWideWithoutMark(t *testing.T) {
	for _, e := range []Encoding{EncodingUTF16LE, EncodingUTF16BE} {
		for _, want := range []string{
			"The quick brown fox\r\njumps over the lazy dog.\r\n", "Größe und Maß: 5 µm\n", "Привет, мир!\n",
			"程序逐行读取文件，并把结果写入日志。如果某一行是空的，就跳过它。", "このプログラムはファイルを一行ずつ読み込みます。",
			strings.Repeat("long enough to be looked at in part only\n", 1000),
		} {
			raw, err := Format{Encoding: e}.Encode(New(want))
			if err != nil {
				t.Fatal(err)
			}
			d := decoded(t, raw, "")
			if d.Format != (Format{Encoding: e}) || d.Text.String() != want || !d.Detected || d.Lossy {
				t.Errorf("%s %.20q: taken for %v, detected %v", e, want, d.Format, d.Detected)
			}
		}
	}
}

func TestIsBinary(t *testing.T) {
	for _, c := range []struct {
		name, head string
		want       bool
	}{
		{"nothing", "", false},
		{"text", "abc\n", false},
		{"Latin-1", "caf\xE9", false},
		{"control characters", "\x01\x02\x7F", false},
		{"a zero", "a\x00b", true},
		{"a zero after the UTF-8 mark", "\xEF\xBB\xBFa\x00b", true},
		{"ELF", "\x7FELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x3E\x00", true},
		{"PNG", "\x89PNG\r\n\x1A\n\x00\x00\x00\rIHDR", true},
		{"numbers of two bytes", "\x10\x00\x20\x00\x30\x00\x05\x00", true},
		{"numbers of four bytes", "A\x00\x00\x00\x01\x00\x00\x00", true},
		{"zeros", strings.Repeat("\x00", 100), true},
		{"UTF-16 with mark", "\xFF\xFEa\x00", false},
		{"UTF-32 with mark", "\x00\x00\xFE\xFF\x00\x00\x00a", false},
		{"UTF-16 without", "t\x00e\x00x\x00t\x00", false},
		{"a zero in the 8 KiB", strings.Repeat("a", 8191) + "\x00", true},
		{"a zero behind them", strings.Repeat("a", 8192) + "\x00", false},
	} {
		if got := IsBinary([]byte(c.head)); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// A wide text may end within a character where the sample is only its beginning.
func TestLooksLike(t *testing.T) {
	head := strings.Repeat("a\x00", binaryHead/2)
	for sample, want := range map[string]bool{
		"a\x00b\x00c\x00":                true,
		"a\x00b\x00c\x00d":               false,
		"a\x00b\x00\x00\xd8c\x00":        false,
		head[:binaryHead-2] + "\x3d\xd8": true,
		head[:binaryHead-4] + "\x3d\xd8": false,
	} {
		if got := looksLike([]byte(sample), EncodingUTF16LE); got != want {
			t.Errorf("%d bytes, %.12q…: %v", len(sample), sample, got)
		}
	}
}
