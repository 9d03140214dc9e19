package statedir

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/fault"
)

func openTestCache(t testing.TB) *CacheFolder {
	t.Helper()
	c, err := OpenCacheFolder(filepath.Join(t.TempDir(), "deep", "cache"))
	disktest.Must(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}

func put(t testing.TB, c *CacheFolder, name, content string) {
	t.Helper()
	disktest.Must(t, c.Write(name, func(w io.Writer) error { _, err := io.WriteString(w, content); return err }))
}

func get(t testing.TB, c *CacheFolder, name string) string {
	t.Helper()
	f, err := c.Open(name)
	disktest.Must(t, err)
	defer f.Close()
	b := make([]byte, f.Size())
	_, err = f.ReadAt(b, 0)
	disktest.Must(t, err)
	return string(b)
}

func TestCacheFiles(t *testing.T) {
	c := openTestCache(t)
	put(t, c, "b", "old")
	put(t, c, "a", "other")
	old, err := c.Open("b")
	disktest.Must(t, err)
	defer old.Close()
	put(t, c, "b", "new text")
	if got := get(t, c, "b"); got != "new text" {
		t.Errorf("read %q", got)
	}
	b := make([]byte, 3)
	if _, err := old.ReadAt(b, 0); err != nil || string(b) != "old" {
		t.Errorf("the file that was open before: %q, %v", b, err)
	}
	names, err := c.List()
	if got := fmt.Sprint(names, err); got != "[a b] <nil>" {
		t.Errorf("list: %s", got)
	}
	disktest.Must(t, c.Remove("a"))
	disktest.Must(t, c.Remove("a"))
	if _, err := c.Open("a"); fault.KindOf(err) != fault.NotFound {
		t.Errorf("error %v", err)
	}
}

func TestCacheIsPrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes are not kept here")
	}
	c := openTestCache(t)
	sub, err := c.Folder("sub")
	disktest.Must(t, err)
	defer sub.Close()
	put(t, sub, "f", "x")
	unlock, _, err := sub.TryLock()
	disktest.Must(t, err)
	unlock()
	for name, want := range map[string]os.FileMode{".": 0o700, "..": 0o700, "sub": 0o700, "sub/f": 0o600, "sub/lock": 0o600} {
		info, err := os.Stat(filepath.Join(c.Path(), name))
		disktest.Must(t, err)
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %v, want %v", name, info.Mode().Perm(), want)
		}
	}
}

func TestCacheStaysInside(t *testing.T) {
	c := openTestCache(t)
	for _, name := range []string{"../f", "/f", "a/../../f"} {
		if err := c.Write(name, func(io.Writer) error { return nil }); err == nil {
			t.Errorf("%s was written", name)
		}
		if _, err := c.Open(name); err == nil {
			t.Errorf("%s was opened", name)
		}
	}
	if _, err := OpenCacheFolder("relative"); fault.KindOf(err) != fault.InvalidParams {
		t.Errorf("error %v", err)
	}
	file := filepath.Join(t.TempDir(), "file")
	disktest.Must(t, os.WriteFile(file, nil, 0o600))
	if _, err := OpenCacheFolder(file); fault.KindOf(err) != fault.NotDirectory {
		t.Errorf("error %v", err)
	}
}

