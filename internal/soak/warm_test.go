//go:build linux

package soak

import (
	"context"
	"fmt"
	"os"
	"strings"
)

const (
	bigFiles = 80
	bigFuncs = 12_000 // about 900 KB
)

// warm fills what the measured server keeps within a budget (texts that it
// remembers, the history, outlines), so that a long run measures what grows
// without one. By what people type alone it would take a quarter of an hour.
func (s *soak) warm() error {
	came := s.did("warm", "%d large files", bigFiles)
	for i := range bigFiles {
		name := fmt.Sprintf("big/b%d.go", i)
		var b strings.Builder
		fmt.Fprintf(&b, "package big // as it was\n\n")
		for n := range bigFuncs {
			fmt.Fprintf(&b, "// G%d is %d's.\nfunc G%[1]d(x int) int { return x + %[2]d*%[1]d }\n\n", n, i)
		}
		if err := s.write(s.path(name), b.String()); err != nil {
			return err
		}
		if err := s.use(name, hashOf(b.String()), i%8 == 0); err != nil {
			return err
		}
	}
	came("ok")
	return os.RemoveAll(s.path("big"))
}

// use has the measured server edit a file, and outline it.
func (s *soak) use(name, hash string, outlined bool) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	edit := map[string]any{"path": name, "expected_hash": hash, "old_text": "as it was", "new_text": "as it is"}
	a, err := s.seats[0].editor.Call(ctx, "edit_file", edit)
	if err == nil && !a.IsError && outlined {
		a, err = s.seats[0].editor.Call(ctx, "outline", map[string]any{"path": name})
	}
	if err != nil || a.IsError {
		return fmt.Errorf("%s: %v %v", name, err, a.Content)
	}
	return nil
}
