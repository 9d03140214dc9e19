package change

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// consent asks for what needs a person's agreement and has none yet. When it
// asked, and the person agreed, asked is true: that took time, and everything
// has to be looked at again.
func (b *batch) consent(ctx context.Context) (asked bool, err error) {
	for _, c := range b.changes {
		if c.isNoOp() {
			b.pending = slices.DeleteFunc(b.pending, func(u pendingConsent) bool { return u.path.Key() == c.path.Key() })
		}
	}
	if len(b.pending) == 0 || b.DryRun {
		return false, nil
	}
	request := toolcall.ConfirmRequest{Client: b.env.Client, Tool: b.Tool, Guarded: slices.ContainsFunc(b.pending, pendingConsent.guarded), Reason: b.reason()}
	for _, c := range b.changes {
		d := c.diff()
		shown := CutDiff(d, maxConfirmDiff)
		if len(shown) < len(d) {
			shown += fmt.Sprintf("\\ The diff is cut: %d of %d bytes are shown.\n", len(shown), len(d))
		}
		request.Files = append(request.Files, toolcall.ConfirmFile{Path: c.shown(), Diff: b.why(c) + shown, Text: c.proposed()})
	}
	asking := b.fingerprint()
	decision, err := b.env.Confirm(ctx, request)
	switch {
	case fault.KindOf(err) == fault.NoEditor:
		return false, b.nobodyAsked()
	case err != nil:
		return false, err
	case !decision.Apply:
		return false, rejected(b.pending[0].path.Rel, decision.Reason)
	}
	for _, u := range b.pending {
		b.agreed[u.key()] = true
		if decision.Files && !request.Guarded {
			b.env.Consents.Give(b.env.Client, u.path.Key())
		}
	}
	if decision.Session && !request.Guarded {
		b.env.Consents.Give(b.env.Client, "")
	}
	b.agreedTo = asking
	if len(decision.Edited) > 0 {
		return true, b.edited(ctx, decision.Edited)
	}
	return true, nil
}

// nobodyAsked is the error for changes that need consent where nobody can be
// asked. It names all of the files.
func (b *batch) nobodyAsked() *fault.Error {
	e := *b.pending[0].err
	var others []string
	for _, u := range b.pending[1:] {
		others = append(others, u.path.Rel)
	}
	if len(others) == 0 {
		return &e
	}
	if n := len(others) - wording.MaxNamed; n > 0 {
		others = append(others[:wording.MaxNamed], fmt.Sprintf("… (%d more)", n))
	}
	e.Message += "; so does " + strings.Join(others, ", ")
	return e.With("others", others)
}

// checkAgreed refuses to apply other changes than those that the person agreed
// to: a merge into what was written since can make others. They are asked
// again then, if the call is tried again.
func (b *batch) checkAgreed() error {
	if len(b.agreed) == 0 || b.agreedTo == b.fingerprint() {
		return nil
	}
	clear(b.agreed)
	return fault.New(fault.StaleFile, "the text changed after the person had agreed, and the change would be another one; nothing was changed").
		At(b.changes[0].file.Path.Rel).Advise("Read the file again and make the edit for its present text.")
}

// fingerprint is a hash over all that the call is about to change, as a person
// sees it, and whole.
func (b *batch) fingerprint() (sum text.Hash) {
	var all []byte
	for _, c := range b.changes {
		all = fmt.Appendf(all, "%s\x00%s\x00", c.shown(), c.diff())
		if len(c.edits) == 0 { // no lines show what it is
			all = fmt.Appendf(all, "%s\x00%s\x00", c.file.Hash, c.hash)
		}
	}
	return text.HashBytes(all)
}

// why is a line that tells why a person is asked about a file, by its real
// name: what a link is called says nothing. Empty for files that need no
// consent by themselves.
func (b *batch) why(c *fileChange) string {
	for _, u := range b.pending {
		if u.path.Key() != c.path.Key() && u.path.Key() != c.to.Key() {
			continue
		}
		line := u.err.Message
		if real := u.real(); real != "" {
			line += "; it is " + real
		}
		return wording.OneLine(line) + "\n"
	}
	return ""
}

// maxConfirmDiff is the longest diff of one file that a person is shown, in
// bytes.
const maxConfirmDiff = 256 << 10

func rejected(path, reason string) *fault.Error {
	message := "the person did not agree to the change; nothing was changed"
	if reason != "" {
		message = "the person did not agree to the change (" + wording.OneLine(reason) + "); nothing was changed"
	}
	e := fault.New(fault.RejectedByUser, "%s", message).At(path).
		Advise("Do not try it in another way. Ask the person what they want instead.")
	if reason != "" {
		e = e.With("reason", reason)
	}
	return e
}

// pendingConsent is a path whose change needs consent, with the error for when
// nobody can be asked.
type pendingConsent struct {
	path workspace.Path
	err  *fault.Error
}

// real is where links lead from the path; "" when there are none.
func (u pendingConsent) real() string {
	real, _ := u.err.Details["real"].(string)
	return real
}

// guarded reports whether a rule of its own asks for consent to the change.
func (u pendingConsent) guarded() bool { return u.err.Details["rule"] != workspace.RuleConfirmAlways }

func (u pendingConsent) key() string { return u.path.Key() + "\x00" + u.real() }
