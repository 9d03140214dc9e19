package wire

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
)

// standard is what encoding/json makes of s, less its escapes of U+2028 and
// U+2029, which JSON does not demand.
func standard(t testing.TB, s string) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		t.Fatal(err)
	}
	out := strings.TrimSuffix(b.String(), "\n")
	if !strings.Contains(s, `\u202`) && !strings.Contains(s, `\ufffd`) {
		out = strings.NewReplacer(`\u2028`, "\u2028", `\u2029`, "\u2029", `\ufffd`, "\uFFFD").Replace(out)
	}
	return out
}

// check holds s against encoding/json, and what was there before against loss.
func check(t testing.TB, s string) {
	t.Helper()
	const before = "before"
	got := string(AppendString([]byte(before), s))
	body, ok := strings.CutPrefix(got, before)
	if !ok {
		t.Fatalf("AppendString lost what was there: %q", got)
	}
	if want := standard(t, s); body != want && !strings.Contains(s, `\u`) {
		t.Fatalf("AppendString(%q)\n got %s\nwant %s", s, body, want)
	}
	var back string
	if err := json.Unmarshal([]byte(body), &back); err != nil {
		t.Fatalf("AppendString(%q) is no JSON: %v", s, err)
	}
	if want := string([]rune(s)); back != want {
		t.Fatalf("AppendString(%q) reads back as %q", s, back)
	}
}

func TestAppendStringEveryByteEverywhere(t *testing.T) {
	for b := range 256 {
		for at := range 19 {
			s := []byte("abcdefgh ijklmn opq")
			s[at] = byte(b)
			check(t, string(s))
		}
	}
}

func TestAppendString(t *testing.T) {
	for _, s := range []string{
		"", "a", `"`, "\x00", "plain", "12345678", "1234567\n", "12345678\n", "\t\t\t\t\t\t\t\t\t",
		"<a href='x'>&</a>", "\u2028\u2029", "\uFFFD", "é", "日本語のテキスト", "👩‍👩‍👧 🇩🇪", "\x7f", "\x80", "a\xffb", "\xed\xa0\x80", "\xf0\x9f\x98",
		strings.Repeat("\x01", escapeBlock), strings.Repeat("x", escapeBlock-1) + "é" + "\n", strings.Repeat("\"", 3*escapeBlock+1),
	} {
		check(t, s)
	}
}

func TestAppendStringRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	alphabet := []string{"a", "b", " ", "\n", "\t", "\"", "\\", "\x00", "\x1f", "é", "漢", "😀", "\xff", "\xe6\xbc", "\u2028", "<", "words and words"}
	for range 5000 {
		var b strings.Builder
		for range r.IntN(60) {
			b.WriteString(alphabet[r.IntN(len(alphabet))])
		}
		check(t, b.String())
	}
}

// The buffer that a caller hands in may be of any size, and it is used.
func TestAppendStringKeepsWithinItsBuffer(t *testing.T) {
	s := strings.Repeat("line of \"text\"\n", 10)
	whole := AppendString(nil, s)
	for size := range len(whole) + 20 {
		buf := bytes.Repeat([]byte{'#'}, size+64)
		got := AppendString(buf[:0:size], s)
		if !bytes.Equal(got, whole) {
			t.Fatalf("with a buffer of %d: %q", size, got)
		}
		if tail := buf[size:]; string(tail) != strings.Repeat("#", 64) {
			t.Fatalf("with a buffer of %d it wrote past the end: %q", size, tail)
		}
	}
}

func FuzzAppendString(f *testing.F) {
	for _, s := range []string{"", "a\"b\\c\nd", "\x00\x1f\x7f\x80", "é漢😀\u2028", `\u2028`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { check(t, s) })
}

// sourceText is n bytes that look like indented source code.
func sourceText(n int) string {
	const sample = "func (s *server) handle(w http.ResponseWriter, r *http.Request) {\n" +
		"\tif err := s.authenticate(r, \"basic\"); err != nil {\n" +
		"\t\tlog.Printf(\"cannot authenticate %q: %v\\n\", r.RemoteAddr, err)\n" +
		"\t\treturn\n\t}\n\tfor i, part := range strings.Split(r.URL.Path, \"/\") {\n" +
		"\t\ts.parts[i] = append(s.parts[i], part...)\n\t}\n}\n\n"
	return strings.Repeat(sample, n/len(sample)+1)[:n]
}

func BenchmarkAppendString(b *testing.B) {
	const size = 64 << 10
	for _, in := range []struct{ name, text string }{
		{"source", sourceText(size)},
		{"prose", strings.Repeat("The quick brown fox jumps over the lazy dog, and then some more.\n", size/65)},
		{"chinese", strings.Repeat("敏捷的棕色狐狸跳过了懒狗。\n", size/40)},
	} {
		b.Run(in.name, func(b *testing.B) {
			var buf []byte
			b.SetBytes(int64(len(in.text)))
			for b.Loop() {
				buf = AppendString(buf[:0], in.text)
			}
		})
	}
}
