package search

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// reference returns what finds in a text what a Matcher must find, with the
// standard library.
func reference(p Pattern) func(b []byte) [][2]int {
	text := p.Text
	if p.Literal {
		text = regexp.QuoteMeta(text)
	}
	flags := "(?m:"
	if p.insensitive() {
		flags = "(?mi:"
	}
	if _, err := regexp.Compile("(" + text + ")"); err != nil {
		text += `\E` // a quotation that only the end closed
	}
	text = flags + text + ")"
	switch {
	case p.Multiline && p.Word:
		return referenceWords(text)
	case p.Word:
		return referenceLines(`(?:\A|\W)(` + text + `)(?:\z|\W)`)
	case p.Multiline:
		re := regexp.MustCompile(text)
		return func(b []byte) (found [][2]int) {
			for _, m := range re.FindAllIndex(b, -1) {
				if !phantom(b, m[0]) {
					found = append(found, [2]int{m[0], m[1]})
				}
			}
			return found
		}
	}
	return referenceLines("(" + text + ")")
}

// phantom reports whether an empty match is behind the last line.
func phantom(b []byte, at int) bool {
	return at == len(b) && (at == 0 || b[at-1] == '\n')
}

// referenceLines finds the first match of each line.
func referenceLines(text string) func(b []byte) [][2]int {
	re := regexp.MustCompile(text)
	return func(b []byte) (found [][2]int) {
		at := 0
		for line := range bytes.Lines(b) {
			if m := re.FindSubmatchIndex(bytes.TrimSuffix(line, []byte("\n"))); m != nil {
				found = append(found, [2]int{at + m[2], at + m[3]})
			}
			at += len(line)
		}
		return found
	}
}

// referenceWords is FindAllIndex with matches between characters that are
// none of a word.
func referenceWords(text string) func(b []byte) [][2]int {
	atStart := regexp.MustCompile(`(?:\A|\W)(` + text + `)(?:\z|\W)`)
	later := regexp.MustCompile(`\W(` + text + `)(?:\z|\W)`)
	return func(b []byte) (found [][2]int) {
		last := -1
		for at := 0; at <= len(b); {
			from, re := 0, atStart
			if at > 0 {
				_, size := utf8.DecodeLastRune(b[:at])
				from, re = at-size, later
			}
			m := re.FindSubmatchIndex(b[from:])
			if m == nil {
				break
			}
			start, end := from+m[2], from+m[3]
			if start < end || start != last && !phantom(b, start) {
				found = append(found, [2]int{start, end})
			}
			if last = end; end > at {
				at = end
				continue
			}
			_, size := utf8.DecodeRune(b[at:])
			at += max(size, 1)
		}
		return found
	}
}

