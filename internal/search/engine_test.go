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

// reference finds what a Matcher must find, with the standard library.
func reference(p Pattern, b []byte) [][2]int {
	text := p.Text
	if p.Literal {
		text = regexp.QuoteMeta(text)
	}
	flags := "(?m:"
	if p.insensitive() {
		flags = "(?mi:"
	}
	text = flags + text + ")"
	switch {
	case p.Multiline && p.Word:
		return referenceWords(text, b)
	case p.Multiline:
		var found [][2]int
		for _, m := range regexp.MustCompile(text).FindAllIndex(b, -1) {
			if !phantom(b, m[0]) {
				found = append(found, [2]int{m[0], m[1]})
			}
		}
		return found
	case p.Word:
		return referenceLines(regexp.MustCompile(`(?:\A|\W)(`+text+`)(?:\z|\W)`), b)
	}
	return referenceLines(regexp.MustCompile("("+text+")"), b)
}

// phantom tells whether an empty match is behind the last line.
func phantom(b []byte, at int) bool {
	return at == len(b) && (at == 0 || b[at-1] == '\n')
}

func referenceLines(re *regexp.Regexp, b []byte) [][2]int {
	var found [][2]int
	at := 0
	for line := range bytes.Lines(b) {
		if m := re.FindSubmatchIndex(bytes.TrimSuffix(line, []byte("\n"))); m != nil {
			found = append(found, [2]int{at + m[2], at + m[3]})
		}
		at += len(line)
	}
	return found
}

// referenceWords is FindAllIndex with matches between characters that are
// none of a word.
func referenceWords(text string, b []byte) [][2]int {
	atStart := regexp.MustCompile(`(?:\A|\W)(` + text + `)(?:\z|\W)`)
	later := regexp.MustCompile(`\W(` + text + `)(?:\z|\W)`)
	var found [][2]int
	last := -1
	for at := 0; at <= len(b); {
		from, re := 0, atStart
		if at > 0 {
			_, size := utf8.DecodeLastRune(b[:at])
			from, re = at-size, later
		}
		m := re.FindSubmatchIndex(b[from:])
		if m == nil {
			return found
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

// differs tells how a pattern's matches differ from the reference's, or
// nothing.
func differs(t testing.TB, p Pattern, b []byte) string {
	t.Helper()
	m, err := Compile(p)
	if err != nil {
		text := p.Text
		if p.Literal {
			text = regexp.QuoteMeta(text)
		}
		if _, bad := regexp.Compile(text); bad == nil && !strings.Contains(err.Error(), "holds a line end") {
			return fmt.Sprintf("%+v: %v", p, err)
		}
		return ""
	}
	want := reference(p, b)
	for round := range 2 { // the second with automata that know the text
		got := found(t, m, b)
		if slices.Equal(got, want) {
			continue
		}
		for i := range max(len(got), len(want)) {
			if i >= len(got) || i >= len(want) || got[i] != want[i] {
				return fmt.Sprintf("%+v, round %d: match %d of %d is %s, want %s of %d",
					p, round, i, len(got), show(b, got, i), show(b, want, i), len(want))
			}
		}
	}
	return lacking(m, p, b, want)
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
		for _, set := range m.Needs() {
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

// options calls f with all combinations of a pattern's options.
func options(text string, f func(Pattern)) {
	for _, c := range []Case{CaseSmart, CaseSensitive, CaseInsensitive} {
		for i := range 8 {
			f(Pattern{Text: text, Case: c, Word: i&1 != 0, Multiline: i&2 != 0, Literal: i&4 != 0})
		}
	}
}

func TestMatchAgrees(t *testing.T) {
	texts := samples(t)
	for _, pattern := range patterns {
		t.Run(pattern, func(t *testing.T) {
			t.Parallel()
			i := 0
			options(pattern, func(p Pattern) {
				for k, b := range texts {
					// The large texts take turns.
					if i++; len(b) > 4<<10 && i%3 != k%3 {
						continue
					}
					if d := differs(t, p, b); d != "" {
						t.Error(d)
					}
				}
			})
		})
	}
}

func TestRandomPatternsAgree(t *testing.T) {
	for seed := range uint64(3000) {
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
