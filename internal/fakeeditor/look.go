package fakeeditor

import (
	"encoding/json"
	"os"
	"slices"
)

// view is what the person looks at, and what language servers told them.
type view struct {
	active      string // a URI
	visible     []string
	selections  map[string][][2]Point
	diagnostics []Diagnostic
}

// Diagnostic is what a language server told the editor about a document.
type Diagnostic struct {
	URI                   string
	From, To              Point
	Severity              int // 0 is none
	Message, Source, Code string
}

// Look makes a document the active one, which is visible then, and selects
// parts of it.
func (e *Editor) Look(name string, selected ...[2]Point) {
	e.mu.Lock()
	defer e.mu.Unlock()
	uri := uriOf(name)
	e.view.active = uri
	e.show(uri)
	if e.view.selections == nil {
		e.view.selections = make(map[string][][2]Point)
	}
	e.view.selections[uri] = selected
}

// Show makes a document visible.
func (e *Editor) Show(name string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.show(uriOf(name))
}

func (e *Editor) show(uri string) {
	if !slices.Contains(e.view.visible, uri) {
		e.view.visible = append(e.view.visible, uri)
	}
}

// Diagnose adds a diagnostic; its URI may be an absolute path.
func (e *Editor) Diagnose(d Diagnostic) {
	e.mu.Lock()
	defer e.mu.Unlock()
	d.URI = uriOf(d.URI)
	e.view.diagnostics = append(e.view.diagnostics, d)
}

// editorState answers agent/editorState; e.mu must be held.
func (e *Editor) editorState() (any, error) {
	type selection struct {
		URI    string  `json:"uri"`
		Ranges []Range `json:"ranges"`
	}
	state := struct {
		Active     *string     `json:"active"`
		Visible    []string    `json:"visible"`
		Selections []selection `json:"selections"`
	}{Visible: append([]string{}, e.view.visible...), Selections: []selection{}}
	if e.view.active != "" {
		state.Active = &e.view.active
	}
	for _, uri := range e.view.visible {
		s := selection{URI: uri}
		for _, points := range e.view.selections[uri] {
			r, err := e.rangeIn(uri, points[0], points[1])
			if err != nil {
				return nil, err
			}
			s.Ranges = append(s.Ranges, r)
		}
		if s.Ranges != nil {
			state.Selections = append(state.Selections, s)
		}
	}
	return state, nil
}

// tellDiagnostics answers agent/diagnostics; e.mu must be held.
func (e *Editor) tellDiagnostics(params json.RawMessage) (any, error) {
	var p struct {
		URI *string `json:"uri"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, err
	}
	items := []map[string]any{}
	for _, d := range e.view.diagnostics {
		if p.URI != nil && *p.URI != d.URI {
			continue
		}
		r, err := e.rangeIn(d.URI, d.From, d.To)
		if err != nil {
			return nil, err
		}
		item := map[string]any{"uri": d.URI, "range": r, "message": d.Message}
		for name, value := range map[string]string{"source": d.Source, "code": d.Code} {
			if value != "" {
				item[name] = value
			}
		}
		if d.Severity > 0 {
			item["severity"] = d.Severity
		}
		items = append(items, item)
	}
	answer := map[string]any{}
	if raw := e.behaviour.Languages["agent/diagnostics"]; raw != nil {
		if err := json.Unmarshal(raw, &answer); err != nil {
			return nil, err
		}
	}
	answer["items"] = items
	return answer, nil
}

// rangeIn is the range between two places in a document, or in the file where
// none is open.
func (e *Editor) rangeIn(uri string, from, to Point) (Range, error) {
	var text string
	if d := e.docs[uri]; d != nil {
		text = d.text
	} else {
		raw, err := os.ReadFile(pathOf(uri))
		if err != nil {
			return Range{}, err
		}
		text = string(raw)
	}
	start, err := pointOffset(text, from)
	if err != nil {
		return Range{}, err
	}
	end, err := pointOffset(text, to)
	return Range{e.coords.position(text, start), e.coords.position(text, end)}, err
}
