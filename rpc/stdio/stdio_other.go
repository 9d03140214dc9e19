//go:build !unix

package stdio

import (
	"context"
	"io"
	"os"
)

// Open returns a process's standard input and output as a connection's two
// ends. A read that waits for the client cannot be interrupted here; it is
// left behind when the connection ends. There is no drain.
func Open(stdin, stdout *os.File) (in io.ReadCloser, out io.WriteCloser, drain func(context.Context)) {
	return stdin, stdout, nil
}
