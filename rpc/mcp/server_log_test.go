package mcp

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
)

// The end of a client is no cause for a warning that it was not told something.
func TestEndIsNotLogged(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(warnings{slog.NewTextHandler(&out, nil)})
	log.Warn("calling notifications/resources/list_changed: connection closed")
	log.Info("session disconnected")
	if out.Len() > 0 {
		t.Errorf("logged: %s", out.String())
	}
	if log.Warn("something else"); !strings.Contains(out.String(), "something else") {
		t.Errorf("not logged: %q", out.String())
	}
}
