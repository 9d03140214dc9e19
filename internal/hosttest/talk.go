package hosttest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// talk is one conversation of a model with a host.
type talk struct {
	host  Host
	model *Model
	run   *process // the host
	turn  *Turn    // waits for a reply; nil before the first and after the last
	asked []Call   // all of them
	last  int      // how many of them in the last turn
	knew  []byte   // the request before the one that waits
}

// errEnded is why a call has no answer when its host has ended.
var errEnded = errors.New("the host has ended")

// wait returns when the host waits for the model.
func (t *talk) wait(ctx context.Context) error {
	if t.turn != nil {
		return nil
	}
	select {
	case t.turn = <-t.model.Turns:
		return nil
	case <-t.run.ended:
		return fmt.Errorf("%w (%v):\n%s", errEnded, t.run.err, t.run.tail())
	case <-ctx.Done():
		return fmt.Errorf("the host does not ask the model: %w\n%s", ctx.Err(), t.run.tail())
	}
}

// ask makes calls of our tools in one turn and returns what the model gets as
// their answers.
func (t *talk) ask(ctx context.Context, calls ...call) ([]string, error) {
	if err := t.begin(ctx, calls...); err != nil {
		return nil, err
	}
	return t.answers(ctx)
}

// begin makes calls and does not wait.
func (t *talk) begin(ctx context.Context, calls ...call) error {
	if err := t.wait(ctx); err != nil {
		return err
	}
	tools := make([]Tool, len(calls))
	for i, c := range calls { // all are shown before the first is called
		var err error
		if tools[i], err = t.tool(ctx, c.tool); err != nil {
			return err
		}
	}
	var list []Call
	for i, c := range calls {
		list = append(list, Call{ID: fmt.Sprintf("call_%03d", len(t.asked)+i+1), Tool: tools[i], Args: arguments(tools[i], c.args)})
	}
	t.reply(list)
	return nil
}

// empty stands in a call's arguments for all others that the tool has.
const empty = `"...": ""`

// arguments are those of a call; with empty among them, all optional ones
// that are not given are there as well, with nothing in them.
func arguments(tool Tool, args string) json.RawMessage {
	if !strings.Contains(args, empty) {
		return json.RawMessage(args)
	}
	var given map[string]any
	var schema struct {
		Required   []string
		Properties map[string]struct {
			Type any
			Enum []any
		}
	}
	if err := errors.Join(json.Unmarshal([]byte(args), &given), json.Unmarshal(tool.Schema, &schema)); err != nil {
		return json.RawMessage(args) // which the tool will tell
	}
	delete(given, "...")
	nothing := map[string]any{"string": "", "integer": 0, "number": 0, "boolean": false, "array": []any{}, "object": object{}}
	for name, p := range schema.Properties {
		value, known := nothing[strings.ToLower(fmt.Sprint(p.Type))]
		// Some hosts themselves keep to an enumeration.
		if _, has := given[name]; !has && known && p.Enum == nil && !slices.Contains(schema.Required, name) {
			given[name] = value
		}
	}
	return encode(given)
}

// reply makes the calls that the model makes in this turn.
func (t *talk) reply(calls []Call) {
	t.asked, t.last = append(t.asked, calls...), len(calls)
	t.turn.Reply(Reply{Calls: calls})
	t.knew, t.turn = t.turn.Body, nil
}

// answers returns the answers of the calls that were made last, by their ids;
// by their order where a host gives them ids of its own.
func (t *talk) answers(ctx context.Context) ([]string, error) {
	if err := t.wait(ctx); err != nil {
		return nil, err
	}
	all := t.turn.Results
	if len(all) < t.last {
		return nil, fmt.Errorf("the host tells of %d results, not of %d", len(all), t.last)
	}
	var out []string
	for i, c := range t.asked[len(t.asked)-t.last:] {
		result := all[len(all)-t.last+i]
		if n := slices.IndexFunc(all, func(r Result) bool { return r.ID == c.ID }); n >= 0 {
			result = all[n]
		}
		out = append(out, result.Text)
	}
	return out, nil
}

// ours matches the names by which hosts call our tools.
var ours = regexp.MustCompile(`(?i)agent.?lsp`)

// find returns the tool of ours that the host shows by a name of its own; with
// "own:" before its name, one of the host's.
func (t *talk) find(name string) (Tool, bool) {
	own, isOwn := strings.CutPrefix(name, "own:")
	i := slices.IndexFunc(t.turn.Tools, func(o Tool) bool {
		if isOwn {
			return o.Name == own
		}
		return strings.HasSuffix(o.Name, name) && ours.MatchString(o.Namespace+o.Name)
	})
	if i < 0 {
		return Tool{}, false
	}
	return t.turn.Tools[i], true
}

// tool finds one of our tools, by the host's own search where it hides them.
func (t *talk) tool(ctx context.Context, name string) (Tool, error) {
	tool, found := t.find(name)
	for _, words := range []string{"select:mcp__agent-lsp__" + name, "agent-lsp " + strings.ReplaceAll(name, "_", " ")} {
		if found || !t.hides() {
			break
		}
		if _, err := t.search(ctx, words, t.host.searchMore); err != nil {
			return Tool{}, err
		}
		tool, found = t.find(name)
	}
	if !found {
		return Tool{}, fmt.Errorf("the host shows no tool %s of ours; it shows %v", name, names(t.turn.Tools))
	}
	return tool, nil
}

// hides reports whether the host has a search for tools that it hides.
func (t *talk) hides() bool {
	return t.host.search != "" && slices.ContainsFunc(t.turn.Tools, func(o Tool) bool { return o.Name == t.host.search })
}

// search calls the host's own search for tools, with further arguments, and
// returns its answer.
func (t *talk) search(ctx context.Context, words, more string) (string, error) {
	i := slices.IndexFunc(t.turn.Tools, func(o Tool) bool { return o.Name == t.host.search })
	args := fmt.Sprintf(`{"query": %q%s}`, words, more)
	t.reply([]Call{{ID: fmt.Sprintf("search_%03d", len(t.asked)+1), Tool: t.turn.Tools[i], Args: json.RawMessage(args)}})
	answers, err := t.answers(ctx)
	return strings.Join(answers, "\n"), err
}

func names(list []Tool) []string {
	var out []string
	for _, t := range list {
		out = append(out, t.Namespace+t.Name)
	}
	return out
}

// end has the model say its last word, and waits for the host's end.
func (t *talk) end(ctx context.Context) error {
	if err := t.wait(ctx); err != nil {
		return err
	}
	t.turn.Reply(Reply{Text: "That was all."})
	for {
		select {
		case <-t.run.ended:
			if t.run.err != nil {
				return fmt.Errorf("the host ended with %w:\n%s", t.run.err, t.run.tail())
			}
			return nil
		case turn := <-t.model.Turns: // some ask again
			turn.Reply(Reply{Text: "That was all."})
		case <-ctx.Done():
			return fmt.Errorf("the host does not end: %w", ctx.Err())
		}
	}
}