func found(t testing.TB, m *Matcher, b []byte) [][2]int {
	t.Helper()
	var got [][2]int
	err := m.Match(t.Context(), b, func(start, end int) bool {
		got = append(got, [2]int{start, end})
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// differs tells how a pattern's matches differ from the reference's in one of
// the texts, or nothing.
func differs(t testing.TB, p Pattern, texts ...[]byte) string {
	t.Helper()
	m, err := Compile(p)
	if err != nil {
		return wronglyRefused(p, err)
	}
	ref := reference(p)
	for _, b := range texts {
		want := ref(b)
		for range 2 { // the second time with automata that know the text
			if got := found(t, m, b); !slices.Equal(got, want) {
				return difference(p, b, got, want)
			}
		}
		if d := lacking(m, p, b, want); d != "" {
			return d
		}
	}
	return ""
}

func wronglyRefused(p Pattern, err error) string {
	text := p.Text
	if p.Literal {
		text = regexp.QuoteMeta(text)
	}
	if _, bad := regexp.Compile(text); bad != nil || strings.Contains(err.Error(), "holds a line end") {
		return ""
	}
	return fmt.Sprintf("%+v: %v", p, err)
}

func difference(p Pattern, b []byte, got, want [][2]int) string {
	i := 0
	for i < len(got) && i < len(want) && got[i] == want[i] {
		i++
	}
	return fmt.Sprintf("%+v: match %d of %d is %s, want %s of %d", p, i, len(got), show(b, got, i), show(b, want, i), len(want))
}

func show(b []byte, ms [][2]int, i int) string {
	if i >= len(ms) {
		return "none"
	}
	m := ms[i]
	return fmt.Sprintf("[%d,%d) %q in %q", m[0], m[1], b[m[0]:min(m[1], m[0]+60)], b[max(0, m[0]-20):min(len(b), m[1]+20)])
}

// lacking tells which needed literals are not where a match is, or nothing.
func lacking(m *Matcher, p Pattern, b []byte, matches [][2]int) string {
	for _, at := range matches {
		start, end := at[0], at[1]
		if !p.Multiline {
			start, end = lineAround(b, 0, start)
		}
		line := b[start:end]
		if start == 0 || b[start-1] == '\n' {
			line = append([]byte("\n"), line...)
		}
		for _, set := range m.RequiredLiterals() {
			if !slices.ContainsFunc(set, func(l Literal) bool { return holds(line, l) }) {
				return fmt.Sprintf("%+v needs one of %+v, but matches %q", p, set, line)
			}
		}
	}
	return ""
}

func holds(line []byte, l Literal) bool {
	if l.Fold {
		return strings.Contains(lowerASCII(string(line)), l.Text)
	}
	return bytes.Contains(line, []byte(l.Text))
}

// options calls f with all combinations of a pattern's options, but that case
// and words are the same to plain text as to expressions.
func options(text string, f func(Pattern)) {
	for i := range 4 {
		p := Pattern{Text: text, Word: i&1 != 0, Multiline: i&2 != 0}
		for _, c := range []Case{CaseSmart, CaseSensitive, CaseInsensitive} {
			p.Case = c
			f(p)
		}
		if p.Literal = true; !p.Word {
			f(p)
		}
	}
}

func TestMatchAgrees(t *testing.T) {
	small, large := samples(t)
	for k, pattern := range patterns {
		t.Run(pattern, func(t *testing.T) {
			t.Parallel()
			i := k
			options(pattern, func(p Pattern) {
				texts := small
				if i++; i%8 == 0 { // the large texts take turns
					texts = append(slices.Clip(small), large[i/8%len(large)])
				}
				if d := differs(t, p, texts...); d != "" {
					t.Error(d)
				}
			})
		})
	}
}

func TestRandomPatternsAgree(t *testing.T) {
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 1))
		text := randomPattern(r, 3)
		p := Pattern{Text: text, Case: []Case{"", CaseSensitive, CaseInsensitive}[r.IntN(3)], Word: r.IntN(4) == 0, Multiline: r.IntN(2) == 0}
		if d := differs(t, p, randomText(r)); d != "" {
			t.Fatalf("seed %d: %s", seed, d)
		}
	}
}

func FuzzMatch(f *testing.F) {
	for i, pattern := range patterns {
		f.Add(pattern, "if err != nil {\n\treturn kKsSſ\u212a 12 Ünï\n\n}", uint8(i))
	}
	f.Fuzz(func(t *testing.T, pattern, text string, options uint8) {
		if len(pattern) > 200 || len(text) > 2000 || !utf8.ValidString(text) {
			return
		}
		p := Pattern{
			Text: pattern, Case: []Case{CaseSmart, CaseSensitive, CaseInsensitive, ""}[options&3],
			Word: options&4 != 0, Multiline: options&8 != 0, Literal: options&16 != 0,
		}
		if re, err := parse(p); err == nil && instructions(re) > 1000 {
			return // right, and slow, also in the standard library
		}
		if d := differs(t, p, []byte(text)); d != "" {
			t.Error(d)
		}
	})
}

func TestMatchStops(t *testing.T) {
	b := bytes.Repeat([]byte("a line\nand another one\n"), 1000)
	for _, p := range []Pattern{{Text: "line"}, {Text: `\w`}, {Text: `[a-z]+ [a-z]+`}, {Text: `a`, Multiline: true}, {Text: `\s\w`, Multiline: true}} {
		m, err := Compile(p)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		if err := m.Match(t.Context(), b, func(int, int) bool { n++; return n < 3 }); err != nil || n != 3 {
			t.Errorf("%+v: stopped after %d matches (%v), want 3", p, n, err)
		}
	}
}

func TestMatchIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	b := bytes.Repeat([]byte("func match(x int) string { return x }\n"), 100_000)
	for _, p := range []Pattern{{Text: "match"}, {Text: `\w+ \w`}, {Text: `return\s`, Multiline: true}} {
		m, err := Compile(p)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(ctx)
		n := 0
		err = m.Match(ctx, b, func(int, int) bool { n++; cancel(); return true })
		if err == nil || n > 20_000 {
			t.Errorf("%+v: %d matches after it was cancelled: %v", p, n, err)
		}
		n = 0
		if err := m.Match(ctx, b, func(int, int) bool { n++; return true }); err == nil || n > 0 {
			t.Errorf("%+v: %d matches although it was cancelled: %v", p, n, err)
		}
	}
}

