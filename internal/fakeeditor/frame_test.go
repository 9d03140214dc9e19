package fakeeditor

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestReadFrame(t *testing.T) {
	tests := []struct {
		name, stream, want string
		ok                 bool
	}{
		{"plain", "Content-Length: 2\r\n\r\n{}", "{}", true},
		{"with a type", "Content-Type: x\r\nContent-Length: 2\r\n\r\n{}", "{}", true},
		{"LF only", "Content-Length: 2\n\n{}", "", false},
		{"no length", "Content-Type: x\r\n\r\n{}", "", false},
		{"two lengths", "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", "", false},
		{"unknown header", "Length: 2\r\n\r\n{}", "", false},
		{"not a number", "Content-Length: two\r\n\r\n{}", "", false},
		{"cut in the header", "Content-Le", "", false},
		{"cut in the body", "Content-Length: 3\r\n\r\n{}", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := readFrame(bufio.NewReader(strings.NewReader(tt.stream)))
			if (err == nil) != tt.ok || string(got) != tt.want {
				t.Errorf("got %q, %v", got, err)
			}
			if errors.Is(err, io.EOF) && errors.Unwrap(err) == nil {
				t.Error("a cut frame looks like a clean end")
			}
		})
	}
	if _, err := readFrame(bufio.NewReader(strings.NewReader(""))); err != io.EOF {
		t.Errorf("an empty stream gives %v, want io.EOF itself", err)
	}
}
