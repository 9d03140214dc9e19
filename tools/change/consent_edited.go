package change

import (
	"context"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/tools/history"
	"github.com/agent-lsp/agent-lsp/tools/locate"
)

// maxProposed is the longest text that a person may edit before it lands, in
// bytes.
const maxProposed = 1 << 20

// proposed returns what the file would hold, where a person may change that first;
// else nil.
func (c *fileChange) proposed() *string {
	switch {
	case c.action == history.Deleted, c.action != history.Created && len(c.edits) == 0, c.fresh.Len() > maxProposed, c.action == history.Created && c.edits == nil:
		return nil
	}
	whole := c.fresh.String()
	return &whole
}

// reason says in a few words why a person is asked.
func (b *batch) reason() string {
	for _, u := range b.pending {
		if !u.guarded() {
			continue
		}
		rule, _ := u.err.Details["rule"].(string)
		return rule
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
		c.request.take(c, lineEndsOf(c.fresh, wanted))
	}
	if err := b.plan(ctx); err != nil {
		return err
	}
	b.agreedTo = b.fingerprint()
	return nil
}

// take has the request make another text of a change's file than it did.
func (w *FileRequest) take(c *fileChange, wanted string) {
	old := c.old
	w.edited = true
	if w.Kind == KindCreate {
		w.Content = wanted
		return
	}
	w.Expected, w.LastRead = c.file.Hash.String(), false
	w.Find = func(t text.Text) ([]diff.Edit, locate.Match, error) {
		if !t.Equal(old) {
			return nil, locate.MatchNone, fault.New(fault.StaleFile, "the text changed after the person had edited the proposal; nothing was changed").
				Advise("Read the file again and make the edit for its present text.")
		}
		return diff.Compute(old.String(), wanted), locate.MatchNone, nil
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
