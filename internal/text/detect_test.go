package text

import (
	"strings"
	"testing"
	"unicode"
)

// surround puts a comment among ASCII source code.
func surround(comment string) string {
	return "package main\n\nimport \"os\"\n\nfunc main() {\n\t// " + comment +
		"\n\tif _, err := os.Stat(\"x\"); err != nil {\n\t\treturn\n\t}\n}\n"
}

// tooShort lists what cannot be told from few letters: į and š alone are
// á and ð as well.
var tooShort = map[string]bool{
	"Lithuanian windows-1257 comment": true, "Lithuanian windows-1257 source": true,
}

func TestDetectLanguages(t *testing.T) {
	for _, s := range samples {
		for _, e := range s.encodings {
			for kind, want := range map[string]string{
				"prose": s.prose, "comment": s.comment, "source": surround(s.comment), "lines": strings.ReplaceAll(s.prose, ". ", ".\r\n"),
				"long": strings.Repeat(surround("plain ASCII"), 500) + surround(s.prose),
			} {
				raw, err := Format{Encoding: e}.Encode(New(want))
				if err != nil {
					t.Fatalf("%s is not written in %s: %v", s.language, e, err)
				}
				d := decoded(t, raw, "")
				name := s.language + " " + string(e) + " " + kind
				if got := d.Text.String() == want; got == tooShort[name] {
					t.Errorf("%s: taken for %s, right text: %v", name, d.Format.Encoding, got)
				}
				if !d.Detected || d.Lossy || d.Format.BOM {
					t.Errorf("%s: detected %v, lossy %v, mark %v", name, d.Detected, d.Lossy, d.Format.BOM)
				}
				if got := Detect(raw); got != d.Format.Encoding {
					t.Errorf("%s: Detect says %s, Decode %s", name, got, d.Format.Encoding)
				}
			}
		}
	}
}

// Files that are ASCII but for one sign or name, as old source files are.
func TestDetectLittle(t *testing.T) {
	for _, c := range []struct {
		raw  string
		want string
	}{
		{"Copyright \xA9 2003 Foo Inc.\n", "Copyright © 2003 Foo Inc.\n"},
		{"don\x92t \x93quote\x94 \x96 ok\x85", "don’t “quote” – ok…"},
		{"// J\xFCrgen M\xFCller", "// Jürgen Müller"},
		{"Jos\xE9", "José"},
		{"na\xEFve caf\xE9", "naïve café"},
		{"25 \xB0C, 10 \xB5s, \xBD", "25 °C, 10 µs, ½"},
		{"price: 5 \x80", "price: 5 €"},
		{"\xA0", "\u00A0"},
		{"Fran\xE7ois Beno\xEEt", "François Benoît"},
		{"\xD8yvind S\xF8rensen", "Øyvind Sørensen"},
		{"nu fyrir l\xEDn", "nu fyrir lín"},
		{"\xC6\xC1\xCA\xCC", "файл"},
		{"\xF0\xE0\xE1\xEE\xF2\xF3,", "работу,"},
		{"\xBE\xE8\xD8\xD1\xDA\xD8", "Ошибки"},
	} {
		d := decoded(t, []byte(c.raw), "")
		if d.Text.String() != c.want || !d.Detected || d.Lossy {
			t.Errorf("% x: %s, %+q, lossy %v; want %+q", c.raw, d.Format.Encoding, d.Text, d.Lossy, c.want)
		}
	}
}

func TestDamagedUTF8StaysUTF8(t *testing.T) {
	for _, raw := range []string{
		"Größe: über\xFF den Daumen, schön", "日本語のテキ\xE3\x82", strings.Repeat("日本語\n", 10000) + "\xC0", "\xE3é日本語",
	} {
		d := decoded(t, []byte(raw), "")
		if d.Format.Encoding != EncodingUTF8 || !d.Detected || !d.Lossy {
			t.Errorf("%.40q: %s, detected %v, lossy %v", raw, d.Format.Encoding, d.Detected, d.Lossy)
		}
	}
}

