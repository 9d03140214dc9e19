package fakeeditor

import "encoding/json"

// abilityOf is what a client says that it offers when it answers these.
var abilityOf = map[string]string{
	"agent/references": "references", "agent/rename": "rename", "agent/willRename": "rename", "agent/codeActions": "codeActions",
}

// askServers answers what language servers are asked, as [Behaviour.Languages] says.
// To a document that is not at the version that is asked about it says so.
func (e *Editor) askServers(m message) (any, error) {
	if !e.opts.AgentLSP[abilityOf[m.Method]] {
		e.log.violation("%s was never offered", m.Method)
		return nil, &RPCError{Code: -32601, Message: "unknown method " + m.Method}
	}
	var p struct {
		URI     string `json:"uri"`
		Version *int   `json:"version"`
	}
	if err := json.Unmarshal(m.Params, &p); err != nil {
		return nil, err
	}
	b := e.currentBehaviour()
	if b.BeforeLanguages != nil {
		b.BeforeLanguages(e, p.URI)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	answer := map[string]any{"by": []string{}}
	if raw := b.Languages[m.Method]; raw != nil {
		answer = map[string]any{}
		if err := json.Unmarshal(raw, &answer); err != nil {
			return nil, err
		}
	}
	if words, fails := answer["fails"].(string); fails {
		return nil, &RPCError{Code: -32803, Message: words}
	}
	if d := e.docs[p.URI]; p.Version != nil && (d == nil || d.version != *p.Version) {
		answer["changed"] = true
	}
	if answer["versions"] == nil {
		versions := make(map[string]int)
		for uri, d := range e.docs {
			versions[uri] = d.version
		}
		answer["versions"] = versions
	}
	return answer, nil
}
