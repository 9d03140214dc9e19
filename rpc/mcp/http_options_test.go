package mcp

import (
	"net/http"
	"strings"
	"testing"
)

// TestOptionsOfTheServer: OPTIONS *, which asks about the server as a whole, is
// answered to nobody but those who know the token and come by its name.
func TestOptionsOfTheServer(t *testing.T) {
	w := overHTTP(t, Config{Backend: newDiskBackend(t, workspaceDir(t, nil))})
	for name, c := range map[string]struct {
		lines   []string
		refused int
	}{
		"without a token":   {[]string{"Host: localhost"}, http.StatusUnauthorized},
		"by another host":   {[]string{"Host: evil.com", bearer}, http.StatusForbidden},
		"from another page": {[]string{"Host: localhost", bearer, "Origin: http://evil.com"}, http.StatusForbidden},
		"with all":          {[]string{"Host: localhost", bearer}, 0},
	} {
		answer, _ := w.raw("OPTIONS * HTTP/1.1\r\n" + strings.Join(c.lines, "\r\n") + "\r\n\r\n")
		if c.refused != 0 && (answer.StatusCode != c.refused || !answer.Close) || c.refused == 0 && answer.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("%s: %s, closed %v", name, answer.Status, answer.Close)
		}
	}
}
