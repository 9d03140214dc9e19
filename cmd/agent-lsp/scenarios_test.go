//go:build unix

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fakeeditor"
	"github.com/agent-lsp/agent-lsp/internal/scenario"
	"github.com/agent-lsp/agent-lsp/rpc/form"
	"github.com/agent-lsp/agent-lsp/rpc/session"
	"github.com/agent-lsp/agent-lsp/rpc/session/route"
	"github.com/agent-lsp/agent-lsp/tools"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// TestScenariosByCommand runs the scenarios with calls that are spelled as
// commands, from another process's place, and wants the answers that LSP
// gives. Calls that no command can spell, because their arguments are wrong on
// purpose, go as they are.
func TestScenariosByCommand(t *testing.T) {
	definitions := tools.All()
	open := func(ctx context.Context, t testing.TB, w scenario.Workspace) (scenario.Surface, error) {
		editor, backend, end, err := scenario.OpenBackend(ctx, t, w)
		if err != nil {
			return nil, err
		}
		return &commandSurface{editor, backend, end, definitions}, nil
	}
	scenario.EachElsewhere(t, "../../testdata/scenarios", func(t *testing.T, path string) { scenario.Run(t, path, open, false) })
}

type commandSurface struct {
	scenario.Surface
	backend     route.Backend
	end         func()
	definitions []tools.Definition
}

func (s *commandSurface) Close(ctx context.Context) error {
	s.end()
	return s.Surface.Close(ctx)
}

// Begin calls when the server has seen what the editor told before: the two
// come by different ways.
func (s *commandSurface) Begin(tool string, args json.RawMessage) scenario.Call {
	ctx := context.Background()
	done := make(chan answered, 1)
	if err := scenario.AwaitServer(ctx, s.Editor()); err != nil {
		done <- answered{err: err}
		return begun{done}
	}
	if i := slices.IndexFunc(s.definitions, func(d tools.Definition) bool { return d.Name == tool }); i >= 0 {
		d := s.definitions[i]
		if command, ok := spell(d, args); ok {
			given, err := parse(d, command, args)
			if err != nil {
				done <- answered{err: fmt.Errorf("agent-lsp %q: %w", command, err)}
				return begun{done}
			}
			args = given
		}
	}
	go func() {
		a, err := s.backend.Call(ctx, session.Call{
			Tool: tool, Arguments: []byte(args), Client: toolcall.Client{Name: "fakeeditor"}, Form: form.LSP,
		})
		result := answered{err: err}
		if err == nil {
			result.err = json.Unmarshal(scenario.WithoutEditorNote(a.Raw), &result.Answer)
		}
		done <- result
	}()
	return begun{done}
}

type begun struct{ done chan answered }

type answered struct {
	fakeeditor.Answer
	err error
}

func (b begun) Answer(ctx context.Context) (scenario.Answer, error) {
	select {
	case a := <-b.done:
		return a.Answer, a.err
	case <-ctx.Done():
		return scenario.Answer{}, ctx.Err()
	}
}

func (begun) Cancel() {}

// parse reads a command as main does, with fewer tools to choose from, and
// returns the tool's arguments. A patch comes by standard input, as it is in
// args.
func parse(d tools.Definition, command []string, args json.RawMessage) (json.RawMessage, error) {
	var in struct {
		Patch string `json:"patch"`
	}
	if err := json.Unmarshal(args, &in); err != nil {
		return nil, err
	}
	k, err := newParser([]tools.Definition{d}).Parse(command)
	if err != nil {
		return nil, err
	}
	if k.Selected().Name != dashed(d.Name) {
		return nil, fmt.Errorf("it is %s", k.Selected().Name)
	}
	return argumentsOf(k.Selected(), d, func() (string, error) { return in.Patch, nil })
}

// spell writes a call as a command; ok is false when none can say it.
func spell(d tools.Definition, args json.RawMessage) (command []string, ok bool) {
	var given map[string]json.RawMessage
	if slices.Contains(ownCommands, d.Name) || json.Unmarshal(args, &given) != nil {
		return nil, false
	}
	list, required := properties(d)
	command = []string{dashed(d.Name)}
	values := map[string]string{} // of arguments
	spelled := 0
	for _, p := range list {
		raw, has := given[p.name]
		if !has {
			if slices.Contains(required, p.name) {
				return nil, false
			}
			continue
		}
		words, ok := p.spell(d.Terminal, raw)
		if !ok {
			return nil, false
		}
		spelled++
		if slices.Contains(d.Terminal.Arguments, p.name) {
			values[p.name] = words[0]
		} else {
			command = append(command, words...)
		}
	}
	command = append(command, "--")
	for _, name := range d.Terminal.Arguments {
		value, has := values[name]
		switch {
		case has:
			command = append(command, value)
		case slices.ContainsFunc(list, func(p property) bool { return p.name == name }) && len(values) > 0:
			return nil, spelled == 0 // one that follows cannot be given without it
		}
	}
	return command, spelled == len(given)
}

// spell writes one input as words of a command.
func (p property) spell(t tools.Terminal, raw json.RawMessage) (words []string, ok bool) {
	flag := "--" + dashed(p.name)
	var value any
	if json.Unmarshal(raw, &value) != nil {
		return nil, false
	}
	switch v := value.(type) {
	case string:
		if slices.Contains(t.Files, p.name) {
			return []string{"-"}, true
		}
		if slices.Contains(t.Arguments, p.name) {
			return []string{v}, v != "-"
		}
		return []string{flag + "=" + v}, p.Type == "string" && v != "-"
	case bool:
		switch {
		case v:
			return []string{flag}, p.Type == "boolean"
		case slices.Contains(t.Negatable, p.name):
			return []string{"--no-symbols"}, true
		}
		return nil, p.Type == "boolean" // what is not given is false
	case float64:
		return []string{flag + "=" + strconv.FormatUint(uint64(v), 10)}, p.Type == "integer" && v >= 0 && v == float64(uint64(v))
	case map[string]any:
		for name, member := range v {
			text, is := member.(string)
			if !is || strings.Contains(name, "=") {
				return nil, false
			}
			words = append(words, flag+"="+name+"="+text)
		}
		return words, p.Type == "object" && len(words) > 0
	case []any:
		if p.Type != "array" || p.Items.Type == "object" {
			return []string{flag + "=" + string(raw)}, p.Type == "array"
		}
		for _, e := range v {
			text, is := e.(string)
			if !is {
				return nil, false
			}
			words = append(words, flag+"="+text)
		}
		return words, len(words) > 0
	}
	return nil, false
}
