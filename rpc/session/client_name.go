package session

import (
	"strings"
	"unicode"

	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// maxName is how much of a client's name is told, in characters.
const maxName = 64

// plain is a client by the name that a person is shown, in lists and above
// questions: one short line, without what would change how it is read.
func plain(c *toolcall.Client) *toolcall.Client {
	if c == nil || isPlain(c.Name) {
		return c
	}
	visible := strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, c.Name)
	name := []rune(strings.Join(strings.Fields(visible), " "))
	if len(name) > maxName {
		name = append(name[:maxName-1], '…')
	}
	return &toolcall.Client{Name: string(name), ID: c.ID, Room: c.Room}
}

// isPlain tells the usual name: short, of ASCII, without blanks.
func isPlain(name string) bool {
	for i := range len(name) {
		if name[i] <= ' ' || name[i] > '~' {
			return false
		}
	}
	return len(name) <= maxName
}
