package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// ConsentTimeout is how long a person has to decide about a change, unless a
// front's configuration says otherwise. No answer in that time is a no.
const ConsentTimeout = 5 * time.Minute

// ConfirmRequest is what a person is asked to agree to: all that one call
// changes.
type ConfirmRequest struct {
	Client Client        `json:"client"`
	Tool   string        `json:"tool"`
	Files  []ConfirmFile `json:"files"`
	// Guarded tells that a rule asks for consent to this change; without it,
	// the setting that has a person asked for every change does.
	Guarded bool `json:"-"`
	// Reason says in a few words why the person is asked.
	Reason string `json:"-"`
}

// ConfirmFile is one file of a request: Diff is a unified diff of all that
// changes in it.
type ConfirmFile struct {
	Path string `json:"path"`
	Diff string `json:"diff"`
	// Text is what the file would hold, where the person may have it hold another;
	// nil where not.
	Text *string `json:"-"`
}

// Decision is what the person said. Reason is empty when they gave none.
type Decision struct {
	Apply  bool
	Reason string
	// Edited are the texts that the person wants in place of those that were
	// proposed, by the paths of the request; with Apply.
	Edited map[string]string
	// Files, Session: they agree to all further changes of these files, or to all
	// further changes, of the same client; with Apply, and not of guarded ones.
	Files, Session bool
}

// Consents are what persons have agreed to for as long as a process lives. It may
// be used from any goroutine; a nil Consents has none.
type Consents struct {
	mu    sync.Mutex
	given map[consented]bool
}

// consented is a client that may change a file, named by its key, or all by "".
type consented struct {
	client Client
	key    string
}

// NewConsents returns none.
func NewConsents() *Consents { return &Consents{given: make(map[consented]bool)} }

// has reports whether a client may change a file unasked.
func (c *Consents) has(client Client, key string) bool {
	if c == nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.given[consented{client, key}] || c.given[consented{client, ""}]
}

// maxConsents is how many files are noted; beyond it a person is asked again.
const maxConsents = 10_000

// give notes that a client may change a file, or all by "", unasked.
func (c *Consents) give(client Client, key string) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.given) < maxConsents {
		c.given[consented{client, key}] = true
	}
}

// consent asks for what needs a person's agreement and has none yet. When it
// asked, and the person agreed, asked is true: that took time, and everything
// has to be looked at again.
func (b *batch) consent(ctx context.Context) (asked bool, err error) {
	for _, c := range b.changes {
		if c.nothing() {
			b.unasked = slices.DeleteFunc(b.unasked, func(u unasked) bool { return u.path.Key() == c.path.Key() })
		}
	}
	if len(b.unasked) == 0 || b.dryRun {
		return false, nil
	}
	request := ConfirmRequest{Client: b.env.Client, Tool: b.tool, Guarded: slices.ContainsFunc(b.unasked, unasked.guarded), Reason: b.reason()}
	for _, c := range b.changes {
		d := c.diff()
		shown := cutDiff(d, maxConfirmDiff)
		if len(shown) < len(d) {
			shown += fmt.Sprintf("\\ The diff is cut: %d of %d bytes are shown.\n", len(shown), len(d))
		}
		request.Files = append(request.Files, ConfirmFile{Path: c.shown(), Diff: b.why(c) + shown, Text: c.proposed()})
	}
	asking := b.fingerprint()
	decision, err := b.env.confirm(ctx, request)
	switch {
	case fault.KindOf(err) == fault.NoEditor:
		return false, b.nobodyAsked()
	case err != nil:
		return false, err
	case !decision.Apply:
		return false, rejected(b.unasked[0].path.Rel, decision.Reason)
	}
	for _, u := range b.unasked {
		b.agreed[u.key()] = true
		if decision.Files && !request.Guarded {
			b.env.Consents.give(b.env.Client, u.path.Key())
		}
	}
	if decision.Session && !request.Guarded {
		b.env.Consents.give(b.env.Client, "")
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
	e := *b.unasked[0].err
	var others []string
	for _, u := range b.unasked[1:] {
		others = append(others, u.path.Rel)
	}
	if len(others) == 0 {
		return &e
	}
	if n := len(others) - maxNamed; n > 0 {
		others = append(others[:maxNamed], fmt.Sprintf("… (%d more)", n))
	}
	e.Message += "; so does " + strings.Join(others, ", ")
	return e.With("others", others)
}

// stillAgreed refuses to land other changes than those that the person agreed
// to: a merge into what was written since can make others. They are asked
// again then, if the call is tried again.
func (b *batch) stillAgreed() error {
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
func (b *batch) why(c *change) string {
	for _, u := range b.unasked {
		if u.path.Key() != c.path.Key() && u.path.Key() != c.to.Key() {
			continue
		}
		line := u.err.Message
		if real := u.real(); real != "" {
			line += "; it is " + real
		}
		return oneLine(line) + "\n"
	}
	return ""
}

// maxConfirmDiff is the longest diff of one file that a person is shown, in
// bytes.
const maxConfirmDiff = 256 << 10

// confirm asks the person at the editor, or else who is behind the call. The
// error is no_editor when there is nobody to ask.
func (e *Env) confirm(ctx context.Context, request ConfirmRequest) (Decision, error) {
	if e.Editor != nil {
		decision, err := e.Editor.Confirm(ctx, request)
		if fault.KindOf(err) != fault.NoEditor {
			return decision, err
		}
	}
	if e.Ask == nil {
		return Decision{}, errNoEditor
	}
	return e.Ask(ctx, request)
}

func rejected(path, reason string) *fault.Error {
	message := "the person did not agree to the change; nothing was changed"
	if reason != "" {
		message = "the person did not agree to the change (" + oneLine(reason) + "); nothing was changed"
	}
	e := fault.New(fault.RejectedByUser, "%s", message).At(path).
		Advise("Do not try it in another way. Ask the person what they want instead.")
	if reason != "" {
		e = e.With("reason", reason)
	}
	return e
}
