package hosttest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// anthropic is Anthropic's Messages API.
func anthropic() dialect {
	return dialect{name: "/messages", read: readAnthropic, whole: anthropicWhole, events: anthropicEvents}
}

func readAnthropic(body []byte) (request, error) {
	var in struct {
		Model  string
		Stream bool
		Tools  []struct {
			Name         string
			DeferLoading bool            `json:"defer_loading"`
			Schema       json.RawMessage `json:"input_schema"`
		}
		Messages []struct{ Content json.RawMessage }
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return request{}, err
	}
	q := request{stream: in.Stream, model: in.Model}
	for _, m := range in.Messages {
		var blocks []struct {
			Type    string
			ID      string `json:"tool_use_id"`
			Content json.RawMessage
		}
		if json.Unmarshal(m.Content, &blocks) != nil {
			continue // a string, which is no result
		}
		for _, b := range blocks {
			if b.Type == "tool_result" {
				q.results = append(q.results, Result{b.ID, plainText(b.Content)})
			}
		}
	}
	for _, t := range in.Tools {
		if !t.DeferLoading || found(q.results, t.Name) {
			q.tools = append(q.tools, Tool{Name: t.Name, Schema: t.Schema})
		}
	}
	return q, nil
}

// anthropicMessage is an answer with its blocks; stop is why it ends.
func anthropicMessage(q request, content []object, stop any) object {
	return object{
		"id": fmt.Sprintf("msg_%d", q.number), "type": "message", "role": "assistant", "model": q.model, "content": content,
		"stop_reason": stop, "stop_sequence": nil, "usage": object{"input_tokens": 10, "output_tokens": 5},
	}
}

func anthropicStop(r Reply) string {
	if len(r.Calls) > 0 {
		return "tool_use"
	}
	return "end_turn"
}

func anthropicWhole(q request, r Reply) any {
	content := []object{{"type": "text", "text": r.Text}}
	if len(r.Calls) > 0 {
		content = nil
	}
	for _, c := range r.Calls {
		content = append(content, object{"type": "tool_use", "id": c.ID, "name": c.Tool.Name, "input": c.Args})
	}
	return anthropicMessage(q, content, anthropicStop(r))
}

func anthropicEvents(q request, r Reply) []any {
	out := []any{object{"type": "message_start", "message": anthropicMessage(q, []object{}, nil)}}
	block := func(i int, start, delta object) {
		out = append(out, object{"type": "content_block_start", "index": i, "content_block": start},
			object{"type": "content_block_delta", "index": i, "delta": delta},
			object{"type": "content_block_stop", "index": i})
	}
	for i, c := range r.Calls {
		block(i, object{"type": "tool_use", "id": c.ID, "name": c.Tool.Name, "input": object{}},
			object{"type": "input_json_delta", "partial_json": string(c.Args)})
	}
	if len(r.Calls) == 0 {
		block(0, object{"type": "text", "text": ""}, object{"type": "text_delta", "text": r.Text})
	}
	end := object{"stop_reason": anthropicStop(r), "stop_sequence": nil}
	return append(out, object{"type": "message_delta", "delta": end, "usage": object{"output_tokens": 5}}, object{"type": "message_stop"})
}

// found reports whether a result tells of a tool.
func found(results []Result, name string) bool {
	return slices.ContainsFunc(results, func(r Result) bool { return strings.Contains(r.Text, name) })
}
