package hosttest

import (
	"encoding/json"
	"fmt"
	"strings"
)

// openTool is a tool of OpenAI's responses API: a function, one of the API's
// own types, or a namespace of such.
type openTool struct {
	Type, Name string
	Parameters json.RawMessage
	Tools      []openTool
}

// responses is OpenAI's responses API.
func responses() dialect {
	whole := func(q request, r Reply) any { return response(q, "completed", items(q, r)) }
	return dialect{
		name: "/responses", read: readResponses, whole: whole,
		events: func(q request, r Reply) []any {
			out := []object{{"type": "response.created", "response": response(q, "in_progress", []object{})}}
			for i, item := range items(q, r) {
				out = append(out, object{"type": "response.output_item.added", "output_index": i, "item": item})
				if item["type"] == "function_call" {
					out = append(out, object{"type": "response.function_call_arguments.done", "item_id": item["id"], "output_index": i, "arguments": item["arguments"]})
				}
				out = append(out, object{"type": "response.output_item.done", "output_index": i, "item": item})
			}
			out = append(out, object{"type": "response.completed", "response": whole(q, r)})
			events := make([]any, len(out))
			for i, e := range out {
				e["sequence_number"] = i
				events[i] = e
			}
			return events
		},
	}
}

func readResponses(body []byte) (request, error) {
	var in struct {
		Model  string
		Stream bool
		Tools  []openTool
		Input  json.RawMessage
		Text   struct{ Format struct{ Type string } }
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return request{}, err
	}
	q := request{stream: in.Stream, model: in.Model, json: in.Text.Format.Type == "json_schema"}
	q.offer(in.Tools, "")
	var input []struct {
		Type   string
		ID     string `json:"call_id"`
		Output json.RawMessage
		Tools  []openTool
	}
	if json.Unmarshal(in.Input, &input) != nil {
		return q, nil // a text alone
	}
	for _, i := range input {
		if i.Type == "tool_search_output" { // these are offered from now on
			q.offer(i.Tools, "")
			q.results = append(q.results, Result{i.ID, string(encode(i.Tools))})
		} else if strings.HasSuffix(i.Type, "call_output") {
			q.results = append(q.results, Result{i.ID, plainText(i.Output)})
		}
	}
	return q, nil
}

func (q *request) offer(list []openTool, namespace string) {
	for _, t := range list {
		if t.Type == "namespace" {
			q.offer(t.Tools, t.Name)
			continue
		}
		name := t.Name
		if name == "" {
			name = t.Type
		}
		q.tools = append(q.tools, Tool{Name: name, Namespace: namespace, Kind: t.Type, Schema: t.Parameters})
	}
}

// items are the parts of an answer.
func items(q request, r Reply) []object {
	if len(r.Calls) == 0 {
		return []object{{
			"type": "message", "id": fmt.Sprintf("message_%d", q.number), "role": "assistant", "status": "completed",
			"content": []object{{"type": "output_text", "text": r.Text, "annotations": []any{}}},
		}}
	}
	var out []object
	for _, c := range r.Calls {
		item := object{"type": "function_call", "id": "item_" + c.ID, "call_id": c.ID, "status": "completed"}
		switch c.Tool.Kind {
		case "tool_search":
			item["type"], item["execution"], item["arguments"] = "tool_search_call", "client", c.Args
		case "custom": // takes a text
			item["type"], item["name"], item["input"] = "custom_tool_call", c.Tool.Name, input(c.Args)
		default:
			item["name"], item["arguments"] = c.Tool.Name, string(c.Args)
		}
		if c.Tool.Namespace != "" {
			item["namespace"] = c.Tool.Namespace
		}
		out = append(out, item)
	}
	return out
}

// input is the one argument of a tool that takes a text.
func input(args json.RawMessage) string {
	var in struct{ Input string }
	_ = json.Unmarshal(args, &in) // what is no object has none
	return in.Input
}

func response(q request, status string, output []object) object {
	return object{
		"id": fmt.Sprintf("response_%d", q.number), "object": "response", "status": status, "model": q.model, "output": output,
		"usage": object{
			"input_tokens": 10, "input_tokens_details": object{"cached_tokens": 0}, "output_tokens": 5,
			"output_tokens_details": object{"reasoning_tokens": 0}, "total_tokens": 15,
		},
	}
}
