package hosttest

import (
	"context"
	"errors"
	"fmt"
	"syscall"
)

// together is what two hosts at one editor are played: the second is cancelled
// in the end, the first dies.
func together() []step {
	edit := func(hash, old, with string) call {
		return call{"edit_file", fmt.Sprintf(`{"path": "app.py", "expected_hash": "${hash:%s}", "edits": [{"old_text": %q, "new_text": %q}]}`, hash, old, with), ""}
	}
	const first, second = 0, 1
	return []step{
		{
			check: "of two hosts at one file the second edits",
			by:    second,
			act:   []act{types("app.py", "import os", "import os  # typed"), reads(first)},
			calls: []call{{"read_file", `{"path": "app.py"}`, "second"}, edit("second", "hello ", "SECOND_MARK ")},
			want:  []want{buffer("app.py", "SECOND_MARK"), diskLacks("app.py", "SECOND_MARK")},
		},
		{
			check: "what another host changed is told to the first",
			by:    first,
			calls: []call{edit("first", "return 1", "return 2")},
			want:  []want{says("stale_file"), buffer("app.py", "SECOND_MARK", "return 1")},
		},
		{
			check: "the first edits what it has read anew",
			by:    first,
			calls: []call{{"read_file", `{"path": "app.py"}`, "anew"}, edit("anew", "return 1", "return 2")},
			want:  []want{buffer("app.py", "SECOND_MARK", "return 2"), diskLacks("app.py", "return 2")},
		},
		{
			check: "a call that is cancelled while the person is asked changes nothing, though they agree later",
			act:   []act{gives(second, syscall.SIGINT)},
			by:    first,
			calls: []call{{"read_file", `{"path": ".vscode/tasks.json"}`, ""}},
			want:  []want{says("2.0."), lacks("9.9.9"), diskLacks(".vscode/tasks.json", "9.9.9")},
		},
		{
			check: "a host that dies while the person is asked changes nothing, and the editor goes on",
			act:   []act{gives(first, syscall.SIGKILL)},
			want:  []want{diskLacks(".vscode/tasks.json", "9.9.9"), buffer("app.py", "SECOND_MARK", "return 2"), nobody},
		},
	}
}

// reads has the first host read the file, as its answer "first".
func reads(by int) act {
	return func(c *scene) error {
		ctx, cancel := context.WithTimeout(c.ctx, patience)
		defer cancel()
		return c.say(ctx, by, []call{{"read_file", `{"path": "app.py"}`, "first"}})
	}
}

// gives has a host change a protected file, sends it a signal while the person
// is asked, and has the person agree when the question has been withdrawn.
func gives(by int, sig syscall.Signal) act {
	return func(c *scene) error {
		ctx, cancel := context.WithTimeout(c.ctx, patience)
		defer cancel()
		if err := c.asks(ctx, by); err != nil {
			return err
		}
		f := c.editor.(*fake) //nolint:forcetypeassert // see asks
		c.talks[by].run.signal(sig)
		select {
		case <-c.talks[by].run.ended:
		case <-ctx.Done():
			return fmt.Errorf("the host does not end: %w", ctx.Err())
		}
		if err := f.Await(ctx, "$/cancelRequest"); err != nil {
			return fmt.Errorf("the question was not withdrawn: %w", err)
		}
		f.Release()
		return f.awaitServer()
	}
}

// nobody looks whether no server for a host is left.
func nobody(c *scene) error { return c.stage.gone("agent-lsp mcp") }

// together plays two hosts of one kind at one editor.
func (c *scene) together() error { return c.beside([]string{"first", "second"}, together()) }

// beside plays hosts of these names at one fake editor.
func (c *scene) beside(names []string, steps []step) (err error) {
	f, err := c.stage.openFake(c.ctx)
	if err != nil {
		return err
	}
	c.editor, c.talks = f, nil
	defer func() { err = errors.Join(err, f.quit()) }()
	if err := f.open("app.py"); err != nil {
		return err
	}
	for _, name := range names {
		t, err := c.stage.play(c.ctx, name)
		if err != nil {
			return err
		}
		defer t.model.Close() //nolint:revive // both are ended when the conversation is
		c.talks = append(c.talks, t)
	}
	return c.steps(steps)
}
