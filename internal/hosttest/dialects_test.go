package hosttest

import (
	"encoding/json"
	"reflect"
	"testing"
)

// TestRequestsAreRead: each API's request tells the same tools and results, in
// its own words.
func TestRequestsAreRead(t *testing.T) {
	t.Parallel()
	schema := json.RawMessage(`{"type":"object"}`)
	want := func(streams bool, model string, more ...Tool) request {
		return request{
			tools: append([]Tool{{Name: "read_file", Schema: schema}}, more...), stream: streams, model: model,
			results: []Result{{"call_001", "shows hidden_tool"}, {"call_002", "two\nparts"}},
		}
	}
	open := want(true, "m", Tool{Name: "edit_file", Namespace: "ours", Kind: "function", Schema: schema}, Tool{Name: "local_shell", Kind: "local_shell"})
	open.tools[0].Kind = "function"
	tests := []struct {
		dialect dialect
		body    string
		want    request
	}{
		{
			anthropic(),
			`{"model": "m", "stream": true, "tools": [{"name": "read_file", "input_schema": {"type":"object"}},
			{"name": "hidden_tool", "defer_loading": true}, {"name": "other", "defer_loading": true}],
			"messages": [{"content": "a text"}, {"content": [{"type": "tool_result", "tool_use_id": "call_001", "content": "shows hidden_tool"},
			{"type": "text", "text": "x"}, {"type": "tool_result", "tool_use_id": "call_002", "content": [{"type": "text", "text": "two"}, {"text": "parts"}]}]}]}`,
			want(true, "m", Tool{Name: "hidden_tool"}),
		},
		{
			responses(),
			`{"model": "m", "stream": true, "tools": [{"type": "function", "name": "read_file", "parameters": {"type":"object"}},
			{"type": "namespace", "name": "ours", "tools": [{"type": "function", "name": "edit_file", "parameters": {"type":"object"}}]}, {"type": "local_shell"}],
			"input": [{"type": "message", "content": []}, {"type": "function_call_output", "call_id": "call_001", "output": "shows hidden_tool"},
			{"type": "custom_tool_call_output", "call_id": "call_002", "output": [{"text": "two"}, {"text": "parts"}]}]}`,
			open,
		},
		{
			completions(),
			`{"model": "m", "tools": [{"type": "function", "function": {"name": "read_file", "parameters": {"type":"object"}}}],
			"messages": [{"role": "user", "content": "a text"}, {"role": "tool", "tool_call_id": "call_001", "content": "shows hidden_tool"},
			{"role": "tool", "tool_call_id": "call_002", "content": [{"type": "text", "text": "two"}, {"type": "text", "text": "parts"}]}]}`,
			want(false, "m"),
		},
		{
			gemini(),
			`{"tools": [{"functionDeclarations": [{"name": "read_file", "parametersJsonSchema": {"type":"object"}}]}],
			"contents": [{"parts": [{"text": "a text"}]}, {"parts": [{"functionResponse": {"id": "call_001", "response": {"output": "shows hidden_tool"}}},
			{"functionResponse": {"id": "call_002", "response": {"error": ["two", "parts"]}}}]}]}`,
			want(false, ""),
		},
	}
	for _, test := range tests {
		got, err := test.dialect.read([]byte(test.body))
		if err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got %+v, %v\nwant %+v", test.dialect.name, got, err, test.want)
		}
		if _, err := test.dialect.read([]byte("no JSON")); err == nil {
			t.Errorf("%s: what is no JSON is no error", test.dialect.name)
		}
	}
}

// TestAnswersWantJSON: requests that ask for JSON, for a title say, are no turns
// of the conversation.
func TestAnswersWantJSON(t *testing.T) {
	t.Parallel()
	for dialect, body := range map[string]string{
		"/responses":     `{"text": {"format": {"type": "json_schema"}}, "input": "a text"}`,
		"enerateContent": `{"generationConfig": {"responseMimeType": "application/json"}}`,
	} {
		for _, d := range dialects() {
			if d.name != dialect {
				continue
			}
			if q, err := d.read([]byte(body)); err != nil || !q.json {
				t.Errorf("%s: %+v, %v", d.name, q, err)
			}
		}
	}
}
