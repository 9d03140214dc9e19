package hosttest

import "encoding/json"

// gemini is the Gemini API.
func gemini() dialect {
	return dialect{
		name: "enerateContent", read: readGemini, whole: geminiWhole,
		events: func(q request, r Reply) []any { return []any{geminiWhole(q, r)} },
	}
}

func readGemini(body []byte) (request, error) {
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

func geminiWhole(_ request, r Reply) any {
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
