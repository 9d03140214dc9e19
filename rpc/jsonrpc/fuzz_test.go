package jsonrpc

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"go.lsp.dev/jsonrpc2"

	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// FuzzFrames serves any bytes: nothing crashes, hangs or takes memory without
// bound, and what comes out is well-formed.
func FuzzFrames(f *testing.F) {
	start := frame(callOf(1, "initialize"))
	for _, body := range []string{
		goodCall, goodNotification, callOf(2, "async"), callOf("x", "fails"), callOf(3, "ask"), callOf(4, "shutdown"), notificationOf("exit"),
		`{"jsonrpc":"2.0","id":1,"result":null}`, `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}`,
		`[` + goodCall + `,1,` + callOf(5, "async") + `]`, `{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"\ud800"}}`,
		`{"jsonrpc":"2.0","id":1.0,"method":"a"}`, `{"jsonrpc"`, `{"a":[{"b":[{}]}]}`, "\xff",
	} {
		f.Add([]byte(start + frame(body) + frame(goodCall)))
	}
	f.Add([]byte("Content-Length: 99999\r\n\r\n{"))
	f.Add([]byte("Content-Length: 5\r\nContent-Type: a; charset=b\r\n\r\n12345" + start))
	f.Fuzz(func(t *testing.T, input []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		d := NewConn(map[string]Route{
			"initialize": Inline(constant("1")),
			"good":       Inline(constant("2")),
			"note":       Notification(constant("3")),
			"async":      always(constant("4")),
			"fails":      always(func(context.Context, *Caller, RawMessage) (any, error) { panic("fails") }),
			"ask": always(func(ctx context.Context, caller *Caller, params RawMessage) (any, error) {
				return nil, caller.Call(ctx, 0, "ask", params, nil)
			}),
		}, testCodec{}, slog.New(slog.DiscardHandler))
		d.streamConf.maxMessage = 1 << 20
		out := new(sink)
		_ = d.Serve(t.Context(), io.NopCloser(strings.NewReader(string(input))), out)
		runtime.ReadMemStats(&after)
		if got, most := after.TotalAlloc-before.TotalAlloc, uint64(8<<20+1000*len(input)); got > most {
			t.Errorf("%d bytes of input cost %d of memory", len(input), got)
		}
		checkOutput(t, out.String())
	})
}

// checkOutput checks that each message is whole and is one of JSON-RPC.
func checkOutput(t *testing.T, output string) {
	t.Helper()
	for output != "" {
		head, rest, _ := strings.Cut(output, "\r\n\r\n")
		var length int
		if n, err := jsonNumber(strings.TrimPrefix(head, "Content-Length: ")); err != nil || n > len(rest) {
			t.Fatalf("a header of %q with %d bytes behind it", head, len(rest))
		} else {
			length = n
		}
		if in := inspect([]byte(rest[:length])); in.refused != nil && rest[0] != '[' {
			t.Fatalf("%q is refused: %v", rest[:length], in.refused)
		}
		output = rest[length:]
	}
}

func jsonNumber(s string) (n int, err error) {
	err = json.Unmarshal([]byte(s), &n)
	return n, err
}

// FuzzInspect holds what is valid against encoding/json, and what it takes
// against the library.
func FuzzInspect(f *testing.F) {
	for _, body := range []string{goodCall, goodNotification, `[` + goodCall + `]`, `{"a":[1,-0.5e+1,true,null,"\ud83d\ude00\ud83d"]}`, `[1,]`, "\"\x1f\""} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		in := inspect([]byte(body))
		bad := in.refused != nil && in.refused.Code == jsonrpc2.ParseError
		if valid := json.Valid([]byte(body)) && utf8.ValidString(body); valid == bad {
			t.Fatalf("%q: valid is %v, but %v", body, valid, in.refused)
		}
		if in.frame != nil {
			if !utf8.Valid(in.frame) || !json.Valid(in.frame) {
				t.Errorf("%q is handed on", in.frame)
			}
			checkLibrary(t, string(in.frame))
		}
		if set := in.frame != nil; set == (in.refused != nil) && in.dropped == "" {
			t.Errorf("%q: neither taken nor refused", body)
		}
	})
}

// FuzzText holds the decoding of strings against encoding/json.
func FuzzText(f *testing.F) {
	for _, s := range []string{`"plain"`, `"\u0039\u00af\u00AF"`, `" a b "`, `"\"\\\/\b\f\n\r\t\u00e4"`, `"\ud83d\ude00\ud83d\ude00"`, `"\ud83d\ud83d\ude00\ude00x"`, `"12345678\n12345678"`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, quoted string) {
		var want string
		if !utf8.ValidString(quoted) || strings.TrimSpace(quoted) != quoted || json.Unmarshal([]byte(quoted), &want) != nil {
			return
		}
		if quoted[0] != '"' {
			return
		}
		if got := wire.Unquote([]byte(quoted)); got != want {
			t.Errorf("%s: got %q, want %q", quoted, got, want)
		}
		if mended := []byte(quoted); replaceLoneSurrogates(mended) && (!HasLoneSurrogate(mended) || wire.Unquote(mended) != want) {
			t.Errorf("%s became %s", quoted, mended)
		}
	})
}
