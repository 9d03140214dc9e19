//go:build linux || darwin

package atomicfile

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"syscall"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// copyAttributes gives the file to the owner, the extended attributes (access
// control lists are among them on Linux) and the mode of from, whose stat is
// want. It is an error when any of them does not take.
//
// The order matters. A change of owner clears set-user-ID bits and
// capabilities, so it comes first; a list sets the mode's group bits, so the
// mode comes last. In between the file never grants more than from does. To
// be called after the last write, which clears the same bits.
func (d dirWriter) copyAttributes(from, to int, want fsys.RawStat) error {
	if err := d.Chown(to, want.Uid, want.Gid); err != nil {
		return fmt.Errorf("keep the file's owner: %w", err)
	}
	if err := d.copyExtended(from, to); err != nil {
		return fmt.Errorf("keep the file's extended attributes: %w", err)
	}
	if err := d.Chmod(to, modeBits(want)); err != nil {
		return fmt.Errorf("keep the file's mode: %w", err)
	}
	got, err := d.Stat(to)
	if err != nil {
		return err
	}
	// The system drops a set-group-ID bit silently that we may not give.
	if !sameRights(got, want) {
		return fmt.Errorf("keep the file's mode and owner: %w", syscall.EPERM)
	}
	return nil
}

func (d dirWriter) copyExtended(from, to int) error {
	wanted, err := d.attrNames(from)
	if err != nil {
		return err
	}
	present, err := d.attrNames(to)
	if err != nil {
		return err
	}
	// A new file inherits its folder's default list, which may grant what
	// the old file did not.
	if slices.Contains(present, accessList) && !slices.Contains(wanted, accessList) {
		if err := d.RemoveAttr(to, accessList); err != nil {
			return err
		}
	}
	for _, name := range wanted {
		if err := d.copyAttr(from, to, name, slices.Contains(present, name)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func (d dirWriter) copyAttr(from, to int, name string, present bool) error {
	value, err := d.attrValue(from, name)
	if errors.Is(err, errNoAttr) {
		return nil // removed since it was listed
	}
	if err != nil {
		return err
	}
	if present { // a label given by the system, say, that we may not set
		if old, err := d.attrValue(to, name); err == nil && bytes.Equal(old, value) {
			return nil
		}
	}
	return d.SetAttr(to, name, value)
}

// attrNames lists the attributes that belong to the file rather than to its
// present content. A file system without attributes has none.
func (d dirWriter) attrNames(fd int) ([]string, error) {
	raw, err := sized(func(buf []byte) (int, error) { return d.ListAttrs(fd, buf) })
	if err == syscall.ENOTSUP {
		return nil, nil
	}
	names := strings.FieldsFunc(string(raw), func(r rune) bool { return r == 0 })
	return slices.DeleteFunc(names, ofContent), err
}

func (d dirWriter) attrValue(fd int, name string) ([]byte, error) {
	return sized(func(buf []byte) (int, error) { return d.Attr(fd, name, buf) })
}

// sized calls read with larger and larger buffers until the answer fits.
func sized(read func([]byte) (int, error)) ([]byte, error) {
	for size := 1 << 10; size <= 1<<26; size <<= 3 {
		buf := make([]byte, size)
		n, err := read(buf)
		if err == nil {
			return buf[:n], nil
		}
		if err != syscall.ERANGE {
			return nil, err
		}
	}
	return nil, syscall.E2BIG
}
