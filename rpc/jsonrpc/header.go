package jsonrpc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"strconv"
	"strings"
)

// header is what the header block of a message says.
type header struct {
	length       int64 // bytes of the body; -1 while unknown
	size         int   // bytes of the block itself
	otherCharset bool  // the body is in another charset than UTF-8
}

// readHeader reads a header block with its blank line. Lines may end with LF
// alone. The errors are those of [stream.ReadFrame].
func (s *stream) readHeader() (header, error) {
	head := header{length: -1}
	for fields := 0; ; fields++ {
		line, err := s.reader.ReadSlice('\n')
		head.size += len(line)
		if err != nil {
			return head, headerError(err, head.size)
		}
		if head.size > maxHeaderBytes {
			return head, lost("a header block of more than %d bytes", maxHeaderBytes)
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			return head, s.checkHeader(head)
		}
		if fields == maxHeaderFields {
			return head, lost("more than %d header fields", maxHeaderFields)
		}
		if err := head.field(line); err != nil {
			return head, err
		}
	}
}

func (s *stream) checkHeader(head header) error {
	if head.length < 0 {
		return lost("Content-Length is missing")
	}
	if head.length > maxSkipFactor*s.conf.maxMessage {
		return lost("Content-Length %d is beyond belief", head.length)
	}
	return nil
}

// field takes in one line, which has no line end any more.
func (h *header) field(line []byte) error {
	name, value, found := bytes.Cut(line, []byte(":"))
	if !found || !isFieldName(name) {
		return lost("a header line that is no field")
	}
	switch value := bytes.TrimSpace(value); {
	case bytes.EqualFold(name, []byte("Content-Length")):
		return h.contentLength(value)
	case bytes.EqualFold(name, []byte("Content-Type")):
		h.otherCharset = isOtherCharset(string(value))
	}
	return nil
}

func (h *header) contentLength(value []byte) error {
	if h.length >= 0 {
		return lost("Content-Length twice")
	}
	n, err := strconv.ParseUint(string(value), 10, 63)
	if err != nil {
		return lost("Content-Length is no usable number")
	}
	h.length = int64(n)
	return nil
}

// isOtherCharset reports whether a Content-Type names another charset than UTF-8,
// for which old clients write "utf8". A value that cannot be read names none.
func isOtherCharset(contentType string) bool {
	_, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		return false
	}
	switch charset := params["charset"]; strings.ToLower(charset) {
	case "", "utf-8", "utf8":
		return false
	default:
		return true
	}
}

// isFieldName tells a field's name from the start of another protocol's line.
func isFieldName(name []byte) bool {
	for _, c := range name {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && c != '-' && c != '_' && (c < '0' || c > '9') {
			return false
		}
	}
	return len(name) > 0
}

// headerError is the error for a read that failed after size bytes of a block.
func headerError(err error, size int) error {
	switch {
	case errors.Is(err, io.EOF) && size == 0:
		return io.EOF
	case errors.Is(err, bufio.ErrBufferFull):
		return lost("a header line of more than %d bytes", maxHeaderBytes)
	default:
		return cut(err)
	}
}

func lost(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errFraming, fmt.Sprintf(format, args...))
}
