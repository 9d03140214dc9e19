package tools

import (
	"strconv"

	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// AppendJSON appends the answer as the codec would write it, but several times
// faster: there can be 100,000 hits.
func (out *grepOutput) AppendJSON(dst []byte) ([]byte, error) {
	dst = append(dst, `{"output":`...)
	dst = wire.AppendString(dst, string(out.Output))
	dst = append(dst, `,"files":[`...)
	for i := range out.Files {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = out.Files[i].appendJSON(dst)
	}
	at := len(append(dst, ']'))
	dst, err := toolcall.AppendJSON(append(dst, ']'), &out.grepCounts)
	if err == nil {
		dst[at] = ',' // they go on in the same object
	}
	return dst, err
}

func (f *grepFile) appendJSON(dst []byte) []byte {
	dst = wire.AppendString(append(dst, `{"path":`...), f.Path)
	dst = wire.AppendString(append(dst, `,"uri":`...), f.URI)
	dst = wire.AppendString(append(dst, `,"source":`...), string(f.Source))
	dst = appendTrue(dst, "dirty", f.Dirty)
	dst = appendTrue(dst, "disk_changed", f.DiskChanged)
	dst = appendTrue(dst, "unsure", f.OutOfSync)
	dst = wire.AppendString(append(dst, `,"content_hash":`...), f.ContentHash)
	if f.Count != 0 {
		dst = appendInt(dst, "count", f.Count)
	}
	if len(f.Hits) > 0 {
		dst = append(dst, `,"hits":[`...)
		for i := range f.Hits {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = f.Hits[i].appendJSON(dst)
		}
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

func (h *grepHit) appendJSON(dst []byte) []byte {
	dst = strconv.AppendInt(append(dst, `{"line":`...), int64(h.Line), 10)
	if h.EndLine != 0 {
		dst = appendInt(dst, "end_line", h.EndLine)
	}
	dst = appendInt(dst, "column", h.Column)
	dst = appendInt(dst, "byte", h.Byte)
	dst = wire.AppendString(append(dst, `,"text":`...), h.Text)
	dst = appendTrue(dst, "cut_before", h.CutBefore)
	dst = appendTrue(dst, "cut_after", h.CutAfter)
	if h.Symbol != "" {
		dst = wire.AppendString(append(dst, `,"symbol":`...), h.Symbol)
	}
	if d := h.Definition; d != nil {
		dst = strconv.AppendInt(append(dst, `,"definition":{"start_line":`...), int64(d.StartLine), 10)
		dst = appendInt(dst, "end_line", d.EndLine)
		if d.Text != "" {
			dst = wire.AppendString(append(dst, `,"text":`...), d.Text)
		}
		dst = append(dst, '}')
	}
	dst = appendStrings(dst, "before", h.Before)
	return append(appendStrings(dst, "after", h.After), '}')
}

// appendInt appends a further member of an object.
func appendInt(dst []byte, name string, n int) []byte {
	dst = append(append(append(dst, `,"`...), name...), `":`...)
	return strconv.AppendInt(dst, int64(n), 10)
}

// appendTrue appends a further member of an object when it is true.
func appendTrue(dst []byte, name string, v bool) []byte {
	if !v {
		return dst
	}
	return append(append(append(dst, `,"`...), name...), `":true`...)
}

// appendStrings appends a further member of an object when there are any.
func appendStrings(dst []byte, name string, list []string) []byte {
	if len(list) == 0 {
		return dst
	}
	dst = append(append(append(dst, `,"`...), name...), `":[`...)
	for i, s := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = wire.AppendString(dst, s)
	}
	return append(dst, ']')
}
