package hosttest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// The size of the terminal that pictures are taken of.
const (
	columns = 100
	rows    = 32
)

// What is said in a picture.
const (
	pictureAsk  = "greet in app.py sounds cold. Make it friendlier."
	pictureLast = "Done: greet now says good morning. I changed what you have in the editor, with the line you had not saved yet; nothing is written to disk, and one undo takes it back."
)

// Picture has a conversation about unsaved text in a host's own screen, and
// writes what the terminal shows to a file, with its colors.
func Picture(ctx context.Context, o Options, name, out string) (err error) {
	h, err := find(name)
	if err != nil {
		return err
	}
	s, err := newStage(ctx, o, h)
	if err != nil {
		return err
	}
	defer s.close()
	e, err := s.openFake(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.quit()) }()
	if err := errors.Join(e.open("app.py"), e.replace("app.py", `"""Says hello."""`, `name = name.title()  # typed, not saved`)); err != nil {
		return err
	}
	m, err := NewModel(ctx, pictureAsk)
	if err != nil {
		return err
	}
	defer m.Close()
	t, err := s.terminal(h, m)
	if err != nil {
		return err
	}
	defer t.close()
	if err := t.talk(ctx, h, m); err != nil {
		screen, _ := t.capture()
		return fmt.Errorf("%w; the screen:\n%s", err, screen)
	}
	text, err := t.capture("-e", "-N")
	if err != nil {
		return err
	}
	// The terminal leaves out what has been erased in a color to a line's end.
	const erase = "\x1b[K"
	text = strings.ReplaceAll(strings.TrimRight(text, " \n"), "\n", erase+"\n")
	return os.WriteFile(out, []byte(text+erase+"\n"), 0o644)
}

// terminal is a tmux in which a host runs.
type terminal struct {
	stage *stage
	run   *process // ends with the tmux
}

func (s *stage) terminal(h Host, m *Model) (*terminal, error) {
	program, err := s.program()
	if err != nil {
		return nil, err
	}
	// A host that takes itself to run in CI shows no colors.
	words := []string{"unset CI; TERM=tmux-256color COLORTERM=truecolor exec", shellWord(program)}
	for _, a := range s.fill(h.screen, m) {
		words = append(words, shellWord(a))
	}
	t := &terminal{stage: s}
	t.run, err = s.start("tmux", s.fill(h.env, m),
		"tmux", "-S", t.socket(), "-u", "-f", "/dev/null", "new-session", "-d", "-x", strconv.Itoa(columns), "-y", strconv.Itoa(rows), strings.Join(words, " "),
		";", "set-option", "-g", "status", "off", ";", "set-option", "-s", "escape-time", "0", ";", "set-option", "-s", "focus-events", "on", ";", "resize-window", "-x", strconv.Itoa(columns), "-y", strconv.Itoa(rows))
	return t, err
}

func shellWord(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func (t *terminal) socket() string { return filepath.Join(t.stage.dir, "tmux") }

func (t *terminal) tmux(args ...string) (string, error) {
	cmd := exec.Command("tmux", append([]string{"-S", t.socket()}, args...)...)
	cmd.Env = t.stage.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("tmux: %w: %s", err, out)
	}
	return string(out), nil
}

func (t *terminal) capture(how ...string) (string, error) {
	return t.tmux(append([]string{"capture-pane", "-p"}, how...)...)
}

func (t *terminal) close() { _, _ = t.tmux("kill-server") } // it may have ended with the host

// talk plays the conversation.
func (t *terminal) talk(ctx context.Context, h Host, m *Model) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	c := &scene{ctx: ctx, out: io.Discard, stage: t.stage, kept: make(map[string]string)}
	c.talks = []*talk{{host: h, model: m, run: t.run.detached()}}
	asked, stop := context.WithCancel(ctx)
	t.stage.waiting.Go(func() { t.answer(asked) })
	defer stop()
	err := c.say(ctx, 0, []call{
		{"read_file", `{"path": "app.py"}`, "read"},
		{"edit_file", `{"path": "app.py", "expected_hash": "${hash:read}", "edits": [{"old_text": "\"hello \"", "new_text": "\"Good morning, \""}]}`, ""},
	})
	if err == nil {
		err = c.talks[0].wait(ctx)
	}
	if err != nil {
		return err
	}
	c.talks[0].turn.Reply(Reply{Text: pictureLast})
	return t.until(ctx, "undo takes it")
}

// questions are those that hosts ask before they begin, by words of theirs,
// and the keys that answer them: whether the folder and our hooks are to be
// trusted, and whether another model is to be tried.
func questions() map[string]string {
	return map[string]string{
		"Do you trust": "Enter", "trust the files": "Enter", "Trust this folder": "Enter", "trust this folder": "Enter",
		"Use existing model": "Down Enter", "Hooks need review": "Down Enter",
	}
}

// answer answers the questions that come.
func (t *terminal) answer(ctx context.Context) {
	for ctx.Err() == nil {
		screen, _ := t.capture()
		for words, keys := range questions() {
			if strings.Contains(screen, words) {
				_, _ = t.tmux(append([]string{"send-keys"}, strings.Fields(keys)...)...)
				break
			}
		}
		time.Sleep(500 * time.Millisecond)
	}
}

// until waits until the screen, still for a moment, shows some words.
func (t *terminal) until(ctx context.Context, words string) error {
	last := ""
	for ctx.Err() == nil {
		screen, err := t.capture()
		if err != nil {
			return err
		}
		if screen == last && strings.Contains(strings.Join(strings.Fields(screen), " "), words) {
			return nil
		}
		last = screen
		time.Sleep(time.Second)
	}
	return fmt.Errorf("the screen does not show %q: %w", words, ctx.Err())
}
