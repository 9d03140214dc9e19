package tokens

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

//go:embed tasks
var taskFiles embed.FS

// Options say what is measured, and with which programs.
type Options struct {
	Server  string         // our program
	Sources string         // the folder of the go.mod that pins sources
	Modules string         // the folder node_modules that pins sources and peers
	Dir     string         // where workspaces are made; empty is the system's temporary folder
	Tasks   *regexp.Regexp // for the names of the tasks to do
	Sets    *regexp.Regexp // for the names of the tool sets that do them
	Show    bool           // print the calls and answers
}

// cost is what the best sequence of a tool set cost.
type cost struct {
	tokens, calls int
	reason        string
	failed        error // why no sequence passed; nil when one did
	cannot        bool  // there is none
}

// Result is what tasks cost.
type Result struct {
	tasks        []*task
	costs        []map[string]cost // by tool set, for each task
	toolsTokens  int               // of our tools/list
	introduction int               // tokens of our instructions
}

// Run does all tasks with all tool sets and says on w how it goes.
func Run(w io.Writer, o Options) (*Result, error) {
	tasks, err := loadTasks(o.Tasks, o.Sets)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(o.Dir, "agent-lsp-tokens-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := makeWorkspaces(dir, o.Sources, o.Modules); err != nil {
		return nil, err
	}
	e, err := newEnvironment(dir, o.Server, o.Modules)
	if err != nil {
		return nil, err
	}
	defer e.stop()
	return runTasks(w, e, dir, tasks, o.Show)
}

// loadTasks returns the tasks whose names match, with the sequences of the tool
// sets that match.
func loadTasks(only, sets *regexp.Regexp) (tasks []*task, err error) {
	entries, err := taskFiles.ReadDir("tasks")
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		b, err := taskFiles.ReadFile("tasks/" + entry.Name())
		if err != nil {
			return nil, err
		}
		more, err := parseTasks(entry.Name(), b)
		if err != nil {
			return nil, err
		}
		for _, t := range more {
			if only.MatchString(t.id) {
				t.sequences = slices.DeleteFunc(t.sequences, func(s sequence) bool { return !sets.MatchString(s.set) })
				tasks = append(tasks, t)
			}
		}
	}
	return tasks, nil
}

// runTasks does tasks in workspaces below dir.
func runTasks(w io.Writer, e *environment, dir string, tasks []*task, show bool) (*Result, error) {
	count, err := counter()
	if err != nil {
		return nil, err
	}
	result := &Result{tasks: tasks}
	for _, t := range tasks {
		r := &runner{environment: e, dir: filepath.Join(dir, t.workspace), count: count, result: result}
		if show {
			r.show = w
		}
		costs, err := r.task(t)
		if err != nil {
			return nil, fmt.Errorf("task %s: %w", t.id, err)
		}
		result.costs = append(result.costs, costs)
		fmt.Fprintf(w, "%-16s %s\n", t.id, line(costs))
	}
	return result, nil
}

// line tells the costs of a task.
func line(costs map[string]cost) string {
	var parts []string
	for _, set := range sorted(costs) {
		switch c := costs[set]; {
		case c.cannot:
		case c.failed != nil:
			parts = append(parts, fmt.Sprintf("%s WRONG (%v)", set, c.failed))
		default:
			parts = append(parts, fmt.Sprintf("%s %d/%d", set, c.tokens, c.calls))
		}
	}
	return strings.Join(parts, "  ")
}

// runner does the tasks of a workspace.
type runner struct {
	*environment
	dir    string
	count  func(string) int
	result *Result
	show   io.Writer
}

// task returns what the cheapest sequence of each tool set costs.
func (r *runner) task(t *task) (costs map[string]cost, err error) {
	pristine, err := t.files(r.dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, put(r.dir, pristine)) }()
	costs = map[string]cost{}
	for _, s := range t.sequences {
		c := cost{cannot: true, reason: s.reason}
		if !s.cannot {
			if err := put(r.dir, pristine); err != nil {
				return nil, err
			}
			if c, err = r.sequence(t, s, pristine); err != nil {
				return nil, fmt.Errorf("%s: %w", s.set, err)
			}
		}
		if best, ok := costs[s.set]; !ok || c.better(best) {
			costs[s.set] = c
		}
	}
	return costs, nil
}

func (c cost) better(than cost) bool {
	if c.right() != than.right() {
		return c.right()
	}
	return c.right() && c.tokens < than.tokens
}

func (c cost) right() bool { return c.failed == nil && !c.cannot }

// sequence makes the calls of a sequence and checks what they led to.
func (r *runner) sequence(t *task, s sequence, pristine map[string]string) (cost, error) {
	want, err := applyAll(pristine, t.expected)
	if err != nil {
		return cost{}, err
	}
	open, err := r.openEditor(t, s.set, pristine)
	if err != nil {
		return cost{}, err
	}
	defer open.stop()
	set, err := r.open(s.set, r.dir)
	if err != nil {
		return cost{}, err
	}
	defer set.stop()
	if m, ok := set.(*mcp); ok && s.set == "ours" && r.result.toolsTokens == 0 {
		r.result.toolsTokens, r.result.introduction = r.count(m.tools), r.count(m.instructions)
	}
	c, answers, err := r.calls(t, s, set, pristine)
	if err != nil {
		return cost{}, err
	}
	if c.failed = t.check(r.dir, answers); c.failed == nil {
		c.failed = r.changed(want, open)
	}
	return c, nil
}

// calls makes the calls and returns the answers that count.
func (r *runner) calls(t *task, s sequence, set toolSet, pristine map[string]string) (c cost, answers string, err error) {
	c.reason = s.reason
	var hash string
	meanwhile := t.meanwhile
	for _, made := range s.calls {
		if !made.before && meanwhile != nil {
			changed, err := applyAll(pristine, meanwhile)
			if err == nil {
				err = put(r.dir, changed)
			}
			if err != nil {
				return c, "", err
			}
			meanwhile = nil
		}
		made.arguments = strings.NewReplacer("{root}", r.dir, "{hash}", hash).Replace(made.arguments)
		answer, err := set.call(made)
		if err != nil {
			return c, "", err
		}
		if m := hashes.FindStringSubmatch(answer); m != nil {
			hash = m[1] + m[2]
		}
		if made.before {
			continue
		}
		in, out := r.seen(made.name)+r.seen(made.arguments), r.seen(answer)
		c.calls, c.tokens = c.calls+1, c.tokens+in+out
		answers += answer + "\n"
		if r.show != nil {
			fmt.Fprintf(r.show, "  %s> %s %s [%d+%d]\n%s\n", s.set, made.name, made.arguments, in, out, answer)
		}
	}
	return c, answers, nil
}

// hashes finds the hash in an answer of ours: in the line above a text, or
// behind a path in the answer of a search.
var hashes = regexp.MustCompile(`(?m)hash ([0-9a-f]{8,64})\b|^\S+ ([0-9a-f]{8,64})$`)

// seen counts a text as if the workspace stood in a folder of a common length.
func (r *runner) seen(text string) int {
	return r.count(strings.ReplaceAll(text, r.dir, "/home/dev/"+filepath.Base(r.dir)))
}

// changed returns how files differ from what they must hold.
func (r *runner) changed(want map[string]string, e *editor) error {
	for name, text := range want {
		got, err := e.text(filepath.Join(r.dir, name))
		if err != nil {
			return err
		}
		if got != text {
			return fmt.Errorf("%s is not as it should be", name)
		}
	}
	return nil
}
