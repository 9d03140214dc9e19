package hook

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// when is when a hook is run.
type when int

const (
	before when = iota + 1
	after
	refused // by the host itself, before it ran a hook
)

// Event is a call of a host's own tool that a hook is told of.
type Event struct {
	host Host
	name string // of the event, as the host has it
	when when

	mode    string // the host's permission mode; "" where it does not tell
	session string // the conversation, as the host names it
	agent   string // which one of the conversation; "" for the main one
	folder  string // the working directory; absolute, "" where the host gave none
	tool    tool
	called  string // the tool's name
	id      string // of the call; "" where the host does not tell it
	args    arguments
	answer  wire.RawValue // what the tool gave; not before it
}

// given is what hosts write to a hook's standard input. Copilot CLI has names of
// its own. What else is there, transcripts say, is passed over.
type given struct {
	Event    string        `json:"hook_event_name"`
	Session  string        `json:"session_id"`
	Agent    string        `json:"agent_id"`
	Cwd      string        `json:"cwd"`
	Mode     string        `json:"permission_mode"`
	Tool     string        `json:"tool_name"`
	ID       string        `json:"tool_use_id"`
	Input    wire.RawValue `json:"tool_input"`
	Response wire.RawValue `json:"tool_response"`
	Calls    []struct {
		Tool     string        `json:"tool_name"`
		ID       string        `json:"tool_use_id"`
		Input    wire.RawValue `json:"tool_input"`
		Response wire.RawValue `json:"tool_response"`
	} `json:"tool_calls"`

	CopilotSession string        `json:"sessionId"`
	CopilotTool    string        `json:"toolName"`
	CopilotInput   wire.RawValue `json:"toolArgs"`
	CopilotResult  wire.RawValue `json:"toolResult"`
}

// Parse returns the events that a host told on a hook's standard input: none where
// the event or the tool is not one that matters here. event is the event's name
// where the host does not say it, else "".
func Parse(h Host, event string, in []byte) ([]Event, error) {
	var g given
	if err := wire.UnmarshalLenient(in, &g); err != nil {
		return nil, fault.New(fault.InvalidParams, "what %s told the hook is no JSON that is understood: %s", h.Title, fault.From(err).Message)
	}
	if h.speaks == copilot {
		g.Session, g.Tool, g.Input, g.Response = g.CopilotSession, g.CopilotTool, g.CopilotInput, g.CopilotResult
	}
	if g.Event == "" {
		g.Event = event
	}
	one := Event{host: h, name: g.Event, session: g.Session, agent: g.Agent, mode: g.Mode}
	if filepath.IsAbs(g.Cwd) {
		one.folder = filepath.Clean(g.Cwd)
	}
	switch g.Event {
	case "":
		return nil, nil
	case h.Before:
		one.when = before
	case h.After:
		one.when = after
	case h.Batch:
		return g.restOf(one), nil
	default:
		return nil, nil
	}
	one.id = g.ID
	return one.of(g.Tool, g.Input, g.Response)
}

// of completes the event with the tool that it is about.
func (e Event) of(name string, input, answer wire.RawValue) ([]Event, error) {
	var known bool
	if e.tool, known = e.host.tools[name]; !known {
		return nil, nil
	}
	var err error
	e.called, e.answer = name, answer
	if e.args, err = parseArguments(input); err != nil {
		return nil, err
	}
	return []Event{e}, nil
}

// restOf returns events for the calls of a batch of which no other event tells all:
// those that the host refused, without asking a hook, because they do not fit the file
// on disk, and commands, which may have failed.
func (g *given) restOf(e Event) (all []Event) {
	for _, c := range g.Calls {
		e.when, e.id = refused, c.ID
		switch {
		case e.host.tools[c.Tool].does == runs:
			e.when = after
		case !e.host.refused(c.Response):
			continue
		}
		if one, err := e.of(c.Tool, c.Input, c.Response); err == nil { // else that one alone is not understood
			all = append(all, one...)
		}
	}
	return all
}

// refused reports whether an answer is one of the host's refusals.
func (h Host) refused(answer wire.RawValue) bool {
	var said string
	if wire.UnmarshalLenient(answer, &said) != nil {
		return false
	}
	why, isError := strings.CutPrefix(said, "<tool_use_error>")
	return isError && slices.ContainsFunc(h.refusals, func(r string) bool { return strings.HasPrefix(why, r) })
}