func TestIsDamagedUTF8(t *testing.T) {
	for telling, want := range map[string]bool{"": true, "é": true, "ééé\xff": false, "éééé\xff": true, "\xff": false} {
		if got := isDamagedUTF8([]byte(telling)); got != want {
			t.Errorf("%q: %v", telling, got)
		}
	}
}

// A file that was cut within a character is still readable, and lossy.
func TestDetectTextThatIsCutOff(t *testing.T) {
	for _, e := range []Encoding{EncodingShiftJIS, EncodingEUCJP} {
		raw, err := Format{Encoding: e}.Encode(New("ファイルが存在するか確認する"))
		if err != nil {
			t.Fatal(err)
		}
		d := decoded(t, raw[:len(raw)-1], "")
		if d.Format.Encoding != e || !d.Lossy || d.Text.String() != "ファイルが存在するか確認す\uFFFD" {
			t.Errorf("%s: taken for %s, lossy %v: %s", e, d.Format.Encoding, d.Lossy, d.Text)
		}
	}
}

// Whatever it is given, Detect answers an encoding that Decode knows, and
// Decode gives a text.
func FuzzDetect(f *testing.F) {
	for _, s := range samples {
		for _, e := range s.encodings {
			raw, err := Format{Encoding: e}.Encode(New(s.comment))
			if err != nil {
				f.Fatal(err)
			}
			f.Add(raw)
		}
	}
	f.Add([]byte("\xFF\xFE\x00\x00"))
	f.Add([]byte("\xFE\xFF\xD8"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		e := Detect(raw)
		if _, ok := codecOf(e); !ok {
			t.Fatalf("Detect says %q", e)
		}
		d, err := Decode(raw, "")
		if err != nil {
			t.Fatal(err)
		}
		again, err := d.Format.Encode(d.Text)
		if same := err == nil && string(again) == string(raw); same == d.Lossy {
			t.Fatalf("%v: lossy %v, but % x comes back as % x, %v", d.Format, d.Lossy, raw, again, err)
		}
		IsBinary(raw)
	})
}

func BenchmarkDetect(b *testing.B) {
	for _, s := range samples {
		raw, err := Format{Encoding: s.encodings[0]}.Encode(New(strings.Repeat(surround(s.comment), 500)))
		if err != nil {
			b.Fatal(err)
		}
		switch s.language {
		case "Russian", "French", "Japanese":
			b.Run(s.language, func(b *testing.B) {
				for b.Loop() {
					Detect(raw)
				}
			})
		}
	}
}

// TestSignsThatManyLanguagesShare cost the same in each: kana, full-width forms
// and punctuation, to the first and last of each range.
func TestSignsThatManyLanguagesShare(t *testing.T) {
	none := costs{}
	for _, c := range []struct {
		first, last rune
		want        int
	}{
		{0xFF01, 0xFF5E, costWide}, {0x3000, 0x3020, costWide}, {0x3041, 0x30FE, costWide},
		{0xFF5F, 0xFF9F, costOtherSign}, {0x3021, 0x3040, costOtherSign}, {0x30FF, 0x3100, costOtherSign}, {0x2FF0, 0x2FFF, costOtherSign},
	} {
		for r := c.first; r <= c.last; r++ {
			if got := none.ofSign(r, []byte{0x81, 0x40}, EncodingShiftJIS); got != c.want && !unicode.Is(unicode.Han, r) {
				t.Fatalf("%U costs %d, not %d", r, got, c.want)
			}
		}
	}
}

