package tools

import (
	"context"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/media"
)

// readDocument answers a PDF as a document.
func readDocument(ctx context.Context, desk *media.Desk, f *buffers.File, in readInput, out *readOutput) error {
	if f.SizeBytes > media.MaxBytes {
		return fault.New(fault.FileTooLarge, "application/pdf of %d bytes; at most %d can be sent", f.SizeBytes, media.MaxBytes).
			At(f.Path.Rel).Advise("Make a smaller copy of it and read that.").With("size_bytes", f.SizeBytes)
	}
	leave, err := desk.Enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	raw, err := f.ReadRaw(nil, 0, int(f.SizeBytes))
	if err != nil {
		return fault.From(err).At(f.Path.Rel)
	}
	out.serveAsBlock(modeDocument, typeDocument, Block{MIMEType: "application/pdf", URI: out.URI, Data: raw})
	return nil
}
