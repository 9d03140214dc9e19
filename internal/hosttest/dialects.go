package hosttest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// anthropic is Anthropic's Messages API.
func anthropic() dialect {
	read := func(body []byte) (request, error) {
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
	message := func(q request, content []object, stop any) object {
		return object{
			"id": fmt.Sprintf("msg_%d", q.number), "type": "message", "role": "assistant", "model": q.model, "content": content,
			"stop_reason": stop, "stop_sequence": nil, "usage": object{"input_tokens": 10, "output_tokens": 5},
		}
	}
	stop := func(r Reply) string {
		if len(r.Calls) > 0 {
			return "tool_use"
		}
		return "end_turn"
	}
	return dialect{
		name: "/messages", read: read,
		whole: func(q request, r Reply) any {
			content := []object{{"type": "text", "text": r.Text}}
			if len(r.Calls) > 0 {
				content = nil
			}
			for _, c := range r.Calls {
				content = append(content, object{"type": "tool_use", "id": c.ID, "name": c.Tool.Name, "input": c.Args})
			}
			return message(q, content, stop(r))
		},
		events: func(q request, r Reply) []any {
			out := []any{object{"type": "message_start", "message": message(q, []object{}, nil)}}
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
			return append(out, object{"type": "message_delta", "delta": object{"stop_reason": stop(r), "stop_sequence": nil}, "usage": object{"output_tokens": 5}},
				object{"type": "message_stop"})
		},
	}
}

// completions is OpenAI's chat completions API.
func completions() dialect {
	read := func(body []byte) (request, error) {
		var in struct {
			Model  string
			Stream bool
			Tools  []struct {
				Function struct {
					Name       string
					Parameters json.RawMessage
				}
			}
			Messages []struct {
				Role    string
				ID      string `json:"tool_call_id"`
				Content json.RawMessage
			}
		}
		if err := json.Unmarshal(body, &in); err != nil {
			return request{}, err
		}
		q := request{stream: in.Stream, model: in.Model}
		for _, t := range in.Tools {
			q.tools = append(q.tools, Tool{Name: t.Function.Name, Schema: t.Function.Parameters})
		}
		for _, m := range in.Messages {
			if m.Role == "tool" {
				q.results = append(q.results, Result{m.ID, plainText(m.Content)})
			}
		}
		return q, nil
	}
	message := func(r Reply) (object, string) {
		if len(r.Calls) == 0 {
			return object{"role": "assistant", "content": r.Text}, "stop"
		}
		var calls []object
		for i, c := range r.Calls {
			calls = append(calls, object{"index": i, "id": c.ID, "type": "function", "function": object{"name": c.Tool.Name, "arguments": string(c.Args)}})
		}
		return object{"role": "assistant", "content": nil, "tool_calls": calls}, "tool_calls"
	}
	usage := object{"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
	part := func(q request, kind string, choices []object) object {
		return object{"id": fmt.Sprintf("chat_%d", q.number), "object": kind, "created": 1, "model": q.model, "choices": choices}
	}
	return dialect{
		name: "/chat/completions", read: read,
		whole: func(q request, r Reply) any {
			m, stop := message(r)
			out := part(q, "chat.completion", []object{{"index": 0, "message": m, "finish_reason": stop}})
			out["usage"] = usage
			return out
		},
		events: func(q request, r Reply) []any {
			m, stop := message(r)
			last := part(q, "chat.completion.chunk", []object{})
			last["usage"] = usage
			return []any{
				part(q, "chat.completion.chunk", []object{{"index": 0, "delta": m, "finish_reason": nil}}),
				part(q, "chat.completion.chunk", []object{{"index": 0, "delta": object{}, "finish_reason": stop}}),
				last, "[DONE]",
			}
		},
	}
}

// gemini is the Gemini API.
func gemini() dialect {
	read := func(body []byte) (request, error) {
		var in struct {
			Tools []struct {
				Declarations []struct {
					Name   string
					Schema json.RawMessage `json:"parametersJsonSchema"`
				} `json:"functionDeclarations"`
			}
			Contents []struct {
				Parts []struct {
					Response *struct {
						ID       string
						Response json.RawMessage
					} `json:"functionResponse"`
				}
			}
			Config struct {
				MIME string `json:"responseMimeType"`
			} `json:"generationConfig"`
		}
		if err := json.Unmarshal(body, &in); err != nil {
			return request{}, err
		}
		q := request{json: in.Config.MIME == "application/json"}
		for _, t := range in.Tools {
			for _, d := range t.Declarations {
				q.tools = append(q.tools, Tool{Name: d.Name, Schema: d.Schema})
			}
		}
		for _, c := range in.Contents {
			for _, p := range c.Parts {
				if p.Response != nil {
					q.results = append(q.results, Result{p.Response.ID, plainText(p.Response.Response)})
				}
			}
		}
		return q, nil
	}
	whole := func(_ request, r Reply) any {
		parts := []object{{"text": r.Text}}
		if len(r.Calls) > 0 {
			parts = nil
		}
		for _, c := range r.Calls {
			parts = append(parts, object{"functionCall": object{"name": c.Tool.Name, "args": c.Args, "id": c.ID}})
		}
		return object{
			"candidates":    []object{{"content": object{"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}},
			"usageMetadata": object{"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}, "modelVersion": "test",
		}
	}
	return dialect{name: "enerateContent", read: read, whole: whole, events: func(q request, r Reply) []any { return []any{whole(q, r)} }}
}

// found reports whether a result tells of a tool.
func found(results []Result, name string) bool {
	return slices.ContainsFunc(results, func(r Result) bool { return strings.Contains(r.Text, name) })
}
