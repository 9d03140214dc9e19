package session

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// maxClients is how many connections a session serves at once.
const maxClients = 100

// Config is what a session is served with.
type Config struct {
	// Folders are where it is registered; see [ServeFolders].
	Folders []string
	// PID, Version and Editor are told to those who look for sessions.
	PID             int
	Version, Editor string
	// Roots are the folders of the workspace, absolute; see [Server.SetRoots].
	Roots []string
	// Clients is called when who is attached has changed, on a goroutine of a
	// connection, with no two calls at a time; it must not block. It may be nil.
	Clients func([]Attached)
	// Log takes what happens; never source text.
	Log *slog.Logger
	Now func() time.Time
}

// Attached is a client of a session.
type Attached struct {
	Name  string    `json:"name"`
	Since time.Time `json:"since"`
}

// Server serves one session. Its methods may be called from any goroutine.
type Server struct {
	config Config
	host   Host
	cancel context.CancelFunc
	work   sync.WaitGroup

	mu      sync.Mutex
	places  places // nil after Close
	told    Registration
	clients map[*serverConn]Attached

	telling sync.Mutex // orders calls of config.Clients
}

// Serve opens the session's socket and registers it. It serves until ctx ends
// or [Server.Close] is called; the caller calls Close in any case.
func Serve(ctx context.Context, config Config, host Host) (*Server, error) {
	open, err := openPlaces(ctx, config.Folders, config.PID)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	s := &Server{config: config, host: host, cancel: cancel, clients: make(map[*serverConn]Attached)}
	here := fsys.ThisMachine()
	s.told = Registration{
		PID: config.PID, Version: config.Version, Protocol: OldestProtocol, Newest: Protocol, Roots: config.Roots,
		Editor: config.Editor, Started: startedNow(config.Now()), Machine: here.Machine, Boot: here.Boot,
	}
	if s.places, err = open.write(s.told); err != nil {
		s.Close()
		return nil, fault.From(err)
	}
	for _, p := range s.places {
		s.work.Go(func() { s.accept(ctx, p.listener) })
		stop := context.AfterFunc(ctx, func() { p.listener.Close() })
		s.work.Go(func() { <-ctx.Done(); stop() })
	}
	return s, nil
}

// SetRoots registers other folders.
func (s *Server) SetRoots(roots []string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.places == nil || slices.Equal(roots, s.told.Roots) {
		return nil
	}
	s.told.Roots = roots
	var err error
	s.places, err = s.places.write(s.told)
	return err
}

// Clients returns who is attached, who came first is first.
func (s *Server) Clients() []Attached {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]Attached, 0, len(s.clients))
	for _, a := range s.clients {
		if a.Name != "" {
			list = append(list, a)
		}
	}
	slices.SortFunc(list, func(a, b Attached) int { return a.Since.Compare(b.Since) })
	return list
}

// Close removes the registration, ends all connections and returns when
// nothing of them runs.
func (s *Server) Close() {
	s.mu.Lock()
	open := s.places
	s.places = nil
	if open != nil {
		if err := open.close(); err != nil && !errors.Is(err, net.ErrClosed) {
			s.config.Log.Warn("the session's registration cannot be removed", "error", err)
		}
	}
	s.mu.Unlock()
	s.cancel()
	s.work.Wait()
}

// acceptPause is how long nobody is let in after the system failed to: it may
// be out of descriptors.
const acceptPause = 100 * time.Millisecond

func (s *Server) accept(ctx context.Context, l net.Listener) {
	for {
		c, err := l.Accept()
		switch {
		case ctx.Err() != nil || errors.Is(err, net.ErrClosed):
			if err == nil {
				c.Close()
			}
			return
		case err != nil:
			s.config.Log.Warn("the session's socket", "error", err)
			select {
			case <-ctx.Done():
				return
			case <-time.After(acceptPause):
			}
		default:
			s.work.Go(func() { s.welcome(ctx, c) })
		}
	}
}

// welcome serves one connection.
func (s *Server) welcome(ctx context.Context, c net.Conn) {
	defer c.Close()
	if err := checkPeer(c); err != nil {
		s.config.Log.Warn("a process was refused at the session's socket", "error", err)
		return
	}
	v := newServerConn(s, c)
	if !s.enter(v) {
		v.fail(0, fault.New(fault.Timeout, "too many programs are attached to the editor: %d", maxClients))
		return
	}
	defer s.leave(v)
	if err := v.serve(ctx); err != nil {
		s.config.Log.Debug("a client's connection ended", "error", err)
	}
}

func (s *Server) enter(v *serverConn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.clients) >= maxClients {
		return false
	}
	s.clients[v] = Attached{} // until it says who it is
	return true
}

// named notes a connection's client.
func (s *Server) named(v *serverConn, name string) {
	s.mu.Lock()
	a := s.clients[v]
	if a.Since.IsZero() {
		a.Since = s.config.Now()
	}
	a.Name = name
	s.clients[v] = a
	s.mu.Unlock()
	s.tell()
}

func (s *Server) leave(v *serverConn) {
	s.mu.Lock()
	named := s.clients[v].Name != ""
	delete(s.clients, v)
	s.mu.Unlock()
	if named {
		s.tell()
	}
}

func (s *Server) tell() {
	if s.config.Clients == nil {
		return
	}
	s.telling.Lock()
	defer s.telling.Unlock()
	s.config.Clients(s.Clients())
}
