package search

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// patterns are of all sorts that the engines treat differently.
var patterns = strings.Split(strings.TrimSpace(`
a
e
func
return
context\.Context
ErrNotFound|ErrAlreadyExists|ErrConflict
Err(?:Large|Internal\w+)
\bfunc\b
\bNewReader\b
(?i)deadline exceeded
(?i)syntax
(?i:k)
[kK]
[sS]ize
(?i)spinlock|skulk
ſ
K
straße
(?i)привет
при(?:вет|нт)
[а-я]+
func \(.*\) Read[A-Z]\w+
^type \w+ struct
^func
^
$
^$
^\s*$
.
.*
.+
.*?
x*
x+
x?
(?:)
(?:a|)
(?:|a)
(|a)*
(|a)+
(a|ab)(c|bcd)(d*)
(?:a+)(?:b+)
a{2}
a{2,3}
a{2,}
(?:ab){1,3}c
(?:ab){2,}
a{0}b
(?:x?){3}
[A-Z][a-z]+[0-9]{3,}
\b\w{3}\d{4}\b
.*\bif\b.*\d$
\d+
\d+$
^\d
\D\d\D
\w+\s+\w+\s*=\s*\w+\(\)$
\s
\S+
\S+$
[^a]
[^\n]
[^\s]
[^a-z\s]+
\t
^\t+
\t\t\w
\x41
\x{1F600}
\pL+
\PL
\p{Lu}\p{Ll}+
\p{Greek}
[[:alpha:]]+
[[:^space:]]
[\d\-x]+
\Qa.b\E
\(
\)
\[\]
[\]]
[^\]]
[]a]
"[^"]*"
'[^']*'
//.*$
//.*TODO
/\*.*\*/
\bif\b
\Bif\B
\b
\B
^\b
\b$
\Aif
if\z
\A
\z
\A\z
$^
^$\n
a^b
a$b
(?m)^a
(?-m)^a
(?-m)a$
(?s).
(?s)a.b
(?s)a.*b
(?s)a.*?b
(?s)if.*?}
(?U)a+
(?U)a+?b
if err != nil {
if err != nil \{\n\s+return
\n
\n\n
a\n
\na
\n\t
{\n
\}\n\n
}\n}
^}\n
\s+$
\s*\n
\n\s*\n
[a-z]\n[a-z]
^.*$
^.+$
^.{3}$
^.{0,5}$
.{10,20}x
.{0,20}.{0,20}z
(?:a|b|c|d|e)(?:f|g|h|i|j)
(?:ab|cd|ef|gh|ij|kl|mn|op|qr|st)
foo|foobar
foobar|foo
(?i)err|if
(?i:err)Foo
(?i)a_b|c-d
(?i)[a-c]x
^(?:if|for|func)\b
^(?:\s*)(?:if|for)
(?:^|x)a
(?:^|\s)return(?:$|\s)
(?:^a|b)c?
^^a
^*a
(?:^)+a
x*^a
a|^b|c$
if|\bx
e\b
\be
\b\w\b
\w\b\w
\bé
é\b
ü|ö|ä
[üöä]
[^ü]
(?i)ü
(?i)ÜN
日本
[日本]
[^日]本
日.本
(?i)[k-s]
(?i)[^k-s]
(?i)\w
(?i)\W
Σ
(?i)σ
(?i)ς
(a)(b)?
(?P<name>i)(?P<other>f)
(((((((a)))))))
(?:(?:(?:a?)?)?)?
(?:a*)*
(?:a*)+
(?:a+)*b
(?:a|b)*abb
(?:0|1|2)*5
a.c.e
[aeiou]{3}
([a-z])([a-z])([a-z])\s
`), "\n")

// samples returns texts of all sorts.
func samples(t testing.TB) (small, large [][]byte) {
	small = [][]byte{
		nil,
		[]byte("\n"),
		[]byte("a"),
		[]byte("a\n"),
		[]byte("\n\na\n\n"),
		[]byte("if\nfi"),
		[]byte("aab\nabb\nab ab ab\naaa aaa\n\nb\na\nb\n"),
		[]byte("K k \u212a s S \u017f skulk SPINLOC\u212a Straße STRASSE ß\nſize \u017fyntax synta\u03c7\nσ ς Σ ΣΑΣ\n"),
		[]byte("при привет ПРИВЕТ Привет\nübung Übung ÜN\né e\u0301\n日本 日x本\r\n😀 \U0001F600\x00\x7f\n"),
		[]byte("foo foobar foobarfoo a_foo_b\nfoo\nfoobar\n\tif err != nil {\n\t\treturn err\n\t}\n}\n"),
	}
	goText := goSource(t, 12<<10)
	r := rand.New(rand.NewPCG(7, 7))
	unicodeText := []byte(strings.Repeat("x", 1000))
	for len(unicodeText) < 5<<10 {
		unicodeText = append(unicodeText, randomText(r)...)
	}
	oneLine := bytes.ReplaceAll(goText[:4<<10], []byte("\n"), []byte(" "))
	return small, [][]byte{goText[:3<<10], unicodeText, goText[len(goText)-6<<10:], oneLine, goText}
}

// librarySource is a tree of real source: the standard library's.
func librarySource(t testing.TB) string {
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal("no sources: ", err)
	}
	return filepath.Join(strings.TrimSpace(string(root)), "src")
}

// goSource returns up to size bytes of whole lines of Go's own library.
func goSource(t testing.TB, size int) []byte {
	var b []byte
	err := filepath.WalkDir(librarySource(t), func(path string, d os.DirEntry, err error) error {
		if err != nil || len(b) >= size {
			return filepath.SkipAll
		}
		if d.Type().IsRegular() && strings.HasSuffix(path, ".go") {
			var source []byte
			if source, err = os.ReadFile(path); err == nil {
				b = append(b, bytes.ToValidUTF8(source, nil)...)
			}
		}
		return err
	})
	if err != nil || len(b) == 0 {
		t.Fatal("no Go source:", err)
	}
	b = b[:min(size, len(b))]
	return b[:bytes.LastIndexByte(b, '\n')+1]
}

var atoms = []string{
	"a", "b", "ab", "k", "S", "é", "К", "日", ".", `\w`, `\W`, `\d`, `\s`, `\S`, "[ab]", "[^a]", "[^ab\\n]", "[a-kS]", `\pL`, `\n`,
	"^", "$", `\b`, `\B`, `\A`, `\z`, "(?i:ab)", "(?i:ks)", "(?i:é)", "(?s:.)", " ", "_", "()", "xyz", "1",
}

func randomPattern(r *rand.Rand, depth int) string {
	if depth == 0 {
		return atoms[r.IntN(len(atoms))]
	}
	sub := func() string { return randomPattern(r, depth-1) }
	switch r.IntN(7) {
	case 0:
		return sub()
	case 1, 2, 3:
		return sub() + sub()
	case 4:
		return "(?:" + sub() + "|" + sub() + ")"
	case 5:
		return "(?:" + sub() + ")" + []string{"*", "+", "?", "*?", "+?", "??", "{2}", "{1,3}", "{2,}", "{0,2}?"}[r.IntN(10)]
	}
	return "(" + sub() + "|" + sub() + "|" + sub() + ")"
}

func randomText(r *rand.Rand) []byte {
	pieces := []string{"a", "b", "ab", "k", "K", "s", "S", "\u212a", "ſ", "é", "É", "к", "К", "日", " ", "_", "1", "xyz", "\n", "\n", "\t", "AB", "😀"}
	var b []byte
	for range r.IntN(120) {
		b = append(b, pieces[r.IntN(len(pieces))]...)
	}
	return b
}
