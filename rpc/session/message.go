package session

import (
	"strconv"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/rpc/form"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// What a message does.
const (
	doHello     = "hello"     // the first frame of each end
	doCall      = "call"      // runs a tool: body is its arguments, then the texts of Extra
	doDocuments = "documents" // body is a Query; that of the answer a list of documents, of so many bytes as its header says, then their texts
	doWatch     = "watch"     // asks for an event after each change of a document
	doCommand   = "command"   // a host's own command begins, or has ended: body is a Command. Programs of 0.1 fail it
	doPing      = "ping"
	doCancel    = "cancel" // ends the request with that ID
	doSaid      = "said"   // what the person said to the question with that ID

	doAnswer   = "answer"   // the last frame of a request
	doFailed   = "failed"   // in its place: the request could not be served
	doProgress = "progress" // any number of them, before the answer
	doEvent    = "event"    // of a watch; body is a document
	doAsk      = "ask"      // of a call: a question for the person behind who calls; body is a [toolcall.ConfirmRequest]
)

// message is the header of a frame. Members that a message has no use for are
// left out, and unknown ones are passed over.
type message struct {
	Do string `json:"do"`
	ID uint64 `json:"id,omitzero"`

	// Of hello.
	Protocol int    `json:"protocol,omitzero"` // the oldest
	Newest   int    `json:"newest,omitzero"`
	Version  string `json:"version,omitempty"`
	PID      int    `json:"pid,omitzero"`

	// Of a call, the client also of hello.
	Tool     string           `json:"tool,omitempty"`
	Form     form.Form        `json:"form,omitempty"`
	Client   *toolcall.Client `json:"client,omitempty"`
	Roots    []folder         `json:"roots,omitempty"`
	Notes    []string         `json:"notes,omitempty"`
	Progress bool             `json:"progress,omitzero"`
	Quiet    bool             `json:"quiet,omitzero"`
	Guards   bool             `json:"read_guards,omitzero"`
	Ask      bool             `json:"ask,omitzero"`
	Extra    []carried        `json:"extra,omitempty"`
	Room     int              `json:"room,omitzero"` // the client's; see [toolcall.Client]

	// Of an answer. Sizes are in bytes.
	Kind   fault.Kind `json:"kind,omitempty"`
	Header int        `json:"header,omitzero"`
	Body   int        `json:"body,omitzero"`

	// Question is the ID that what is said to a question of doAsk has. Apply, or
	// why not as Message, is what was said; with a Kind the person was not asked.
	Question uint64 `json:"question,omitzero"`
	Apply    bool   `json:"apply,omitzero"`

	// Of failed and progress.
	Message string `json:"message,omitempty"`
	Hint    string `json:"hint,omitempty"`
	Done    int    `json:"done,omitzero"`
	Total   int    `json:"total,omitzero"`
}

// folder is a [workspace.Folder] in a frame.
type folder struct {
	Name string `json:"name"`
	Path string `json:"path"`
	// Within is not sent by programs of 0.1, and passed over by them.
	Within string `json:"within,omitempty"`
}

func foldersOut(in []workspace.Folder) []folder {
	var out []folder
	for _, f := range in {
		out = append(out, folder(f))
	}
	return out
}

func foldersIn(in []folder) []workspace.Folder {
	var out []workspace.Folder
	for _, f := range in {
		out = append(out, workspace.Folder(f))
	}
	return out
}

// append appends m as JSON to dst. Answers, of which there are most, are
// written by hand.
func (m *message) append(dst []byte) []byte {
	if m.Do == doAnswer {
		dst = strconv.AppendUint(append(dst, `{"do":"answer","id":`...), m.ID, 10)
		if m.Kind != "" {
			dst = wire.AppendString(append(dst, `,"kind":`...), string(m.Kind))
		}
		if m.Header+m.Body > 0 {
			dst = strconv.AppendInt(append(dst, `,"header":`...), int64(m.Header), 10)
			dst = strconv.AppendInt(append(dst, `,"body":`...), int64(m.Body), 10)
		}
		return append(dst, '}')
	}
	raw, err := wire.Marshal(m)
	if err != nil { // a message holds nothing that JSON cannot
		return append(dst, "{}"...)
	}
	return append(dst, raw...)
}

// carried is a document whose text, or none, follows in the body.
type carried struct {
	Document
	Carried int `json:"carried"` // bytes of the text
}

// carry splits documents into what stands in JSON and what follows in the body.
func carry(docs []PeerDocument) (list []carried, texts [][]byte) {
	for _, d := range docs {
		list = append(list, carried{d.Document, len(d.Text)})
		texts = append(texts, []byte(d.Text))
	}
	return list, texts
}

// carriedIn takes the texts of documents from the end of a body.
func carriedIn(body []byte, list []carried) (rest []byte, docs []PeerDocument, err error) {
	at := len(body)
	for _, d := range list {
		if d.Carried < 0 || d.Carried > at {
			return nil, nil, fault.New(fault.InvalidParams, "the texts of documents are longer than the message")
		}
		at -= d.Carried
	}
	rest, body = body[:at], body[at:]
	for _, d := range list {
		docs = append(docs, PeerDocument{d.Document, string(body[:d.Carried])})
		body = body[d.Carried:]
	}
	return rest, docs, nil
}

func failure(id uint64, err error) *message {
	e := fault.From(err)
	return &message{Do: doFailed, ID: id, Kind: e.Kind, Message: e.Message, Hint: e.Hint}
}

// fault is the error that a failed message tells of.
func (m *message) fault() error {
	return &fault.Error{Kind: m.Kind, Message: m.Message, Hint: m.Hint}
}

func errTooLarge(size int) error {
	return fault.New(fault.FileTooLarge, "a message of %d bytes between the editor's session and this program; the limit is %d", size, maxFrame).
		Advise("ask for less at once")
}
