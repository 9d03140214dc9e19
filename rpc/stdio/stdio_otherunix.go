//go:build unix && !linux

package stdio

import (
	"errors"
	"io/fs"
	"os"
)

// openOwn is for Linux.
func openOwn(*os.File, int, fs.FileMode) (*file, error) { return nil, errors.ErrUnsupported }