// countingContext is cancelled at the n-th look at it.
type countingContext struct {
	context.Context
	looks, end int
}

func (c *countingContext) Err() error {
	if c.looks++; c.looks >= c.end {
		return context.Canceled
	}
	return nil
}

// TestMatchLooksAtContext: no engine runs for long without a look at the
// context, be the text one line or many.
func TestMatchLooksAtContext(t *testing.T) {
	line := strings.Repeat("func match(x int) string { return x } ", 30_000)
	lines := strings.ReplaceAll(line, "} ", "}\n")
	for _, text := range []string{line, lines, strings.Repeat("日本", 200_000)} {
		for _, p := range []Pattern{
			{Text: "nowhere"}, {Text: "nowhere", Case: CaseSensitive}, {Text: "n+owhere|z"}, {Text: `[A-Z]{4}\d`}, {Text: `.{0,500}.{0,500}zz`},
			{Text: `\d{3}x`, Multiline: true}, {Text: `nowhere`, Multiline: true}, {Text: `x[^z]*zz`, Multiline: true}, {Text: `(?s)f.*zz`, Multiline: true},
		} {
			m, err := Compile(p)
			if err != nil {
				t.Fatal(err)
			}
			ctx := &countingContext{Context: t.Context(), end: 1 << 30}
			if err := m.Match(ctx, []byte(text), func(int, int) bool { return false }); err != nil {
				t.Fatal(err)
			}
			if want := len(text) / (2 * spotBytes); ctx.looks < want {
				t.Errorf("%+v: %d looks at the context within %d bytes, want %d", p, ctx.looks, len(text), want)
			}
			ctx = &countingContext{Context: t.Context(), end: 4}
			if err := m.Match(ctx, []byte(text), func(int, int) bool { return true }); err == nil || ctx.looks > 8 {
				t.Errorf("%+v: %v after %d looks at a context that was over", p, err, ctx.looks)
			}
		}
	}
}

// TestMatchIsBounded gives texts and patterns that make automata grow; each
// search ends, and no automaton is larger than it may be.
func TestMatchIsBounded(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	b := make([]byte, 3<<10)
	for i := range b {
		b[i] = "ab"[r.IntN(2)]
	}
	for _, text := range []string{`(?:a|b)*a(?:a|b){14}c`, `.{0,500}.{0,500}z`, `(?:a?){100}b{100}$`, `(?:.{1,20}a){1,9}c`} {
		for _, multiline := range []bool{false, true} {
			m, err := Compile(Pattern{Text: text, Multiline: multiline})
			if err != nil {
				t.Fatal(err)
			}
			if got := found(t, m, b); len(got) > 0 {
				t.Errorf("%s matches %v", text, got)
			}
			for _, e := range m.idle {
				for _, d := range []*dfa{e.scan, e.find, e.back} {
					if d != nil && d.size > d.limit+1<<20 {
						t.Errorf("%s: an automaton of %d bytes", text, d.size)
					}
				}
			}
		}
	}
}

func TestMatchIsConcurrent(t *testing.T) {
	b := goSource(t, 30<<10)
	for _, p := range []Pattern{{Text: `[A-Z][a-z]+\d`}, {Text: "return"}, {Text: `\bif\b.*{$`}, {Text: `{\n\s+\w`, Multiline: true}} {
		m, err := Compile(p)
		if err != nil {
			t.Fatal(err)
		}
		want := reference(p)(b)
		t.Run(p.Text, func(t *testing.T) {
			for range 8 {
				t.Run("", func(t *testing.T) {
					t.Parallel()
					for range 3 {
						if got := found(t, m, b); !slices.Equal(got, want) {
							t.Errorf("%+v: %d matches, want %d", p, len(got), len(want))
						}
					}
				})
			}
		})
	}
}

// TestSmallAutomata searches with automata that are full all the time, so that
// they start over while several lanes are on their way.
func TestSmallAutomata(t *testing.T) {
	small, large := samples(t)
	for i, pattern := range patterns {
		p := Pattern{Text: pattern, Word: i%3 == 0, Multiline: i%2 == 0}
		m, err := Compile(p)
		if err != nil {
			continue
		}
		e := m.take()
		for k, d := range []*dfa{e.scanner(), e.finder(), e.backer()} {
			d.limit = 400 * (i%5 + k)
		}
		m.give(e)
		ref := reference(p)
		for _, b := range append(slices.Clip(small), large[i%4]) {
			if got, want := found(t, m, b), ref(b); !slices.Equal(got, want) {
				t.Error(difference(p, b, got, want))
			}
		}
	}
}
