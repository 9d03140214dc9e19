package scenario

import (
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// diskVerbs change the disk behind the editor's back.
var diskVerbs = map[string]func(*runner, args) error{
	"write": func(r *runner, a args) error {
		if err := a.need(2, 2); err != nil {
			return err
		}
		return r.world.write(a[0], a[1])
	},
	"fill": func(r *runner, a args) error { return r.fill(a, "") },
	"append": func(r *runner, a args) error {
		if err := a.need(3, 3); err != nil {
			return err
		}
		before, err := os.ReadFile(r.world.path(a[0]))
		if err != nil {
			return err
		}
		return r.fill(a, string(before))
	},
	"hex":      (*runner).hex,
	"truncate": (*runner).truncate,
	"chmod":    (*runner).chmod,
	"link":     func(r *runner, a args) error { return r.join(a, os.Symlink, false) },
	"hardlink": func(r *runner, a args) error { return r.join(a, os.Link, true) },
	"fifo":     func(r *runner, a args) error { return r.special("fifo", a) },
	"socket":   func(r *runner, a args) error { return r.special("socket", a) },
	"times":    (*runner).times,
	"mkdir": func(r *runner, a args) error {
		if err := a.need(1, 1); err != nil {
			return err
		}
		return os.MkdirAll(r.world.path(a[0]), 0o755)
	},
	"remove": func(r *runner, a args) error {
		if err := a.need(1, 1); err != nil {
			return err
		}
		if err := os.Remove(r.world.path(a[0])); err != nil {
			return err
		}
		return r.world.adopt(r.world.path(a[0]))
	},
}

// fill writes before and then a[1] copies of a[2].
func (r *runner) fill(a args, before string) error {
	if err := a.need(3, 3); err != nil {
		return err
	}
	n, err := strconv.Atoi(a[1])
	if err != nil {
		return err
	}
	var b strings.Builder
	b.WriteString(before)
	for i := range n {
		b.WriteString(strings.ReplaceAll(a[2], "%d", strconv.Itoa(i+1)))
	}
	return r.world.write(a[0], b.String())
}

func (r *runner) hex(a args) error {
	if err := a.need(2, -1); err != nil {
		return err
	}
	raw, err := hex.DecodeString(strings.Join(a[1:], ""))
	if err != nil {
		return err
	}
	return r.world.write(a[0], string(raw))
}

func (r *runner) truncate(a args) error {
	if err := a.need(2, 2); err != nil {
		return err
	}
	size, err := strconv.ParseInt(a[1], 10, 64)
	if err != nil {
		return err
	}
	path := r.world.path(a[0])
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if err := f.Truncate(size); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return r.world.adopt(path)
}

func (r *runner) chmod(a args) error {
	if err := a.need(2, 2); err != nil {
		return err
	}
	mode, err := strconv.ParseUint(a[1], 8, 32)
	if err != nil {
		return err
	}
	path := r.world.path(a[0])
	if err := os.Chmod(path, fs.FileMode(mode)); err != nil {
		return err
	}
	if info, err := os.Lstat(path); err != nil || info.IsDir() {
		return err
	}
	return r.world.adopt(path)
}

// times gives all files and folders of the workspace a time, or those that are
// named.
func (r *runner) times(a args) error {
	if err := a.need(1, -1); err != nil {
		return err
	}
	at, err := time.Parse(time.RFC3339, a[0])
	if err != nil {
		return err
	}
	for _, name := range a[1:] {
		if err := os.Chtimes(r.world.path(name), at, at); err != nil {
			return err
		}
	}
	if len(a) > 1 {
		return nil
	}
	return filepath.WalkDir(r.world.work, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Type()&fs.ModeSymlink != 0 {
			return err
		}
		return os.Chtimes(path, at, at)
	})
}

// join makes a link called a[0] to a[1]; a symbolic link's target is kept as
// it is written.
func (r *runner) join(a args, link func(old, name string) error, resolve bool) error {
	if err := a.need(2, 2); err != nil {
		return err
	}
	path, target := r.world.path(a[0]), a[1]
	if resolve {
		target = r.world.path(target)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := link(target, path); err != nil {
		return err
	}
	return r.world.adopt(path)
}

func (r *runner) special(kind string, a args) error {
	if err := a.need(1, 1); err != nil {
		return fmt.Errorf("%s %w", kind, err)
	}
	return r.world.special(kind, a[0])
}
