package mcp

import (
	"context"
	"net/http"
	"strings"
	"testing"
)

func TestOnlyThisMachineIsServed(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", ":x", "192.168.1.1:0", "example.com:80", "8765", "[::]:0"} {
		if l, err := ListenLoopback(t.Context(), addr); err == nil {
			_ = l.Close()
			t.Errorf("%s is listened at", addr)
		}
	}
	l, err := ListenLoopback(t.Context(), "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	const token = "the token of this test"
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	config := Config{Version: "test", Backend: newDiskBackend(t, workspaceDir(t, nil)), Settings: defaults, Log: discard}
	go func() { served <- ServeHTTP(ctx, l, token, config) }()
	client := &http.Client{Transport: &http.Transport{}}
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
		body := strings.NewReader(handshake[0])
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+l.Addr().String(), body)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		if c.token != "" {
			r.Header.Set("Authorization", "Bearer "+c.token)
		}
		if c.header != "" {
			r.Header.Set(c.header, c.value)
		}
		r.Host = c.host
		answer, err := client.Do(r)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != c.want {
			t.Errorf("%s: %s", name, answer.Status)
		}
	}
	client.CloseIdleConnections()
	cancel()
	if err := <-served; err != nil {
		t.Error(err)
	}
}
