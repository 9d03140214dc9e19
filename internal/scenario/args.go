package scenario

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fakeeditor"
)

// args are the expanded words of a command.
type args []string

// need checks the number of words; most < 0 means any number.
func (a args) need(least, most int) error {
	if len(a) < least || most >= 0 && len(a) > most {
		return fmt.Errorf("takes %d to %d words, has %d: %q", least, most, len(a), []string(a))
	}
	return nil
}

func (a args) or(i int, otherwise string) string {
	if i < len(a) {
		return a[i]
	}
	return otherwise
}

// point reads L:C.
func point(s string) (fakeeditor.Point, error) {
	l, c, found := strings.Cut(s, ":")
	line, err1 := strconv.Atoi(l)
	column, err2 := strconv.Atoi(c)
	if !found || err1 != nil || err2 != nil {
		return fakeeditor.Point{}, fmt.Errorf("%q is not LINE:COLUMN", s)
	}
	return fakeeditor.Point{Line: line, Column: column}, nil
}

// points reads L:C-L:C.
func points(s string) (from, to fakeeditor.Point, err error) {
	a, b, _ := strings.Cut(s, "-")
	if from, err = point(a); err != nil {
		return from, to, err
	}
	to, err = point(b)
	return from, to, err
}