func TestCacheLock(t *testing.T) {
	c := openTestCache(t)
	other, err := OpenCacheFolder(c.Path())
	disktest.Must(t, err)
	defer other.Close()
	unlock, ok, err := c.TryLock()
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	if _, ok, err := other.TryLock(); ok || err != nil {
		t.Errorf("locked twice: %v, %v", ok, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := other.Lock(ctx); fault.KindOf(err) != fault.Timeout {
		t.Errorf("error %v", err)
	}
	time.AfterFunc(time.Millisecond, unlock)
	again, err := other.Lock(t.Context())
	disktest.Must(t, err)
	again()
}

func TestCacheLeftoversAreRemoved(t *testing.T) {
	c := openTestCache(t)
	disktest.Must(t, os.WriteFile(filepath.Join(c.Path(), "tmp-half"), []byte("half"), 0o600))
	put(t, c, "whole", "x")
	if names, _ := c.List(); fmt.Sprint(names) != "[whole]" {
		t.Errorf("list: %v", names)
	}
	unlock, ok, err := c.TryLock()
	disktest.Must(t, err)
	if !ok {
		t.Fatal("no lock")
	}
	unlock()
	if got := filesIn(t, c.Path()); got != "lock whole" {
		t.Errorf("files: %s", got)
	}
}

func filesIn(t testing.TB, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	disktest.Must(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

// TestCacheWriteFails lets each step of a write fail, and then all from it on.
func TestCacheWriteFails(t *testing.T) {
	for _, forGood := range []bool{false, true} {
		for n := 1; ; n++ {
			c := openTestCache(t)
			put(t, c, "f", "old")
			steps := 0
			c.FailBefore(func(string) error {
				if steps++; steps == n || forGood && steps > n {
					return syscall.ENOSPC
				}
				return nil
			})
			err := c.Write("f", func(w io.Writer) error { return writeMuch(w) })
			if steps < n {
				disktest.Must(t, err)
				if n < 5 {
					t.Errorf("only %d steps were seen", n)
				}
				break
			}
			if fault.KindOf(err) != fault.DiskFull {
				t.Errorf("step %d: error %v", n, err)
			}
			if got := get(t, c, "f") + " " + filesIn(t, c.Path()); got != "old f" {
				t.Errorf("step %d: %s", n, got)
			}
		}
	}
}

func writeMuch(w io.Writer) error {
	for range 3 {
		if _, err := w.Write(make([]byte, cacheBuffer)); err != nil {
			return err
		}
	}
	return nil
}

func TestCacheWriterFails(t *testing.T) {
	c := openTestCache(t)
	mine := errors.New("mine")
	if err := c.Write("f", func(io.Writer) error { return mine }); err == nil || !strings.Contains(err.Error(), "internal") {
		t.Errorf("error %v", err)
	}
	if got := filesIn(t, c.Path()); got != "" {
		t.Errorf("files: %s", got)
	}
}

func TestCacheTrim(t *testing.T) {
	now := time.Now()
	day := 24 * time.Hour
	for _, c := range []struct {
		name   string
		limits CacheLimits
		want   string
	}{
		{"nothing to do", CacheLimits{100 * day, 1000}, "in-use kept month new unknown week"},
		{"by age", CacheLimits{20 * day, 1000}, "in-use kept new unknown week"},
		{"by size", CacheLimits{100 * day, 350}, "in-use kept new unknown"},
		{"both", CacheLimits{5 * day, 0}, "in-use kept unknown"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cache := openTestCache(t)
			for name, age := range map[string]time.Duration{"month": 30 * day, "week": 7 * day, "new": 0, "kept": 40 * day, "in-use": 41 * day} {
				sub, err := cache.Folder(name)
				disktest.Must(t, err)
				defer sub.Close()
				put(t, sub, "f", strings.Repeat("x", 100))
				disktest.Must(t, sub.Use(now.Add(-age)))
				if name == "in-use" {
					unlock, _, err := sub.TryLock()
					disktest.Must(t, err)
					defer unlock()
				}
			}
			disktest.Must(t, os.Mkdir(filepath.Join(cache.Path(), "unknown"), 0o700))
			disktest.Must(t, cache.Trim(now, c.limits, func(name string) bool { return name == "kept" }))
			if got := filesIn(t, cache.Path()); got != c.want {
				t.Errorf("left: %s, want %s", got, c.want)
			}
		})
	}
}

func TestCacheTrimSparesOthers(t *testing.T) {
	cache := openTestCache(t)
	sub, err := cache.Folder("old")
	disktest.Must(t, err)
	defer sub.Close()
	disktest.Must(t, sub.Use(time.Unix(0, 0)))
	disktest.Must(t, os.Mkdir(filepath.Join(cache.Path(), "old", "theirs"), 0o700))
	disktest.Must(t, cache.Trim(time.Now(), CacheLimits{}, func(string) bool { return false }))
	if got := filesIn(t, filepath.Join(cache.Path(), "old")); !slices.Contains(strings.Fields(got), "theirs") {
		t.Errorf("left: %s", got)
	}
}
