package atomicfile

import (
	"io/fs"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// HasModes reports whether files of this system have permission bits that can
// be set.
const HasModes = fsys.HasPermissions

// ModeChange is a change of a file's permission bits. The zero value is none;
// that of a new file has no From.
type ModeChange struct{ From, To fs.FileMode }

// IsNone reports whether nothing is changed.
func (m ModeChange) IsNone() bool { return m.To == 0 }

// SetMode changes the permission bits of the file at p, which keeps all else,
// its place and its time of change included: it is for files that other
// programs have open. Errors are those of [Replace]; stale_file when it
// has other bits than m.From.
func SetMode(g *workspace.Gate, p workspace.Path, m ModeChange) error {
	if err := g.CheckWritePath(p); err != nil {
		return err
	}
	at, err := destinationOf(g, p)
	if err == nil {
		err = setModeAt(at.dir, at.name, m)
		at.close()
	}
	if err != nil {
		return g.Explain(p, err)
	}
	return nil
}

var errOtherMode = fault.New(fault.StaleFile, "the file's mode was changed at the same time").
	Advise("Call again.")
