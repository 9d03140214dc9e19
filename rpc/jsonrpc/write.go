package jsonrpc

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"sync/atomic"
	"time"

	"go.lsp.dev/jsonrpc2"
)

const (
	// writeBlock is the most that is written at once. A longer message goes
	// out in blocks, so that the write timeout measures a client that takes
	// nothing, not one that is slow.
	writeBlock = 1 << 20
	// keptBufferBytes is the largest write buffer that is kept.
	keptBufferBytes = 1 << 20
	// headerRoom is the space left before a body for its header: 20 bytes of
	// text and at most 19 digits.
	headerRoom = 40
)

// Write implements [jsonrpc2.Stream]: the library writes answers and nothing
// else. Concurrent calls are put in a row.
func (s *stream) Write(_ context.Context, msg jsonrpc2.Message) (int64, error) {
	buf := s.buffer()
	*buf = jsonrpc2.AppendMessage(*buf, msg)
	return s.sendAnswer(buf)
}

// WriteFrame writes a body that is already JSON: the answers to a batch.
func (s *stream) WriteFrame(_ context.Context, body []byte) (int64, error) {
	buf := s.buffer()
	*buf = append(*buf, body...)
	return s.sendAnswer(buf)
}

// writeError answers a message that the library never saw.
func (s *stream) writeError(id jsonrpc2.ID, why *jsonrpc2.Error) error {
	buf := s.buffer()
	*buf = jsonrpc2.AppendResponse(*buf, id, nil, why)
	s.owed.add(1)
	_, err := s.sendAnswer(buf)
	return err
}

// sendAnswer sends what is owed, until the connection ends.
func (s *stream) sendAnswer(buf *[]byte) (int64, error) {
	defer s.owed.add(-1)
	return s.send(context.Background(), buf)
}

// sendRequest sends a call or notification of this side. It is given up with
// ctx as long as none of it is written.
func (s *stream) sendRequest(ctx context.Context, msg jsonrpc2.Message) error {
	buf := s.buffer()
	*buf = jsonrpc2.AppendMessage(*buf, msg)
	_, err := s.send(ctx, buf)
	return err
}

// send writes the body that stands in buf behind headerRoom bytes.
func (s *stream) send(ctx context.Context, buf *[]byte) (int64, error) {
	defer s.recycle(buf)
	frame := frameBody(*buf)
	s.queued.add(len(frame))
	defer s.queued.add(-len(frame))
	if err := s.lockWriting(ctx); err != nil {
		return 0, err
	}
	defer func() { <-s.writing }()
	return s.emit(frame)
}

// lockWriting waits until no other message is being written.
func (s *stream) lockWriting(ctx context.Context) error {
	if s.ended() {
		return s.reason()
	}
	select {
	case s.writing <- struct{}{}:
		return nil
	default:
	}
	select {
	case s.writing <- struct{}{}:
		return nil
	case <-s.closed:
		return s.reason()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// emit writes a frame. A client that takes nothing for the write timeout ends
// the connection: the answers that wait behind it must not pile up.
func (s *stream) emit(frame []byte) (int64, error) {
	written := 0
	for written < len(frame) {
		block := frame[written:min(len(frame), written+writeBlock)]
		s.watchdog.begin()
		n, err := s.out.Write(block)
		s.watchdog.end()
		written += n
		if err == nil && n < len(block) {
			err = io.ErrShortWrite
		}
		if err != nil {
			s.end(fmt.Errorf("write to the client: %w", err))
			return int64(written), s.reason()
		}
	}
	return int64(written), nil
}

// writeWatch calls expired when a write takes longer than limit. Its timer is
// not set for each write, which would wake a thread each time, but looks now
// and then whether the write under way began too long ago.
type writeWatch struct {
	limit time.Duration
	epoch time.Time
	since atomic.Int64 // when the write began, in ns after epoch; 0 while there is none
	armed atomic.Bool  // the timer is set
	timer *time.Timer
}

func (w *writeWatch) init(limit time.Duration, expired func()) {
	w.limit, w.epoch = limit, time.Now().Add(-1) // so that since is never 0
	w.timer = time.AfterFunc(limit, func() { w.check(expired) })
	w.timer.Stop()
}

func (w *writeWatch) begin() {
	w.since.Store(int64(time.Since(w.epoch)))
	if !w.armed.Swap(true) {
		w.timer.Reset(w.limit)
	}
}

func (w *writeWatch) end() { w.since.Store(0) }

func (w *writeWatch) check(expired func()) {
	w.armed.Store(false) // before since is read: a write that begins now sets it again
	since := w.since.Load()
	if since == 0 {
		return
	}
	left := w.limit - (time.Since(w.epoch) - time.Duration(since))
	if left <= 0 {
		expired()
		return
	}
	if !w.armed.Swap(true) {
		w.timer.Reset(left)
	}
}

// frameBody puts the header in front of the body in buf, without moving it.
func frameBody(buf []byte) []byte {
	var room [headerRoom]byte
	head := append(room[:0], "Content-Length: "...)
	head = strconv.AppendInt(head, int64(len(buf)-headerRoom), 10)
	head = append(head, "\r\n\r\n"...)
	start := headerRoom - len(head)
	copy(buf[start:], head)
	return buf[start:]
}

// buffer returns a buffer of headerRoom bytes.
func (s *stream) buffer() *[]byte {
	if buf, ok := s.buffers.Get().(*[]byte); ok {
		return buf
	}
	buf := make([]byte, headerRoom, 512)
	return &buf
}

func (s *stream) recycle(buf *[]byte) {
	if cap(*buf) > keptBufferBytes {
		return
	}
	*buf = (*buf)[:headerRoom]
	s.buffers.Put(buf)
}
