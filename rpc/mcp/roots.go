package mcp

//lint:file-ignore SA1019 clients of revisions before 2026-07-28 have nothing else; golangci-lint reads the nolint comments below

import (
	"context"
	"errors"
	"log/slog"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agent-lsp/agent-lsp/internal/parallel"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// rootsTimeout is how long the first calls wait for the client to say where it
// works.
const rootsTimeout = 2 * time.Second

// clientRoots are the folders that a client works in, as it says.
type clientRoots struct {
	wanted bool // nobody else said where to work
	log    *slog.Logger

	mu      sync.Mutex
	offers  bool
	folders []workspace.Folder
	asked   chan struct{} // closed when the client has said, or will not; nil when it offers nothing
}

func newClientRoots(wanted bool, log *slog.Logger) *clientRoots {
	return &clientRoots{wanted: wanted, log: log}
}

// offered notes whether the client can be asked.
func (r *clientRoots) offered(yes bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.offers = yes && r.wanted; r.offers {
		r.asked = make(chan struct{})
	}
}

// ask asks the client for its folders, where it can be asked.
func (r *clientRoots) ask(s *mcp.ServerSession, background *parallel.Group) {
	r.mu.Lock()
	offers := r.offers
	r.mu.Unlock()
	if !offers {
		return
	}
	background.Go(func(ctx context.Context) {
		ctx, cancel := context.WithTimeout(ctx, rootsTimeout)
		defer cancel()
		list, err := s.ListRoots(ctx, nil) //nolint:staticcheck // revisions before 2026-07-28 have nothing else
		if err != nil {
			if !errors.Is(err, context.Canceled) { // that is the end of the connection
				r.log.Warn("the client does not say where it works", "error", err)
			}
			r.set(nil)
			return
		}
		r.set(foldersOf(list.Roots))
	})
}

// set notes what the client said; without folders what it said before stays.
func (r *clientRoots) set(folders []workspace.Folder) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(folders) > 0 {
		r.folders = folders
	}
	select {
	case <-r.asked:
	default:
		close(r.asked)
	}
}

// current returns the client's folders; nil when it has none.
func (r *clientRoots) current(ctx context.Context) []workspace.Folder {
	if !r.wanted {
		return nil
	}
	r.mu.Lock()
	asked, folders := r.asked, r.folders
	r.mu.Unlock()
	if asked == nil || folders != nil {
		return folders
	}
	ctx, cancel := context.WithTimeout(ctx, rootsTimeout)
	defer cancel()
	select {
	case <-asked:
	case <-ctx.Done():
		r.set(nil) // nobody waits for it again
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.folders
}

// foldersOf are the roots that are folders of this machine.
func foldersOf(roots []*mcp.Root) []workspace.Folder { //nolint:staticcheck // as above
	var folders []workspace.Folder
	for _, root := range roots {
		u, err := url.Parse(root.URI)
		if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" {
			continue
		}
		path := u.Path
		if runtime.GOOS == "windows" {
			path = strings.TrimPrefix(path, "/") // before the drive
		}
		if path = filepath.FromSlash(path); filepath.IsAbs(path) {
			folders = append(folders, workspace.Folder{Name: root.Name, Path: filepath.Clean(path)})
		}
	}
	return folders
}
