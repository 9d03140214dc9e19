//go:build linux

package soak

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"time"
)

// disk is another program that writes files, without a thought of who reads them.
type disk struct {
	*world
	rnd     *rand.Rand
	seat    *seat // that is always there
	written map[string]string
	count   int
}

func newDisk(w *world, s *seat) (*disk, error) {
	d := &disk{world: w, rnd: w.random("disk"), seat: s, written: make(map[string]string)}
	for i := range diskFiles {
		d.written[diskFile(i)] = "head 0\n"
		if err := w.write(w.path(diskFile(i)), "head 0\n"); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func (d *disk) pause() time.Duration { return time.Duration(20+d.rnd.IntN(60)) * time.Millisecond }

func (d *disk) step() {
	file, how, lines := diskFile(d.rnd.IntN(diskFiles)), d.rnd.IntN(100), d.rnd.IntN(200)
	d.among(func() {
		d.kept(file)
		d.count++
		text := fmt.Sprintf("head %d\n%s", d.count, strings.Repeat("another line\n", lines))
		came := d.did("disk", "%s %s", d.way(how), file)
		err := d.do(file, how, text)
		if err == nil {
			d.served(file)
		}
		came("%v", err)
		d.must(err)
	})
}

func (d *disk) way(how int) string {
	switch {
	case how < 35:
		return "replaces"
	case how < 60:
		return "truncates and writes"
	case how < 75:
		return "cuts short"
	case how < 90:
		return "makes folders beside"
	}
	return "deletes and makes"
}

func (d *disk) do(file string, how int, text string) error {
	path := d.path(file)
	switch d.way(how) {
	case "replaces":
		d.written[file] = text
		return errors.Join(os.WriteFile(path+".new", []byte(text), 0o644), os.Rename(path+".new", path))
	case "truncates and writes":
		d.written[file] = text
		return os.WriteFile(path, []byte(text), 0o644)
	case "cuts short":
		d.written[file] = ""
		return os.Truncate(path, 0)
	case "makes folders beside":
		tree := d.path("disk/tree")
		return errors.Join(os.MkdirAll(tree+"/a/b/c", 0o755), os.WriteFile(tree+"/a/b/x.txt", []byte(text), 0o644), os.RemoveAll(tree))
	}
	if d.seat.isExternal(file) {
		return nil // an editor has it open
	}
	d.written[file] = text
	if err := os.Remove(path); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fmt.Errorf("what was deleted is there again: %w", err)
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

var touches = regexp.MustCompile(` touched-\d+-\d+`)

// kept wants the last write to be there, but for what assistants made of it.
func (d *disk) kept(file string) {
	d.soon(func() string {
		raw, err := os.ReadFile(d.path(file))
		if got := touches.ReplaceAllString(string(raw), ""); err != nil || got != d.written[file] {
			return fmt.Sprintf("what was written to %s is lost: %v\n%.300q instead of\n%.300q", file, err, got, d.written[file])
		}
		return ""
	})
}

// served wants an editor's server to tell of the last write.
func (d *disk) served(file string) {
	if d.seat.isExternal(file) {
		d.seat.mirror(file)
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	d.soon(func() string {
		var r reading
		a, err := d.seat.editor.Call(ctx, "read_file", whole(file))
		if err == nil && !a.IsError {
			err = json.Unmarshal(a.Structured, &r)
		}
		if got := touches.ReplaceAllString(r.Content, ""); err != nil || a.IsError || got != d.written[file] {
			return fmt.Sprintf("%s is served as %.300q instead of %.300q (%v %+v)", file, got, d.written[file], err, a.Content)
		}
		return ""
	})
}

// soon wants check to have nothing to say within a second. What an assistant wrote
// stands there for a moment when it finds that another program was faster, until
// the names are exchanged back.
func (d *disk) soon(check func() string) {
	said := check()
	for begun := time.Now(); said != "" && time.Since(begun) < time.Second; said = check() {
		time.Sleep(5 * time.Millisecond)
	}
	if said != "" {
		d.fail("disk: %s", said)
	}
}
