package mcp

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// dial connects as a program does that speaks HTTP by hand.
func (w web) dial() net.Conn {
	w.Helper()
	c, err := new(net.Dialer).DialContext(w.Context(), "tcp", strings.TrimPrefix(w.url, "http://"))
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(time.Minute)) // much longer than anything takes
	return c
}

// raw sends a request as it stands and returns the answer, which is read on.
func (w web) raw(request string) (*http.Response, *bufio.Reader) {
	w.Helper()
	c := w.dial()
	if _, err := io.WriteString(c, request); err != nil {
		w.Fatal(err)
	}
	r := bufio.NewReader(c)
	answer, err := http.ReadResponse(r, nil)
	if err != nil {
		w.Fatalf("%q: %v", request, err)
	}
	_, _ = io.Copy(io.Discard, answer.Body)
	return answer, r
}

// request is one with that body and these lines of its header.
func request(body string, lines ...string) string {
	lines = append([]string{"POST / HTTP/1.1"}, append(lines, "Content-Type: application/json", "Accept: application/json, text/event-stream",
		fmt.Sprintf("Content-Length: %d", len(body)))...)
	return strings.Join(lines, "\r\n") + "\r\n\r\n" + body
}

const bearer = "Authorization: Bearer " + token

func TestHostileHosts(t *testing.T) {
	w := overHTTP(t, Config{Backend: newDiskBackend(t, workspaceDir(t, nil))})
	const host = "Host: localhost:80"
	for name, c := range map[string]struct {
		lines []string
		want  int
	}{
		"by name":                  {[]string{"Host: localhost"}, 200},
		"by name in capitals":      {[]string{"Host: LOCALHOST:80"}, 403},
		"by address":               {[]string{"Host: 127.0.0.1:8765"}, 200},
		"by another address of us": {[]string{"Host: 127.8.9.1"}, 200},
		"by IPv6":                  {[]string{"Host: [::1]:8765"}, 200},
		"by IPv6 without a port":   {[]string{"Host: [::1]"}, 200},

		"a name behind the port":  {[]string{"Host: localhost:80.evil.com"}, 403},
		"a name behind ours":      {[]string{"Host: localhost.evil.com"}, 403},
		"a name before ours":      {[]string{"Host: evil.localhost"}, 403},
		"an address in a name":    {[]string{"Host: 127.0.0.1.evil.com"}, 403},
		"a trailing dot":          {[]string{"Host: localhost."}, 403},
		"a dot behind an address": {[]string{"Host: 127.0.0.1."}, 403},
		"a short address":         {[]string{"Host: 127.1"}, 403},
		"a number":                {[]string{"Host: 2130706433"}, 403},
		"octal":                   {[]string{"Host: 0177.0.0.1"}, 403},
		"every address":           {[]string{"Host: 0.0.0.0"}, 403},
		"no port behind a colon":  {[]string{"Host: localhost:"}, 403},
		"port 0":                  {[]string{"Host: localhost:0"}, 403},
		"a port too large":        {[]string{"Host: localhost:65536"}, 403},
		"a port with a sign":      {[]string{"Host: localhost:+80"}, 403},
		"two ports":               {[]string{"Host: localhost:80:80"}, 403},
		"IPv6 without brackets":   {[]string{"Host: ::1"}, 403},
		"IPv6 with a tail":        {[]string{"Host: [::1].evil.com"}, 403},
		"IPv6 with a zone":        {[]string{"Host: [::1%25lo]"}, 403},
		"IPv4 in IPv6":            {[]string{"Host: [::ffff:127.0.0.1]"}, 403},
		"a name in brackets":      {[]string{"Host: [localhost]"}, 403},
		"an open bracket":         {[]string{"Host: [::1"}, 403},
		"a user":                  {[]string{"Host: localhost@evil.com"}, 400},
		"a user before ours":      {[]string{"Host: evil.com@localhost"}, 400},
		"blanks":                  {[]string{"Host: localhost evil.com"}, 400},
		"empty":                   {[]string{"Host: "}, 403},
		"none":                    {nil, 400},
		"two":                     {[]string{"Host: localhost", "Host: evil.com"}, 400},
		"two that are ours":       {[]string{"Host: localhost", "Host: localhost"}, 400},

		"a page of ours":               {[]string{host, "Origin: http://localhost:3000"}, 200},
		"a page by IPv6":               {[]string{host, "Origin: https://[::1]"}, 200},
		"another page":                 {[]string{host, "Origin: http://evil.com"}, 403},
		"a page of a name like ours":   {[]string{host, "Origin: http://localhost.evil.com"}, 403},
		"a page with a tail":           {[]string{host, "Origin: http://localhost:80.evil.com"}, 403},
		"a page with a dot":            {[]string{host, "Origin: http://localhost."}, 403},
		"a page with a path":           {[]string{host, "Origin: http://localhost/"}, 403},
		"a page with a user":           {[]string{host, "Origin: http://localhost:80@evil.com"}, 403},
		"a page with a user before us": {[]string{host, "Origin: http://evil.com@localhost"}, 403},
		"another scheme":               {[]string{host, "Origin: file://localhost"}, 403},
		"no scheme":                    {[]string{host, "Origin: localhost"}, 403},
		"a page from a file":           {[]string{host, "Origin: null"}, 403},
		"an empty page":                {[]string{host, "Origin: "}, 403},
		"two pages":                    {[]string{host, "Origin: http://localhost", "Origin: http://evil.com"}, 403},
		"two pages in one":             {[]string{host, "Origin: http://localhost http://evil.com"}, 403},
		"two tokens":                   {[]string{host, "Authorization: Bearer x"}, 401},
	} {
		if answer, _ := w.raw(request(handshake[0], append(c.lines, bearer)...)); answer.StatusCode != c.want {
			t.Errorf("%s: %s, want %d", name, answer.Status, c.want)
		}
	}
}

