package fakeeditor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
)

// Root is a workspace folder; Dir is an absolute path.
type Root struct{ Name, Dir string }

// Options say what kind of editor it is. The zero value is a plain LSP client:
// UTF-16 positions, no requests of our own.
type Options struct {
	Roots []Root
	// Encodings are the position encodings offered, best first; none offers
	// nothing, which means UTF-16.
	Encodings []string
	// LineRule is AnyLineEnd (also when empty) or OnlyLF.
	LineRule string
	// AgentLSP is capabilities.experimental.agentLsp, without line_rule; nil
	// leaves the member out.
	AgentLSP map[string]bool
	// DocumentState sends agent/documentState after open, save and reload.
	DocumentState bool
	// NoDocumentChanges says that versioned edits are not supported.
	NoDocumentChanges bool
	// FileOperations are the kinds of workspaceEdit.resourceOperations.
	FileOperations []string
	// NoQuestions says that window/showMessageRequest is not supported.
	NoQuestions bool
	// DropsStale answers applied:true for an edit that was dropped because
	// the document has a newer version, as Neovim does.
	DropsStale bool
	// NormalizeEOL gives a document one kind of line end: inserted text takes
	// the document's and, under AnyLineEnd, opening makes mixed ones equal.
	NormalizeEOL bool
	// FirstVersion is the version of didOpen; 0 means 1.
	FirstVersion int
	// VersionPerChange counts every change of a notification, as Neovim does,
	// instead of the notification.
	VersionPerChange bool
	// Remembers is how many messages, and how many undo steps of a document, are
	// kept; 0 keeps all of them.
	Remembers int
	// InitializationOptions is sent as it is.
	InitializationOptions any
}

// fileOperations are those that editors have.
func fileOperations() []string { return []string{"create", "rename", "delete"} }

// ours are the requests that the project's own clients answer.
func ours() map[string]bool {
	return map[string]bool{
		"save": true, "reload": true, "resync": true, "confirmEdit": true, "diagnostics": true, "editorState": true,
		"activity": true, "settled": true, "references": true, "rename": true, "codeActions": true,
	}
}

// VSCode returns the options of VS Code with the project's client.
func VSCode(roots ...Root) Options {
	return Options{
		Roots: roots, Encodings: []string{UTF16}, LineRule: AnyLineEnd,
		AgentLSP: ours(), DocumentState: true, NormalizeEOL: true, FileOperations: fileOperations(),
	}
}

// Neovim returns the options of Neovim with the project's client.
func Neovim(roots ...Root) Options {
	return Options{
		Roots: roots, Encodings: []string{UTF8, UTF16, UTF32}, LineRule: OnlyLF,
		AgentLSP: ours(), DocumentState: true, NormalizeEOL: true, FileOperations: fileOperations(),
		DropsStale: true, VersionPerChange: true, FirstVersion: 3,
	}
}

// Editor is a running editor. Its methods may be called from any goroutine.
type Editor struct {
	opts Options
	log  *messageLog
	conn *conn

	// turn is held while a request of the server is answered, so that none is
	// answered beside or before one that is being released.
	turn sync.Mutex

	mu        sync.Mutex // guards what follows, and the order of changes and messages
	behaviour Behaviour
	coords    coordinates
	docs      map[string]*document // by URI
	roots     []Root
	held      []func() // server requests and answers kept back
	serverCap serverCapabilities
	view      view
	messages  []string // window/showMessage and window/logMessage
}

type serverCapabilities struct {
	PositionEncoding string          `json:"positionEncoding"`
	Sync             json.RawMessage `json:"textDocumentSync"`
	includeSaveText  bool
	fullSync         bool
}

// New connects an editor to a server's end of a connection. Stop or Kill ends
// it.
func New(rwc io.ReadWriteCloser, opts Options) *Editor {
	if opts.LineRule == "" {
		opts.LineRule = AnyLineEnd
	}
	if opts.FirstVersion == 0 {
		opts.FirstVersion = 1
	}
	e := &Editor{
		opts: opts, log: newMessageLog(opts.Remembers),
		coords: coordinates{UTF16, opts.LineRule},
		docs:   make(map[string]*document),
		roots:  opts.Roots,
	}
	ready := make(chan struct{})
	e.conn = newConn(rwc, e.log, func(m message) {
		<-ready
		e.serve(m)
	})
	close(ready)
	return e
}

