package mcp

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// web is a server over HTTP, and who calls it.
type web struct {
	*testing.T
	url    string
	client *http.Client
}

const token = "the token of this test"

// overHTTP serves until the test ends, which fails when that does not end it.
func overHTTP(t *testing.T, config Config) web {
	t.Helper()
	return overHTTPWithin(t, config, usualLimits)
}

func overHTTPWithin(t *testing.T, config Config, limits httpLimits) web {
	t.Helper()
	l, err := ListenLoopback(t.Context(), "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	config.Version, config.Settings, config.Log = "test", defaults, discard
	go func() { served <- serveHTTP(t.Context(), l, token, config, limits) }()
	w := web{t, "http://" + l.Addr().String(), &http.Client{Transport: &http.Transport{}}}
	t.Cleanup(func() {
		w.client.CloseIdleConnections()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return w
}

// post sends a message; headers go by their names.
func (w web) post(body string, headers map[string]string) *http.Response {
	w.Helper()
	r, err := http.NewRequestWithContext(w.Context(), http.MethodPost, w.url, strings.NewReader(body))
	if err != nil {
		w.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	r.Host = headers["Host"]
	answer, err := w.client.Do(r)
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() { _ = answer.Body.Close() })
	return answer
}

// said is the body of an answer.
func (w web) said(answer *http.Response) string {
	w.Helper()
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		w.Fatal(err)
	}
	return string(raw)
}

// TestRevisionsOverHTTP: a client with a session is served, and one of the
// revisions that have none.
func TestRevisionsOverHTTP(t *testing.T) {
	w := overHTTP(t, Config{Backend: newDiskBackend(t, workspaceDir(t, map[string]string{"a.txt": "one\n"}))})
	headers := map[string]string{"Authorization": "Bearer " + token}
	begun := w.post(handshake[0], headers)
	if said := w.said(begun); !strings.Contains(said, `"protocolVersion":"2025-03-26"`) {
		t.Error(said)
	}
	headers["Mcp-Session-Id"] = begun.Header.Get("Mcp-Session-Id")
	w.said(w.post(handshake[1], headers))
	read := call(1, "read_file", map[string]any{"path": "a.txt"})
	want := func(body, words string) {
		t.Helper()
		if said := w.said(w.post(body, headers)); !strings.Contains(said, words) {
			t.Errorf("answered %s\nwant %s", said, words)
		}
	}
	want(read, `1|one`)
	want(call(1, "reedfile", nil), `there is no tool \"reedfile\"; did you mean \"read_file\"?`)
	headers = map[string]string{
		"Authorization": "Bearer " + token, "Mcp-Protocol-Version": firstModern, "Mcp-Method": "tools/call", "Mcp-Name": "read_file",
	}
	want(modernCall(read), `1|one`)
}

func TestOnlyThisMachineIsServed(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", ":x", "192.168.1.1:0", "example.com:80", "8765", "[::]:0"} {
		if l, err := ListenLoopback(t.Context(), addr); err == nil {
			_ = l.Close()
			t.Errorf("%s is listened at", addr)
		}
	}
	w := overHTTP(t, Config{Backend: newDiskBackend(t, workspaceDir(t, nil))})
	for name, c := range map[string]struct {
		header, value, host string
		token               string
		want                int
	}{
		"no token":           {want: http.StatusUnauthorized},
		"a wrong token":      {token: "the token of this tesT", want: http.StatusUnauthorized},
		"a token alone":      {header: "Authorization", value: token, want: http.StatusUnauthorized},
		"bearer in lower":    {header: "Authorization", value: "bearer " + token, want: http.StatusOK},
		"another host":       {token: token, host: "example.com", want: http.StatusForbidden},
		"a name like ours":   {token: token, host: "localhost.example.com", want: http.StatusForbidden},
		"another site":       {token: token, header: "Origin", value: "https://example.com", want: http.StatusForbidden},
		"a page from a file": {token: token, header: "Origin", value: "null", want: http.StatusForbidden},
		"a page of ours":     {token: token, header: "Origin", value: "http://localhost:3000", want: http.StatusOK},
		"a program":          {token: token, want: http.StatusOK},
	} {
		headers := map[string]string{c.header: c.value, "Host": c.host}
		if delete(headers, ""); c.token != "" {
			headers["Authorization"] = "Bearer " + c.token
		}
		answer := w.post(handshake[0], headers)
		if answer.StatusCode != c.want {
			t.Errorf("%s: %s", name, answer.Status)
		}
	}
}
