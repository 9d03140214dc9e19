package jsonrpc

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.lsp.dev/jsonrpc2"

	"go.uber.org/goleak"

	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// frame puts LSP's header in front of a body.
func frame(body string) string {
	return "Content-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body
}

// sink is an output that keeps what is written.
type sink struct{ bytes.Buffer }

func (*sink) Close() error { return nil }

// readAll gives input to a stream and returns the frames that come through,
// what was answered, and the error at the end.
func readAll(input io.Reader, conf streamConfig) (frames []string, answered string, err error) {
	out := new(sink)
	s := newStream(io.NopCloser(input), out, conf, slog.New(slog.DiscardHandler))
	s.answered = func(frame []byte) { frames = append(frames, string(frame)) }
	for {
		body, _, err := s.ReadFrame(context.Background())
		if err != nil {
			return frames, out.String(), err
		}
		if !s.owed.reached(0) {
			s.owed.add(-1) // as if it were answered
		}
		frames = append(frames, string(body))
	}
}

func testConfig() streamConfig {
	conf := defaultStreamConfig()
	conf.maxMessage = 1 << 20
	return conf
}

// answers decodes the frames of an output.
func answers(t testing.TB, output string) []answer {
	t.Helper()
	var all []answer
	for r := bufio.NewReader(strings.NewReader(output)); ; {
		body, err := readFrame(r)
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatalf("the output is not framed: %v\n%q", err, output)
		}
		var one answer
		if err := json.Unmarshal(body, &one); err != nil {
			t.Fatalf("an answer is no JSON: %v\n%s", err, body)
		}
		all = append(all, one)
	}
}

// readFrame is a plain reader of frames, for the client's side.
func readFrame(r *bufio.Reader) ([]byte, error) {
	line, err := r.ReadString('\n')
	if err != nil {
		return nil, err
	}
	number, ok := strings.CutPrefix(line, "Content-Length: ")
	length, err := strconv.Atoi(strings.TrimSuffix(number, "\r\n"))
	if !ok || err != nil {
		return nil, fmt.Errorf("header %q", line)
	}
	body := make([]byte, length+2)
	_, err = io.ReadFull(r, body)
	return body[2:], err
}

type answer struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// brief is an answer in one line: its id, then the code of an error or the
// result.
func (a answer) brief() string {
	if a.Error != nil {
		return fmt.Sprintf("%s: %d", a.ID, a.Error.Code)
	}
	return fmt.Sprintf("%s: %s", a.ID, a.Result)
}

const (
	goodCall         = `{"jsonrpc":"2.0","id":"good","method":"good"}`
	goodNotification = `{"jsonrpc":"2.0","method":"good"}`
)

