package fakeeditor

import (
	"encoding/json"
	"errors"
	"fmt"
)

// serve handles one message of the server. It runs on the reading goroutine,
// so requests are handled one after the other.
func (e *Editor) serve(m message) {
	if m.ID == nil {
		e.notified(m)
		return
	}
	e.turn.Lock()
	defer e.turn.Unlock()
	b := e.currentBehaviour()
	if b.DieOn == m.Method {
		e.conn.end(ErrClosed)
		return
	}
	if b.Hold[m.Method] {
		e.keep(func() { e.answerRequest(m) })
		return
	}
	e.answerRequest(m)
}

func (e *Editor) keep(f func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.held = append(e.held, f)
}

func (e *Editor) answerRequest(m message) {
	b := e.currentBehaviour()
	isEdit := m.Method == "workspace/applyEdit"
	if isEdit && b.AnswerFirst && b.Apply == Apply {
		e.reply(m.ID, applyAnswer{Applied: true}, nil)
		_, _, _ = e.applyEdit(m.Params)
		return
	}
	result, answer, err := e.result(m)
	if !answer {
		return
	}
	if isEdit && b.HoldAnswer {
		e.keep(func() { e.reply(m.ID, result, err) })
		return
	}
	e.reply(m.ID, result, err)
}

func (e *Editor) reply(id json.RawMessage, result any, err error) {
	m := message{ID: id}
	if err != nil {
		m.Error = toRPCError(err)
	} else if m.Result = mustMarshal(result); result == nil {
		m.Result = json.RawMessage("null")
	}
	e.conn.send(m)
}

func toRPCError(err error) *RPCError {
	if r, ok := errors.AsType[*RPCError](err); ok {
		return r
	}
	return &RPCError{Code: -32603, Message: err.Error()}
}

// result answers a request; answer is false when there is to be none.
func (e *Editor) result(m message) (result any, answer bool, err error) {
	switch m.Method {
	case "workspace/applyEdit":
		return e.applyEdit(m.Params)
	case "agent/save", "agent/reload", "agent/resync", "agent/confirmEdit", "agent/diagnostics", "agent/editorState":
		result, err = e.agentRequest(m)
	case "agent/references", "agent/rename", "agent/willRename", "agent/codeActions":
		result, err = e.askServers(m)
	case "window/showMessageRequest":
		result, err = e.chooseAction(m.Params)
	case "window/workDoneProgress/create", "client/registerCapability", "client/unregisterCapability":
	case "workspace/configuration":
		result, err = e.configuration(m.Params)
	case "workspace/workspaceFolders":
		e.mu.Lock()
		result = folders(e.roots)
		e.mu.Unlock()
	default:
		e.log.violation("unknown request %s", m.Method)
		err = &RPCError{Code: -32601, Message: "unknown method " + m.Method}
	}
	return result, true, err
}

// agentRequest answers the project's own requests, which the server may send
// only when they were offered.
func (e *Editor) agentRequest(m message) (any, error) {
	name := m.Method[len("agent/"):]
	if !e.opts.AgentLSP[name] {
		e.log.violation("%s was never offered", m.Method)
		return nil, &RPCError{Code: -32601, Message: "unknown method " + m.Method}
	}
	var p struct {
		URI string `json:"uri"`
	}
	if err := json.Unmarshal(m.Params, &p); err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	switch name {
	case "confirmEdit":
		answer := map[string]any{"decision": e.behaviour.Consent, "reason": e.behaviour.ConsentReason}
		if e.behaviour.ConsentEdits != nil {
			answer["files"] = e.behaviour.ConsentEdits(m.Params)
		}
		return answer, nil
	case "diagnostics":
		return e.tellDiagnostics(m.Params)
	case "editorState":
		return e.editorState()
	}
	d := e.docs[p.URI]
	if d == nil {
		return nil, fmt.Errorf("%s is not open", p.URI)
	}
	switch name {
	case "save":
		return map[string]any{"saved": !e.behaviour.RefuseSave && e.save(d) == nil}, nil
	case "reload":
		reload := !e.behaviour.RefuseReload && !d.dirty() && e.reload(d) == nil
		return map[string]any{"reloaded": reload}, nil
	}
	// What is still kept back is part of the text that this answer tells.
	d.held, d.waiting = false, nil
	return map[string]any{"version": d.version, "text": d.text}, nil
}

func (e *Editor) chooseAction(params json.RawMessage) (any, error) {
	var p struct {
		Actions []json.RawMessage `json:"actions"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, err
	}
	if e.currentBehaviour().Consent != "apply" || len(p.Actions) == 0 {
		return nil, nil
	}
	return p.Actions[0], nil
}

// configuration answers null for every item: nothing is set.
func (e *Editor) configuration(params json.RawMessage) (any, error) {
	var p struct {
		Items []json.RawMessage `json:"items"`
	}
	err := json.Unmarshal(params, &p)
	return make([]any, len(p.Items)), err
}

var messageTypes = []string{"", "error", "warning", "info", "log", "debug"}

func (e *Editor) notified(m message) {
	switch m.Method {
	case "window/showMessage", "window/logMessage":
		var p struct {
			Type    int    `json:"type"`
			Message string `json:"message"`
		}
		if json.Unmarshal(m.Params, &p) != nil || p.Type < 1 || p.Type >= len(messageTypes) {
			e.log.violation("unusable %s", m.Method)
			return
		}
		e.mu.Lock()
		defer e.mu.Unlock()
		e.messages = append(e.messages, messageTypes[p.Type]+": "+p.Message)
	case "$/progress", "$/cancelRequest", "agent/activity", "agent/clients", "agent/review/changed", "agent/follow":
	default:
		e.log.violation("unknown notification %s", m.Method)
	}
}
