package fakeeditor

import (
	"bytes"
	"testing"
)

func TestMinimal(t *testing.T) {
	tests := []struct {
		before, after string
		want          splice
	}{
		{"same", "same", splice{4, 4, ""}},
		{"abc", "axc", splice{1, 2, "x"}},
		{"aaa", "aa", splice{2, 3, ""}},
		{"", "new", splice{0, 0, "new"}},
		{"\u00e9", "\u00e8", splice{0, 2, "\u00e8"}}, // both start with the same byte
		{"a\r\nb", "a\rb", splice{1, 3, "\r"}},       // never between CR and LF
		{"a\nb", "a\r\nb", splice{1, 2, "\r\n"}},
	}
	for _, tt := range tests {
		got := minimal(tt.before, tt.after)
		if got != tt.want {
			t.Errorf("minimal(%q, %q) = %+v, want %+v", tt.before, tt.after, got, tt.want)
		}
		if after := got.apply(tt.before); after != tt.after {
			t.Errorf("minimal(%q, %q) makes %q", tt.before, tt.after, after)
		}
	}
}

func TestDescendingKeepsOrderOfInsertions(t *testing.T) {
	text := "abc"
	for _, s := range descending([]splice{{1, 1, "1"}, {2, 3, "C"}, {1, 1, "2"}, {1, 2, "B"}}) {
		text = s.apply(text)
	}
	if text != "a12BC" {
		t.Errorf("got %q", text)
	}
}

func TestOverlapping(t *testing.T) {
	if overlapping(descending([]splice{{0, 2, ""}, {2, 3, ""}, {2, 2, "x"}})) {
		t.Error("neighbours overlap")
	}
	if !overlapping(descending([]splice{{0, 2, ""}, {1, 3, ""}})) {
		t.Error("overlapping edits do not overlap")
	}
}

func TestFormatRoundTrip(t *testing.T) {
	tests := []struct {
		format Format
		raw    []byte
		text   string
	}{
		{Format{UTF8, false}, []byte("a\r\n"), "a\r\n"},
		{Format{UTF8, true}, []byte("\xef\xbb\xbfa"), "a"},
		{Format{"utf-16le", true}, []byte("\xff\xfea\x00\x3d\xd8\x00\xde"), "a\U0001F600"},
		{Format{"utf-16be", true}, []byte("\xfe\xff\x00a"), "a"},
		{Format{"iso-8859-1", false}, []byte("\xe9"), "\u00e9"},
	}
	for _, tt := range tests {
		if got := tt.format.Decode(tt.raw); got != tt.text {
			t.Errorf("%v: Decode(%q) = %q", tt.format, tt.raw, got)
		}
		if got, err := tt.format.Encode(tt.text); err != nil || !bytes.Equal(got, tt.raw) {
			t.Errorf("%v: Encode(%q) = %q, %v", tt.format, tt.text, got, err)
		}
		if got := DetectFormat(tt.raw); tt.format.BOM && got != tt.format {
			t.Errorf("DetectFormat(%q) = %v", tt.raw, got)
		}
	}
	if _, err := (Format{Encoding: "iso-8859-1"}).Encode("\u20ac"); err == nil {
		t.Error("Latin-1 has no euro sign")
	}
}
