package jsonrpc

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
)

// What one connection may cost. Sizes are in bytes.
const (
	// maxMessageBytes is the largest body that is taken. A document of
	// 100 MB has to fit into one didOpen, also with every second character
	// escaped.
	maxMessageBytes = 256 << 20
	// maxSkipFactor times the largest body is what is still read to get past
	// a message that is too large. A Content-Length above it is a lie or
	// another protocol, and its end is not waited for.
	maxSkipFactor = 2
	// maxHeaderBytes is the largest header block, and so the longest line.
	maxHeaderBytes = 64 << 10
	// maxHeaderFields is the number of fields of a header block; LSP has two.
	maxHeaderFields = 64
	// maxBatch is the number of messages in a batch. Their answers are
	// collected before one is sent, so it bounds what a batch costs.
	maxBatch = 100
	// maxIDBytes is the length of a request's id as it is written.
	maxIDBytes = 1 << 10
	// maxRefusalLogs is the number of refused messages of one connection
	// that are logged, so that broken input does not fill the log.
	maxRefusalLogs = 20
)

// streamConfig holds what tests choose differently.
type streamConfig struct {
	maxMessage   int64         // bytes of the largest body that is taken
	writeTimeout time.Duration // how long the client may take no byte of an answer
	drainTimeout time.Duration // how long answers are owed to a client whose input has ended
}

func defaultStreamConfig() streamConfig {
	return streamConfig{
		maxMessage:   maxMessageBytes,
		writeTimeout: 30 * time.Second,
		drainTimeout: 5 * time.Second,
	}
}

// Why a connection ended; see [stream.end].
var (
	errFraming      = errors.New("the input is not framed as messages any more")
	errWriteTimeout = errors.New("the client has stopped reading")
	errExit         = errors.New("exit")
	errExitEarly    = errors.New("exit without shutdown")
	errAborted      = errors.New("the connection was given up")
)

// stream is the guard between a client and the JSON-RPC library. It speaks
// the framing of LSP's base protocol, and it hands on only messages that the
// library is known to take: the others are answered here and skipped.
//
// One goroutine reads at a time. Writing is safe for several; each message is
// written as a whole.
type stream struct {
	in   io.ReadCloser
	out  io.WriteCloser
	log  *slog.Logger
	conf streamConfig

	reader   *bufio.Reader
	body     []byte // for bodies that do not fit reader's buffer; at most keptBodyBytes long
	refusals int
	reading  context.Context // ends when nothing will be read any more
	readEnd  context.CancelFunc
	answered func(frame []byte) // takes the answers of the client; set before the first read

	writing  chan struct{} // holds one token while a message is written
	watchdog writeWatch
	buffers  sync.Pool // *[]byte
	queued   gauge     // bytes of messages that wait to be written or are
	owed     gauge     // answers that were not written yet

	closed chan struct{} // closed by end
	ending sync.Once
	cause  error // why the connection ended; set before closed is closed
}

// newStream returns a stream that owns in and out.
func newStream(in io.ReadCloser, out io.WriteCloser, conf streamConfig, log *slog.Logger) *stream {
	s := &stream{
		in:      in,
		out:     out,
		log:     log,
		conf:    conf,
		reader:  bufio.NewReaderSize(in, maxHeaderBytes),
		writing: make(chan struct{}, 1),
		closed:  make(chan struct{}),
	}
	s.reading, s.readEnd = context.WithCancel(context.Background())
	s.watchdog.init(conf.writeTimeout, func() { s.end(errWriteTimeout) })
	return s
}

// ReadFrame returns the body of the next message that the library may see,
// which stays valid until the next call, and the bytes it took on the wire.
// Messages that are refused or dropped before it are dealt with on the way.
//
// The error is [io.EOF] at the end of the input between two messages,
// [io.ErrUnexpectedEOF] inside one, and wraps errFraming when it cannot be
// told where the next message starts. It is returned only after the client
// had time to get the answers that it is owed.
func (s *stream) ReadFrame(context.Context) ([]byte, int64, error) {
	for {
		if s.ended() {
			return nil, 0, s.reason()
		}
		frame, size, err := s.next()
		if err != nil {
			return nil, 0, s.endInput(err)
		}
		if frame != nil {
			return frame, size, nil
		}
	}
}

