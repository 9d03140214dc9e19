package mcp

import (
	"bytes"
	"crypto/subtle"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// guard lets through what a program of this machine sent that knows the token,
// with its body read and checked.
type guard struct {
	next   http.Handler
	token  string
	limits httpLimits
	bodies atomic.Int64 // bytes that are held
}

// ServeHTTP answers a request, or has it answered. A connection whose request
// is refused for who it comes from is closed.
func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c, _ := r.Context().Value(connKey{}).(*webConn)
	switch {
	case !loopbackHost(r.Host):
		refuseHTTP(w, http.StatusForbidden, "the request is for another host")
	case !localOrigin(r.Header["Origin"]):
		refuseHTTP(w, http.StatusForbidden, "the request comes from another site")
	case !g.knows(r.Header["Authorization"]):
		w.Header().Set("WWW-Authenticate", "Bearer")
		refuseHTTP(w, http.StatusUnauthorized, "the token is missing or wrong")
	case !c.known():
		refuseHTTP(w, http.StatusServiceUnavailable, "there are too many connections")
	default:
		g.pass(w, r)
	}
}

// refuseHTTP answers with an error, after which the connection is closed.
func refuseHTTP(w http.ResponseWriter, status int, why string) {
	w.Header().Set("Connection", "close")
	http.Error(w, why, status)
}

// knows reports whether the headers of that name show the token.
func (g *guard) knows(authorization []string) bool {
	if len(authorization) != 1 {
		return false
	}
	scheme, given, _ := strings.Cut(authorization[0], " ")
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare([]byte(given), []byte(g.token)) == 1
}

// pass reads the body of a caller's request and has it answered.
func (g *guard) pass(w http.ResponseWriter, r *http.Request) {
	limit := http.NewResponseController(w)
	_ = limit.SetReadDeadline(time.Now().Add(g.limits.body)) // a TCP connection has deadlines
	counted := &countedReader{Reader: http.MaxBytesReader(w, r.Body, maxBody), all: &g.bodies, most: g.limits.bodies}
	defer counted.forget()
	body, err := io.ReadAll(counted)
	if err != nil {
		refuseBody(w, err)
		return
	}
	_ = limit.SetReadDeadline(time.Time{}) // the answer may take any time
	if len(body) > 0 {
		if why := notUnique(body); why != nil {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write(appendError(nil, idInside(body), why)) // the caller may be gone
			return
		}
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	g.next.ServeHTTP(w, r)
}

// notUnique returns the error to answer a body with that is not JSON, or that
// has two members of one name in an object.
func notUnique(body []byte) *jsonrpc.Error {
	var value wire.RawValue
	if err := wire.Unmarshal(body, &value); err != nil {
		return failed(jsonrpc.CodeParseError, "the body is not a JSON message: "+fault.From(err).Message)
	}
	return nil
}

func refuseBody(w http.ResponseWriter, err error) {
	_, large := errors.AsType[*http.MaxBytesError](err)
	switch {
	case large:
		refuseHTTP(w, http.StatusRequestEntityTooLarge, "the body is longer than 64 MiB")
	case errors.Is(err, errTooMuch):
		refuseHTTP(w, http.StatusServiceUnavailable, "the bodies of all requests are too much together; try again")
	case errors.Is(err, os.ErrDeadlineExceeded):
		refuseHTTP(w, http.StatusRequestTimeout, "the body takes too long")
	default:
		refuseHTTP(w, http.StatusBadRequest, "the body cannot be read")
	}
}

var errTooMuch = errors.New("too much is read at the same time")

// countedReader counts what is read in a sum with others', until forget.
type countedReader struct {
	io.Reader
	all  *atomic.Int64
	most int64 // of the sum
	own  int64
}

// Read fails with errTooMuch when the sum is too large.
func (c *countedReader) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.own += int64(n)
	if c.all.Add(int64(n)) > c.most {
		return n, errTooMuch
	}
	return n, err
}

func (c *countedReader) forget() { c.all.Add(-c.own) }

// localOrigin reports whether the page that a request comes from, if any, is
// of this machine. Programs that are no browsers name none.
func localOrigin(origins []string) bool {
	if len(origins) == 0 {
		return true
	}
	scheme, host, _ := strings.Cut(origins[0], "://")
	return len(origins) == 1 && (scheme == "http" || scheme == "https") && loopbackHost(host)
}

// loopbackHost reports whether a host as it stands in a header, with a port or
// without, is this machine: localhost, an address of 127.0.0.0/8, or [::1].
func loopbackHost(host string) bool {
	if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.HasSuffix(host, "]") {
		if port, err := strconv.ParseUint(host[i+1:], 10, 16); err != nil || port == 0 {
			return false
		}
		host = host[:i]
	}
	if inside, bracket := strings.CutPrefix(host, "["); bracket {
		address, closed := strings.CutSuffix(inside, "]")
		ip, err := netip.ParseAddr(address)
		return closed && err == nil && ip == netip.IPv6Loopback()
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.Is4() && ip.IsLoopback()
}
