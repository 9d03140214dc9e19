package scenario

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fakeeditor"
)

var placeholder = regexp.MustCompile(`\$\{([^}]*)\}|file://\$WORK|file://\$TMP|\$WORK|\$TMP`)

// expand replaces placeholders. In JSON the values stand inside strings, or
// are numbers and booleans of their own.
func (r *runner) expand(s string, inJSON bool) (string, error) {
	var failed error
	out := placeholder.ReplaceAllStringFunc(s, func(p string) string {
		value, err := r.lookUp(p)
		if err != nil && failed == nil {
			failed = err
		}
		if inJSON {
			quoted := quoteJSON(value)
			return quoted[1 : len(quoted)-1]
		}
		return value
	})
	return r.world.asTyped(out, inJSON), failed
}

// asTyped has paths below the scenario's folders as people of this system type
// them.
func (w *world) asTyped(s string, inJSON bool) string {
	if filepath.Separator == '/' {
		return s
	}
	sep := `\`
	if inJSON {
		sep = `\\`
	}
	base := strings.ReplaceAll(w.tmp, `\`, sep)
	below := regexp.MustCompile(regexp.QuoteMeta(base) + `[^"<>|:,;\t\r\n]*`)
	return below.ReplaceAllStringFunc(s, func(path string) string { return strings.ReplaceAll(path, "/", sep) })
}

func (r *runner) lookUp(p string) (string, error) {
	switch p {
	case "$WORK":
		return r.world.work, nil
	case "$TMP":
		return r.world.tmp, nil
	case "file://$WORK":
		return fakeeditor.FileURI(r.world.work), nil
	case "file://$TMP":
		return fakeeditor.FileURI(r.world.tmp), nil
	}
	name := strings.TrimSuffix(strings.TrimPrefix(p, "${"), "}")
	if value, known := r.names[name]; known {
		return value, nil
	}
	if path, isMember := strings.CutPrefix(name, "last."); isMember {
		return r.member(path)
	}
	kind, arg, _ := strings.Cut(r.world.folders(name), ":")
	switch kind {
	case "hash":
		raw, err := r.bytesOf(arg)
		return hashOf(raw), err
	case "disk_hash":
		raw, err := os.ReadFile(r.world.path(arg))
		return hashOf(raw), err
	case "text":
		if text, known := r.archive.texts[arg]; known {
			return r.expand(text, false)
		}
	case "uri":
		return r.uri(arg), nil
	case "version":
		if d, open := r.document(arg); open {
			return strconv.Itoa(d.Version), nil
		}
	}
	return "", fmt.Errorf("unknown placeholder %s", p)
}

// member returns a member of the last answer's structuredContent by a path
// such as files.0.content_hash.
func (r *runner) member(path string) (string, error) {
	value, err := lookIn(r.last, path)
	if err != nil {
		return "", err
	}
	if s, isText := value.(string); isText {
		return s, nil
	}
	return inlineValue(value), nil
}

func lookIn(v any, path string) (any, error) {
	for name := range strings.SplitSeq(path, ".") {
		found := false
		switch have := v.(type) {
		case object:
			v, found = have.get(name)
		case []any:
			if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(have) {
				v, found = have[i], true
			}
		}
		if !found {
			return nil, fmt.Errorf("%s: the last answer has no %q", path, name)
		}
	}
	return v, nil
}

// uri is the URI of a name in the script.
func (r *runner) uri(name string) string {
	if strings.Contains(name, ":") {
		return name
	}
	return fakeeditor.FileURI(r.world.path(name))
}

func (r *runner) document(name string) (fakeeditor.Document, bool) {
	if r.surface == nil {
		return fakeeditor.Document{}, false
	}
	return r.editor().Document(r.uri(name))
}

// bytesOf is what the file has on disk, or would have if its buffer were
// saved.
func (r *runner) bytesOf(name string) ([]byte, error) {
	if d, open := r.document(name); open {
		return d.Bytes()
	}
	return os.ReadFile(r.world.path(name))
}

// jsonArg expands and checks a command's JSON; nothing stands for {}.
func (r *runner) jsonArg(s string) (json.RawMessage, error) {
	if s == "" {
		s = "{}"
	}
	text, err := r.expand(s, true)
	if err != nil {
		return nil, err
	}
	if !json.Valid([]byte(text)) {
		return nil, fmt.Errorf("not JSON: %s", text)
	}
	return json.RawMessage(text), nil
}
