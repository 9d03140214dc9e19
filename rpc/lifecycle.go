package rpc

//lint:file-ignore SA1019 what LSP calls deprecated is all that some clients send; golangci-lint reads the nolint comments below

import (
	"context"
	"path/filepath"
	"slices"

	"go.lsp.dev/protocol"

	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// client is what the editor said of itself. It does not change after
// initialize.
type client struct {
	initialized chan struct{} // closed when the rest is set
	name        string
	pid         int
	encoding    text.PositionEncoding
	canApply    bool // versioned edits of documents
	canDelete   bool // file operations in edits
	canRename   bool
	canChoose   bool // window/showMessageRequest
	abilities   abilities
}

// abilities are what agent-lsp's own clients can do, from
// capabilities.experimental.agentLsp.
type abilities struct {
	Save        bool   `json:"save"`
	Reload      bool   `json:"reload"`
	Resync      bool   `json:"resync"`
	Diagnostics bool   `json:"diagnostics"`
	Freshness   bool   `json:"settled"`
	References  bool   `json:"references"`
	Rename      bool   `json:"rename"`
	CodeActions bool   `json:"codeActions"`
	EditorState bool   `json:"editorState"`
	ConfirmEdit bool   `json:"confirmEdit"`
	Activity    bool   `json:"activity"`
	LineRule    string `json:"line_rule"`
	Review      bool   `json:"review"`
	Follow      bool   `json:"follow"`
	Decisions   bool   `json:"decisions"`
}

// commandCall is the one command of workspace/executeCommand.
const commandCall = "agent-lsp.call"

func (s *server) initialize(_ context.Context, in *protocol.InitializeParams) (any, error) {
	c := &s.client
	c.name = in.ClientInfo.Name
	if in.ProcessID != nil {
		c.pid = int(*in.ProcessID)
	}
	c.encoding = chooseEncoding(in.Capabilities)
	c.canApply = canApply(in.Capabilities)
	if c.canApply {
		operations := in.Capabilities.Workspace.WorkspaceEdit.ResourceOperations
		c.canDelete = slices.Contains(operations, protocol.ResourceOperationKindDelete)
		c.canRename = slices.Contains(operations, protocol.ResourceOperationKindRename)
	}
	c.canChoose = in.Capabilities.Window != nil && in.Capabilities.Window.ShowMessage != nil
	c.abilities = s.readAbilities(in.Capabilities.Experimental)
	s.folders = s.initialFolders(in)
	s.settings.take(in.InitializationOptions)
	s.rebuildGate()
	for _, told := range s.core.Recovered() {
		s.warn(told)
	}
	s.openHistory()
	s.open()
	close(c.initialized)
	s.log.Info("initialized", "client", c.name, "roots", len(s.folders), "encoding", c.encoding.String())
	return s.capabilities(), nil
}

// openHistory reads what earlier processes kept, before the first call of a tool
// runs.
func (s *server) openHistory() {
	s.background.Go(func(context.Context) {
		s.core.OpenHistory()
		for _, told := range s.core.HistoryProblems() {
			s.warn(told)
		}
	})
}

func (s *server) capabilities() *protocol.InitializeResult {
	yes, incremental := true, protocol.TextDocumentSyncKindIncremental
	result := &protocol.InitializeResult{
		Capabilities: protocol.ServerCapabilities{
			PositionEncoding: protocol.PositionEncodingKind(s.client.encoding.String()),
			TextDocumentSync: &protocol.TextDocumentSyncOptions{
				OpenClose: &yes, Change: &incremental, Save: protocol.Boolean(true),
			},
			Experimental:           protocol.LSPAny(`{"agentLsp":{"review":true}}`),
			ExecuteCommandProvider: protocol.ExecuteCommandOptions{Commands: []string{commandCall}},
			Workspace: &protocol.WorkspaceOptions{
				WorkspaceFolders: &protocol.WorkspaceFoldersServerCapabilities{
					Supported: &yes, ChangeNotifications: protocol.Boolean(true),
				},
			},
		},
		ServerInfo: protocol.ServerInfo{Name: "agent-lsp", Version: protocol.NewOptional(s.config.Version)},
	}
	if s.core.Gate().Settings().LSP.Symbols {
		c := &result.Capabilities
		c.DocumentSymbolProvider = protocol.Boolean(true)
		c.FoldingRangeProvider = protocol.Boolean(true)
		c.SelectionRangeProvider = protocol.Boolean(true)
		c.WorkspaceSymbolProvider = protocol.Boolean(true)
	}
	return result
}

// chooseEncoding takes utf-8, in which texts are held, where it is offered;
// else the client's first choice; else LSP's default.
func chooseEncoding(c protocol.ClientCapabilities) text.PositionEncoding {
	if c.General == nil {
		return text.UTF16
	}
	offered := c.General.PositionEncodings
	if slices.Contains(offered, "utf-8") {
		return text.UTF8
	}
	for _, kind := range offered {
		if e, ok := text.ParsePositionEncoding(string(kind)); ok {
			return e
		}
	}
	return text.UTF16
}

func canApply(c protocol.ClientCapabilities) bool {
	w := c.Workspace
	if w == nil || w.ApplyEdit == nil || !*w.ApplyEdit || w.WorkspaceEdit == nil {
		return false
	}
	d := w.WorkspaceEdit.DocumentChanges
	return d != nil && *d
}

func (s *server) readAbilities(experimental protocol.LSPAny) abilities {
	var x struct {
		AgentLsp abilities `json:"agentLsp"`
	}
	if len(experimental) > 0 {
		if err := wire.Unmarshal(experimental, &x); err != nil {
			s.log.Warn("capabilities.experimental.agentLsp is not understood", "error", err)
		}
	}
	return x.AgentLsp
}

// initialFolders returns the workspace folders; without any, the root of
// older clients.
func (s *server) initialFolders(in *protocol.InitializeParams) []workspace.Folder {
	if list, ok := in.WorkspaceFolders.Get(); ok && len(list) > 0 {
		return s.foldersOf(list)
	}
	if in.RootURI != nil { //nolint:staticcheck // deprecated by LSP, and all that some clients send
		if path, ok := s.folderPath(string(*in.RootURI)); ok { //nolint:staticcheck // as above
			return []workspace.Folder{{Name: filepath.Base(path), Path: path}}
		}
	}
	if path, ok := in.RootPath.Get(); ok && filepath.IsAbs(path) { //nolint:staticcheck // as above
		return []workspace.Folder{{Name: filepath.Base(path), Path: filepath.Clean(path)}}
	}
	return nil
}

func (s *server) foldersOf(list []protocol.WorkspaceFolder) []workspace.Folder {
	var folders []workspace.Folder
	for _, f := range list {
		path, ok := s.folderPath(string(f.URI))
		if !ok {
			continue
		}
		name := f.Name
		if name == "" {
			name = filepath.Base(path)
		}
		folders = append(folders, workspace.Folder{Name: name, Path: path})
	}
	return folders
}

// folderPath returns the path of a folder's URI. Folders that are no files,
// as remote file systems have, hold nothing that could be read.
func (s *server) folderPath(uri string) (string, bool) {
	p, err := s.core.Gate().FromURI(uri)
	if err != nil || p.Untitled() {
		s.log.Warn("a workspace folder is not on disk", "uri", uri, "error", err)
		return "", false
	}
	return p.Abs, true
}

func (s *server) didChangeWorkspaceFolders(_ context.Context, in *protocol.DidChangeWorkspaceFoldersParams) (any, error) {
	gone := s.foldersOf(in.Event.Removed)
	s.folders = slices.DeleteFunc(slices.Clone(s.folders), func(f workspace.Folder) bool {
		return slices.ContainsFunc(gone, func(g workspace.Folder) bool { return g.Path == f.Path })
	})
	for _, f := range s.foldersOf(in.Event.Added) {
		i := slices.IndexFunc(s.folders, func(g workspace.Folder) bool { return g.Path == f.Path })
		if i < 0 {
			s.folders = append(s.folders, f)
		} else {
			s.folders[i] = f // renamed
		}
	}
	s.rebuildGate()
	s.moveSession()
	return nil, nil
}
