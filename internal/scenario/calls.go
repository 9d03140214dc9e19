package scenario

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fakeeditor"
)

// callVerbs are what the assistant does, and what else has JSON.
var callVerbs = map[string]func(*runner, string) error{
	"call": func(r *runner, rest string) error {
		if err := r.begin(rest); err != nil {
			return err
		}
		return r.take(len(r.begun) - 1)
	},
	"begin":    (*runner).begin,
	"finish":   func(r *runner, _ string) error { return r.take(0) },
	"cancel":   (*runner).cancel,
	"page":     (*runner).page,
	"request":  (*runner).request,
	"notify":   (*runner).notify,
	"servers":  (*runner).servers,
	"config":   (*runner).config,
	"state":    (*runner).tellState,
	"messages": (*runner).showMessages,
	"told":     (*runner).showTold,
	"sure":     (*runner).sure,
}

var errNoneBegun = errors.New("no call was begun")

func (r *runner) begin(rest string) error {
	tool, text, _ := strings.Cut(rest, " ")
	arguments, err := r.jsonArg(text)
	if err != nil {
		return err
	}
	r.begun = append(r.begun, begun{tool, arguments, r.surface.Begin(tool, arguments)})
	return nil
}

// take waits for a begun call, renders its answer and checks it.
func (r *runner) take(i int) error {
	answer, err := r.hear(i)
	if err != nil {
		return err
	}
	if answer != nil {
		r.answer(r.render(*answer))
	}
	return nil
}

// hear waits for the answer to a call and judges it. An error of the protocol
// is rendered, and there is no answer then.
func (r *runner) hear(i int) (*Answer, error) {
	if i < 0 || i >= len(r.begun) {
		return nil, errNoneBegun
	}
	b := r.begun[i]
	r.begun = append(r.begun[:i:i], r.begun[i+1:]...)
	answer, err := b.call.Answer(r.ctx)
	r.last, r.lastErr = nil, false
	if err != nil {
		return nil, r.protocolError(err)
	}
	r.lastErr = answer.IsError
	if len(answer.Structured) > 0 {
		tree, err := parseTree(answer.Structured)
		if err != nil {
			return nil, err
		}
		r.last, _ = tree.(object)
	}
	r.judge(b, answer)
	return &answer, nil
}

// protocolError renders an error that is an answer; others end the scenario,
// unless the scenario ended the connection itself.
func (r *runner) protocolError(err error) error {
	rpcErr, isAnswer := errors.AsType[*fakeeditor.RPCError](err)
	switch {
	case isAnswer:
		r.answer(r.stable(rpcErr.Error() + "\n"))
	case r.died && errors.Is(err, fakeeditor.ErrClosed):
		r.answer("the connection is closed\n")
	default:
		return err
	}
	return nil
}

func (r *runner) cancel(string) error {
	if len(r.begun) == 0 {
		return errNoneBegun
	}
	r.begun[len(r.begun)-1].call.Cancel()
	return nil
}

func (r *runner) request(rest string) error {
	method, text, _ := strings.Cut(rest, " ")
	params, err := r.jsonArg(text)
	if err != nil {
		return err
	}
	r.last, r.lastErr = nil, false
	raw, err := r.editor().Request(r.ctx, method, params)
	if err != nil {
		return r.protocolError(err)
	}
	r.answer(r.renderJSON(raw))
	tree, err := parseTree(raw)
	r.last, _ = tree.(object)
	return err
}

func (r *runner) notify(rest string) error {
	method, text, _ := strings.Cut(rest, " ")
	params, err := r.jsonArg(text)
	if err == nil {
		r.editor().Notify(method, params)
	}
	return err
}

func (r *runner) config(rest string) error {
	settings, err := r.jsonArg(rest)
	if err == nil {
		r.editor().Notify("workspace/didChangeConfiguration", map[string]any{"settings": settings})
	}
	return err
}

// showMessages renders the warnings and errors since the last time.
func (r *runner) showMessages(string) error {
	var b strings.Builder
	all := r.editor().Messages()
	for _, m := range all[r.shown:] {
		if strings.HasPrefix(m, "error: ") || strings.HasPrefix(m, "warning: ") {
			fmt.Fprintln(&b, m)
		}
	}
	r.shown = len(all)
	r.answer(r.stable(b.String()))
	return nil
}

// showTold renders what the server sent with a method, all of it, without the
// callers' ids, which differ between surfaces.
func (r *runner) showTold(method string) error {
	var b strings.Builder
	for _, entry := range r.editor().Log() {
		var m struct{ Params json.RawMessage }
		if !entry.FromServer || entry.Method != method {
			continue
		}
		if err := json.Unmarshal([]byte(entry.Body), &m); err != nil {
			return fmt.Errorf("a message too long to be kept: %w", err)
		}
		b.WriteString(r.renderJSON(callerID.ReplaceAll(m.Params, []byte("$1"))))
	}
	r.answer(b.String())
	return nil
}

// callerID is the id in a caller's JSON.
var callerID = regexp.MustCompile(`("client":\{"name":"[^"]*"),"id":"[^"]*"`)

// sure waits until the server has taken over the text that it asked the editor
// for: an answer is of use to it only some time after it has arrived.
func (r *runner) sure(name string) error {
	for {
		if err := r.begin("read_file " + quotePath(name)); err != nil {
			return err
		}
		b := r.begun[len(r.begun)-1]
		r.begun = r.begun[:len(r.begun)-1]
		answer, err := b.call.Answer(r.ctx)
		if err != nil {
			return err
		}
		var s struct {
			OutOfSync bool `json:"unsure"`
		}
		if err := json.Unmarshal(answer.Structured, &s); err != nil || !s.OutOfSync {
			return err
		}
	}
}

func quotePath(name string) string { return `{"path": ` + quoteJSON(name) + `}` }
