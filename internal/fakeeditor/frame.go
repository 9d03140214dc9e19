package fakeeditor

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// maxFrame is the largest message body, in bytes, that the editor accepts.
const maxFrame = 256 << 20

// readFrame returns the next message's body. It is strict: header names as
// the specification spells them, CRLF after each, one Content-Length.
// io.EOF means that the stream ended between messages.
func readFrame(r *bufio.Reader) ([]byte, error) {
	length := -1
	for first := true; ; first = false {
		line, err := r.ReadString('\n')
		if errors.Is(err, io.EOF) && first && line == "" {
			return nil, io.EOF
		}
		if err != nil {
			return nil, fmt.Errorf("header cut short after %q: %w", line, err)
		}
		header, found := strings.CutSuffix(line, "\r\n")
		if !found {
			return nil, fmt.Errorf("header line %q does not end in CRLF", line)
		}
		if header == "" {
			break
		}
		if length, err = readHeader(header, length); err != nil {
			return nil, err
		}
	}
	if length < 0 || length > maxFrame {
		return nil, fmt.Errorf("unusable Content-Length %d", length)
	}
	var body bytes.Buffer
	if _, err := io.CopyN(&body, r, int64(length)); err != nil {
		return nil, fmt.Errorf("body cut short: %w", err)
	}
	return body.Bytes(), nil
}

func readHeader(header string, length int) (int, error) {
	name, value, found := strings.Cut(header, ": ")
	switch {
	case !found:
		return 0, fmt.Errorf("header line %q has no name", header)
	case name == "Content-Type":
		return length, nil
	case name != "Content-Length":
		return 0, fmt.Errorf("unknown header %q", name)
	case length >= 0:
		return 0, errors.New("Content-Length stands twice")
	}
	return strconv.Atoi(value)
}

// frame puts the header before a message's body.
func frame(body []byte) []byte {
	head := fmt.Sprintf("Content-Length: %d\r\n\r\n", len(body))
	return append([]byte(head), body...)
}
