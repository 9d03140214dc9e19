package hosttest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fakeeditor"
)

// late is what a host is played that gives a call up after a few seconds.
func late() []step {
	return []step{
		{
			check: "a question that the person answers when the host has given up changes nothing",
			act:   []act{answersLate},
			want:  []want{diskLacks(".vscode/tasks.json", "9.9.9"), lacks("9.9.9")},
		},
		{
			check: "and the next call works",
			act:   []act{decides(true)},
			calls: []call{{"read_file", `{"path": ".vscode/tasks.json"}`, "tasks"}, editTasks("2.0.7")},
			want:  []want{disk(".vscode/tasks.json", "2.0.7"), diskLacks(".vscode/tasks.json", "9.9.9")},
		},
	}
}

// answersLate has the host change a protected file, and the person agree when the
// host has told the model that nothing came of it.
func answersLate(c *scene) error {
	ctx, cancel := context.WithTimeout(c.ctx, patience)
	defer cancel()
	f := c.editor.(*fake) //nolint:forcetypeassert // beside no other editor is it played
	if err := c.asks(ctx, 0); err != nil {
		return err
	}
	answers, err := c.talks[0].answers(ctx)
	if err != nil {
		return fmt.Errorf("the host does not give up: %w", err)
	}
	fmt.Fprintf(c.out, "       it tells the model: %.300s\n", strings.Join(answers, "\n"))
	if err := f.Await(ctx, "$/cancelRequest"); err != nil {
		return fmt.Errorf("the question was not withdrawn: %w", err)
	}
	f.Release()
	return f.awaitServer()
}

// asks has a host change a protected file, and returns when the person is asked.
func (c *scene) asks(ctx context.Context, by int) error {
	f, isFake := c.editor.(*fake)
	if !isFake {
		return errors.New("only the fake editor can hold a question")
	}
	f.Behave(fakeeditor.Behaviour{Consent: "apply", Hold: map[string]bool{"agent/confirmEdit": true}})
	if err := c.say(ctx, by, []call{{"read_file", `{"path": ".vscode/tasks.json"}`, "tasks"}}); err != nil {
		return err
	}
	args, err := c.fill(`{"path": ".vscode/tasks.json", "expected_hash": "${hash:tasks}", "edits": [{"old_text": "2.0.", "new_text": "9.9.9"}]}`)
	if err != nil {
		return err
	}
	if err := c.talks[by].begin(ctx, call{tool: "edit_file", args: args}); err != nil {
		return err
	}
	if err := f.Await(ctx, "agent/confirmEdit"); err != nil {
		return fmt.Errorf("the person was not asked: %w", err)
	}
	return nil
}

// late plays a host that gives up early.
func (c *scene) late() error {
	how := c.stage.host.soon
	if how.env != "" {
		c.stage.env = append(c.stage.env, how.env)
	}
	if how.file != "" {
		path := c.stage.home + "/" + how.file
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		set := strings.Replace(string(raw), how.from, how.to, 1)
		if set == string(raw) {
			return fmt.Errorf("%s holds no %s", path, how.from)
		}
		if err := os.WriteFile(path, []byte(set), 0o600); err != nil {
			return err
		}
	}
	return c.beside([]string{"late"}, late())
}