// TestStrangersAreClosed: nobody keeps a connection on which the token was
// missing.
func TestStrangersAreClosed(t *testing.T) {
	w := overHTTP(t, Config{Backend: newDiskBackend(t, workspaceDir(t, nil))})
	for _, lines := range [][]string{{"Host: localhost"}, {"Host: evil.com", bearer}, {"Host: localhost", "Origin: http://evil.com", bearer}} {
		answer, rest := w.raw(request(handshake[0], lines...))
		if _, err := rest.ReadByte(); answer.StatusCode < 400 || !answer.Close || err == nil {
			t.Errorf("%q: %s, and the connection stays", lines, answer.Status)
		}
	}
}

// TestStrangersLeaveRoom: whoever holds hundreds of connections open, silent
// or within a header, does not keep the person's own calls out.
func TestStrangersLeaveRoom(t *testing.T) {
	w := overHTTP(t, Config{Backend: newDiskBackend(t, workspaceDir(t, nil))})
	held := make([]net.Conn, 400)
	for i := range held {
		held[i] = w.dial()
		_, _ = io.WriteString(held[i], "POST / HTTP/1.1\r\nHost: localhost\r\nX: "[:i%30])
	}
	for range 5 {
		if answer, _ := w.raw(request(handshake[0], "Host: localhost", bearer)); answer.StatusCode != http.StatusOK {
			t.Error(answer.Status)
		}
	}
	for _, c := range held[:len(held)-usualLimits.strangers] { // those that had to go
		if _, err := c.Read(make([]byte, 1)); err == nil {
			t.Fatal("a connection that says nothing is answered")
		}
	}
}

// TestCallersAreCounted: connections with the token are limited too, and one
// that is closed makes room.
func TestCallersAreCounted(t *testing.T) {
	limits := usualLimits
	limits.callers = 2
	w := overHTTPWithin(t, Config{Backend: newDiskBackend(t, workspaceDir(t, nil))}, limits)
	call := request(handshake[0], "Host: localhost", bearer)
	first := w.dial()
	_, _ = io.WriteString(first, call)
	if answer, err := http.ReadResponse(bufio.NewReader(first), nil); err != nil || answer.StatusCode != http.StatusOK {
		t.Fatal(answer, err)
	}
	w.raw(call) // stays open until the test ends
	if answer, _ := w.raw(call); answer.StatusCode != http.StatusServiceUnavailable || !answer.Close {
		t.Errorf("the third: %s", answer.Status)
	}
	_ = first.Close()
	for start := time.Now(); ; time.Sleep(time.Millisecond) {
		if answer, _ := w.raw(call); answer.StatusCode == http.StatusOK {
			return
		} else if time.Since(start) > time.Minute {
			t.Fatal(answer.Status)
		}
	}
}

