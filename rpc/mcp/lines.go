package mcp

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"sync"
	"time"
)

const (
	// maxLine is the longest message that is read, in bytes.
	maxLine = 64 << 20
	// readBlock is how much is read at once, in bytes.
	readBlock = 64 << 10
	// writeBlock is the most that is written at once, in bytes: the time limit
	// is for a client that takes nothing, not for one that is slow.
	writeBlock = 1 << 20
	// writeTimeout is how long a client may take nothing.
	writeTimeout = 30 * time.Second
	// keptLine is the largest buffer that is kept for the next line, in bytes.
	keptLine = 512 << 10
)

var errLineTooLong = errors.New("the message is longer than 64 MiB")

// lineReader reads messages, one a line.
type lineReader struct{ r *bufio.Reader }

func newLineReader(r io.Reader) lineReader { return lineReader{bufio.NewReaderSize(r, readBlock)} }

// waiting reports whether more has been read than next returned.
func (l lineReader) waiting() bool { return l.r.Buffered() > 0 }

// next returns the next line that is not blank, without its end. It is the
// caller's own. After errLineTooLong the line behind it can be read.
func (l lineReader) next() ([]byte, error) {
	for {
		line, err := l.line()
		if line = bytes.TrimSpace(line); len(line) > 0 || err != nil {
			return line, err
		}
	}
}

// line returns a line, however it ends: the last one may lack its end.
func (l lineReader) line() ([]byte, error) {
	var whole []byte
	tooLong := false
	for {
		part, err := l.r.ReadSlice('\n')
		if !tooLong && len(whole)+len(part) > maxLine {
			tooLong, whole = true, nil
		}
		if !tooLong {
			whole = append(whole, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case tooLong:
			return nil, errLineTooLong
		case errors.Is(err, io.EOF) && len(whole) > 0:
			return whole, nil
		}
		return whole, err
	}
}

// lineWriter writes messages, one a line, whole and one after the other.
type lineWriter struct {
	// failed is called once, when the client does not take what is written.
	failed func(error)
	// patience is how long the client may take nothing.
	patience time.Duration

	mu  sync.Mutex
	out io.WriteCloser
	buf []byte
	err error
}

// write makes a message with build, which appends it to what it is given, and
// sends it as one line. After a failure it does nothing.
func (w *lineWriter) write(build func(dst []byte) []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return w.err
	}
	w.buf = append(build(w.buf[:0]), '\n')
	if w.err = w.emit(w.buf); w.err != nil {
		w.failed(w.err)
	}
	if cap(w.buf) > keptLine {
		w.buf = nil
	}
	return w.err
}

func (w *lineWriter) emit(line []byte) error {
	timed, _ := w.out.(interface{ SetWriteDeadline(time.Time) error })
	for len(line) > 0 {
		block := line[:min(len(line), writeBlock)]
		if timed != nil {
			// A file that has no deadlines is waited for without one.
			_ = timed.SetWriteDeadline(time.Now().Add(w.patience))
		}
		n, err := w.out.Write(block)
		if err != nil {
			return err
		}
		line = line[n:]
	}
	return nil
}
