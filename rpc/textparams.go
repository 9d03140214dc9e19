package rpc

import (
	"math"
	"strconv"

	"github.com/agent-lsp/agent-lsp/rpc/jsonrpc"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// The protocol library's decoders are not used for texts. They take a change
// with a negative line for one of the whole document, a missing version for
// 0 and null for a range at the start; they spell URIs anew, which then are
// not the client's; and they copy a text several times.

// openedText is what textDocument/didOpen tells.
type openedText struct {
	uri            string // as the client spells it
	language       string
	version        int32
	text           string
	loneSurrogates bool // the text has lone surrogates, shown as U+FFFD
}

// changedText is what textDocument/didChange tells.
type changedText struct {
	uri     string // as the client spells it
	version int32
	changes []changedSpan
}

// changedSpan is one change; each refers to the text that the one before it
// left. The positions are in LSP's range, but their order is not checked.
type changedSpan struct {
	whole          bool // the new text is the document's, and there are no positions
	start, end     text.Position
	text           string
	loneSurrogates bool // the text has lone surrogates, shown as U+FFFD
}

// parseOpened decodes the params of didOpen. The error is
// [fault.InvalidParams]; the URI is set if it could be read.
func parseOpened(params jsonrpc.RawMessage) (openedText, error) {
	var out openedText
	r := paramsReader{Decoder: wire.NewDecoder(params)}
	bad := r.members("params", []string{"textDocument"}, func(string) error {
		return r.members("textDocument", []string{"uri", "languageId", "version", "text"}, func(name string) error {
			switch name {
			case "uri":
				return r.string(name, &out.uri)
			case "languageId":
				return r.string(name, &out.language)
			case "version":
				return r.int32(name, &out.version)
			default:
				return r.whole(name, &out.text, &out.loneSurrogates)
			}
		})
	})
	return out, r.outcome("didOpen", bad)
}

// parseChanged decodes the params of didChange. The error is
// [fault.InvalidParams]; the URI is set if it could be read, so that it is
// known whose text is out of sync.
func parseChanged(params jsonrpc.RawMessage) (changedText, error) {
	var out changedText
	r := paramsReader{Decoder: wire.NewDecoder(params)}
	bad := r.members("params", []string{"textDocument", "contentChanges"}, func(name string) error {
		if name == "contentChanges" {
			return r.elements(name, func() error {
				out.changes = append(out.changes, changedSpan{})
				return r.change(&out.changes[len(out.changes)-1])
			})
		}
		return r.members(name, []string{"uri", "version"}, func(name string) error {
			if name == "uri" {
				return r.string(name, &out.uri)
			}
			return r.int32(name, &out.version)
		})
	})
	return out, r.outcome("didChange", bad)
}

func (r *paramsReader) change(out *changedSpan) error {
	out.whole = true
	return r.members("change", []string{"text", "range?"}, func(name string) error {
		if name == "text" {
			return r.whole(name, &out.text, &out.loneSurrogates)
		}
		out.whole = false
		return r.members(name, []string{"start", "end"}, func(name string) error {
			if name == "start" {
				return r.position(name, &out.start)
			}
			return r.position(name, &out.end)
		})
	})
}

func (r *paramsReader) position(what string, out *text.Position) error {
	return r.members(what, []string{"line", "character"}, func(name string) error {
		if name == "line" {
			return r.uinteger(name, &out.Line)
		}
		return r.uinteger(name, &out.Character)
	})
}

// paramsReader decodes params in one pass. What does not fit is passed over
// and remembered, so that the rest is still read.
type paramsReader struct {
	*wire.Decoder
	flaw string // the first thing that does not fit
}

func (r *paramsReader) outcome(what string, bad error) error {
	switch {
	case bad != nil:
		return fault.New(fault.InvalidParams, "%s: invalid JSON behind byte %d", what, r.InputOffset())
	case r.flaw != "":
		return fault.New(fault.InvalidParams, "%s: %s", what, r.flaw)
	}
	return nil
}

func (r *paramsReader) misfit(why string) {
	if r.flaw == "" {
		r.flaw = why
	}
}

// skip passes over a value that does not fit.
func (r *paramsReader) skip(why string) error {
	r.misfit(why)
	return r.SkipValue()
}

// members reads an object. known are its members; each is there once, and may be
// missing when it ends with "?". read is called for each that is there and reads
// its value. Others are passed over.
func (r *paramsReader) members(what string, known []string, read func(name string) error) error {
	if r.PeekKind() != '{' {
		return r.skip(what + " is no object")
	}
	var seen uint
	_, bad := r.ReadToken()
	for bad == nil && r.PeekKind() != '}' {
		bad = r.member(what, known, &seen, read)
	}
	if bad == nil {
		_, bad = r.ReadToken()
	}
	for i, name := range known {
		if bad == nil && seen&(1<<i) == 0 && required(name) == name {
			r.misfit(what + " has no " + name)
		}
	}
	return bad
}

func (r *paramsReader) member(what string, known []string, seen *uint, read func(name string) error) error {
	quoted, bad := r.ReadValue()
	if bad != nil {
		return bad
	}
	i := indexOf(known, quoted[1:len(quoted)-1])
	if i < 0 {
		return r.SkipValue()
	}
	if *seen&(1<<i) != 0 {
		return r.skip(what + " has a member twice")
	}
	*seen |= 1 << i
	return read(required(known[i]))
}

func indexOf(known []string, name []byte) int {
	for i, k := range known {
		if required(k) == string(name) {
			return i
		}
	}
	return -1
}

// required is name without the mark of what may be missing.
func required(name string) string {
	if name[len(name)-1] == '?' {
		return name[:len(name)-1]
	}
	return name
}

func (r *paramsReader) elements(what string, read func() error) error {
	if r.PeekKind() != '[' {
		return r.skip(what + " is no array")
	}
	_, bad := r.ReadToken()
	for bad == nil && r.PeekKind() != ']' {
		bad = read()
	}
	if bad == nil {
		_, bad = r.ReadToken()
	}
	return bad
}

func (r *paramsReader) string(what string, out *string) error {
	return r.whole(what, out, new(bool))
}

// whole reads a document's text, and reports whether it holds lone surrogates.
func (r *paramsReader) whole(what string, out *string, loneSurrogates *bool) error {
	raw, bad := r.ReadValue()
	switch {
	case bad != nil:
	case raw.Kind() != '"':
		r.misfit(what + " is no string")
	default:
		*out, *loneSurrogates = wire.Unquote(raw), jsonrpc.HasLoneSurrogate(raw)
	}
	return bad
}

func (r *paramsReader) int32(what string, out *int32) error {
	n, bad := r.integer(what, math.MinInt32)
	*out = int32(n)
	return bad
}

func (r *paramsReader) uinteger(what string, out *uint32) error {
	n, bad := r.integer(what, 0)
	*out = uint32(n)
	return bad
}

// integer reads a whole number from least to LSP's largest, 2^31-1.
func (r *paramsReader) integer(what string, least int64) (int64, error) {
	raw, bad := r.ReadValue()
	if bad != nil {
		return 0, bad
	}
	n, err := strconv.ParseInt(string(raw), 10, 32)
	if err != nil || n < least {
		r.misfit(what + " is no number of LSP's range")
		return 0, nil
	}
	return n, nil
}
