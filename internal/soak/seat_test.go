//go:build linux

package soak

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/agent-lsp/agent-lsp/internal/fakeeditor"
)

// seat is a person's editor and the process beside it. The editor's texts
// outlive both, as editors keep what was not saved.
type seat struct {
	*world
	name     string
	options  fakeeditor.Options
	docs     []string // that the person types in
	external []string // that another program writes

	// up tells that the process beside the editor has not been told to end.
	up atomic.Bool
	// lives counts how often it came.
	lives   int
	process *process
	editor  *fakeeditor.Editor
	typed   map[string]string // by document
}

type pipes struct{ *process }

func (p pipes) Read(b []byte) (int, error)  { return p.out.Read(b) }
func (p pipes) Write(b []byte) (int, error) { return p.in.Write(b) }
func (p pipes) Close() error                { p.close(); return nil }

func newSeat(w *world, i int) *seat {
	root := fakeeditor.Root{Name: "work", Dir: w.root}
	s := &seat{world: w, name: fmt.Sprintf("editor%d", i), options: fakeeditor.VSCode(root), typed: make(map[string]string)}
	if i%2 == 1 {
		s.options = fakeeditor.Neovim(root)
	}
	s.options.Remembers = 200
	for d := i; d < documents; d += seats {
		s.docs = append(s.docs, document(d))
	}
	if i == 0 {
		s.external = []string{diskFile(0), diskFile(1)}
	}
	return s
}

// come starts the process beside the editor, and opens what was open: what was
// not saved as the editor has it, the rest from disk. Nobody may be in a step.
func (s *seat) come() error {
	before := s.editor
	p, err := s.program(s.name, "lsp", "--log-level", "error")
	if err != nil {
		return err
	}
	s.process, s.editor = p, fakeeditor.New(pipes{p}, s.options)
	s.editor.Behave(fakeeditor.Behaviour{Consent: "reject"})
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if _, err := s.editor.Start(ctx); err != nil {
		return fmt.Errorf("%s: %w\n%s", s.name, err, p.said)
	}
	s.lives++
	s.up.Store(true)
	for _, name := range slices.Concat(s.docs, s.external) {
		if err := s.open(name, before); err != nil {
			return err
		}
	}
	return nil
}

// open opens a document that is not open, with what an earlier editor had of it.
func (s *seat) open(name string, before *fakeeditor.Editor) error {
	path := s.path(name)
	if before != nil {
		d, was := before.Document(path)
		switch {
		case !was:
			return nil // the person had closed it
		case d.Dirty:
			disk, err := onDisk(path)
			if err != nil {
				return err
			}
			return s.editor.OpenText(fakeeditor.FileURI(path), "go", restored(d, disk))
		}
	}
	_, err := s.editor.Open(path, "go")
	return err
}

// restored is what a person makes of the text that an editor kept and of what
// became of the file meanwhile: regions that changed on disk are taken.
func restored(d fakeeditor.Document, disk string) string {
	text := d.Text
	for k := range assistants {
		for i := range regions {
			name := region(k, i)
			base, _ := value(d.Base, name)
			now, _ := value(disk, name)
			mine, _ := value(text, name)
			if now != base {
				text = setValue(text, name, mine, now)
			}
		}
	}
	return text
}

// gone waits for the process to end that was told to.
func (s *seat) gone() {
	s.process.wait(s.run)
	s.editor.Kill()
	for _, wrong := range s.editor.Violations() {
		if !strings.HasPrefix(wrong, "frame: ") { // which a killed process leaves unfinished
			s.fail("%s: the server sent what the protocol forbids: %s", s.name, wrong)
		}
	}
}

// reading is what the server says of a document.
type reading struct {
	Version   *int   `json:"version"`
	Content   string `json:"content"`
	Source    string `json:"source"`
	OutOfSync bool   `json:"unsure"`
	EOF       bool   `json:"eof"`
}

// whole asks for all of a text.
func whole(name string) map[string]any {
	return map[string]any{"path": name, "start_byte": 0, "max_bytes": 262144, "format": "plain", "expand": "lines", "outline": "never"}
}

// mirror wants the server to have a document's text as the editor has it, and
// returns the document.
func (s *seat) mirror(name string) (fakeeditor.Document, bool) {
	d, pending, err := s.editor.CallAbout(s.path(name), "read_file", whole(name))
	if err != nil {
		return d, false // it is closed
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	answer, err := pending.Answer(ctx)
	if (err != nil || answer.IsError) && !s.up.Load() {
		return d, true // SIGKILL ends the connection, SIGTERM what is being asked
	}
	if err != nil {
		s.fail("%s: reading %s: %v\n%s", s.name, name, err, s.process.dump())
		return d, true
	}
	if difference := s.compare(name, d, answer); difference != "" {
		s.fail("%s: the mirror of %s differs: %s", s.name, name, difference)
	}
	return d, true
}

func (s *seat) compare(name string, d fakeeditor.Document, answer fakeeditor.Answer) string {
	var got reading
	if answer.IsError {
		return fmt.Sprintf("%+v", answer.Content)
	}
	if err := json.Unmarshal(answer.Structured, &got); err != nil {
		return err.Error()
	}
	switch {
	case got.Source != "buffer" || got.OutOfSync || !got.EOF || got.Version == nil:
		return fmt.Sprintf("it is not all of a buffer: %.500s", answer.Structured)
	case *got.Version > d.Version && s.isExternal(name):
		return "" // it was loaded anew meanwhile, because the file changed
	case *got.Version != d.Version:
		return fmt.Sprintf("version %d instead of %d", *got.Version, d.Version)
	case got.Content != d.Text:
		return firstDifference(got.Content, d.Text)
	}
	return ""
}

func (s *seat) isExternal(name string) bool { return slices.Contains(s.external, name) }

// firstDifference tells where two texts part.
func firstDifference(got, want string) string {
	i := 0
	for i < len(got) && i < len(want) && got[i] == want[i] {
		i++
	}
	around := func(s string) string { return s[max(0, i-60):min(len(s), i+60)] }
	return fmt.Sprintf("at byte %d the server has %q, the editor %q", i, around(got), around(want))
}

// has reports whether the seat's editor has a document open.
func (s *seat) has(name string) bool {
	_, ok := s.editor.Document(s.path(name))
	return ok
}

// leave ends the editor in an orderly way, with everything saved.
func (s *seat) leave() {
	for _, d := range s.editor.Documents() {
		if d.Dirty {
			s.must(s.editor.Save(d.Path))
		}
	}
	s.up.Store(false)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := s.editor.Stop(ctx); err != nil {
		s.fail("%s: %v\n%s", s.name, err, s.process.dump())
	}
	s.gone()
	if s.process.err != nil {
		s.fail("%s ends with %v:\n%s", s.name, s.process.err, s.process.said)
	}
}
