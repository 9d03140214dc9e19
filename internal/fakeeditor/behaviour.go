package fakeeditor

import "encoding/json"

// ApplyMode is what the editor does with a workspace/applyEdit.
type ApplyMode int

// The modes.
const (
	Apply  ApplyMode = iota // applies and says so
	Reject                  // applies nothing and says applied:false
	Fail                    // applies nothing and answers with a JSON-RPC error
	Drop                    // applies nothing and says applied:true
	Ignore                  // applies nothing and never answers
	Half                    // applies the first edit only and says applied:true
)

// Behaviour is how an editor misbehaves; the zero value behaves well. Hooks
// run on the goroutine that reads from the server, so they may change
// documents but must not wait for an answer of the server.
type Behaviour struct {
	Apply  ApplyMode
	Reason string // failureReason of Reject and message of Fail

	// Only is the URI of the document towards whose edits the editor misbehaves;
	// "" is all. After is how many such edits go well first.
	Only  string
	After int

	// Hold names server requests that are not looked at until Release.
	Hold map[string]bool
	// HoldAnswer keeps the answers to workspace/applyEdit until Release; the
	// edit itself is applied at once and didChange is sent.
	HoldAnswer bool
	// AnswerFirst answers workspace/applyEdit before its didChange is sent.
	AnswerFirst bool
	// SplitChanges tells of each edit in a didChange of its own.
	SplitChanges bool
	// IgnoreVersion applies edits that were made for another version.
	IgnoreVersion bool

	// BeforeApply runs when an edit has arrived and nothing is checked yet.
	BeforeApply func(e *Editor, uri string)
	// Applied runs after the edit's didChange and before the answer.
	Applied func(e *Editor, uri string)
	// Rewrite alters what the edits made of a document, within the same step.
	Rewrite func(text string) string
	// SaveRewrite alters a document as it is saved, before it is written.
	SaveRewrite func(text string) string

	// WireVersion gives the version that a didChange tells, in place of the
	// true one; nil leaves it out.
	WireVersion func(version int) *int
	// WireRange is the range that a didChange tells, in place of the true one.
	WireRange *Range

	// RefuseSave and RefuseReload answer agent/save and agent/reload with no.
	RefuseSave, RefuseReload bool

	// Languages are the answers to agent/references, agent/rename, agent/willRename
	// and agent/codeActions, by method, as language servers would give them; without
	// one the editor says that it has no server. That of agent/diagnostics is added to
	// what there is. An answer with a member "fails" is an error of that message.
	Languages map[string]json.RawMessage
	// BeforeLanguages runs when one of these has arrived.
	BeforeLanguages func(e *Editor, uri string)

	// ConsentEdits returns the files of the answer to agent/confirmEdit, from its
	// params; nil leaves them out.
	ConsentEdits func(params []byte) any

	// DieOn closes the connection on arrival of a request of this method.
	DieOn string

	// Consent is the answer to agent/confirmEdit ("apply", "reject") and
	// whether an action of window/showMessageRequest is chosen: the first for
	// "apply", none otherwise.
	Consent       string
	ConsentReason string
}
