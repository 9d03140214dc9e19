package hosttest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ownTools are those by which a host itself reads, changes and searches files:
// calls with $FILE for a file's absolute path, $OLD and $NEW for the lines of an
// edit, $TEXT for what is written, searched or run. Their tools' names begin
// with "own:"; one that the host has not is empty.
type ownTools struct {
	leave                          []string // arguments that let the host use them without asking
	read, edit, write, grep, shell call
	// advised: the hook makes no edit for this host, and says by which call of ours
	// the model makes it.
	advised bool
}

// on returns a call of the host's about app.py.
func (c call) on(s *stage, old, with, text string) call {
	word := func(text string) string {
		raw := string(encode(text))
		return raw[1 : len(raw)-1] // without its quotes
	}
	c.args = strings.NewReplacer("$FILE", word(s.path("app.py")), "$OLD", word(old), "$NEW", word(with), "$TEXT", word(text)).Replace(c.args)
	return c
}

// own is what a host with hooks is played: it uses its own tools, and nothing
// that is not saved is overwritten.
func own(s *stage) []step { return slices.Concat(ownLands(s), ownTold(s), ownRefused(s)) }

// Lines of app.py: one that is saved, and one that is not.
const (
	savedLine   = "        return 1"
	unsavedLine = `    return "UNSAVED_MARK " + name`
)

// ownLands is what the host's own tools do in the editor.
func ownLands(s *stage) []step {
	o := s.host.own
	edit := func(old, with string) []call {
		c := o.edit.on(s, old, with, "")
		c.keep = "own"
		if !o.advised {
			return []call{c}
		}
		return []call{o.read.on(s, "", "", ""), c, editApp("own", old, with)}
	}
	return []step{
		{
			check: "the host's own reading of the file shows the unsaved text",
			act:   []act{types("app.py", "hello ", "UNSAVED_MARK ")},
			calls: []call{o.read.on(s, "", "", "cat app.py")},
			want:  []want{told("UNSAVED_MARK"), diskLacks("app.py", "UNSAVED_MARK")},
		},
		{
			check: "its own edit of a line that is saved lands in the editor, beside what is not",
			calls: edit(savedLine, savedLine+"  # OWN_EDIT"),
			want:  []want{buffer("app.py", "OWN_EDIT", "UNSAVED_MARK"), diskLacks("app.py", "OWN_EDIT")},
		},
		{
			check: "its own edit of a line that is not saved lands in the editor",
			calls: edit(unsavedLine, unsavedLine+"  # OWN_TOO"),
			want:  []want{buffer("app.py", "OWN_EDIT", "OWN_TOO"), diskLacks("app.py", "OWN_TOO")},
		},
	}
}

// ownTold is what the host is told that its own searches and its shell do not
// see.
func ownTold(s *stage) []step {
	o := s.host.own
	run := func(line string) []call { return []call{o.shell.on(s, "", "", line)} }
	return []step{
		{
			check: "its own search tells what it does not see of unsaved text",
			calls: []call{o.grep.on(s, "", "", "UNSAVED_MARK")},
			want:  []want{says("app.py", "return \"UNSAVED_MARK")},
			only:  func(h Host) bool { return h.own.grep.tool != "" },
		},
		{
			check: "its own shell runs a build, and is told which file that does not see",
			calls: run("sh build.sh"),
			want:  []want{told("Not saved in the editor: app.py"), disk("built.txt", "hello ")},
		},
		{
			check: "its own shell searches, and is told which file that does not see",
			calls: run("grep -rn greet ."),
			want:  []want{told("Not saved in the editor: app.py")},
		},
	}
}

// ownRefused is what would lose what is not saved.
func ownRefused(s *stage) []step {
	o := s.host.own
	return []step{
		{
			check: "its own shell does not write the file behind unsaved text",
			calls: []call{o.shell.on(s, "", "", "sed -i s/return/BEHIND_MARK/ app.py")},
			want:  []want{says("edit_file"), diskLacks("app.py", "BEHIND_MARK"), buffer("app.py", "UNSAVED_MARK")},
		},
		{
			check: "its own edit of what the person changed since is refused",
			act:   []act{types("app.py", "# OWN_EDIT", "# TYPED_MARK")},
			calls: []call{o.edit.on(s, savedLine+"  # OWN_EDIT", savedLine+"  # BEHIND_MARK", "")},
			want:  []want{buffer("app.py", "TYPED_MARK", "UNSAVED_MARK"), bufferLacks("app.py", "BEHIND_MARK"), diskLacks("app.py", "BEHIND_MARK")},
		},
		{
			check: "its own overwriting of the file does not reach the disk, and is undone at once",
			calls: []call{o.read.on(s, "", "", "cat app.py"), o.write.on(s, "", "", "print('WRITTEN_MARK')\n")},
			want:  []want{diskLacks("app.py", "WRITTEN_MARK"), disk("app.py", "hello "), overwritten},
			only:  func(h Host) bool { return h.own.write.tool != "" },
		},
		{
			check: "its own edit while the editor does not answer is refused",
			act:   []act{stops},
			calls: []call{o.edit.on(s, savedLine, savedLine+"  # BEHIND_MARK", "")},
			want:  []want{says("does not answer"), diskLacks("app.py", "BEHIND_MARK"), goesOn, bufferLacks("app.py", "BEHIND_MARK"), buffer("app.py", "UNSAVED_MARK")},
		},
	}
}

// overwritten looks whether the editor has what the host wrote, as one undo
// step; where a hook only advises, that it has what it had.
func overwritten(s *scene) error {
	if s.stage.host.own.advised {
		return buffer("app.py", "UNSAVED_MARK")(s)
	}
	return errors.Join(buffer("app.py", "WRITTEN_MARK")(s), s.editor.undo("app.py"), buffer("app.py", "UNSAVED_MARK", "TYPED_MARK")(s))
}

// own plays a host that uses its own tools.
func (c *scene) own() (err error) {
	if c.stage.host.own == nil {
		return nil
	}
	fmt.Fprintln(c.out, "  with its own tools and our hooks:")
	if err := c.stage.files(c.stage.work, project()); err != nil {
		return err
	}
	if err := c.openEditor(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.leave()) }()
	t, err := c.stage.play(c.ctx, "own", c.stage.host.own.leave...)
	if err != nil {
		return err
	}
	defer t.model.Close()
	c.talks = []*talk{t}
	if err := c.steps(own(c.stage)); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.ctx, patience)
	defer cancel()
	return t.end(ctx)
}
