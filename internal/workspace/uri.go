package workspace

import (
	"path/filepath"
	"runtime"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

const (
	fileScheme     = "file"
	untitledScheme = "untitled"
)

// splitScheme returns the scheme of a URI, in lower case, and what follows
// the colon. A relative path may contain a colon: unless the scheme is one of
// ours, "//" must follow.
func splitScheme(s string) (scheme, rest string, ok bool) {
	scheme, rest, ok = strings.Cut(s, ":")
	if !ok || !isScheme(scheme) {
		return "", "", false
	}
	scheme = strings.ToLower(scheme)
	ours := scheme == fileScheme || scheme == untitledScheme
	return scheme, rest, ours || strings.HasPrefix(rest, "//")
}

func isScheme(s string) bool {
	if len(s) < 2 || !isLetter(s[0]) { // one letter is a drive
		return false
	}
	for i := range len(s) {
		if !isLetter(s[i]) && !isDecimal(s[i]) && strings.IndexByte("+-.", s[i]) < 0 {
			return false
		}
	}
	return true
}

func isLetter(c byte) bool  { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDecimal(c byte) bool { return '0' <= c && c <= '9' }

// filePath returns the clean absolute path that the rest of a file URI (what
// follows "file:") names. Escapes are decoded once; what comes out obeys the
// rules for paths, so "%2e%2e" climbs and "%2F" separates.
func filePath(uri, rest string) (string, error) {
	if after, ok := strings.CutPrefix(rest, "//"); ok {
		host, _, _ := strings.Cut(after, "/")
		if host != "" && !strings.EqualFold(host, "localhost") {
			return "", badURI(uri, "it names the host %q, and only files of this machine can be opened", host)
		}
		rest = after[len(host):]
	}
	if strings.ContainsAny(rest, "?#") {
		return "", badURI(uri, "a file URI has no query and no fragment").
			Advise("in a name, write ? as %%3F and # as %%23")
	}
	path, err := unescape(uri, rest)
	if err != nil {
		return "", err
	}
	if runtime.GOOS == "windows" {
		path = drivePath(path)
	}
	if !filepath.IsAbs(path) {
		return "", badURI(uri, "it names no absolute path").Advise("write file:///absolute/path")
	}
	if err := fsys.CheckPath(path); err != nil {
		return "", fault.From(err).At(uri)
	}
	return filepath.Clean(path), nil
}

// drivePath turns the path of a Windows file URI, "/c:/dir", into "C:\dir".
// The drive's letter has one case, for the path is a key.
func drivePath(path string) string {
	if len(path) >= 3 && path[0] == '/' && isLetter(path[1]) && path[2] == ':' {
		path = string(path[1]&^0x20) + path[2:]
	}
	return filepath.FromSlash(path)
}

func badURI(uri, format string, args ...any) *fault.Error {
	return fault.New(fault.InvalidParams, format, args...).At(uri)
}

// unescape decodes percent escapes once.
func unescape(uri, s string) (string, error) {
	if strings.IndexByte(s, '%') < 0 {
		return s, nil
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			out = append(out, s[i])
			continue
		}
		if i+2 >= len(s) || !isHex(s[i+1]) || !isHex(s[i+2]) {
			return "", badURI(uri, "the escape %q is not a percent sign and two hex digits", s[i:min(i+3, len(s))])
		}
		out = append(out, unhex(s[i+1])<<4|unhex(s[i+2]))
		i += 2
	}
	return string(out), nil
}

func isHex(c byte) bool { return isDecimal(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

func unhex(c byte) byte {
	if isDecimal(c) {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

// fileURI returns the canonical URI of a clean absolute path.
func fileURI(abs string) string {
	path := filepath.ToSlash(abs)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive
	}
	return escape(fileScheme+"://", path)
}

// escape appends s to prefix with every byte escaped that a URI's path may
// not hold as it is.
func escape(prefix, s string) string {
	const upperHex = "0123456789ABCDEF"
	var out strings.Builder
	out.Grow(len(prefix) + len(s))
	out.WriteString(prefix)
	for _, c := range []byte(s) {
		if mustEscape(c) {
			out.Write([]byte{'%', upperHex[c>>4], upperHex[c&15]})
		} else {
			out.WriteByte(c)
		}
	}
	return out.String()
}

// mustEscape reports whether a byte may not stand in a URI's path as it is.
func mustEscape(c byte) bool {
	switch c {
	case '-', '.', '_', '~', '!', '$', '&', '\'', '(', ')', '*', '+', ',', ';', '=', ':', '@', '/':
		return false
	}
	return !isLetter(c) && !isDecimal(c)
}
