package mcp

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/parallel"
)

const (
	// idleSession is after how long without a request a session is forgotten.
	idleSession = time.Hour
	// maxBody is the largest request, in bytes.
	maxBody = 64 << 20
)

// ListenLoopback listens where only processes of this machine can call.
// Errors: invalid_params for an address that others could reach, io_error.
func ListenLoopback(ctx context.Context, addr string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(addr)
	if _, wrong := strconv.ParseUint(port, 10, 16); err != nil || wrong != nil {
		return nil, fault.New(fault.InvalidParams, "%q is no address", addr).Advise("Give host:port, as in 127.0.0.1:8765; port 0 takes a free one.")
	}
	if host == "" || host == "localhost" {
		host = "127.0.0.1"
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return nil, fault.New(fault.InvalidParams, "%q is not on this machine alone", addr).Advise("Use 127.0.0.1, [::1] or localhost.")
	}
	return new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort(host, port))
}

// ServeHTTP speaks MCP's streamable HTTP with every client that knows the
// token, until ctx ends, and closes the listener. Requests that come by way of
// a browser's page, or by another name than this machine's, are refused. The
// error is nil after an orderly end.
func ServeHTTP(ctx context.Context, l net.Listener, token string, config Config) error {
	return serveHTTP(ctx, l, token, config, usualLimits)
}

func serveHTTP(ctx context.Context, l net.Listener, token string, config Config, limits httpLimits) error {
	if token == "" {
		return fault.New(fault.InvalidParams, "the token is empty")
	}
	config.ClientRoots = false // clients differ, and so would the answers
	s, err := newServer(config)
	if err != nil {
		return err
	}
	guard := &guard{next: s.handleHTTP(), token: token, limits: limits}
	web := &http.Server{
		Handler:           guard,
		ReadHeaderTimeout: limits.header,
		IdleTimeout:       limits.idle,
		MaxHeaderBytes:    maxHeader,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ConnContext:       withConn,
		// OPTIONS * comes to the guard as all else.
		DisableGeneralOptionsHandler: true,
	}
	watching := parallel.NewGroup(ctx, 2, 0, func(err error) { config.Log.Error("watching failed", "error", err) })
	watching.Go(s.watcher.run)
	watching.Go(func(ctx context.Context) {
		<-ctx.Done()
		for session := range s.sdk.Sessions() {
			_ = session.Close() // it says only that it is closed
		}
		_ = web.Close()
	})
	err = web.Serve(&door{Listener: l, limits: limits})
	if ctx.Err() == nil {
		return err
	}
	watching.Wait()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// handleHTTP answers requests of every revision. With those before
// [firstModern] a client has a session.
func (s *server) handleHTTP() http.Handler {
	same := func(*http.Request) *mcp.Server { return s.sdk }
	withSessions := mcp.NewStreamableHTTPHandler(same, &mcp.StreamableHTTPOptions{
		Logger: s.config.Log, SessionTimeout: idleSession, MaxRequestBodyBytes: maxBody, EventStore: mcp.NewMemoryEventStore(nil),
	})
	modern := mcp.NewStreamableHTTPHandler(same, &mcp.StreamableHTTPOptions{
		Logger: s.config.Log, Stateless: true, MaxRequestBodyBytes: maxBody, PropagateRequestCancellation: true,
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Protocol-Version") >= firstModern {
			modern.ServeHTTP(w, r)
			return
		}
		withSessions.ServeHTTP(w, r)
	})
}
