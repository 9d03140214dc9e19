package fsys

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// FolderChain is the way from a workspace folder down to the folder that a
// new file is to be in. It goes one name at a time, each in the folder that
// was opened and checked before: were a longer path given to the system, a
// link put into it meanwhile could have folders made elsewhere.
type FolderChain struct {
	opened []*os.Root // all but the workspace folder itself
	made   []madeFolder
}

// madeFolder is a folder that did not exist before, by its name in an open
// one.
type madeFolder struct {
	in   *os.Root
	name string
}

// MakeFolders opens the folder at rel, a path without links below o, and
// makes what is missing of it. The caller closes dir and, also after an
// error, the chain.
func (o *Dir) MakeFolders(rel string) (dir *os.File, c *FolderChain, err error) {
	c = new(FolderChain)
	in, real := o.Root, o.Real
	for _, name := range SplitNames(rel) {
		if name == "." {
			continue
		}
		real = filepath.Join(real, name)
		if in, err = c.step(in, name, real); err != nil {
			return nil, c, err
		}
	}
	dir, err = in.OpenFile(".", OpenDirFlags, 0)
	return dir, c, err
}

// step opens the folder name in in, making it if it is missing. Its path must
// then be real.
func (c *FolderChain) step(in *os.Root, name, real string) (*os.Root, error) {
	next, err := in.OpenRoot(name)
	if fault.KindOf(err) == fault.NotFound {
		next, err = c.make(in, name)
	}
	if IsEscape(err) {
		return nil, ErrPathChanged
	}
	if err != nil {
		return nil, err
	}
	c.opened = append(c.opened, next)
	dir, err := next.OpenFile(".", OpenDirFlags, 0)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return next, CheckAt(dir, real)
}

func (c *FolderChain) make(in *os.Root, name string) (*os.Root, error) {
	err := in.Mkdir(name, 0o777)
	switch {
	case err == nil:
		c.made = append(c.made, madeFolder{in, name})
	case fault.KindOf(err) != fault.AlreadyExists: // else somebody was quicker
		return nil, err
	}
	return in.OpenRoot(name)
}

// Close closes all folders of the way.
func (c *FolderChain) Close() {
	for _, r := range c.opened {
		r.Close()
	}
}

// Undo removes the folders that were made, as far as they are empty.
func (c *FolderChain) Undo() {
	for _, made := range slices.Backward(c.made) {
		if removeFolder(made.in, made.name) != nil {
			return
		}
	}
}

// Persist writes the names of the folders that were made to the disk. That
// fails where folders cannot be synced, and then nothing can be done.
func (c *FolderChain) Persist() {
	for _, m := range c.made {
		if dir, err := m.in.OpenFile(".", OpenDirFlags, 0); err == nil {
			_ = dir.Sync()
			dir.Close()
		}
	}
}

// CheckAt returns ErrPathChanged unless an open folder is the one at path, which has
// no links.
func CheckAt(dir *os.File, path string) error {
	if real, err := DescriptorPath(dir, path); err != nil || real != path {
		return ErrPathChanged
	}
	return nil
}