// Start does the initialize handshake and returns the server's answer.
func (e *Editor) Start(ctx context.Context) (json.RawMessage, error) {
	result, err := e.Request(ctx, "initialize", e.initializeParams())
	if err != nil {
		return nil, fmt.Errorf("initialize: %w", err)
	}
	if err := e.adopt(result); err != nil {
		return nil, err
	}
	e.conn.notify("initialized", struct{}{})
	return result, nil
}

// Stop does the shutdown handshake, closes the connection and waits for the
// editor's goroutines.
func (e *Editor) Stop(ctx context.Context) error {
	_, err := e.Request(ctx, "shutdown", nil)
	if err == nil {
		e.conn.notify("exit", nil)
		select {
		case <-e.conn.done: // the server closes its end
		case <-ctx.Done():
			err = fmt.Errorf("the server did not end after exit: %w", ctx.Err())
		}
	}
	e.Kill()
	return err
}

// Kill closes the connection without a word, as a crash would, and waits for
// the editor's goroutines. It may be called more than once, but not by a hook.
func (e *Editor) Kill() {
	e.conn.end(ErrClosed)
	e.conn.wait()
}

// Behave replaces the editor's behaviour.
func (e *Editor) Behave(b Behaviour) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.behaviour = b
}

// Release lets go what Hold and HoldAnswer kept back, in order of arrival, and
// ends both. Hooks must not call it.
func (e *Editor) Release() {
	e.turn.Lock()
	defer e.turn.Unlock()
	e.mu.Lock()
	held := e.held
	e.held, e.behaviour.Hold, e.behaviour.HoldAnswer = nil, nil, false
	e.mu.Unlock()
	for _, f := range held {
		f()
	}
}

// Begin sends a request and does not wait.
func (e *Editor) Begin(method string, params any) *Pending {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.conn.request(method, params)
}

// Request sends a request and waits for its answer. A JSON-RPC error is an
// *[RPCError].
func (e *Editor) Request(ctx context.Context, method string, params any) (json.RawMessage, error) {
	return e.Begin(method, params).Wait(ctx)
}

// Notify sends a notification.
func (e *Editor) Notify(method string, params any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.conn.notify(method, params)
}

// Cancel sends $/cancelRequest for a request.
func (e *Editor) Cancel(p *Pending) {
	e.Notify("$/cancelRequest", map[string]any{"id": p.ID()})
}

// SendRaw puts bytes on the wire as they are, without a frame.
func (e *Editor) SendRaw(b []byte) { e.conn.sendRaw(b) }

// Messages returns what the server showed or logged, as "TYPE: text".
func (e *Editor) Messages() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]string(nil), e.messages...)
}

// SetRoots changes the workspace folders and tells the server.
func (e *Editor) SetRoots(roots ...Root) {
	e.mu.Lock()
	defer e.mu.Unlock()
	removed, added := missing(e.roots, roots), missing(roots, e.roots)
	e.roots = roots
	e.conn.notify("workspace/didChangeWorkspaceFolders", map[string]any{
		"event": map[string]any{"added": folders(added), "removed": folders(removed)},
	})
}

// missing returns the roots of a that b lacks.
func missing(a, b []Root) []Root {
	var out []Root
	for _, r := range a {
		found := false
		for _, s := range b {
			found = found || r == s
		}
		if !found {
			out = append(out, r)
		}
	}
	return out
}

type folder struct {
	URI  string `json:"uri"`
	Name string `json:"name"`
}

func folders(roots []Root) []folder {
	out := make([]folder, len(roots))
	for i, r := range roots {
		out[i] = folder{FileURI(r.Dir), r.Name}
	}
	return out
}

// FileURI is the URI of an absolute path.
func FileURI(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") { // a drive
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// uriOf accepts an absolute path or a URI.
func uriOf(name string) string {
	if filepath.IsAbs(name) {
		return FileURI(name)
	}
	return name
}

// pathOf is the path of a file URI and "" for others.
func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return ""
	}
	path := filepath.FromSlash(u.Path)
	if before, drive, found := strings.Cut(path, ":"); found && len(before) == 2 && filepath.Separator != '/' {
		return before[1:] + ":" + drive
	}
	return path
}

// doc returns an open document; e.mu must be held.
func (e *Editor) doc(name string) (*document, error) {
	d := e.docs[uriOf(name)]
	if d == nil {
		return nil, fmt.Errorf("%s is not open in the fake editor", name)
	}
	return d, nil
}

var errNoPath = errors.New("the document is not a file")
