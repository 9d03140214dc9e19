package jsonrpc

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"
)

// rawClient speaks frames and nothing else.
type rawClient struct {
	in  *bufio.Reader
	out io.Writer
	buf []byte
}

func (c *rawClient) send(b *testing.B, body []byte) {
	c.buf = append(c.buf[:0], "Content-Length: "...)
	c.buf = strconv.AppendInt(c.buf, int64(len(body)), 10)
	c.buf = append(append(c.buf, "\r\n\r\n"...), body...)
	if _, err := c.out.Write(c.buf); err != nil {
		b.Fatal(err)
	}
}

func (c *rawClient) skip(b *testing.B) {
	line, err := c.in.ReadSlice('\n')
	if err != nil {
		b.Fatal(err)
	}
	n, err := strconv.Atoi(string(bytes.TrimSpace(line[len("Content-Length:"):])))
	if err != nil {
		b.Fatal(err)
	}
	if _, err := c.in.Discard(n + 2); err != nil {
		b.Fatal(err)
	}
}

// pipes returns a client's and a server's ends of two pipes of the system.
func pipes(b *testing.B) (client *rawClient, in, out *os.File) {
	b.Helper()
	in, toServer, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	fromServer, out, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = toServer.Close(); _ = fromServer.Close() })
	return &rawClient{in: bufio.NewReaderSize(fromServer, 128<<10), out: toServer}, in, out
}

// BenchmarkRoundTrip is what the connection layer costs: "floor" reads a
// frame, and writes one that is ready.
func BenchmarkRoundTrip(b *testing.B) {
	sizes := []struct {
		name string
		text string
	}{{"small", "ok"}, {"64KiB", strings.Repeat("a line of text, as long as usual\\n", 1986)}}
	for _, size := range sizes {
		result := RawMessage(`{"text":"` + size.text + `"}`)
		b.Run(size.name+"/floor", func(b *testing.B) { benchFloor(b, result) })
		b.Run(size.name+"/inline", func(b *testing.B) { benchCalls(b, Inline, result) })
		b.Run(size.name+"/async", func(b *testing.B) { benchCalls(b, always, result) })
	}
}

var benchCall = []byte(`{"jsonrpc":"2.0","id":1,"method":"agent/tools/call","params":{"name":"read_file","arguments":{"path":"main.go"}}}`)

func benchFloor(b *testing.B, result []byte) {
	client, in, out := pipes(b)
	body := jsonrpc2.AppendResponse(nil, jsonrpc2.NewNumberID(1), result, nil)
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer out.Close()
		server := &rawClient{in: bufio.NewReader(in), out: out}
		for {
			if _, err := server.in.Peek(1); err != nil {
				return
			}
			server.skip(b)
			server.send(b, body)
		}
	}()
	b.SetBytes(int64(len(result)))
	for b.Loop() {
		client.send(b, benchCall)
		client.skip(b)
	}
	_ = client.out.(io.Closer).Close()
	<-done
}

func benchCalls(b *testing.B, route func(Handler) Route, result any) {
	client, in, out := pipes(b)
	routes := map[string]Route{
		methodInitialize:   Inline(func(context.Context, *Caller, RawMessage) (any, error) { return nil, nil }),
		"agent/tools/call": route(func(context.Context, *Caller, RawMessage) (any, error) { return result, nil }),
	}
	d := NewConn(routes, testCodec{}, slog.New(slog.DiscardHandler))
	done := make(chan error)
	go func() { done <- d.Serve(b.Context(), in, out) }()
	client.send(b, []byte(`{"jsonrpc":"2.0","id":1,"method":"initialize"}`))
	client.skip(b)
	b.SetBytes(int64(len(result.(RawMessage))))
	for b.Loop() {
		client.send(b, benchCall)
		client.skip(b)
	}
	_ = client.out.(io.Closer).Close()
	if err := <-done; err != nil {
		b.Fatal(err)
	}
}

// BenchmarkInspect is the guard's pass over a message.
func BenchmarkInspect(b *testing.B) {
	for _, params := range []string{benchChange, benchOpen(25_000)} {
		body := []byte(`{"jsonrpc":"2.0","method":"textDocument/did","params":` + params + `}`)
		b.Run(strconv.Itoa(len(body)), func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if in := inspect(body); in.frame == nil {
					b.Fatal(in.refused)
				}
			}
		})
	}
}

const benchChange = `{"textDocument":{"uri":"file:///home/user/project/main.go","version":17},"contentChanges":[{"range":{"start":{"line":12,"character":7},"end":{"line":12,"character":7}},"rangeLength":0,"text":"x"}]}`

func benchOpen(lines int) string {
	return `{"textDocument":{"uri":"file:///a","languageId":"go","version":1,"text":"` + strings.Repeat(`\tline := compute(\"value\") // a comment\n`, lines) + `"}}`
}
