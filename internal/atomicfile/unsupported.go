//go:build !linux && !darwin

package atomicfile

import (
	"os"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// Without an exchange of names a write could lose what another program saves
// at the same time, so here there is none.
var errNoExchange = fault.New(fault.ReadOnly, "edits on disk are not supported on this system yet").
	Advise("Open the file in the editor: edits of open files work.")

func replaceAt(*writeNotes, *os.File, string, text.Hash, []byte) (Written, error) {
	return Written{}, errNoExchange
}

func createAt(*writeNotes, *os.File, string, []byte) (Written, error) {
	return Written{}, errNoExchange
}

func setModeAt(*os.File, string, ModeChange) error { return errNoExchange }

// diskChange is empty: no transaction comes past Stage.
type diskChange struct{}

func newDiskChange() diskChange { return diskChange{} }

func (t *Transaction) stage() error               { return errNoExchange }
func (t *Transaction) apply() error               { return errNoExchange }
func (t *Transaction) rollback() error            { return errNoExchange }
func (t *Transaction) commit() ([]Written, error) { return nil, errNoExchange }

// Nothing is written down of what is not written.
type (
	writeNotes  struct{}
	journalFile struct{}
)

func (j *Journal) notes(string, string, *os.File) *writeNotes { return nil }

// Close does nothing.
func (j *Journal) Close() {}

// Recover does nothing: no transaction was ever begun here.
func (j *Journal) Recover(...string) []Recovered { return nil }
