package mcp

import (
	"context"
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/rpc/form"
	"github.com/agent-lsp/agent-lsp/rpc/session"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

const (
	// maxResource is the largest file that is read as a resource, in bytes of
	// its text or of base64.
	maxResource = 8 << 20
	// maxReads is how often a file is read anew that changes meanwhile.
	maxReads = 3
	// readTool reads resources: what it refuses is no resource.
	readTool = "read_file"
)

func (s *server) addResources() {
	s.sdk.AddResourceTemplate(&mcp.ResourceTemplate{
		Name: "file", URITemplate: "file://{+path}",
		Description: "A file of the workspace by its absolute path, as the editor shows it.",
	}, s.readResource)
}

// middleware brings the list of open buffers up to date before a client sees
// or uses it.
func (s *server) middleware(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		switch method {
		case "tools/call": // over HTTP; over stdio the connection knows the tools
			if p, ok := r.GetParams().(*mcp.CallToolParamsRaw); ok && s.tools[p.Name].Name == "" {
				return nil, s.unknownTool(p.Name)
			}
		case "resources/list", "subscriptions/listen":
			s.watcher.begin()
			s.watcher.list.sync(ctx, s)
		case "resources/read":
			if p, ok := r.GetParams().(*mcp.ReadResourceParams); ok && !strings.HasPrefix(p.URI, "file:") {
				s.watcher.list.sync(ctx, s)
			}
		}
		result, err := next(ctx, method, r)
		if list, ok := result.(*mcp.ListToolsResult); ok && err == nil && hostOf(nameOf(r)).hints {
			return hinted(list), nil
		}
		return result, err
	}
}

// nameOf is how who makes a request calls itself; "" where that is not known.
func nameOf(r mcp.Request) string {
	if of, ok := r.(*mcp.ListToolsRequest); ok {
		if info := of.ClientInfo(); info != nil {
			return info.Name
		}
	}
	return ""
}

// bufferList is the open buffers as the SDK lists them.
type bufferList struct {
	mu     sync.Mutex
	listed map[string]bool
}

// sync lists what is open now, and nothing else. The SDK tells clients of a
// change.
func (l *bufferList) sync(ctx context.Context, s *server) {
	l.mu.Lock()
	defer l.mu.Unlock()
	open := make(map[string]bool)
	for _, d := range s.config.Backend.Documents(ctx) {
		u, err := url.Parse(d.URI)
		if err != nil || u.Scheme == "" || d.Hash == "" {
			continue // without hash it is kept from agents, or cannot be read
		}
		open[d.URI] = true
		if l.listed[d.URI] {
			continue
		}
		name := path.Base(u.Path + u.Opaque)
		s.sdk.AddResource(&mcp.Resource{URI: d.URI, Name: name, MIMEType: "text/plain"}, s.readResource)
	}
	var gone []string
	for uri := range l.listed {
		if !open[uri] {
			gone = append(gone, uri)
		}
	}
	if len(gone) > 0 {
		s.sdk.RemoveResources(gone...)
	}
	l.listed = open
}

// page is what reading a resource needs of an answer of read_file.
type page struct {
	Content []struct {
		Text string `json:"text"`
	} `json:"content"`
	Structured struct {
		Content     string `json:"content"`
		Base64      []byte `json:"content_base64"`
		Hash        string `json:"content_hash"`
		Unmodified  bool   `json:"not_modified"`
		EOF         bool   `json:"eof"`
		Next        *int   `json:"next_start_byte"`
		ContentType string `json:"content_type"`
	} `json:"structuredContent"`
}

// readResource reads a whole file, or buffer, under the same policy as every
// tool.
func (s *server) readResource(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri, client := r.Params.URI, toolcall.Client{ID: s.id + r.Session.ID()}
	if info := r.ClientInfo(); info != nil {
		client.Name = info.Name
	}
	for try := 1; ; try++ {
		contents, whole, err := s.readWhole(ctx, client, uri)
		switch {
		case fault.KindOf(err) == fault.NotFound:
			return nil, mcp.ResourceNotFoundError(uri)
		case err != nil:
			return nil, failed(jsonrpc.CodeInvalidParams, fault.From(err).Error())
		case whole || try == maxReads:
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{contents}}, nil
		}
	}
}

// readWhole reads a file page by page. whole is false when it changed between
// two pages.
func (s *server) readWhole(ctx context.Context, client toolcall.Client, uri string) (contents *mcp.ResourceContents, whole bool, err error) {
	contents = &mcp.ResourceContents{URI: uri, MIMEType: "text/plain"}
	var text strings.Builder
	hash := ""
	for at := 0; ; {
		p, err := s.readPage(ctx, session.Call{Client: client, Quiet: at > 0}, map[string]any{
			"path": uri, "start_byte": at, "max_bytes": 256 << 10, "expand": "lines", "format": "plain", "outline": "never", "allow_binary": true,
		})
		if err != nil {
			return nil, false, err
		}
		if hash != "" && hash != p.Structured.Hash {
			return contents, false, nil
		}
		hash = p.Structured.Hash
		text.WriteString(p.Structured.Content)
		contents.Blob = append(contents.Blob, p.Structured.Base64...)
		if text.Len()+len(contents.Blob) > maxResource {
			return nil, false, fault.New(fault.FileTooLarge, "it is larger than %d bytes", maxResource).At(uri).Advise("read it in windows by %s", readTool)
		}
		if p.Structured.EOF || p.Structured.Next == nil || *p.Structured.Next <= at {
			break
		}
		at = *p.Structured.Next
	}
	if contents.Text = text.String(); contents.Blob != nil {
		contents.MIMEType = http.DetectContentType(contents.Blob)
	}
	return contents, true, nil
}

// readPage makes a call of read_file, of which call has who makes it.
func (s *server) readPage(ctx context.Context, call session.Call, arguments map[string]any) (page, error) {
	var p page
	raw, err := wire.Marshal(arguments)
	if err != nil {
		return p, err
	}
	call.Tool, call.Arguments, call.Form, call.Roots = readTool, raw, form.Structured, s.roots.current(ctx)
	answer, err := s.ask(ctx, call)
	if err != nil {
		return p, err
	}
	if err := wire.Unmarshal(answer.Raw, &p); err != nil {
		return p, err
	}
	if answer.IsError() && len(p.Content) > 0 {
		return p, fault.New(answer.Kind, "%s", strings.TrimPrefix(p.Content[0].Text, string(answer.Kind)+": "))
	}
	return p, nil
}
