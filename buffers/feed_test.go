package buffers_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// TestFeed: events that nobody took yet are told as one, in the order of the
// first of each document, and nothing after the feed was closed.
func TestFeed(t *testing.T) {
	gate, _ := workspace.NewGate(nil, nil, settings.Default())
	s := buffers.NewStore()
	open := func(uri string) string {
		p, err := gate.FromURI(uri)
		if err != nil {
			t.Fatal(err)
		}
		s.Open(buffers.Opening{URI: uri, Path: p, Version: 1, Text: "x"})
		return p.Key()
	}
	a := open("untitled:a")
	f := s.Feed()
	b := open("untitled:b")
	change := func(key string, version int32) {
		if err := s.Change(key, version, text.UTF8, []buffers.Change{{Text: "y"}}); err != nil {
			t.Fatal(err)
		}
	}
	change(a, 2)
	change(b, 3)
	change(a, 4)
	s.Close(b)
	next := func() string {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second/20)
		defer cancel()
		e, ok := f.Next(ctx)
		if !ok {
			return "none"
		}
		return fmt.Sprint(e.Document.URI, e.Document.Version, e.Closed)
	}
	for _, want := range []string{"untitled:b3 true", "untitled:a4 false", "none"} {
		if got := next(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	change(a, 5)
	if got := next(); got != "untitled:a5 false" {
		t.Errorf("got %s", got)
	}
	f.Close()
	change(a, 6)
	if got := next(); got != "none" {
		t.Errorf("got %s after the end", got)
	}
}

// TestPeerDocuments: a snapshot shows what other sessions have open, and its own
// documents again without it.
func TestPeerDocuments(t *testing.T) {
	dir := t.TempDir()
	gate, problems := workspace.NewGate(nil, []workspace.Folder{{Path: dir}}, settings.Default())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	s := buffers.NewStore()
	disk := buffers.NewDisk(time.Now)
	hash := text.HashBytes([]byte("theirs"))
	uri := "file://" + dir + "/new.txt"
	snap := buffers.NewSnapshot(s.Overlay(), gate, disk)
	defer snap.Close()
	snap.Show([]buffers.PeerDocument{
		{URI: uri, Text: "theirs", Version: 7, Hash: hash, Dirty: true},
		{URI: "untitled:u", Text: "u"}, {URI: "http://nonsense"},
		{URI: "file://" + dir + "/.env", Text: "secret"},
	})
	p, err := snap.Resolve("new.txt")
	if err != nil {
		t.Fatal(err)
	}
	f, err := snap.File(t.Context(), p, "")
	if err != nil || f.Source != buffers.FromBuffer || f.Hash != hash || !f.Dirty || f.Content.Len() != 6 || !f.Document.IsPeer() {
		t.Errorf("%+v %v", f, err)
	}
	if got := len(snap.Overlay.Documents()); got != 3 {
		t.Errorf("%d documents", got)
	}
	fork := snap.Fork()
	defer fork.Close()
	if _, err := fork.File(t.Context(), p, ""); err != nil {
		t.Error(err)
	}
	if p, err = snap.Resolve(".env"); err == nil {
		if _, err := snap.File(t.Context(), p, ""); err == nil {
			t.Error("a private file of another session was shown")
		}
	}
	own := buffers.NewSnapshot(s.Overlay(), gate, disk)
	defer own.Close()
	if len(own.Overlay.Documents()) != 0 {
		t.Error("the store has them")
	}
}