// Each of these bodies is refused, and the next message is read.
func TestRefusedMessages(t *testing.T) {
	defer goleak.VerifyNone(t)
	deep := func(n int) string {
		return `{"jsonrpc":"2.0","id":1,"method":"m","params":` + strings.Repeat("[", n) + strings.Repeat("]", n) + "}"
	}
	tests := []struct{ name, body, answer string }{
		{"empty", ``, "null: -32700"},
		{"blank", "  \r\n", "null: -32700"},
		{"no JSON", `hello`, "null: -32700"},
		{"cut off", `{"jsonrpc":"2.0","id":1,"method":"m"`, "null: -32700"},
		{"cut off in a string", `{"jsonrpc":"2.0","id":1,"method":"m`, "null: -32700"},
		{"cut off in an escape", `{"jsonrpc":"2.0","id":1,"method":"m\`, "null: -32700"},
		{"more than one value", goodCall + goodCall, "null: -32700"},
		{"trailing comma", `{"jsonrpc":"2.0","id":1,"method":"m",}`, "null: -32700"},
		{"inside params", `{"jsonrpc":"2.0","id":1,"method":"m","params":{"a" 1}}`, "null: -32700"},
		{"no comma between members", `{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":{"b":1 "c":2}}}`, "null: -32700"},
		{"no comma between elements", `{"jsonrpc":"2.0","id":1,"method":"m","params":[[1 2]]}`, "null: -32700"},
		{"brackets crossed", `{"jsonrpc":"2.0","id":1,"method":"m","params":[}}`, "null: -32700"},
		{"leading zero", `{"jsonrpc":"2.0","id":1,"method":"m","params":[01]}`, "null: -32700"},
		{"NaN", `{"jsonrpc":"2.0","id":1,"method":"m","params":[NaN]}`, "null: -32700"},
		{"unknown escape", `{"jsonrpc":"2.0","id":1,"method":"m","params":["\x41"]}`, "null: -32700"},
		{"short escape", `{"jsonrpc":"2.0","id":1,"method":"m","params":["\u12g4"]}`, "null: -32700"},
		{"bare control character", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":[\"a\nb\"]}", "null: -32700"},
		{"NUL", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"\x00}", "null: -32700"},
		{"mark at the start", "\ufeff" + goodCall, "null: -32700"},
		{"invalid UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", "null: -32700"},
		{"half a surrogate pair in a call", `{"jsonrpc":"2.0","id":1,"method":"m","params":["x\ud800y"]}`, "1: -32602"},
		{"surrogate in UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xed\xa0\x80\"}", "null: -32700"},
		{"overlong UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xc0\xaf\"}", "null: -32700"},
		{"a level too deep", deep(wire.MaxDepth), "null: -32700"},
		{"very deep", deep(200_000), "null: -32700"},
		{"deep and never closed", strings.Repeat("[", 500_000), "null: -32700"},
		{"deep objects never closed", strings.Repeat(`{"a":`, 100_000), "null: -32700"},

		{"a number", `1`, "null: -32600"},
		{"a string", `"hello"`, "null: -32600"},
		{"null", `null`, "null: -32600"},
		{"empty object", `{}`, "null: -32600"},
		{"no version", `{"id":1,"method":"m"}`, "1: -32600"},
		{"version 1.0", `{"jsonrpc":"1.0","id":1,"method":"m"}`, "1: -32600"},
		{"version as a number", `{"jsonrpc":2.0,"id":1,"method":"m"}`, "1: -32600"},
		{"no version in a notification", `{"method":"m"}`, "null: -32600"},
		{"neither call nor answer", `{"jsonrpc":"2.0","id":1}`, "1: -32600"},
		{"method is a number", `{"jsonrpc":"2.0","id":1,"method":1}`, "1: -32600"},
		{"method is null", `{"jsonrpc":"2.0","id":1,"method":null}`, "1: -32600"},
		{"method and result", `{"jsonrpc":"2.0","id":1,"method":"m","result":1}`, "null: -32600"},
		{"params are a string", `{"jsonrpc":"2.0","id":1,"method":"m","params":"p"}`, "1: -32600"},
		{"params are a number", `{"jsonrpc":"2.0","id":1,"method":"m","params":7}`, "1: -32600"},
		{"id is null", `{"jsonrpc":"2.0","id":null,"method":"m"}`, "null: -32600"},
		{"id is a fraction", `{"jsonrpc":"2.0","id":1.5,"method":"m"}`, "null: -32600"},
		{"id has an exponent", `{"jsonrpc":"2.0","id":1e2,"method":"m"}`, "null: -32600"},
		{"id is an object", `{"jsonrpc":"2.0","id":{},"method":"m"}`, "null: -32600"},
		{"id is an array", `{"jsonrpc":"2.0","id":[1],"method":"m"}`, "null: -32600"},
		{"id is true", `{"jsonrpc":"2.0","id":true,"method":"m"}`, "null: -32600"},
		{"id beyond 64 bits", `{"jsonrpc":"2.0","id":9223372036854775808,"method":"m"}`, "null: -32600"},
		{"id is long", `{"jsonrpc":"2.0","id":"` + strings.Repeat("x", maxIDBytes) + `","method":"m"}`, "null: -32600"},
		{"id is one too long", `{"jsonrpc":"2.0","id":"` + strings.Repeat("x", maxIDBytes-1) + `","method":"m"}`, "null: -32600"},
		{"method in the wrong case", `{"jsonrpc":"2.0","id":1,"METHOD":"m"}`, "1: -32600"},
		{"both cases", `{"jsonrpc":"2.0","id":1,"method":"m","Method":"n"}`, "1: -32600"},
		{"params in the wrong case", `{"jsonrpc":"2.0","id":1,"method":"m","Params":{}}`, "1: -32600"},
		{"escaped name", `{"jsonrpc":"2.0","id":1,"\u006dethod":"m"}`, "1: -32600"},
		{"method twice", `{"jsonrpc":"2.0","id":1,"method":"m","method":"n"}`, "1: -32600"},
		{"id twice", `{"jsonrpc":"2.0","id":1,"id":2,"method":"m"}`, "null: -32600"},
		{"string id is kept", `{"jsonrpc":"2.0","id":"a\u0062\"","method":1}`, `"ab\"": -32600`},

		{"empty batch", `[]`, "null: -32600"},
		{"batch with a comma too many", `[` + goodCall + `,]`, "null: -32700"},
		{"batch cut off", `[` + goodCall, "null: -32700"},
		{"batch without commas", `[` + goodCall + goodCall + `]`, "null: -32700"},
		{"batch and more", `[` + goodCall + `]1`, "null: -32700"},
		{"batch too large", `[` + strings.Repeat(`1,`, maxBatch) + `1]`, "null: -32600"},
		{"batch in a batch too deep", strings.Repeat("[", wire.MaxDepth+1) + strings.Repeat("]", wire.MaxDepth+1), "null: -32700"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			frames, output, err := readAll(strings.NewReader(frame(tt.body)+frame(goodCall)), testConfig())
			if err != io.EOF || len(frames) != 1 || frames[0] != goodCall {
				t.Fatalf("frames %q, error %v", frames, err)
			}
			got := answers(t, output)
			if len(got) != 1 || got[0].brief() != tt.answer || got[0].Version != "2.0" {
				t.Errorf("answered %q, want %s", output, tt.answer)
			}
		})
	}
}

// A message that is cut anywhere is refused.
func TestCutMessages(t *testing.T) {
	whole := `{"jsonrpc":"2.0","id":-12,"method":"m","params":[true,false,null,-0.5e+10,{"a":"\u00e4\ud83d\ude00\ud83d\\\n"},[]]}`
	for n := range len(whole) {
		frames, output, err := readAll(strings.NewReader(frame(whole[:n])+frame(goodCall)), testConfig())
		if got := answers(t, output); err != io.EOF || len(frames) != 1 || len(got) != 1 || got[0].brief() != "null: -32700" {
			t.Errorf("%s: frames %q, answered %q, %v", whole[:n], frames, output, err)
		}
	}
}

// Each of these bodies reaches the library, changed where that is said.
func TestTakenMessages(t *testing.T) {
	tests := []struct{ name, body, want string }{
		{"call", goodCall, ""},
		{"notification", goodNotification, ""},
		{"longest id", `{"jsonrpc":"2.0","id":"` + strings.Repeat("x", maxIDBytes-2) + `","method":"m"}`, ""},
		{"spaces at the end", `{"jsonrpc":"2.0","method":" m "}`, ""},
		{"space everywhere", " {\t\"jsonrpc\" : \"2.0\" ,\n \"method\":\"m\" , \"params\" : [ ] } \r\n", `{` + "\t" + `"jsonrpc" : "2.0" ,` + "\n" + ` "method":"m" , "params" : [ ] }`},
		{"null params", `{"jsonrpc":"2.0","method":"m","params":null}`, ""},
		{"members without a meaning", `{"jsonrpc":"2.0","method":"m","meta":{"id":1,"id":2},"x":[]}`, ""},
		{"names inside params are free", `{"jsonrpc":"2.0","method":"m","params":{"ID":1,"a":1,"a":2,"\u0061":3}}`, ""},
		{"all kinds of values", `{"jsonrpc":"2.0","id":-9223372036854775808,"method":"m","params":[true,false,null,-0.5e+10,0,1E9,"\"\\\/\b\f\n\r\t\u00e4",{},[[]]]}`, ""},
		{"deepest", `{"jsonrpc":"2.0","method":"m","params":` + strings.Repeat("[", wire.MaxDepth-1) + strings.Repeat("]", wire.MaxDepth-1) + `}`, ""},
		{"pair of surrogates", `{"jsonrpc":"2.0","method":"m","params":["\ud83d\ude00"]}`, ""},
		{"half a pair", `{"jsonrpc":"2.0","method":"m","params":["\ud83d"]}`, `{"jsonrpc":"2.0","method":"m","params":["\uFfFd"]}`},
		{"the other half", `{"jsonrpc":"2.0","method":"m","params":["x\uDE00y"]}`, `{"jsonrpc":"2.0","method":"m","params":["x\uFfFdy"]}`},
		{"halves the wrong way", `{"jsonrpc":"2.0","method":"m","params":["\ude00\ud83d"]}`, `{"jsonrpc":"2.0","method":"m","params":["\uFfFd\uFfFd"]}`},
		{"half before a pair", `{"jsonrpc":"2.0","method":"m","params":["\ud83d\ud83d\ude00"]}`, `{"jsonrpc":"2.0","method":"m","params":["\uFfFd\ud83d\ude00"]}`},
		{"half before what is none", `{"jsonrpc":"2.0","method":"m","params":["\ud83d\ndc00","\ud83dxudc00"]}`, `{"jsonrpc":"2.0","method":"m","params":["\uFfFd\ndc00","\uFfFdxudc00"]}`},
		{"half before another escape", `{"jsonrpc":"2.0","method":"m","params":["\ud83d\u0041\ud83d\n"]}`, `{"jsonrpc":"2.0","method":"m","params":["\uFfFd\u0041\uFfFd\n"]}`},
		{"answer", `{"jsonrpc":"2.0","id":1,"result":null}`, ""},
		{"answer with an error", `{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}`, ""},
		{"answer as in JSON-RPC 1.0", `{"jsonrpc":"2.0","id":1,"result":{"a":[]},"error":null}`, `{"jsonrpc":"2.0","id":1,"result":{"a":[]}}`},
		{"batch", `[ ` + goodCall + ` , ` + goodNotification + ` ]`, `[` + goodCall + `,` + goodNotification + `]`},
		{"batch of nothing good", `[1,2]`, `[{},{}]`},
		{"batch with bad members", `[1,` + goodCall + `,{"jsonrpc":"2.0","ID":3,"method":"m"}]`, `[{},` + goodCall + `,{}]`},
		{"batch with an answer", `[{"jsonrpc":"2.0","id":1,"result":1},` + goodCall + `]`, `[` + goodCall + `]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.want
			if want == "" {
				want = tt.body
			}
			frames, output, err := readAll(strings.NewReader(frame(tt.body)+frame(goodCall)), testConfig())
			if err != io.EOF || output != "" || len(frames) != 2 || frames[0] != want || frames[1] != goodCall {
				t.Fatalf("frames %q, answered %q, error %v", frames, output, err)
			}
			checkLibrary(t, frames[0])
		})
	}
}

// checkLibrary checks that the library takes a frame; an error would end the
// connection.
func checkLibrary(t testing.TB, frame string) {
	t.Helper()
	var err error
	if strings.HasPrefix(frame, "[") {
		_, err = jsonrpc2.ParseRequests([]byte(frame))
	} else {
		_, err = jsonrpc2.DecodeMessage([]byte(frame))
	}
	if err != nil {
		t.Errorf("the library refuses %q: %v", frame, err)
	}
}

// Answers of the client that nobody can use are not answered, and whoever
// waits for one gets an error.
func TestAnswersOfTheClient(t *testing.T) {
	malformed := `{"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"invalid request: the client's answer is malformed"}}`
	tests := []struct{ name, body, want string }{
		{"without id", `{"jsonrpc":"2.0","result":1}`, ""},
		{"null id", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"what?"}}`, ""},
		{"string id", `{"jsonrpc":"2.0","id":"7","result":1}`, ""},
		{"two ids", `{"jsonrpc":"2.0","id":7,"id":8,"result":1}`, ""},
		{"batch of answers", `[{"jsonrpc":"2.0","id":7,"result":1}]`, ""},
		{"result and error", `{"jsonrpc":"2.0","id":7,"result":1,"error":{"code":1,"message":""}}`, malformed},
		{"error is no object", `{"jsonrpc":"2.0","id":7,"error":"no"}`, malformed},
		{"error is null", `{"jsonrpc":"2.0","id":7,"error":null}`, malformed},
		{"code is a string", `{"jsonrpc":"2.0","id":7,"error":{"code":"1","message":""}}`, malformed},
		{"code beyond 32 bits", `{"jsonrpc":"2.0","id":7,"error":{"code":4294967296,"message":""}}`, malformed},
		{"message is a number", `{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":1}}`, malformed},
		{"no version", `{"id":7,"result":1}`, malformed},
		{"result in the wrong case", `{"jsonrpc":"2.0","id":7,"Result":1,"result":2}`, malformed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			frames, output, err := readAll(strings.NewReader(frame(tt.body)+frame(goodCall)), testConfig())
			want := []string{tt.want, goodCall}
			if tt.want == "" {
				want = want[1:]
			}
			if err != io.EOF || output != "" || !slices.Equal(frames, want) {
				t.Errorf("frames %q, answered %q, error %v", frames, output, err)
			}
		})
	}
}

// After each of these headers nobody can tell where the next message starts.
func TestLostFraming(t *testing.T) {
	defer goleak.VerifyNone(t)
	conf := testConfig()
	long := strings.Repeat("x", 1<<20)
	tests := []struct{ name, header string }{
		{"no Content-Length", "Content-Type: x\r\n\r\n"},
		{"no fields", "\r\n\r\n"},
		{"negative", "Content-Length: -1\r\n\r\n"},
		{"signed", "Content-Length: +1\r\n\r\n"},
		{"a word", "Content-Length: many\r\n\r\n"},
		{"a fraction", "Content-Length: 1.0\r\n\r\n"},
		{"hexadecimal", "Content-Length: 0x10\r\n\r\n"},
		{"nothing", "Content-Length:\r\n\r\n"},
		{"two numbers", "Content-Length: 1 1\r\n\r\n"},
		{"twice", "Content-Length: 1\r\ncontent-length: 1\r\n\r\n"},
		{"twice, with nothing", "Content-Length: 0\r\nContent-Length: 1\r\n\r\n"},
		{"beyond belief", fmt.Sprintf("Content-Length: %d\r\n\r\n", maxSkipFactor*conf.maxMessage+1)},
		{"2 GiB", "Content-Length: 2147483648\r\n\r\n"},
		{"beyond 64 bits", "Content-Length: 99999999999999999999\r\n\r\n"},
		{"no colon", "Content-Length 1\r\n\r\n"},
		{"another protocol", "GET / HTTP/1.1\r\n"},
		{"JSON without a header", goodCall + "\n"},
		{"endless line", long},
		{"endless field", "X: " + long},
		{"endless line after a good one", "Content-Length: 1\r\nX: " + long},
		{"10,000 fields", strings.Repeat("X: y\r\n", 10_000) + "Content-Length: 1\r\n\r\n"},
		{"few fields, too long together", strings.Repeat("X: "+long[:4000]+"\r\n", 20) + "Content-Length: 1\r\n\r\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			// The writer is never closed: the end must not be waited for.
			in, write := io.Pipe()
			done := make(chan struct{})
			go func() {
				defer close(done)
				_, _ = io.WriteString(write, frame(goodCall)+tt.header)
			}()
			frames, output, err := readAll(in, conf)
			_ = in.Close()
			<-done
			if !errors.Is(err, errFraming) || len(frames) != 1 {
				t.Errorf("frames %q, error %v", frames, err)
			}
			if got := answers(t, output); len(got) != 1 || got[0].brief() != "null: -32700" {
				t.Errorf("answered %q", output)
			}
		})
	}
}

func TestHeadersTaken(t *testing.T) {
	length := strconv.Itoa(len(goodCall))
	for _, header := range []string{
		"content-length:" + length + "\r\n\r\n",
		"CONTENT-LENGTH:\t" + length + "  \r\n\r\n",
		"Content-Length: 000" + length + "\r\n\r\n",
		"Content-Length: " + length + "\n\n",
		"X-Az_09aZ: 1\r\nContent-Length: " + length + "\r\n\r\n",
		"X-Other: 1\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: " + length + "\r\n\r\n",
		"Content-Type: application/vscode-jsonrpc; charset=\"UTF8\"\r\nContent-Length: " + length + "\r\n\r\n",
		"Content-Type: ;;;\r\nContent-Length: " + length + "\r\n\r\n",
		strings.Repeat("X: y\r\n", maxHeaderFields-1) + "Content-Length: " + length + "\r\n\r\n",
	} {
		frames, output, err := readAll(strings.NewReader(header+goodCall), testConfig())
		if err != io.EOF || output != "" || len(frames) != 1 || frames[0] != goodCall {
			t.Errorf("%q: frames %q, answered %q, error %v", header, frames, output, err)
		}
	}
}

// A header block may be as large as it may be, and no larger.
func TestLargestHeader(t *testing.T) {
	for more, want := range map[int]error{0: io.EOF, 1: errFraming} {
		field := "X: " + strings.Repeat("x", 1000) + "\r\n"
		last := "Content-Length: " + strconv.Itoa(len(goodCall)) + "\r\n\r\n"
		header := strings.Repeat(field, 60)
		header += "X: " + strings.Repeat("x", maxHeaderBytes+more-len(header)-len(last)-len("X: \r\n")) + "\r\n" + last
		frames, _, err := readAll(strings.NewReader(header+goodCall), testConfig())
		if !errors.Is(err, want) || len(frames) != 1-more {
			t.Errorf("%d bytes: frames %q, %v", len(header), frames, err)
		}
	}
}

// Bodies that are read past, and answered.
func TestSkippedBodies(t *testing.T) {
	conf := testConfig()
	tests := []struct{ name, frame string }{
		{"over the limit", frame(`{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", int(conf.maxMessage)) + `"}`)},
		{"twice the limit", frame(strings.Repeat("x", maxSkipFactor*int(conf.maxMessage)))},
		{"another charset", "Content-Type: text/json; charset=utf-16\r\n" + frame(goodCall)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			frames, output, err := readAll(strings.NewReader(tt.frame+frame(goodCall)), conf)
			got := answers(t, output)
			if err != io.EOF || len(frames) != 1 || len(got) != 1 || got[0].brief() != "null: -32600" {
				t.Errorf("frames %q, answered %q, error %v", frames, output, err)
			}
		})
	}
}

// The end of the input is told from a message that is cut.
func TestEndOfInput(t *testing.T) {
	whole := frame(goodCall)
	for n := range len(whole) + 1 {
		frames, output, err := readAll(strings.NewReader(whole+whole[:n]), testConfig())
		want, count := io.ErrUnexpectedEOF, 1
		if n == 0 {
			want = io.EOF
		} else if n == len(whole) {
			want, count = io.EOF, 2
		}
		if err != want || len(frames) != count || output != "" {
			t.Errorf("%d bytes of a message: %d frames, answered %q, error %v", n, len(frames), output, err)
		}
	}
}

// Sizes around the borders between the ways in which bodies are read.
func TestBodySizes(t *testing.T) {
	conf := defaultStreamConfig()
	conf.maxMessage = 4 << 20
	var all bytes.Buffer
	var sizes []int
	for _, border := range []int{len(goodNotification) + 20, maxHeaderBytes, keptBodyBytes, 2 * keptBodyBytes} {
		for d := -1; d <= 1; d++ {
			sizes = append(sizes, border+d)
			all.WriteString(frame(padded(border + d)))
		}
	}
	frames, _, err := readAll(&inPieces{&all, 4093}, conf)
	if err != io.EOF || len(frames) != len(sizes) {
		t.Fatalf("%d frames, error %v", len(frames), err)
	}
	for i, f := range frames {
		if f != padded(sizes[i]) {
			t.Errorf("a body of %d bytes came as one of %d", sizes[i], len(f))
		}
	}
}

// padded is a notification of n bytes.
func padded(n int) string {
	const start, end = `{"jsonrpc":"2.0","method":"m","x":"`, `"}`
	return start + strings.Repeat("x", n-len(start)-len(end)) + end
}

// inPieces gives a few bytes at a time.
type inPieces struct {
	r    io.Reader
	most int
}

func (o *inPieces) Read(p []byte) (int, error) { return o.r.Read(p[:min(len(p), o.most)]) }

func TestByteByByte(t *testing.T) {
	input := frame(goodCall) + frame("[1") + frame(padded(1000)) + frame(padded(maxHeaderBytes+1)) + "Content"
	frames, output, err := readAll(&inPieces{strings.NewReader(input), 1}, testConfig())
	if err != io.ErrUnexpectedEOF || len(frames) != 3 || len(answers(t, output)) != 1 {
		t.Errorf("%d frames, answered %q, error %v", len(frames), output, err)
	}
}

// The buffers of a large message are given back, and small ones are reused.
func TestBuffersShrink(t *testing.T) {
	conf := defaultStreamConfig()
	s := newStream(io.NopCloser(strings.NewReader(frame(padded(keptBodyBytes))+frame(padded(keptBodyBytes+1))+frame(goodCall))), new(sink), conf, slog.New(slog.DiscardHandler))
	for range 2 {
		if _, _, err := s.ReadFrame(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if s.body != nil {
		t.Errorf("%d bytes are kept for bodies", cap(s.body))
	}
	big := RawMessage(`"` + strings.Repeat("x", keptBufferBytes) + `"`)
	if _, err := s.Write(t.Context(), jsonrpc2.NewNotification("m", big)); err != nil {
		t.Fatal(err)
	}
	if buf := s.buffer(); cap(*buf) > keptBufferBytes {
		t.Errorf("a write buffer of %d bytes was kept", cap(*buf))
	}
}

// A Content-Length that is not kept to costs no memory.
func TestLyingContentLength(t *testing.T) {
	const sent = 3 << 20
	body := `{"jsonrpc":"2.0","method":"` + strings.Repeat("x", sent)
	input := fmt.Sprintf("Content-Length: %d\r\n\r\n", maxMessageBytes) + body
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, _, err := readAll(strings.NewReader(input), defaultStreamConfig())
	runtime.ReadMemStats(&after)
	if err != io.ErrUnexpectedEOF {
		t.Fatal(err)
	}
	if got, most := after.TotalAlloc-before.TotalAlloc, uint64(sent+2*keptBodyBytes); got > most {
		t.Errorf("%d bytes were allocated for %d that arrived", got, sent)
	}
}

func TestRefusalsFillNoLog(t *testing.T) {
	var logged bytes.Buffer
	input := strings.Repeat(frame(`{"secret`), 1000)
	s := newStream(io.NopCloser(strings.NewReader(input)), new(sink), testConfig(), slog.New(slog.NewTextHandler(&logged, nil)))
	if _, _, err := s.ReadFrame(t.Context()); err != io.EOF {
		t.Fatal(err)
	}
	if lines := strings.Count(logged.String(), "\n"); lines != maxRefusalLogs {
		t.Errorf("%d lines were logged", lines)
	}
	if strings.Count(logged.String(), "further ones are not logged") != 1 {
		t.Errorf("that it ends is not logged: %s", logged.String())
	}
	if strings.Contains(logged.String(), "secret") {
		t.Errorf("the log quotes the input: %s", logged.String())
	}
}

func TestWriteFrames(t *testing.T) {
	out := new(sink)
	s := newStream(io.NopCloser(strings.NewReader("")), out, testConfig(), slog.New(slog.DiscardHandler))
	for _, n := range []int{0, 9, 10, writeBlock, 2*writeBlock + 1} {
		out.Reset()
		raw := RawMessage(`"` + strings.Repeat("é", n/2) + `"`)
		size, err := s.Write(t.Context(), jsonrpc2.NewResponse(jsonrpc2.NewNumberID(1), raw, nil))
		if err != nil || size != int64(out.Len()) {
			t.Fatalf("%d of %d bytes, error %v", size, out.Len(), err)
		}
		if got := answers(t, out.String()); len(got) != 1 || got[0].brief() != "1: "+string(raw) {
			t.Errorf("wrote %.200q", out.String())
		}
	}
}

// TestReadMessages: the library may also ask for whole messages.
func TestReadMessages(t *testing.T) {
	s := newStream(io.NopCloser(strings.NewReader(frame(goodNotification))), new(sink), testConfig(), slog.New(slog.DiscardHandler))
	msg, size, err := s.Read(t.Context())
	if got := string(jsonrpc2.AppendMessage(nil, msg)); err != nil || got != goodNotification || size != int64(len(frame(goodNotification))) {
		t.Errorf("%s, %d bytes, %v", got, size, err)
	}
	if msg, _, err := s.Read(t.Context()); msg != nil || err != io.EOF {
		t.Errorf("at the end %v, %v", msg, err)
	}
}

// writerOf is an output that takes some bytes of each write.
type writerOf struct {
	sink
	takes int
	err   error
}

func (w *writerOf) Write(p []byte) (int, error) {
	n, _ := w.sink.Write(p[:min(w.takes, len(p))])
	return n, w.err
}

// A write that fails, or does less than it should, ends the connection: the
// client would take the next message for the rest of this one.
func TestWriteFails(t *testing.T) {
	broken := errors.New("broken")
	for _, tt := range []struct {
		takes int
		err   error
		want  error
	}{{10, nil, io.ErrShortWrite}, {0, nil, io.ErrShortWrite}, {0, broken, broken}, {10, broken, broken}, {1 << 20, broken, broken}} {
		out := &writerOf{takes: tt.takes, err: tt.err}
		s := newStream(io.NopCloser(strings.NewReader("")), out, testConfig(), slog.New(slog.DiscardHandler))
		for i := range 2 {
			n, err := s.Write(t.Context(), jsonrpc2.NewNotification("m", nil))
			if !errors.Is(err, tt.want) || (n > 0) != (tt.takes > 0 && i == 0) {
				t.Errorf("%+v, %d. write: %d, %v", tt, i, n, err)
			}
		}
		if out.Len() > tt.takes {
			t.Errorf("%+v: %d bytes were written", tt, out.Len())
		}
	}
}
