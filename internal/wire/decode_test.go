package wire

import (
	"errors"
	"io"
	"strings"
	"testing"
)

func TestDecoderNestsThisDeep(t *testing.T) {
	for depth, fits := range map[int]bool{MaxDepth: true, MaxDepth + 1: false} {
		d := NewDecoder([]byte(strings.Repeat("[", depth) + strings.Repeat("]", depth)))
		if _, err := d.ReadValue(); (err == nil) != fits {
			t.Errorf("%d levels: %v", depth, err)
		}
	}
}

// TestDecoderTakesWhatTheGrammarDoes: names twice and halves of pairs are others'
// to judge; and what is read is of the bytes that were given.
func TestDecoderTakesWhatTheGrammarDoes(t *testing.T) {
	data := []byte(` {"a":"\ud800","a":1} `)
	d := NewDecoder(data)
	v, err := d.ReadValue()
	if err != nil || &v[0] != &data[1] {
		t.Errorf("%s, %v", v, err)
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		t.Errorf("behind it: %v", err)
	}
}

func TestUnquote(t *testing.T) {
	for quoted, want := range map[string]string{
		`""`: "", `"plain ä"`: "plain ä", `"\"\\\/\b\f\n\r\t\u00e4\ud83d\ude00"`: "\"\\/\b\f\n\r\tä😀", `"a\ud83db"`: "a\uFFFDb",
	} {
		raw := []byte(quoted)
		got := Unquote(raw)
		clear(raw)
		if got != want {
			t.Errorf("%s: %q", quoted, got)
		}
	}
}
