package search

import (
	"fmt"
	"testing"
)

// BenchmarkMatch finds patterns in Go's own library, 32 MB of it, as it is
// found in memory: all of it at once, and in blocks as an index hands them out.
func BenchmarkMatch(b *testing.B) {
	text := goSource(b, 32<<20)
	for _, p := range []Pattern{
		{Text: "PodSandboxChanged"},
		{Text: `context\.Context`},
		{Text: "err", Case: CaseSensitive},
		{Text: "err"},
		{Text: "deadline exceeded"},
		{Text: `\bNewReader\b`},
		{Text: "ErrNotFound|ErrAlreadyExists|ErrConflict"},
		{Text: `func \(.*\) Read[A-Z]\w+`},
		{Text: `^type \w+ struct`},
		{Text: "return", Word: true},
		{Text: `[A-Z][a-z]+[0-9]{3,}`},
		{Text: `\b\w{3}\d{4}\b`},
		{Text: `.*\bif\b.*\d$`},
		{Text: `\w+\s+\w+\s*=\s*\w+\(\)$`},
		{Text: `^\s*$`},
		{Text: `.{0,1000}.{0,1000}zq`},
		{Text: `\p{Lu}\p{Ll}+\d{3}`},
		{Text: `if err != nil \{\n\s+return err\n\s+\}`, Multiline: true},
		{Text: `\w+\n\n\w+ \d`, Multiline: true},
		{Text: `привет`},
	} {
		b.Run(fmt.Sprintf("%s/word=%v", p.Text, p.Word), func(b *testing.B) {
			m, err := Compile(p)
			if err != nil {
				b.Fatal(err)
			}
			n := 0
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				n = len(found(b, m, text))
			}
			b.ReportMetric(float64(n), "matches")
		})
	}
}

// BenchmarkFirst is what a pattern costs before the first byte is searched,
// and in one block.
func BenchmarkFirst(b *testing.B) {
	block := goSource(b, 32<<10)
	for _, text := range []string{"PodSandboxChanged", `func \(.*\) Read[A-Z]\w+`, `[A-Z][a-z]+[0-9]{3,}`, `\p{Lu}\p{Ll}+\d{3}`} {
		b.Run(text, func(b *testing.B) {
			for b.Loop() {
				m, err := Compile(Pattern{Text: text})
				if err != nil {
					b.Fatal(err)
				}
				found(b, m, block)
			}
		})
	}
}
