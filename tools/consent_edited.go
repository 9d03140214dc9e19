package tools

import (
	"context"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// maxProposed is the longest text that a person may edit before it lands, in
// bytes.
const maxProposed = 1 << 20

// proposed returns what the file would hold, where a person may change that first;
// else nil.
func (c *change) proposed() *string {
	switch {
	case c.action == actionDeleted, c.action != actionCreated && len(c.edits) == 0, c.fresh.Len() > maxProposed, c.action == actionCreated && c.edits == nil:
		return nil
	}
	whole := c.fresh.String()
	return &whole
}

// reason says in a few words why a person is asked.
func (b *batch) reason() string {
	for _, u := range b.unasked {
		if !u.guarded() {
			continue
		}
		rule, _ := u.err.Details["rule"].(string)
		if u.path.Outside() {
			return rule
		}
		return "protected: " + rule
	}
	return "edits.confirm is always"
}

// edited puts the texts that the person wants in the place of those that were
// proposed, and takes the change for what they agreed to.
func (b *batch) edited(ctx context.Context, texts map[string]string) error {
	for _, c := range b.changes {
		wanted, ok := texts[c.shown()]
		if !ok || c.proposed() == nil || wanted == c.fresh.String() {
			continue
		}
		c.wish.take(c, lineEndsOf(c.fresh, wanted))
	}
	if err := b.plan(ctx); err != nil {
		return err
	}
	b.agreedTo = b.fingerprint()
	return nil
}

// take has the wish make another text of a change's file than it did.
func (w *wish) take(c *change, wanted string) {
	old := c.old
	w.edited = true
	if w.kind == wishCreate {
		w.content = wanted
		return
	}
	w.expected, w.lastRead = c.file.Hash.String(), false
	w.find = func(t text.Text) ([]diff.Edit, matchRung, error) {
		if !t.Equal(old) {
			return nil, matchNone, fault.New(fault.StaleFile, "the text changed after the person had edited the proposal; nothing was changed").
				Advise("Read the file again and make the edit for its present text.")
		}
		return diff.Compute(old.String(), wanted), matchNone, nil
	}
}

// lineEndsOf gives a text that came back from an editor the line ends that it was
// sent with, where that was CRLF throughout.
func lineEndsOf(sent text.Text, back string) string {
	if sent.EOL() != text.CRLF || strings.Contains(back, "\r") {
		return back
	}
	return strings.ReplaceAll(back, "\n", "\r\n")
}
