package scenario

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fakeeditor"
)

// limit ends a scenario that would otherwise hang. No check depends on it.
const limit = 10 * time.Minute

// Run runs the scenario file at path over a surface. With update it rewrites
// the file's expected sections instead of comparing them; what the package
// knows by itself is checked in both cases.
func Run(t *testing.T, path string, open Open, update bool) {
	a, err := readArchive(path)
	if err != nil {
		t.Fatal(err)
	}
	commands, err := parseScript(a.script)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	w, err := newWorld(t, a.files)
	if err != nil {
		t.Fatal(err)
	}
	defer w.close()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	r := &runner{
		t: t, ctx: ctx, archive: a, world: w, open: open,
		names: make(map[string]string), ids: make(map[string]bool),
		options: clientOptions(),
	}
	defer r.close()
	r.run(commands)
	got := r.finish()
	switch {
	case update && !t.Failed():
		err = a.rewrite(got)
	case !update:
		r.compare(got)
	}
	if err != nil {
		t.Error(err)
	}
	if t.Failed() && r.surface != nil {
		t.Logf("messages:\n%s", w.stableNames(r.surface.Editor().Transcript()))
	}
}

// runner is the state of one scenario while it runs.
type runner struct {
	t       testing.TB
	ctx     context.Context
	archive *archive
	world   *world
	open    Open
	command command // that runs

	options   fakeeditor.Options
	initial   map[string]any // initializationOptions
	surface   Surface        // nil until a command needs it
	behaviour fakeeditor.Behaviour
	died      bool // the scenario ended the connection
	closed    bool // the surface was closed

	want    []answered
	last    object // structuredContent of the last answer
	lastErr bool   // whether it was an error
	begun   []begun
	shown   int // messages that were rendered
	names   map[string]string
	ids     map[string]bool
}

// begun is a call whose answer was not taken yet.
type begun struct {
	tool string
	args json.RawMessage
	call Call
}

// clientOptions is the default editor: it answers our requests and alters
// nothing.
func clientOptions() fakeeditor.Options {
	o := fakeeditor.VSCode()
	o.NormalizeEOL = false
	return o
}

func (r *runner) run(commands []command) {
	for _, c := range commands {
		r.command = c
		if err := r.do(c); err != nil {
			r.t.Fatalf("%s:%d: %s: %v", r.archive.path, c.line, c.verb, err)
		}
	}
}

func (r *runner) do(c command) error {
	if set, known := settingVerbs[c.verb]; known {
		if r.surface != nil {
			return fmt.Errorf("stands after the editor has started")
		}
		return set(r, c.rest)
	}
	if act, known := diskVerbs[c.verb]; known {
		if err := r.roundTrip(); err != nil {
			return err
		}
		return r.withWords(c, act)
	}
	if err := r.start(); err != nil {
		return err
	}
	if act, known := editorVerbs[c.verb]; known {
		return r.withWords(c, act)
	}
	if act, known := callVerbs[c.verb]; known {
		return act(r, c.rest)
	}
	return fmt.Errorf("unknown command")
}

// roundTrip waits until the server has seen everything that the editor told,
// so that what changes on disk changes afterwards.
func (r *runner) roundTrip() error {
	if r.surface == nil || r.died {
		return nil
	}
	return AwaitServer(r.ctx, r.editor())
}

func (r *runner) withWords(c command, act func(*runner, args) error) error {
	words, err := splitWords(c.rest)
	if err != nil {
		return err
	}
	expanded := make(args, len(words))
	for i, w := range words {
		if expanded[i], err = r.expand(w.text, false); err != nil {
			return err
		}
		if name, named := strings.CutPrefix(w.text, "<@"); named && !w.quoted {
			text, known := r.archive.texts[name]
			if !known {
				return fmt.Errorf("no section @%s", name)
			}
			expanded[i] = text
		}
	}
	return act(r, expanded)
}

// start opens the surface when the first command needs it.
func (r *runner) start() error {
	if r.surface != nil {
		return nil
	}
	if r.options.Roots == nil {
		r.options.Roots = []fakeeditor.Root{{Name: filepath.Base(r.world.work), Dir: r.world.work}}
	}
	if r.initial != nil {
		r.options.InitializationOptions = r.initial
	}
	s, err := r.open(r.ctx, r.t, Workspace{Editor: r.options, StateDir: r.world.state})
	if err == nil {
		r.surface = s
	}
	return err
}

