package setup

import (
	"regexp"
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

// RemoveHooks returns what takes the hooks of ours out of the host, and nothing else.
func (h Host) RemoveHooks(p Places, o Order) []Step {
	o.Hooks = nil
	return h.hookSteps(p, o)
}

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
		out, err := h.hooks.set(src, invocation{o.Server.Command, h.Name}, o.Hooks)
		if err != nil {
			err = fault.New(fault.InvalidParams, "the hooks cannot be changed: %s", err).Advise("Mend the file, or change them by hand.")
		}
		return out, err
	})}
}

// set returns src with these hooks of ours and no others of ours.
func (t hooks) set(src []byte, ours invocation, wanted []Hook) ([]byte, error) {
	out, err := t.cut(src, ours, wanted)
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
func (t hooks) cut(src []byte, ours invocation, wanted []Hook) ([]byte, error) {
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
			return isHook(v, ours) && !slices.ContainsFunc(wanted, wants)
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

// isHook reports whether an element is a hook of ours and holds no other.
func isHook(v *jsonc.Value, ours invocation) bool {
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
		return c.Command != "" && c.Bash != "" || !ours.is(c.Command+c.Bash)
	})
}

// invocation is how a host's hook starts us.
type invocation struct{ program, host string }

// A line of shell with one simple command: its program, in quotes or without, and
// words that mean nothing to a shell.
var simple = regexp.MustCompile(`^[ \t]*((?:'[^']*'|\\'|"[^"$` + "`" + `\\]*"|[^\s'"$` + "`" + `\\;&|<>()#])+)((?:[ \t]+[A-Za-z]+)*)[ \t]*$`)

// is reports whether a line of shell starts this program, or one of our name, as the
// host's hook, and does nothing else. A host that does not tell a hook its event has
// that as one more word.
func (i invocation) is(line string) bool {
	m := simple.FindStringSubmatch(line)
	if m == nil {
		return false
	}
	program := strings.NewReplacer(`\'`, "'", `'`, "", `"`, "").Replace(m[1])
	words := strings.Fields(m[2])
	return (program == i.program || isOurName(program)) && (len(words) == 2 || len(words) == 3) && words[0] == "hook" && words[1] == i.host
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