// path returns the absolute path of the file that a call is about; of a search or a
// command the folder where it works. It is "" where the call names none.
func (e *Event) path() string { return e.absolute(e.args.text(e.tool.path)) }

// absolute returns a path as it is meant in the working directory; "" where that
// is not known.
func (e *Event) absolute(path string) string {
	switch {
	case path == "":
		return ""
	case filepath.IsAbs(path):
		return filepath.Clean(path)
	case e.folder == "":
		return ""
	}
	return filepath.Join(e.folder, path)
}

// arguments are those of a call, by name.
type arguments map[string]wire.RawValue

// parseArguments takes an object, or a text that is one.
func parseArguments(raw wire.RawValue) (arguments, error) {
	var packed string
	if len(raw) > 0 && raw[0] == '"' && wire.UnmarshalLenient(raw, &packed) == nil {
		raw = wire.RawValue(packed)
	}
	a := arguments{}
	if len(raw) == 0 {
		return a, nil
	}
	if err := wire.UnmarshalLenient(raw, &a); err != nil {
		return nil, fault.New(fault.InvalidParams, "the tool's arguments are no object: %s", fault.From(err).Message)
	}
	return a, nil
}

// text returns an argument that is a text; "" where it is not given or none.
func (a arguments) text(name string) (s string) {
	if raw, ok := a[name]; ok {
		_ = wire.UnmarshalLenient(raw, &s)
	}
	return s
}

// maxLineNumber is the largest number of a line that counts as one.
const maxLineNumber = 1 << 40

// number returns an argument that is a number, 0 where it is not given or none.
func (a arguments) number(name string) int {
	var n float64
	if raw, ok := a[name]; ok {
		_ = wire.UnmarshalLenient(raw, &n)
	}
	return int(min(max(n, -maxLineNumber), maxLineNumber))
}

func (a arguments) yes(name string) (is bool) {
	if raw, ok := a[name]; ok {
		_ = wire.UnmarshalLenient(raw, &is)
	}
	return is
}

// lines returns the lines that a call reads, 1-based and inclusive; to is 0 where
// it does not say.
func (e *Event) lines() (from, to int) {
	t, a := e.tool, e.args
	if t.between != "" {
		var list []int
		if wire.UnmarshalLenient(a[t.between], &list) == nil && len(list) == 2 {
			return max(list[0], 1), max(list[1], 0)
		}
		return 1, 0
	}
	from = max(a.number(t.from), 1)
	if t.offset != "" {
		from = max(a.number(t.offset), 0) + 1
	}
	if to = a.number(t.to); to <= 0 {
		if limit := a.number(t.limit); limit > 0 {
			to = from + limit - 1
		}
	}
	return from, max(to, 0)
}

// replacement is one edit of a call.
type replacement struct {
	Old string `json:"old_text"`
	New string `json:"new_text"`
	All bool   `json:"replace_all,omitzero"`
}

// replacements returns the edits of a call.
func (e *Event) replacements() []replacement {
	t := e.tool
	var all []replacement
	for _, a := range e.items() {
		all = append(all, replacement{a.text(t.old), a.text(t.new), a.yes(t.all)})
	}
	return all
}

// items returns the arguments of each edit of a call; none where they are no list.
func (e *Event) items() (list []arguments) {
	if e.tool.list == "" {
		return []arguments{e.args}
	}
	if wire.UnmarshalLenient(e.args[e.tool.list], &list) != nil {
		return nil
	}
	return list
}

// missing returns the name of the first argument that a change needs and that is not
// given, or is no text; "" where all are there.
func (e *Event) missing() string {
	t := e.tool
	if t.does != edits {
		return e.args.missing(t.text)
	}
	list := e.items()
	if len(list) == 0 {
		return t.list
	}
	for _, a := range list {
		if name := a.missing(t.old, t.new); name != "" {
			return name
		}
	}
	return ""
}

func (a arguments) missing(names ...string) string {
	for _, name := range names {
		if a[name].Kind() != '"' {
			return name
		}
	}
	return ""
}

// chained reports whether an edit may be of text that one before it writes. The host
// makes its edits one after the other; edit_file makes them all on one text.
func chained(list []replacement) bool {
	for i, later := range list {
		if slices.ContainsFunc(list[:i], func(r replacement) bool { return strings.Contains(r.New, later.Old) }) {
			return true
		}
	}
	return false
}
