package hosttest

import (
	"encoding/json"
	"fmt"
)

// completions is OpenAI's chat completions API.
func completions() dialect {
	return dialect{name: "/chat/completions", read: readCompletions, whole: completionsWhole, events: completionsEvents}
}

func readCompletions(body []byte) (request, error) {
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

// completionsMessage is an answer, and why it ends.
func completionsMessage(r Reply) (message object, stop string) {
	if len(r.Calls) == 0 {
		return object{"role": "assistant", "content": r.Text}, "stop"
	}
	var calls []object
	for i, c := range r.Calls {
		calls = append(calls, object{"index": i, "id": c.ID, "type": "function", "function": object{"name": c.Tool.Name, "arguments": string(c.Args)}})
	}
	return object{"role": "assistant", "content": nil, "tool_calls": calls}, "tool_calls"
}

// completionsPart is an answer, or a part of one that is streamed.
func completionsPart(q request, kind string, choices ...object) object {
	return object{"id": fmt.Sprintf("chat_%d", q.number), "object": kind, "created": 1, "model": q.model, "choices": append([]object{}, choices...)}
}

func completionsUsage() object {
	return object{"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
}

func completionsWhole(q request, r Reply) any {
	m, stop := completionsMessage(r)
	out := completionsPart(q, "chat.completion", object{"index": 0, "message": m, "finish_reason": stop})
	out["usage"] = completionsUsage()
	return out
}

func completionsEvents(q request, r Reply) []any {
	const kind = "chat.completion.chunk"
	m, stop := completionsMessage(r)
	last := completionsPart(q, kind)
	last["usage"] = completionsUsage()
	return []any{
		completionsPart(q, kind, object{"index": 0, "delta": m, "finish_reason": nil}),
		completionsPart(q, kind, object{"index": 0, "delta": object{}, "finish_reason": stop}),
		last, "[DONE]",
	}
}
