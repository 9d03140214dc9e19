package rpc

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/rpc/jsonrpc"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/wire"
)

func (c changedSpan) String() string {
	if c.whole {
		return fmt.Sprintf("all %q", c.text)
	}
	return fmt.Sprintf("%d:%d-%d:%d %q", c.start.Line, c.start.Character, c.end.Line, c.end.Character, c.text)
}

func TestParseChanged(t *testing.T) {
	const doc = `"textDocument":{"uri":"file:///C%3A/%E4.go","version":7}`
	at := func(line, character string) string {
		return `{"line":` + line + `,"character":` + character + `}`
	}
	span := func(start, end string) string {
		return `{` + doc + `,"contentChanges":[{"range":{"start":` + start + `,"end":` + end + `},"text":"x"}]}`
	}
	tests := []struct{ params, want string }{
		{`{` + doc + `,"contentChanges":[{"text":"all"}]}`, `7 all "all"`},
		{`{"contentChanges":[],` + doc + `}`, `7`},
		{span(at("1", "2"), at("3", "4")), `7 1:2-3:4 "x"`},
		{span(at("0", "0"), at("2147483647", "2147483647")), `7 0:0-2147483647:2147483647 "x"`},
		{`{` + doc + `,"contentChanges":[{"text":"a","rangeLength":3,"range":{"end":` + at("1", "0") + `,"start":` + at("0", "0") + `}},{"text":"b"}]}`, `7 0:0-1:0 "a" all "b"`},
		{`{` + doc + `,"contentChanges":[{"text":"\"\\\/\b\f\n\r\tä\u00e4\ud83d\ude00\ud83d"}],"more":{"text":1}}`, `7 all "\"\\/\b\f\n\r\tää😀�"`},
		{`{"textDocument":{"uri":"file:///C%3A/%E4.go","version":-2147483648},"contentChanges":[]}`, `-2147483648`},

		{span(at("-1", "2"), at("3", "4")), `line is no number`},
		{span(at("1", "-2"), at("3", "4")), `character is no number`},
		{span(at("1", "2"), at("2147483648", "4")), `line is no number`},
		{span(at("1.5", "2"), at("3", "4")), `line is no number`},
		{span(at("null", "2"), at("3", "4")), `line is no number`},
		{span(at(`"1"`, "2"), at("3", "4")), `line is no number`},
		{span(`{"line":1}`, at("3", "4")), `start has no character`},
		{span(`{"line":1,"line":2,"character":1}`, at("3", "4")), `start has a member twice`},
		{span("null", at("3", "4")), `start is no object`},
		{`{` + doc + `,"contentChanges":[{"range":null,"text":"x"}]}`, `range is no object`},
		{`{` + doc + `,"contentChanges":[{"range":{"start":` + at("1", "2") + `},"text":"x"}]}`, `range has no end`},
		{`{` + doc + `,"contentChanges":[{"range":{"start":` + at("1", "2") + `,"end":` + at("1", "2") + `}}]}`, `change has no text`},
		{`{` + doc + `,"contentChanges":[{"text":null}]}`, `text is no string`},
		{`{` + doc + `,"contentChanges":[{"text":"a","text":"b"}]}`, `change has a member twice`},
		{`{` + doc + `,"contentChanges":[{"Text":"a"}]}`, `change has no text`},
		{`{` + doc + `,"contentChanges":[7]}`, `change is no object`},
		{`{` + doc + `,"contentChanges":{}}`, `contentChanges is no array`},
		{`{` + doc + `}`, `params has no contentChanges`},
		{`{"contentChanges":[{"text":7}],` + doc + `}`, `text is no string`},
		{`{"textDocument":{"uri":"file:///C%3A/%E4.go"},"contentChanges":[]}`, `textDocument has no version`},
		{`{"textDocument":{"version":null,"uri":"file:///C%3A/%E4.go"},"contentChanges":[]}`, `version is no number`},
		{`{"textDocument":{"version":2147483648,"uri":"file:///C%3A/%E4.go"},"contentChanges":[]}`, `version is no number`},
		{`{"textDocument":{"version":1},"contentChanges":[]}`, `textDocument has no uri`},
		{`{"textDocument":{"uri":1,"version":1},"contentChanges":[]}`, `uri is no string`},
		{`{"textDocument":null,"contentChanges":[]}`, `textDocument is no object`},
		{`[]`, `params is no object`},
		{``, `invalid JSON`},
		{`{`, `invalid JSON`},
	}
	for _, tt := range tests {
		got, err := parseChanged([]byte(tt.params))
		if err != nil {
			if !strings.Contains(err.Error(), tt.want) || fault.KindOf(err) != fault.InvalidParams {
				t.Errorf("%s\n got the error %v\nwant %s", tt.params, err, tt.want)
			}
		} else {
			s := strconv.Itoa(int(got.version))
			for _, c := range got.changes {
				s += " " + c.String()
			}
			if s != tt.want {
				t.Errorf("%s\n got %s\nwant %s", tt.params, s, tt.want)
			}
		}
		// Whose text is out of sync is known wherever it stands.
		if strings.Contains(tt.params, "%E4") && got.uri != "file:///C%3A/%E4.go" {
			t.Errorf("%s\nthe URI is %q", tt.params, got.uri)
		}
	}
}

