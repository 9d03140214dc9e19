package setup

import (
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/jsonc"
)

// Hook is a tool hook of a host.
type Hook struct {
	Event   string
	Matcher string // which tools it is for, as the host takes it; "" for all
	Command string // a line of shell
}

// hooks is where and how a host is told of its hooks: in JSON, as elements of a list
// for each event. The zero one is a host that has none.
type hooks struct {
	files, project []string // as those of a Host
	element        func(Hook) any
	// version is a member that the file has to have; 0 for none.
	version int
}

// Hooks reports whether setup can install hooks for the host.
func (h Host) Hooks() bool { return h.hooks.element != nil }

// hookSteps returns what installs the hooks of an order; what takes them out where it
// has none.
func (h Host) hookSteps(p Places, o Order) []Step {
	if !h.Hooks() {
		return nil
	}
	files := h.hooks.files
	if o.Project {
		files = h.hooks.project
	}
	return []Step{h.step(p, o.Project, files, func(src []byte) ([]byte, error) {
		out, err := h.hooks.set(src, h.Name, o.Hooks)
		if err != nil {
			err = fault.New(fault.InvalidParams, "the hooks cannot be changed: %s", err).Advise("Mend the file, or change them by hand.")
		}
		return out, err
	})}
}

// set returns src with these hooks of ours and no others of ours.
func (t hooks) set(src []byte, host string, wanted []Hook) ([]byte, error) {
	out, err := t.cut(src, host, wanted)
	if err != nil || len(wanted) == 0 {
		return out, err
	}
	if t.version > 0 {
		if there, err := found(out, []string{"version"}); err != nil || there == nil {
			if out, err = jsonc.Put(out, []string{"version"}, t.version); err != nil {
				return nil, err
			}
		}
	}
	for _, w := range wanted {
		if out, err = jsonc.Append(out, []string{"hooks", w.Event}, t.element(w)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// cut returns src without the hooks of ours but those that are wanted.
func (t hooks) cut(src []byte, host string, wanted []Hook) ([]byte, error) {
	all, err := found(src, []string{"hooks"})
	if err != nil || all == nil {
		return src, err
	}
	var events map[string]any
	if jsonc.Decode(all, &events) != nil {
		return src, nil
	}
	out := src
	for event := range events {
		drop := func(v *jsonc.Value) bool {
			wants := func(w Hook) bool { return w.Event == event && jsonc.Equal(v, t.element(w)) }
			return isHook(v, host) && !slices.ContainsFunc(wanted, wants)
		}
		if out, err = jsonc.CutElements(out, []string{"hooks", event}, drop); err != nil {
			return nil, err
		}
	}
	if rest, err := found(out, []string{"hooks"}); t.version > 0 && err == nil && rest == nil {
		return jsonc.Cut(out, []string{"version"})
	}
	return out, nil
}

// isHook reports whether an element is a hook of ours alone, with whatever flags a
// person has given it.
func isHook(v *jsonc.Value, host string) bool {
	type command struct {
		Command string `json:"command"`
		Bash    string `json:"bash"`
	}
	var is struct {
		command
		Hooks []command `json:"hooks"`
	}
	if jsonc.Decode(v, &is) != nil {
		return false
	}
	if is.Hooks == nil {
		is.Hooks = []command{is.command}
	}
	return len(is.Hooks) > 0 && !slices.ContainsFunc(is.Hooks, func(c command) bool {
		line := c.Command + c.Bash
		return !strings.Contains(line, Name) || !strings.Contains(line+" ", " hook "+host+" ")
	})
}

// grouped is how Claude Code, Codex, Gemini CLI and Qwen Code write a hook down.
func grouped(more ...jsonc.Field) func(Hook) any {
	return func(k Hook) any {
		var fields []jsonc.Field
		if k.Matcher != "" {
			fields = append(fields, jsonc.Field{Name: "matcher", Value: k.Matcher})
		}
		command := append([]jsonc.Field{{Name: "type", Value: "command"}, {Name: "command", Value: k.Command}}, more...)
		return append(fields, jsonc.Field{Name: "hooks", Value: []any{command}})
	}
}

// single is how Copilot CLI does. It does not tell a hook its event.
func single(k Hook) any {
	return []jsonc.Field{{Name: "type", Value: "command"}, {Name: "bash", Value: k.Command + " " + k.Event}, {Name: "timeoutSec", Value: 30}}
}
