package tools

// counted returns what a call adds to the usage figures.
func counted(d Definition, who Client, r Result) CountedCall {
	c := CountedCall{Tool: d.Name, Bytes: servedBytes(r)}
	if r.Err != nil {
		c.Failed = r.Err.Kind
		return c
	}
	switch out := r.Output.(type) {
	case *readOutput:
		c.Read = countedRead(who, out)
	case *changeOutput:
		for i := range out.Files {
			if out.Files[i].Merged {
				c.Merged++
			}
		}
	}
	return c
}

func servedBytes(r Result) int64 {
	n := len(r.Header) + len(r.Body) + len(r.After)
	for _, b := range r.Blocks {
		n += len(b.Data)
	}
	return int64(n)
}

// servedRange names a range of a text that a client was served.
type servedRange struct {
	who        Client
	path, hash string
	shown      byteRange
}

func countedRead(who Client, out *readOutput) *CountedRead {
	c := &CountedRead{WholeBytes: out.wholeBytes(), NotModified: out.NotModified}
	if out.BytesShown != nil {
		c.Range = servedRange{who, out.Path, out.ContentHash, *out.BytesShown}
	}
	return c
}
