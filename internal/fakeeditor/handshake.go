package fakeeditor

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
)

func (e *Editor) initializeParams() map[string]any {
	general := map[string]any{}
	if len(e.opts.Encodings) > 0 {
		general["positionEncodings"] = e.opts.Encodings
	}
	capabilities := map[string]any{
		"general": general,
		"workspace": map[string]any{
			"applyEdit":        true,
			"workspaceEdit":    e.workspaceEdit(),
			"workspaceFolders": true,
			"configuration":    true,
		},
		"textDocument": map[string]any{"synchronization": map[string]any{"didSave": true}},
		"window":       e.window(),
	}
	if experimental := e.experimental(); experimental != nil {
		capabilities["experimental"] = map[string]any{"agentLsp": experimental}
	}
	params := map[string]any{
		"processId":        os.Getpid(),
		"clientInfo":       map[string]any{"name": "fakeeditor", "version": "1"},
		"rootUri":          nil,
		"workspaceFolders": folders(e.opts.Roots),
		"capabilities":     capabilities,
	}
	if e.opts.InitializationOptions != nil {
		params["initializationOptions"] = e.opts.InitializationOptions
	}
	return params
}

func (e *Editor) workspaceEdit() map[string]any {
	out := map[string]any{"documentChanges": !e.opts.NoDocumentChanges}
	if len(e.opts.FileOperations) > 0 {
		out["resourceOperations"] = e.opts.FileOperations
	}
	return out
}

func (e *Editor) window() map[string]any {
	out := map[string]any{"workDoneProgress": true}
	if !e.opts.NoQuestions {
		out["showMessage"] = map[string]any{}
	}
	return out
}

func (e *Editor) experimental() map[string]any {
	if e.opts.AgentLSP == nil && e.opts.LineRule == AnyLineEnd {
		return nil
	}
	out := map[string]any{"line_rule": e.opts.LineRule}
	for name, offered := range e.opts.AgentLSP {
		out[name] = offered
	}
	return out
}

// adopt takes over what the server's capabilities decide.
func (e *Editor) adopt(result json.RawMessage) error {
	var r struct {
		Capabilities serverCapabilities `json:"capabilities"`
	}
	if err := json.Unmarshal(result, &r); err != nil {
		return fmt.Errorf("initialize's answer: %w", err)
	}
	caps := r.Capabilities
	units := caps.PositionEncoding
	if units == "" {
		units = UTF16
	}
	offered := e.opts.Encodings
	if units != UTF16 && !slices.Contains(offered, units) {
		return fmt.Errorf("the server chose position encoding %q of %q", units, offered)
	}
	caps.readSync()
	e.mu.Lock()
	defer e.mu.Unlock()
	e.serverCap = caps
	e.coords.units = units
	return nil
}

// readSync reads textDocumentSync, which is a number or an object.
func (c *serverCapabilities) readSync() {
	const full = 1
	var kind int
	if json.Unmarshal(c.Sync, &kind) == nil {
		c.fullSync = kind == full
		return
	}
	var options struct {
		Change int             `json:"change"`
		Save   json.RawMessage `json:"save"`
	}
	_ = json.Unmarshal(c.Sync, &options) // absent: no options
	var save struct {
		IncludeText bool `json:"includeText"`
	}
	_ = json.Unmarshal(options.Save, &save) // a bare boolean has no options
	c.fullSync = options.Change == full
	c.includeSaveText = save.IncludeText
}
