package session

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// record is a connection that keeps what is written.
type record struct {
	net.Conn
	bytes.Buffer
}

func (r *record) Write(b []byte) (int, error)      { return r.Buffer.Write(b) }
func (r *record) SetWriteDeadline(time.Time) error { return nil }
func (r *record) Close() error                     { return nil }
func (r *record) Read([]byte) (int, error)         { return 0, io.EOF }

// TestFrames: what is written is read back, however it arrives.
func TestFrames(t *testing.T) {
	odd := "\x00\"\\\u2028é"
	messages := []message{
		{Do: doHello, Protocol: 1, Version: odd, PID: 7}, {Do: doAnswer, ID: 1 << 60}, {Do: doAnswer, ID: 2, Kind: "stale_file", Header: 3, Body: 4},
		{Do: doFailed, ID: 3, Message: odd, Hint: "h"}, {Do: doCall, ID: 4, Tool: odd, Progress: true, Roots: []folder{{Name: "n", Path: "/p", Within: "/w"}}},
	}
	bodies := [][]byte{nil, []byte("x"), bytes.Repeat([]byte("0123456789"), frameChunk/4), []byte(odd), bytes.Repeat([]byte("y"), frameChunk)}
	var out record
	w := frameWriter{conn: &out, now: time.Now}
	for i := range messages {
		half := len(bodies[i]) / 2
		if err := w.write(&messages[i], bodies[i][:half], nil, bodies[i][half:]); err != nil {
			t.Fatal(err)
		}
	}
	all := bytes.Clone(out.Bytes())
	for name, from := range map[string]io.Reader{
		"at once": bytes.NewReader(all), "byte by byte": iotest.OneByteReader(bytes.NewReader(all)), "with the end": iotest.DataErrReader(bytes.NewReader(all)),
	} {
		in := frameReader{r: bufio.NewReaderSize(from, 64)}
		for i := range messages {
			var m message
			body, err := in.next(&m)
			got, _ := wire.Marshal(m)
			want, _ := wire.Marshal(messages[i])
			if err != nil || !bytes.Equal(got, want) || !bytes.Equal(body, bodies[i]) {
				t.Fatalf("%s: %s %d bytes, %v; want %s %d bytes", name, got, len(body), err, want, len(bodies[i]))
			}
		}
		if _, err := in.next(new(message)); err != io.EOF {
			t.Errorf("%s: at the end %v", name, err)
		}
	}
	for cut := 1; cut < 40; cut++ {
		in := frameReader{r: bufio.NewReader(bytes.NewReader(all[:cut]))}
		if _, err := in.next(new(message)); err != io.ErrUnexpectedEOF {
			t.Errorf("cut at %d: %v", cut, err)
		}
	}
}

// TestLengthsAreNotTrusted: a frame that says it is large costs what arrives.
func TestLengthsAreNotTrusted(t *testing.T) {
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, 11), maxFrame-11)
	head = append(head, `{"do":"xx"}`...)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	in := frameReader{r: bufio.NewReader(io.MultiReader(bytes.NewReader(head), strings.NewReader("only this")))}
	_, err := in.next(new(message))
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; err != io.ErrUnexpectedEOF || grown > 2*frameChunk {
		t.Errorf("%v, %d bytes", err, grown)
	}
}

// FuzzFrames: any bytes give frames and then one error, and what is read can be
// written again.
func FuzzFrames(f *testing.F) {
	f.Add(frameOf(`{"do":"call","id":1,"tool":"t","extra":[{"uri":"u","carried":1}]}`, 'x'))
	f.Add(append(frameOf(`{"do":"answer","id":18446744073709551615}`), frameOf(`{}`)...))
	f.Add([]byte{0, 0, 0, 2, 0xff, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, raw []byte) {
		in := frameReader{r: bufio.NewReader(bytes.NewReader(raw))}
		for {
			var m message
			body, err := in.next(&m)
			if err != nil {
				broken, is := errors.AsType[errFrame](err)
				if !is && err != io.EOF && err != io.ErrUnexpectedEOF || is && broken.why == "" {
					t.Fatal(err)
				}
				return
			}
			_, _, _ = carriedIn(body, m.Extra)
			var out record
			w := frameWriter{conn: &out, now: time.Now}
			if err := w.write(&m, body); err != nil {
				t.Fatal(err)
			}
			var again message
			second := frameReader{r: bufio.NewReader(&out.Buffer)}
			if body2, err := second.next(&again); err != nil || !bytes.Equal(body, body2) || again.ID != m.ID {
				t.Fatalf("%+v was read again as %+v: %v", m, again, err)
			}
		}
	})
}
