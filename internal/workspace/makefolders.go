package workspace

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// folderChain is the way from a workspace folder down to the folder that a
// new file is to be in. It goes one name at a time, each in the folder that
// was opened and checked before: were a longer path given to the system, a
// link swapped into it could have folders made elsewhere.
type folderChain struct {
	opened []*os.Root // all but the workspace folder itself
	made   []madeFolder
}

// madeFolder is a folder that did not exist before, by its name in an open
// one.
type madeFolder struct {
	in   *os.Root
	name string
}

// makeFolders opens the folder at rel, a path without links below o, and
// makes what is missing of it. The caller closes dir and, also after an
// error, the chain.
func (o *openDir) makeFolders(rel string) (dir *os.File, c *folderChain, err error) {
	c = new(folderChain)
	in, real := o.root, o.real
	for _, name := range splitNames(rel) {
		if name == "." {
			continue
		}
		real = filepath.Join(real, name)
		if in, err = c.step(in, name, real); err != nil {
			return nil, c, err
		}
	}
	dir, err = in.OpenFile(".", openDirFlags, 0)
	return dir, c, err
}

// step opens the folder name in in, making it if it is missing. Its path must
// then be real.
func (c *folderChain) step(in *os.Root, name, real string) (*os.Root, error) {
	next, err := in.OpenRoot(name)
	if fault.KindOf(err) == fault.NotFound {
		next, err = c.make(in, name)
	}
	if isEscape(err) {
		return nil, errSwapped
	}
	if err != nil {
		return nil, err
	}
	c.opened = append(c.opened, next)
	dir, err := next.OpenFile(".", openDirFlags, 0)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return next, isAt(dir, real)
}

func (c *folderChain) make(in *os.Root, name string) (*os.Root, error) {
	err := in.Mkdir(name, 0o777)
	switch {
	case err == nil:
		c.made = append(c.made, madeFolder{in, name})
	case fault.KindOf(err) != fault.AlreadyExists: // else somebody was quicker
		return nil, err
	}
	return in.OpenRoot(name)
}

func (c *folderChain) close() {
	for _, r := range c.opened {
		r.Close()
	}
}

// undo removes the folders that were made, as far as they are empty.
func (c *folderChain) undo() {
	for _, made := range slices.Backward(c.made) {
		if removeFolder(made.in, made.name) != nil {
			return
		}
	}
}

// persist writes the names of the folders that were made to the disk. That
// fails where folders cannot be synced, and then nothing can be done.
func (c *folderChain) persist() {
	for _, m := range c.made {
		if dir, err := m.in.OpenFile(".", openDirFlags, 0); err == nil {
			_ = dir.Sync()
			dir.Close()
		}
	}
}

// isAt returns errSwapped unless an open folder is the one at path, which has
// no links.
func isAt(dir *os.File, path string) error {
	if real, err := descriptorPath(dir, path); err != nil || real != path {
		return errSwapped
	}
	return nil
}
