package tools

import (
	"github.com/agent-lsp/agent-lsp/tools/change"
	"github.com/agent-lsp/agent-lsp/tools/read"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/usage"
)

// counted returns what a call adds to the usage figures.
func counted(d Definition, who toolcall.Client, r toolcall.Result) usage.Call {
	c := usage.Call{Tool: d.Name, Bytes: servedBytes(r)}
	if r.Err != nil {
		c.Failed = r.Err.Kind
		return c
	}
	switch out := r.Output.(type) {
	case *read.Output:
		c.Read = countedRead(who, out)
	case *change.Output:
		for i := range out.Files {
			if out.Files[i].Merged {
				c.Merged++
			}
		}
	}
	return c
}

func servedBytes(r toolcall.Result) int64 {
	n := len(r.Header) + len(r.Body) + len(r.After)
	for _, b := range r.Blocks {
		n += len(b.Data)
	}
	return int64(n)
}

// servedRange names a range of a text that a client was served.
type servedRange struct {
	who        toolcall.Client
	path, hash string
	shown      toolcall.ByteRange
}

func countedRead(who toolcall.Client, out *read.Output) *usage.Read {
	c := &usage.Read{WholeBytes: out.WholeBytes(), NotModified: out.NotModified}
	if out.BytesShown != nil {
		c.Range = servedRange{who, out.Path, out.ContentHash, *out.BytesShown}
	}
	return c
}