// TestSlowClientsAreClosed: each part of a request has a time limit.
func TestSlowClientsAreClosed(t *testing.T) {
	limits := usualLimits
	limits.header, limits.body, limits.idle = 50*time.Millisecond, 50*time.Millisecond, 50*time.Millisecond
	w := overHTTPWithin(t, Config{Backend: newDiskBackend(t, workspaceDir(t, nil))}, limits)
	whole := request(handshake[0], "Host: localhost", bearer)
	for range 20 {
		slow := w.dial()
		_, _ = io.WriteString(slow, "POST / HTTP/1.1\r\nHost")
		if _, err := io.ReadAll(slow); err != nil {
			t.Errorf("within a header: %v", err)
		}
		if answer, _ := w.raw(whole[:len(whole)-1]); answer.StatusCode != http.StatusRequestTimeout || !answer.Close {
			t.Errorf("within a body: %s", answer.Status)
		}
		answer, rest := w.raw(whole)
		if _, err := rest.ReadByte(); answer.StatusCode != http.StatusOK || err != io.EOF {
			t.Errorf("idle: %s, %v", answer.Status, err)
		}
	}
}

// TestBodiesAreBounded: what is held of all bodies together is limited.
func TestBodiesAreBounded(t *testing.T) {
	limits := usualLimits
	limits.bodies = 1 << 20
	w := overHTTPWithin(t, Config{Backend: newDiskBackend(t, workspaceDir(t, nil))}, limits)
	held := w.dial()
	large := request(strings.Repeat(" ", 1<<20), "Host: localhost", bearer)
	_, _ = io.WriteString(held, large[:len(large)-1000])
	for start := time.Now(); ; time.Sleep(time.Millisecond) { // until it has been read
		answer, _ := w.raw(request(handshake[0]+strings.Repeat(" ", 1000), "Host: localhost", bearer))
		if answer.StatusCode == http.StatusServiceUnavailable {
			break
		} else if time.Since(start) > time.Minute {
			t.Fatal(answer.Status)
		}
	}
	_ = held.Close()
	for start := time.Now(); ; time.Sleep(time.Millisecond) {
		answer, _ := w.raw(request(handshake[0]+strings.Repeat(" ", 1000), "Host: localhost", bearer))
		if answer.StatusCode == http.StatusOK {
			return
		} else if time.Since(start) > time.Minute {
			t.Fatal(answer.Status)
		}
	}
}

// doubled are messages with two members of one name in an object.
var doubled = map[string]string{
	"the method":        `{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}`,
	"the id":            `{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`,
	"an escaped name":   `{"jsonrpc":"2.0","id":1,"method":"ping","m\u0065thod":"tools/list"}`,
	"the params":        `{"jsonrpc":"2.0","id":1,"method":"ping","params":{},"params":{}}`,
	"a tool":            `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file","name":"write_file","arguments":{"path":"a.txt"}}}`,
	"an argument":       `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file","arguments":{"path":"a.txt","path":"b.txt"}}}`,
	"deep within":       `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"x":[{"a":1,"a":2}]}}}`,
	"within an unknown": `{"jsonrpc":"2.0","id":1,"method":"ping","unknown":{"a":1,"a":2}}`,
	"of a notification": `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"requestId":2}}`,
}

func TestDoubledMembersOverHTTP(t *testing.T) {
	w := overHTTP(t, Config{Backend: newDiskBackend(t, workspaceDir(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n"}))})
	headers := map[string]string{"Authorization": "Bearer " + token}
	begun := w.post(handshake[0], headers)
	w.said(begun)
	headers["Mcp-Session-Id"] = begun.Header.Get("Mcp-Session-Id")
	w.said(w.post(handshake[1], headers))
	for name, body := range doubled {
		for _, body := range []string{body, "[" + body + "]"} {
			answer := w.post(body, headers)
			if said := w.said(answer); answer.StatusCode != http.StatusBadRequest || !strings.Contains(said, "occurs twice") || !strings.Contains(said, `"error"`) {
				t.Errorf("%s: %s %s", name, answer.Status, said)
			}
		}
	}
}

func TestDoubledMembersOverStreams(t *testing.T) {
	p := dial(t, Config{Backend: newDiskBackend(t, workspaceDir(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n"}))})
	p.initialize("2025-03-26", "{}")
	for name, line := range doubled {
		for _, line := range []string{line, "[" + line + "]"} {
			p.send(line)
			if said := p.raw(); !strings.Contains(said, "occurs twice") || !strings.Contains(said, `"error":{"code":-32`) {
				t.Errorf("%s: %s", name, said)
			}
		}
	}
}
