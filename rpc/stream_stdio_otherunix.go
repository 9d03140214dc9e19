//go:build unix && !linux

package rpc

import (
	"errors"
	"io/fs"
	"os"
)

// openOwn is for Linux.
func openOwn(*os.File, int, fs.FileMode) (*stdio, error) { return nil, errors.ErrUnsupported }
