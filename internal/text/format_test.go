package text

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

func TestEncodeWritesTheMark(t *testing.T) {
	for _, c := range []struct {
		format Format
		want   string
	}{
		{Format{}, "é"},
		{Format{BOM: true}, "\xEF\xBB\xBFé"},
		{Format{Encoding: EncodingUTF8, BOM: true}, "\xEF\xBB\xBFé"},
		{Format{Encoding: EncodingUTF16LE, BOM: true}, "\xFF\xFE\xE9\x00"},
		{Format{Encoding: EncodingUTF16BE, BOM: true}, "\xFE\xFF\x00\xE9"},
		{Format{Encoding: EncodingUTF32LE, BOM: true}, "\xFF\xFE\x00\x00\xE9\x00\x00\x00"},
		{Format{Encoding: EncodingUTF32BE, BOM: true}, "\x00\x00\xFE\xFF\x00\x00\x00\xE9"},
		{Format{Encoding: EncodingUTF16BE}, "\x00\xE9"},
		{Format{Encoding: EncodingLatin1, BOM: true}, "\xE9"}, // has no mark
	} {
		raw, err := c.format.Encode(New("é"))
		if err != nil || string(raw) != c.want {
			t.Errorf("%v gives % x, %v; want % x", c.format, raw, err, c.want)
		}
		if got, want := c.format.BOMLen(), len(c.want)-len(strings.TrimPrefix(c.want, markOf(c.format.Encoding))); got != want {
			t.Errorf("%v has a mark of %d bytes, want %d", c.format, got, want)
		}
	}
}

func TestEncodeNamesWhatTheEncodingDoesNotHold(t *testing.T) {
	long := strings.Repeat("0123456789abcde\n", 1<<14)
	for _, c := range []struct {
		encoding Encoding
		text     string
		rune     string
		offset   int
		line     int
	}{
		{EncodingLatin1, "a\nb\r\ncé€", "U+20AC", 8, 3},
		{EncodingWindows1252, "\x81Ł", "U+FFFD", 0, 1}, // New made U+FFFD of the byte
		{EncodingWindows1252, "Ł", "U+0141", 0, 1},
		{"koi8-r", "при\rвет ü", "U+00FC", 14, 2},
		{EncodingShiftJIS, "日本\n語😀", "U+1F600", 10, 2},
		{EncodingEUCKR, long + "é", "U+00E9", len(long), 1<<14 + 1},
		{EncodingBig5, long + "😀", "U+1F600", len(long), 1<<14 + 1},
		{EncodingGBK, "汉字\n\U00020000", "U+20000", 7, 2},
		{EncodingGB18030, "\uE000", "U+E000", 0, 1},
	} {
		_, err := Format{Encoding: c.encoding}.Encode(New(c.text))
		f, ok := errors.AsType[*fault.Error](err)
		if !ok || f.Kind != fault.EncodingError {
			t.Errorf("%s: got %v", c.encoding, err)
			continue
		}
		d := f.Details
		if d["rune"] != c.rune || d["offset"] != c.offset || d["line"] != c.line || d["encoding"] != string(c.encoding) {
			t.Errorf("%s: %v %v; want %s at %d, line %d", c.encoding, f.Message, d, c.rune, c.offset, c.line)
		}
		if _, herr := (Format{Encoding: c.encoding}).Hash(New(c.text)); herr == nil || herr.Error() != err.Error() {
			t.Errorf("Hash gives %v, Encode %v", herr, err)
		}
	}
}

func TestUnknownEncodingIsAnError(t *testing.T) {
	f := Format{Encoding: "utf-7"}
	if _, err := f.Encode(New("a")); fault.KindOf(err) != fault.InvalidParams {
		t.Errorf("Encode gives %v", err)
	}
	if _, err := f.Hash(Text{}); fault.KindOf(err) != fault.InvalidParams {
		t.Errorf("Hash gives %v", err)
	}
	if out, n, _ := f.NewDecoder().Append(nil, []byte("é"), true); string(out) != "é" || n != 2 {
		t.Errorf("its decoder gives %q, %d", out, n)
	}
}

type failingWriter struct{ after int }

var errFull = errors.New("full")

func (w *failingWriter) Write(p []byte) (int, error) {
	if w.after -= len(p); w.after < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestWriteToPassesOnTheWritersError(t *testing.T) {
	text := New(strings.Repeat("text\n", 1<<15))
	for _, e := range []Encoding{EncodingUTF8, EncodingUTF16LE, EncodingWindows1252, EncodingGB18030} {
		f := Format{Encoding: e, BOM: true}
		whole, err := f.Encode(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, after := range []int{0, 1, len(whole) / 2, len(whole) - 1} {
			if err := f.WriteTo(&failingWriter{after}, text); !errors.Is(err, errFull) {
				t.Errorf("%s, full after %d: %v", e, after, err)
			}
		}
		var b bytes.Buffer
		if err := f.WriteTo(&b, text); err != nil || !bytes.Equal(b.Bytes(), whole) {
			t.Errorf("%s: WriteTo and Encode differ, %v", e, err)
		}
	}
}

// Whatever a text was put together from, its hash is that of its bytes.
func TestHashOfEditedText(t *testing.T) {
	text := New(strings.Repeat("zeile\r\n", 1000)).Replace(Span{500, 700}, "größer").Replace(Span{0, 0}, "ä")
	for _, f := range []Format{{}, {BOM: true}, {Encoding: EncodingUTF16BE, BOM: true}, {Encoding: EncodingLatin1}} {
		raw, err := f.Encode(text)
		if err != nil {
			t.Fatal(err)
		}
		if h, err := f.Hash(text); err != nil || h != HashBytes(raw) {
			t.Errorf("%v: %v, %v; want %v", f, h, err, HashBytes(raw))
		}
	}
}

func BenchmarkHash(b *testing.B) {
	text := New(strings.Repeat("func (s *server) handle(w http.ResponseWriter) {\n", 1<<20/49))
	for _, e := range []Encoding{EncodingUTF8, EncodingUTF16LE, EncodingWindows1252, EncodingGB18030} {
		b.Run(string(e), func(b *testing.B) {
			b.SetBytes(int64(text.Len()))
			for b.Loop() {
				if _, err := (Format{Encoding: e}).Hash(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("floor", func(b *testing.B) {
		raw := []byte(text.String())
		b.SetBytes(int64(len(raw)))
		for b.Loop() {
			HashBytes(raw)
		}
	})
}