func TestParseOpened(t *testing.T) {
	got, err := parseOpened([]byte(`{"textDocument":{"text":"a\r\nb","version":1,"languageId":"go","uri":"file:///C:/a b/ä.go"}}`))
	if want := (openedText{"file:///C:/a b/ä.go", "go", 1, "a\r\nb", false}); err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
	for params, want := range map[string]string{
		`{"textDocument":{"uri":"u","version":1,"languageId":"go"}}`:                     "textDocument has no text",
		`{"textDocument":{"uri":"u","text":"","languageId":"go"}}`:                       "textDocument has no version",
		`{"textDocument":{"uri":"u","text":"","version":1}}`:                             "textDocument has no languageId",
		`{"textDocument":{"uri":"u","text":7,"version":1,"languageId":"go"}}`:            "text is no string",
		`{"textDocument":{"text":{"a":[1,{}]},"uri":"u","version":1,"languageId":"go"}}`: "text is no string",
	} {
		got, err := parseOpened([]byte(params))
		if err == nil || !strings.Contains(err.Error(), want) || got.uri != "u" {
			t.Errorf("%s: %+v, %v", params, got, err)
		}
	}
	if _, err := parseOpened(nil); fault.KindOf(err) != fault.InvalidParams {
		t.Errorf("no params: %v", err)
	}
}

// Nothing that is decoded shares bytes with the message, which is gone after
// the handler.
func TestParsedTextOwnsItsBytes(t *testing.T) {
	params := jsonrpc.RawMessage(`{"textDocument":{"uri":"uri","version":1},"contentChanges":[{"text":"plain"},{"text":"esc\taped"}]}`)
	got, err := parseChanged(params)
	clear(params)
	if err != nil || got.uri != "uri" || got.changes[0].text != "plain" || got.changes[1].text != "esc\taped" {
		t.Errorf("%+v, %v", got, err)
	}
}

// FuzzParseChanged holds the decoder against the strict codec.
func FuzzParseChanged(f *testing.F) {
	f.Add(`{"textDocument":{"uri":"u","version":1},"contentChanges":[{"range":{"start":{"line":1,"character":2},"end":{"line":3,"character":4}},"text":"x"},{"text":"\ud83d\ude00\n"}]}`)
	f.Fuzz(func(t *testing.T, params string) {
		got, err := parseChanged([]byte(params))
		type position struct {
			Line      uint32 `json:"line"`
			Character uint32 `json:"character"`
		}
		var want struct {
			TextDocument struct {
				URI     string `json:"uri"`
				Version int32  `json:"version"`
			} `json:"textDocument"`
			ContentChanges []struct {
				Range *struct {
					Start position `json:"start"`
					End   position `json:"end"`
				} `json:"range"`
				Text string `json:"text"`
			} `json:"contentChanges"`
		}
		if wire.Unmarshal(wire.RawValue(params), &want) != nil || err != nil {
			return // the one is stricter here, the other there
		}
		var all changedText
		all.uri, all.version = want.TextDocument.URI, want.TextDocument.Version
		for _, c := range want.ContentChanges {
			span := changedSpan{whole: c.Range == nil, text: c.Text}
			if c.Range != nil {
				span.start, span.end = text.Position(c.Range.Start), text.Position(c.Range.End)
			}
			all.changes = append(all.changes, span)
		}
		if !reflect.DeepEqual(got, all) {
			t.Errorf("%s\n got %+v\nwant %+v", params, got, all)
		}
	})
}

func BenchmarkParseChanged(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := parseChanged([]byte(benchChange)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParseOpened(b *testing.B) {
	for _, lines := range []int{250, 25_000, 2_500_000} {
		params := benchOpen(lines)
		b.Run(strconv.Itoa(len(params)), func(b *testing.B) {
			b.SetBytes(int64(len(params)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := parseOpened(params); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

const benchChange = `{"textDocument":{"uri":"file:///home/user/project/main.go","version":17},"contentChanges":[{"range":{"start":{"line":12,"character":7},"end":{"line":12,"character":7}},"rangeLength":0,"text":"x"}]}`

func benchOpen(lines int) jsonrpc.RawMessage {
	return jsonrpc.RawMessage(`{"textDocument":{"uri":"file:///a","languageId":"go","version":1,"text":"` + strings.Repeat(`\tline := compute(\"value\") // a comment\n`, lines) + `"}}`)
}