// TestLevelsOfSigns: the first and last rows of each level of each standard.
func TestLevelsOfSigns(t *testing.T) {
	for _, tt := range []struct {
		encodings   []Encoding
		first, last byte // lead bytes
		trail       byte
		want        int
	}{
		{[]Encoding{EncodingGB18030, EncodingGBK}, 0xB0, 0xD7, 0xA1, costFirstLevel},
		{[]Encoding{EncodingGB18030, EncodingGBK}, 0xD8, 0xFE, 0xA1, costSecondLevel},
		{[]Encoding{EncodingGB18030, EncodingGBK}, 0xA1, 0xAF, 0xA1, costSecondLevel},
		{[]Encoding{EncodingGB18030, EncodingGBK}, 0x81, 0xFE, 0xA0, costExtension},
		{[]Encoding{EncodingGB18030, EncodingGBK}, 0x81, 0xA0, 0xFE, costExtension},
		{[]Encoding{EncodingBig5}, 0xA4, 0xC6, 0x40, costFirstLevel},
		{[]Encoding{EncodingBig5}, 0xC9, 0xF9, 0x40, costSecondLevel},
		{[]Encoding{EncodingBig5}, 0xC7, 0xC8, 0xA1, costExtension},
		{[]Encoding{EncodingBig5}, 0x81, 0xA3, 0x40, costExtension},
		{[]Encoding{EncodingBig5}, 0xFA, 0xFE, 0x40, costExtension},
		{[]Encoding{EncodingShiftJIS}, 0x88, 0x98, 0x40, costFirstLevel},
		{[]Encoding{EncodingShiftJIS}, 0x99, 0xEA, 0x40, costSecondLevel},
		{[]Encoding{EncodingShiftJIS}, 0x81, 0x87, 0x40, costExtension},
		{[]Encoding{EncodingShiftJIS}, 0xEB, 0xFC, 0x40, costExtension},
		{[]Encoding{EncodingEUCJP}, 0xB0, 0xCF, 0xA1, costFirstLevel},
		{[]Encoding{EncodingEUCJP}, 0xD0, 0xFE, 0xA1, costSecondLevel},
		{[]Encoding{EncodingEUCJP}, 0xA1, 0xAF, 0xA1, costSecondLevel},
		{[]Encoding{EncodingEUCJP, EncodingEUCKR}, 0xB0, 0xC8, 0xA0, costExtension},
		{[]Encoding{EncodingEUCKR}, 0xB0, 0xC8, 0xA1, costFirstLevel},
		{[]Encoding{EncodingEUCKR}, 0xC9, 0xFE, 0xA1, costSecondLevel},
		{[]Encoding{EncodingEUCKR}, 0xA1, 0xAF, 0xA1, costSecondLevel},
	} {
		for _, e := range tt.encodings {
			for lead := int(tt.first); lead <= int(tt.last); lead++ {
				if got := levelCost([]byte{byte(lead), tt.trail}, e); got != tt.want {
					t.Errorf("%s, %x %x costs %d, not %d", e, lead, tt.trail, got, tt.want)
				}
			}
			if got := levelCost([]byte{tt.first, tt.trail, tt.trail}, e); got != costExtension {
				t.Errorf("%s, three bytes cost %d", e, got)
			}
		}
	}
}

// TestSignLength: kana of one byte, and what extensions write in three or four.
func TestSignLength(t *testing.T) {
	for _, tt := range []struct {
		e    Encoding
		raw  string
		want int
	}{
		{EncodingShiftJIS, "\xa1\xa1", 1}, {EncodingShiftJIS, "\xdf\xa1", 1}, {EncodingShiftJIS, "\x80\xa1", 1},
		{EncodingShiftJIS, "\xa0\xa1", 2}, {EncodingShiftJIS, "\xe0\xa1", 2}, {EncodingShiftJIS, "\x8f\xa1", 2},
		{EncodingEUCJP, "\x8f\xa1\xa1", 3}, {EncodingEUCJP, "\xa1\xa1", 2}, {EncodingEUCJP, "\x80\xa1", 2}, {EncodingEUCJP, "\x8e\xa1", 2},
		{EncodingGB18030, "\x810\x810", 4}, {EncodingGB18030, "\x819\x810", 4}, {EncodingGB18030, "\x81/", 2}, {EncodingGB18030, "\x81:", 2},
		{EncodingGB18030, "\x81", 2}, {EncodingGBK, "\x810", 2}, {EncodingBig5, "\x8f0", 2},
	} {
		if got := signLength([]byte(tt.raw), tt.e); got != tt.want {
			t.Errorf("%s: %q begins with a sign of %d bytes, not %d", tt.e, tt.raw, got, tt.want)
		}
	}
}