// next reads one message. The frame is nil when the message is not for the
// library.
func (s *stream) next() (frame []byte, size int64, err error) {
	head, err := s.readHeader()
	if err != nil {
		return nil, 0, err
	}
	if head.length > s.conf.maxMessage || head.otherCharset {
		return nil, 0, s.skip(head)
	}
	body, err := s.readBody(int(head.length))
	if err != nil {
		return nil, 0, err
	}
	in := inspect(body)
	if in.refused != nil {
		return nil, 0, s.refuse(in.id, in.refused)
	}
	if in.dropped != "" {
		s.logRefusal(in.dropped)
		return nil, 0, nil
	}
	if in.answer {
		s.answered(in.frame)
		return nil, 0, nil
	}
	if in.owes {
		s.owed.add(1)
	}
	return in.frame, int64(head.size) + head.length, nil
}

// skip reads past the body of a message that is not taken, and answers it.
// Its id is unknown, because the body is not looked at.
func (s *stream) skip(head header) error {
	why := jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "a message of %d bytes is over the limit of %d", head.length, s.conf.maxMessage)
	if head.otherCharset {
		why = jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the body's charset is not utf-8")
	}
	if _, err := s.reader.Discard(int(head.length)); err != nil {
		return cut(err)
	}
	return s.refuse(jsonrpc2.ID{}, why)
}

// refuse answers a message that the library does not see.
func (s *stream) refuse(id jsonrpc2.ID, why *jsonrpc2.Error) error {
	s.logRefusal(why.Message)
	return s.writeError(id, why)
}

func (s *stream) logRefusal(why string) {
	s.refusals++
	switch {
	case s.refusals < maxRefusalLogs:
		s.log.Warn("message refused", "why", why)
	case s.refusals == maxRefusalLogs:
		s.log.Warn("message refused; further ones are not logged", "why", why)
	}
}

// endInput is called once nothing more can be read. The library writes no
// answer after it saw the end, so the end is held back until the answers that
// are owed are written, or the time for it is over.
func (s *stream) endInput(err error) error {
	if errors.Is(err, errFraming) && !s.ended() {
		// Best effort: the client learns why it is left.
		_ = s.writeError(jsonrpc2.ID{}, jsonrpc2.NewError(jsonrpc2.ParseError, err.Error()))
	}
	s.readEnd()
	limit := time.AfterFunc(s.conf.drainTimeout, func() { s.end(err) })
	defer limit.Stop()
	s.owed.waitAtMost(0, s.closed)
	s.end(err)
	return s.reason()
}

// Read implements [jsonrpc2.Stream]; the library prefers ReadFrame.
func (s *stream) Read(ctx context.Context) (jsonrpc2.Message, int64, error) {
	frame, size, err := s.ReadFrame(ctx)
	if err != nil {
		return nil, 0, err
	}
	msg, err := jsonrpc2.DecodeMessage(frame)
	return msg, size, err
}

// Close implements [jsonrpc2.Stream]. The library calls it after the end, and
// before it only when it gives up, which it should never have to.
func (s *stream) Close() error {
	s.end(errAborted)
	return nil
}

// end closes the connection; only the first cause counts. A Read or Write
// that is under way is interrupted where the file allows that; where it does
// not (a blocking terminal), it is left behind.
func (s *stream) end(cause error) {
	s.ending.Do(func() {
		s.cause = cause
		close(s.closed)
		s.readEnd()
		if !errors.Is(cause, errExit) && !errors.Is(cause, io.EOF) {
			s.log.Warn("the connection ends", "why", cause)
		}
		_, _ = s.in.Close(), s.out.Close() // nothing is to be had from them any more
	})
}

func (s *stream) ended() bool {
	select {
	case <-s.closed:
		return true
	default:
		return false
	}
}

// inputEnded reports whether no answer of the client can be read any more.
func (s *stream) inputEnded() bool { return s.reading.Err() != nil }

// reason tells why the connection ended. It may only be called once it has.
func (s *stream) reason() error {
	<-s.closed
	return s.cause
}

// cut is err for input that ends inside a message.
func cut(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return io.ErrUnexpectedEOF
	}
	return fmt.Errorf("read from the client: %w", err)
}
