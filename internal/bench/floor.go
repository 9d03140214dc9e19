package bench

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// floorRequest is what the floor server is asked: n bytes of a file.
type floorRequest struct {
	ID   int    `json:"id"`
	Path string `json:"path"`
	Off  int64  `json:"off"`
	N    int    `json:"n"`
}

// ServeFloor is the least that a server of windows has to do: it reads a
// framed request, preads, escapes, and writes a framed answer. It checks
// nothing and knows nothing else.
func ServeFloor(in io.Reader, out io.Writer) error {
	r := bufio.NewReaderSize(in, 64<<10)
	var body, raw, answer []byte
	files := map[string]*os.File{}
	for {
		n, err := readHeader(r)
		if err != nil {
			return err
		}
		body = grow(body, n)
		if _, err := io.ReadFull(r, body); err != nil {
			return err
		}
		var q floorRequest
		if err := json.Unmarshal(body, &q); err != nil {
			return err
		}
		f := files[q.Path]
		if f == nil {
			if f, err = os.Open(q.Path); err != nil {
				return err
			}
			files[q.Path] = f
		}
		raw = grow(raw, q.N)
		if _, err := f.ReadAt(raw, q.Off); err != nil && err != io.EOF {
			return err
		}
		const headroom = 64
		answer = append(answer[:0], make([]byte, headroom)...)
		answer = append(answer, `{"jsonrpc":"2.0","id":`...)
		answer = append(strconv.AppendInt(answer, int64(q.ID), 10), `,"result":{"content":`...)
		answer = append(appendEscaped(answer, raw), "}}"...)
		header := fmt.Sprintf("Content-Length: %d\r\n\r\n", len(answer)-headroom)
		start := headroom - len(header)
		copy(answer[start:], header)
		if _, err := out.Write(answer[start:]); err != nil {
			return err
		}
	}
}

func grow(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}

// readHeader reads a header block and returns the length of the body.
func readHeader(r *bufio.Reader) (int, error) {
	n := 0
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return 0, err
		}
		if line = strings.TrimSpace(line); line == "" {
			return n, nil
		}
		if value, ok := strings.CutPrefix(line, "Content-Length:"); ok {
			if n, err = strconv.Atoi(strings.TrimSpace(value)); err != nil {
				return 0, err
			}
		}
	}
}

// appendEscaped appends b as a JSON string, eight bytes at a time where none
// of them needs care.
func appendEscaped(dst, b []byte) []byte {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(b); {
		if i+8 <= len(b) {
			w := binary.LittleEndian.Uint64(b[i:])
			quote, slash := w^(ones*'"'), w^(ones*'\\')
			special := (w - ones*0x20) | (quote - ones) | (slash - ones)
			if special&^w&tops == 0 {
				i += 8
				continue
			}
		}
		c := b[i]
		i++
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		dst = append(dst, b[start:i-1]...)
		start = i
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\t':
			dst = append(dst, '\\', 't')
		case '\r':
			dst = append(dst, '\\', 'r')
		default:
			dst = fmt.Appendf(dst, `\u%04x`, c)
		}
	}
	return append(append(dst, b[start:]...), '"')
}

// floorBody is a request to the floor server.
func floorBody(id int, path string, off int64, n int) []byte {
	body, err := json.Marshal(floorRequest{ID: id, Path: path, Off: off, N: n})
	check(err)
	return body
}
