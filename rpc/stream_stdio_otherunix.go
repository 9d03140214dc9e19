//go:build unix && !linux

package rpc

import (
	"errors"
	"os"
)

// openOwn is for Linux.
func openOwn(*os.File, int, bool) (*stdio, error) { return nil, errors.ErrUnsupported }
