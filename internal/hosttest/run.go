package hosttest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"syscall"
)

// Options say what is tried, and where it is.
type Options struct {
	Program string   // agent-lsp, absolute
	Hosts   string   // the folder with a folder for each host
	Names   []string // of the hosts
	Neovim  string   // a Neovim for the hosts that are tried with one; "" for none
	Plugin  string   // the folder of our Neovim plugin
	Keep    bool     // keep the folders of the runs
}

// Run tries the hosts one after the other and writes a line for each check and
// a verdict for each host. It returns how many checks failed.
func Run(ctx context.Context, out io.Writer, o Options) (failed int, err error) {
	for _, name := range o.Names {
		h, err := find(name)
		if err != nil {
			return failed, err
		}
		n, err := runHost(ctx, out, o, h)
		if failed += n; err != nil {
			return failed, fmt.Errorf("%s: %w", name, err)
		}
	}
	return failed, nil
}

// runHost plays all of it with one host. What gives up early has a stage of its
// own: a host writes its settings anew, and what it is set to matters elsewhere.
func runHost(ctx context.Context, out io.Writer, o Options, h Host) (int, error) {
	c := &scene{ctx: ctx, out: out}
	err := errors.Join(c.on(o, h, c.alone, c.together, c.own), c.on(o, h, c.late))
	fmt.Fprintf(out, "%s: %d passed, %d failed\n", h.Name, c.passed, c.failed)
	return c.failed, err
}

// on has plays on a stage made for them.
func (c *scene) on(o Options, h Host, plays ...func() error) error {
	s, err := newStage(c.ctx, o, h)
	if err != nil {
		return err
	}
	defer s.close()
	beside := "the fake editor"
	if s.withNeovim() {
		beside = "Neovim"
	}
	fmt.Fprintf(c.out, "%s beside %s, in %s\n", h.Title, beside, s.dir)
	c.stage, c.kept = s, make(map[string]string)
	for _, play := range plays {
		if err == nil {
			err = play()
		}
	}
	c.answers = nil
	c.verdict("the server keeps to the language server protocol", violations(s.wrong))
	if len(s.outside) > 0 {
		fmt.Fprintf(c.out, "  wanted from the network and did not get: %s\n", strings.Join(s.outside, ", "))
	}
	return err
}

// scene is a host's run as it stands.
type scene struct {
	ctx     context.Context
	out     io.Writer
	stage   *stage
	editor  editor
	talks   []*talk           // with each host that runs
	answers []string          // of the step
	kept    map[string]string // answers by their names

	passed, failed int
}

func (c *scene) openEditor() (err error) {
	if c.editor, err = c.stage.openEditor(c.ctx); err != nil {
		return err
	}
	return c.editor.open("app.py")
}

// leave ends the editor, whatever state a check left its server in.
func (c *scene) leave() error {
	c.stage.signal(server, syscall.SIGCONT)
	return c.editor.quit()
}

// violations is the error for what a server sent that the protocol forbids.
func violations(list []string) error {
	if len(list) == 0 {
		return nil
	}
	return errors.New(strings.Join(list, "\n"))
}

// alone plays the conversation with one host.
func (c *scene) alone() (err error) {
	if err := c.openEditor(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.leave()) }()
	t, err := c.stage.play(c.ctx, "host")
	if err != nil {
		return err
	}
	defer t.model.Close()
	c.talks = []*talk{t}
	if err := c.steps(conversation()); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.ctx, patience)
	defer cancel()
	c.answers = nil
	c.verdict("the host ends well, and leaves nothing running", errors.Join(t.end(ctx), nobody(c)))
	return nil
}

// steps does all steps that are for the host.
func (c *scene) steps(list []step) error {
	for _, s := range list {
		if s.only == nil || s.only(c.stage.host) {
			if err := c.step(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// step does one step. An error means that the conversation cannot go on.
func (c *scene) step(s step) error {
	ctx, cancel := context.WithTimeout(c.ctx, patience)
	defer cancel()
	c.answers = nil
	var err error
	for _, act := range s.act {
		err = errors.Join(err, act(c))
	}
	c.answers = nil
	if err == nil {
		err = c.say(ctx, s.by, s.calls)
	}
	for _, w := range s.want {
		if err == nil {
			err = w(c)
		}
	}
	c.verdict(s.check, err)
	if errors.Is(err, errEnded) || ctx.Err() != nil {
		return errEnded
	}
	return nil
}

// needsAnswer reports whether a call is made when those before it are answered:
// it has a hash of theirs, or changes what they read.
func needsAnswer(c call) bool {
	return strings.Contains(c.args, "${hash:") || c.tool == "apply_patch" || strings.HasPrefix(c.tool, "own:")
}

// say has a host be asked for calls: in one turn, but for those that need the
// answer of another one.
func (c *scene) say(ctx context.Context, by int, calls []call) error {
	for len(calls) > 0 {
		n := 1
		for n < len(calls) && !needsAnswer(calls[n]) {
			n++
		}
		turn := slices.Clone(calls[:n])
		for i := range turn {
			var err error
			if turn[i].args, err = c.fill(turn[i].args); err != nil {
				return err
			}
		}
		answers, err := c.talks[by].ask(ctx, turn...)
		if err != nil {
			return err
		}
		for i, a := range answers {
			if turn[i].keep != "" {
				c.kept[turn[i].keep] = a
			}
		}
		c.answers = append(c.answers, answers...)
		calls = calls[n:]
	}
	return nil
}

var (
	hashOf  = regexp.MustCompile(`\$\{hash:(\w+)\}`)
	hashIn  = regexp.MustCompile(`hash ((?:sha256:)?[0-9a-f]{8,})`)
	errHash = errors.New("the model saw no hash")
)

// fill puts the hashes that the model saw into arguments.
func (c *scene) fill(args string) (string, error) {
	var err error
	args = hashOf.ReplaceAllStringFunc(args, func(m string) string {
		hash := hashIn.FindStringSubmatch(c.kept[hashOf.FindStringSubmatch(m)[1]])
		if hash == nil {
			err = errHash
			return ""
		}
		return hash[1]
	})
	return args, err
}

// verdict tells how a check went, and what the model saw when it failed.
func (c *scene) verdict(check string, err error) {
	if err == nil {
		c.passed++
		fmt.Fprintf(c.out, "  ok   %s\n", check)
		return
	}
	c.failed++
	fmt.Fprintf(c.out, "  FAIL %s: %v\n", check, err)
	for i, a := range c.answers {
		fmt.Fprintf(c.out, "       the model saw, of call %d:\n%s\n", i+1, indented(a))
	}
}

// indented is a text for a person: its beginning and end.
func indented(s string) string {
	if len(s) > 1500 {
		s = fmt.Sprintf("%s\n… %d bytes in all …\n%s", s[:900], len(s), s[len(s)-500:])
	}
	return "         " + strings.ReplaceAll(s, "\n", "\n         ")
}
