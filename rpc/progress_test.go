package rpc

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// progressOf searches files, twice, and returns what the client
// heard of the first call under its token.
func progressOf(t *testing.T, files int, every time.Duration, arguments map[string]any) (heard []map[string]any) {
	t.Helper()
	dir := t.TempDir()
	for i := range files {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%03d.txt", i)), []byte("some words\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	log := new(lockedBuffer)
	s := startSession(t, map[string]any{
		"processId": os.Getpid(), "rootUri": "file://" + dir, "capabilities": map[string]any{},
		"initializationOptions": map[string]any{"agentLsp": map[string]any{"index.enabled": false}},
	}, logged(log), func(c *Config) { c.ProgressEvery = every })
	s.told = func(method string, params any) {
		p, _ := params.(map[string]any)
		if method != "$/progress" || p["token"] != "search-7" {
			t.Errorf("the client heard %s %v", method, params)
		}
		value, _ := p["value"].(map[string]any)
		heard = append(heard, value)
	}
	call := map[string]any{"name": "grep_files", "arguments": arguments}
	call["workDoneToken"] = "search-7"
	s.call("agent/tools/call", call)
	before := len(heard)
	// What comes after the first answer comes before the second.
	delete(call, "workDoneToken")
	s.call("agent/tools/call", call)
	if len(heard) > before {
		t.Errorf("%v came after the answer", heard[before:])
	}
	s.leave()
	if strings.Contains(log.String(), "not told") { // as under no token
		t.Errorf("logged: %s", log)
	}
	return heard
}

func kindsOf(heard []map[string]any) (kinds []string) {
	for _, v := range heard {
		kind, _ := v["kind"].(string)
		kinds = append(kinds, kind)
	}
	return kinds
}

// TestProgressOfALongSearch: a client that gave a token hears how far its
// search is, from a begin to an end.
func TestProgressOfALongSearch(t *testing.T) {
	heard := progressOf(t, 700, -1, map[string]any{"pattern": "no such text"})
	kinds := kindsOf(heard)
	last := len(kinds) - 1
	if last < 2 || kinds[0] != "begin" || kinds[last] != "end" || slices.ContainsFunc(kinds[1:last], func(k string) bool { return k != "report" }) {
		t.Fatalf("the client heard %q; want begin, reports and end", kinds)
	}
	if title := heard[0]["title"]; title != "searching" {
		t.Errorf("it begins with %v", heard[0])
	}
	percent := 0.0
	for _, v := range heard[:last] {
		now, _ := v["percentage"].(float64)
		if now < percent || now > 100 {
			t.Errorf("percentages go %v after %v", now, percent)
		}
		percent = now
	}
}

// TestNoProgressOfAShortCall: what takes less than the interval is told by its
// answer alone.
func TestNoProgressOfAShortCall(t *testing.T) {
	if heard := progressOf(t, 700, time.Hour, map[string]any{"pattern": "no such text"}); len(heard) > 0 {
		t.Errorf("the client heard %v", heard)
	}
}

// TestNoProgressOfAFailure: a call that fails before it does anything has
// nothing to tell but that.
func TestNoProgressOfAFailure(t *testing.T) {
	if heard := progressOf(t, 1, -1, map[string]any{"pattern": "("}); len(heard) > 0 {
		t.Errorf("the client heard %v", heard)
	}
}