func (r *runner) editor() *fakeeditor.Editor { return r.surface.Editor() }

// finish gathers the end state, then ends the surface.
func (r *runner) finish() outcome {
	if err := r.start(); err != nil {
		r.t.Fatal(err)
	}
	if len(r.begun) > 0 {
		r.t.Errorf("%d calls were begun and not finished", len(r.begun))
	}
	o := outcome{want: r.want, buffer: r.buffers()}
	r.close()
	var err error
	if o.disk, err = r.world.changed(r.archive.disk); err != nil {
		r.t.Error(err)
	}
	for _, v := range r.editor().Violations() {
		r.t.Errorf("the server broke the protocol: %s", v)
	}
	return o
}

// answer keeps what the command that runs was answered.
func (r *runner) answer(text string) {
	r.want = append(r.want, answered{nameOf(r.command, r.want), text})
}

// close ends the surface, also when the scenario failed half way.
func (r *runner) close() {
	if r.surface == nil || r.closed {
		return
	}
	r.closed = true
	if err := r.surface.Close(r.ctx); err != nil && !r.died {
		r.t.Errorf("closing: %v", err)
	}
}

// buffers renders the open documents that the server edited or that the
// scenario asks for.
func (r *runner) buffers() map[string]string {
	out := make(map[string]string)
	for _, d := range r.editor().Documents() {
		name := d.URI
		if d.Path != "" {
			name = r.world.name(d.Path)
		}
		_, asked := r.archive.buffer[name]
		if asked || d.Applied > 0 {
			out[name] = section(d.Text)
		}
	}
	return out
}

// compare reports every expected section that the outcome does not match.
func (r *runner) compare(got outcome) {
	for i, w := range got.want {
		expected := "(no such section)\n"
		if i < len(r.archive.want) && r.archive.want[i].name == w.name {
			expected = r.archive.want[i].text
		}
		r.same("want/"+w.name, expected, w.text)
	}
	if extra := len(r.archive.want) - len(got.want); extra > 0 {
		r.t.Errorf("%d want sections too many", extra)
	}
	r.sameSections("disk/", r.archive.disk, got.disk)
	r.sameSections("buffer/", r.archive.buffer, got.buffer)
}

func (r *runner) sameSections(prefix string, expected, got map[string]string) {
	for name, text := range got {
		want, known := expected[name]
		if !known {
			want = "(as the script left it)\n"
		}
		r.same(prefix+name, want, text)
	}
	for name := range expected {
		if _, there := got[name]; !there {
			r.t.Errorf("%s%s: there is nothing to compare", prefix, name)
		}
	}
}

func (r *runner) same(name, want, got string) {
	if want != got {
		r.t.Errorf("%s differs (make update rewrites it)\nwant:\n%s\ngot:\n%s", name, want, got)
	}
}

// stableNames replaces the scenario's folders in a text, and shows what is below
// them with slashes.
func (w *world) stableNames(s string) string {
	if filepath.Separator == '/' {
		return strings.NewReplacer(w.work, "$WORK", w.tmp, "$TMP").Replace(s)
	}
	for _, folder := range []struct{ path, name string }{{w.work, "$WORK"}, {w.tmp, "$TMP"}} {
		slashed, parted := filepath.ToSlash(folder.path), filepath.Dir(folder.path)+"/"+filepath.Base(folder.path)
		quoted := strings.ReplaceAll(folder.path, `\`, `\\`)
		s = strings.NewReplacer("/"+slashed, folder.name, slashed, folder.name, quoted, folder.name, parted, folder.name, folder.path, folder.name).Replace(s)
	}
	return belowFolder.ReplaceAllStringFunc(s, func(path string) string {
		return strings.ReplaceAll(strings.ReplaceAll(path, `\\`, "/"), `\`, "/")
	})
}

// belowFolder is a path below one of the scenario's folders as Windows spells it.
var belowFolder = regexp.MustCompile(`\$(WORK|TMP)[^\s"'<>|:,;()]*`)
