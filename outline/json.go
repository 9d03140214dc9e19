package outline

import (
	"bytes"
	"context"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/jsonc"
	"github.com/agent-lsp/agent-lsp/syntax"
)

// Limits beyond which a text is not read as JSON but by its lines. The reader
// goes down by recursion, and takes 80 to 160 bytes a value.
const (
	maxJSONBytes  = 12 << 20
	maxJSONDepth  = 1000
	maxJSONValues = 500_000
	maxJSONKeys   = 100_000 // that are told
)

// jsonDefinitions finds the keys of a JSON text, with or without comments and
// trailing commas. Objects are gone into, arrays are not.
func jsonDefinitions(ctx context.Context, l *syntax.Language, src []byte) syntax.Result {
	if why := refuseJSON(src); why != "" {
		return byLines(ctx, l, src, why)
	}
	value, err := jsonc.Parse(src)
	switch {
	case len(bytes.TrimSpace(src)) == 0:
		return syntax.Result{Method: ByJSON}
	case err != nil && isJSONLines(src):
		return syntax.Result{Method: ByJSON, Reason: "the text is JSON lines: a value a line, and no names for them"}
	case err != nil:
		return byLines(ctx, l, src, "the text is no whole JSON: "+whereJSON(err))
	}
	k := keys{src: src, comments: l.Comments}
	k.enter(value, -1)
	return syntax.Result{Definitions: k.found, Method: ByJSON, Reason: k.reason()}
}

// whereJSON returns the place in an error of the reader, "line 3, column 1",
// and not what stands there, which may be long.
func whereJSON(err error) string {
	where := strings.TrimPrefix(err.Error(), "hujson: ")
	where, _, _ = strings.Cut(where, ":")
	return where
}

// byLines finds keys by how lines begin.
func byLines(ctx context.Context, l *syntax.Language, src []byte, why string) syntax.Result {
	r := syntax.Analyze(ctx, l, src)
	if r.Method == syntax.ByKeywords {
		r.Reason = why
	}
	return r
}

// isJSONLines tells that each line is a value of its own, by the first two.
func isJSONLines(src []byte) bool {
	first, rest := cutLine(bytes.TrimLeft(src, " \t\r\n"))
	second, _ := cutLine(bytes.TrimLeft(rest, " \t\r\n"))
	if len(first) == 0 || len(second) == 0 || first[0] != '{' && first[0] != '[' || second[0] != first[0] {
		return false
	}
	_, err := jsonc.Parse(first)
	return err == nil
}

func cutLine(src []byte) (line, rest []byte) {
	end := bytes.IndexAny(src, "\r\n")
	if end < 0 {
		return src, nil
	}
	return src[:end], src[end:]
}

func refuseJSON(src []byte) string {
	if len(src) > maxJSONBytes {
		return "the text is larger than 12 MiB"
	}
	values, depth := measureJSON(src)
	switch {
	case depth > maxJSONDepth:
		return "the text is nested deeper than 1,000 levels"
	case values > maxJSONValues:
		return "the text has more than 500,000 values"
	}
	return ""
}

// measureJSON returns about how many values src has, and how deep they are
// nested at most. It knows strings and comments as the reader does.
func measureJSON(src []byte) (values, deepest int) {
	depth := 0
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '[', '{':
			depth++
			deepest = max(deepest, depth)
			values++
		case ']', '}':
			depth--
		case ',':
			values++
		case '"':
			i = stringEnd(src, i)
		case '/':
			i = commentEnd(src, i)
		}
	}
	return values, deepest
}

// stringEnd returns where the quote stands that ends the string which begins
// at i, or the text's end.
func stringEnd(src []byte, i int) int {
	for i++; i < len(src) && src[i] != '"'; i++ {
		if src[i] == '\\' {
			i++
		}
	}
	return i
}

// commentEnd returns where the last byte stands of the comment that begins at
// i; i itself when none does.
func commentEnd(src []byte, i int) int {
	closer := "\n"
	switch {
	case i+1 == len(src):
		return i
	case src[i+1] == '*':
		closer = "*/"
	case src[i+1] != '/':
		return i
	}
	n := bytes.Index(src[i+2:], []byte(closer))
	if n < 0 {
		return len(src)
	}
	return i + 2 + n + len(closer) - 1
}
