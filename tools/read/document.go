package read

import (
	"context"
	"fmt"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/media"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/outline"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// readDocument answers a PDF: the document itself, and its text as far as it
// can be told. Ranges and pages are of that text, and come without the
// document; so does a document that is too large to be sent.
func readDocument(ctx context.Context, semaphore *media.Semaphore, compiled string, f *buffers.File, in Input, out *Output) error {
	switch {
	case f.SizeBytes > media.MaxPDFFile:
		return fault.New(fault.FileTooLarge, "application/pdf of %d bytes; at most %d can be sent, and the text be read of at most %d", f.SizeBytes, media.MaxBytes, media.MaxPDFFile).
			At(f.Path.Rel).Advise("Make a smaller copy of it and read that.").With("size_bytes", f.SizeBytes)
	case in.Symbol != "":
		return fault.New(fault.SymbolNotFound, "no symbol %q: a PDF has none", wording.Shortened(in.Symbol)).At(f.Path.Rel).
			Advise("Read it without symbol; offset and limit page through its text.")
	}
	leave, err := semaphore.Acquire(ctx)
	if err != nil {
		return err
	}
	defer leave()
	raw, err := f.ReadRaw(nil, 0, int(f.SizeBytes))
	if err != nil {
		return fault.From(err).At(f.Path.Rel)
	}
	pdf, err := semaphore.PDF(ctx, raw, compiled)
	if err != nil {
		return err
	}
	whole := in.mode() == modeOffset && in.Offset == nil
	switch {
	case pdf.Broken && f.SizeBytes <= media.MaxBytes:
		return fault.New(fault.BinaryFile, "a broken PDF of %d bytes: there is nothing in it", f.SizeBytes).At(f.Path.Rel).
			Advise("It is not sent, for a model's host would refuse it. Call again with allow_binary: true to get its bytes as base64.")
	case f.SizeBytes <= media.MaxBytes && (whole || pdf.Text == ""):
		out.serveAsBlock(ModeDocument, toolcall.TypeDocument, toolcall.Block{MIMEType: "application/pdf", URI: out.URI, Data: raw})
	case pdf.Text == "":
		return fault.New(fault.FileTooLarge, "application/pdf of %d bytes; at most %d can be sent", f.SizeBytes, media.MaxBytes).
			At(f.Path.Rel).Advise("Make a smaller copy of it and read that. %s", pdf.Note).With("size_bytes", f.SizeBytes)
	default:
		out.serveAsBlock(ModeDocument, toolcall.TypeDocument, toolcall.Block{})
		out.blocks = nil
		if whole {
			out.Notes = append(out.Notes, fmt.Sprintf("It is over %d bytes: only its text is sent.", media.MaxBytes))
		}
	}
	if pdf.Note != "" {
		out.Notes = append(out.Notes, pdf.Note)
	}
	if pdf.Text == "" {
		return nil
	}
	return showPDF(pdf, in, out)
}

// showPDF puts the text of a PDF into the answer, or the part of it that was
// asked for: lines and bytes are those of that text.
func showPDF(pdf media.PDFText, in Input, out *Output) error {
	content := text.New(pdf.Text)
	length, lines := content.Len(), content.Lines()
	out.TextBytes, out.TotalLines, out.EOF = &length, &lines, false
	var err error
	switch in.mode() {
	case modeLines:
		err = readLines(content, in, out)
	case modeBytes:
		err = readWindow(content, in, out, func(w outline.Window) outline.Widening {
			return outline.Widening{Span: w.Span, Reason: "the text of a PDF has no syntax"}
		})
	default:
		err = readPage(content, in, out)
	}
	if err != nil {
		return err
	}
	out.rendered = fmt.Sprintf("application/pdf, %d bytes, %s", out.SizeBytes, wording.Plural(pdf.Pages, "page", "pages"))
	if s := out.LinesShown; s != nil {
		out.rendered += fmt.Sprintf("; lines %d-%d of %d of its text", s.Start, s.End, lines)
	}
	return nil
}
