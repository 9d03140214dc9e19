package scenario

import (
	"reflect"
	"strings"
	"testing"
)

func TestParseScript(t *testing.T) {
	got, err := parseScript("# comment\n\nopen a.txt\ncall read_file {\"path\": \"{\",\n  \"edits\": [\n  ]}\nsave a.txt\n")
	if err != nil {
		t.Fatal(err)
	}
	want := []command{
		{3, "open", "a.txt"},
		{4, "call", `read_file {"path": "{", "edits": [ ]}`},
		{7, "save", "a.txt"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v", got)
	}
	if _, err := parseScript("call x {"); err == nil {
		t.Error("an open bracket is no error")
	}
}

func TestSplitWords(t *testing.T) {
	tests := []struct {
		in   string
		want []word
	}{
		{`a.txt 1:2  "x \"y\"\r\n" <@t`, []word{{"a.txt", false}, {"1:2", false}, {"x \"y\"\r\n", true}, {"<@t", false}}},
		{``, nil},
		{`""`, []word{{"", true}}},
	}
	for _, tt := range tests {
		if got, err := splitWords(tt.in); err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("splitWords(%s) = %v, %v", tt.in, got, err)
		}
	}
	if _, err := splitWords(`"open`); err == nil {
		t.Error("an unfinished string is no error")
	}
}

func TestLiteral(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "a\n\tb\n", "a\n\tb\n"},
		{"empty", "", ""},
		{"no final line end", "a\nb", "\"a\\n\"\n\"b\"\n"},
		{"CRLF", "a\r\n", "\"a\\r\\n\"\n"},
		{"trailing blank", "a \n", "\"a \\n\"\n"},
		{"a marker of txtar", "-- x --\n", "\"-- x --\\n\"\n"},
		{"not UTF-8", "\xff\n", "\"\\xff\\n\"\n"},
		{"invisible", "a\u200bb\n", "\"a\\u200bb\\n\"\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := section(tt.in); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestLiteralShortensButTellsTheHash(t *testing.T) {
	a, b := strings.Repeat("line\n", 100), strings.Repeat("line\n", 50)+"Line\n"+strings.Repeat("line\n", 49)
	if section(a) == section(b) {
		t.Error("two long texts look the same")
	}
	if n := len(literal(a, true)); n != headLines+1+tailLines {
		t.Errorf("%d lines", n)
	}
	long, other := strings.Repeat("x", 999)+"\n", strings.Repeat("x", 500)+"y"+strings.Repeat("x", 498)+"\n"
	if section(long) == section(other) {
		t.Error("two long lines look the same")
	}
}

func TestLineFacts(t *testing.T) {
	tests := []struct {
		text   string
		starts []int
		eol    string
	}{
		{"", nil, "none"},
		{"a", []int{0}, "none"},
		{"a\n", []int{0}, "lf"},
		{"a\r\nb\rc\n", []int{0, 3, 5}, "mixed"},
		{"\r\r", []int{0, 1}, "cr"},
		{"a\r\n\r\n", []int{0, 3}, "crlf"},
	}
	for _, tt := range tests {
		if got := lineStarts(tt.text); !reflect.DeepEqual(got, tt.starts) {
			t.Errorf("lineStarts(%q) = %v", tt.text, got)
		}
		if got := lineEnds(tt.text); got != tt.eol {
			t.Errorf("lineEnds(%q) = %s", tt.text, got)
		}
	}
	if l := lineOf([]int{0, 3, 5}, 4); l != 2 {
		t.Errorf("byte 4 is in line %d", l)
	}
}
