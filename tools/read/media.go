package read

import (
	"context"
	"encoding/base64"
	"fmt"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/media"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// MediaMode reports how a file is served that holds no text; "" for text.
func MediaMode(f *buffers.File) Mode {
	switch media.Identify(f.Magic, f.Binary).Class {
	case media.AnImage:
		return modeImage
	case media.ADocument:
		return ModeDocument
	}
	if f.Binary {
		return modeBinary
	}
	return ""
}

// readImage answers an image as a block, made fit for a model.
func readImage(ctx context.Context, semaphore *media.Semaphore, f *buffers.File, out *Output) error {
	kind := media.Identify(f.Magic, f.Binary)
	if f.SizeBytes > media.MaxImageFile {
		return fault.New(fault.FileTooLarge, "an image (%s) of %d bytes; at most %d are read to scale it down", kind.MIMEType, f.SizeBytes, media.MaxImageFile).
			At(f.Path.Rel).Advise("Make a smaller copy of it and read that.").With("size_bytes", f.SizeBytes)
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
	image, err := semaphore.Image(ctx, kind.MIMEType, raw)
	if err != nil {
		return imageFault(err, f)
	}
	out.serveAsBlock(modeImage, toolcall.TypeImage, toolcall.Block{MIMEType: image.MIMEType, URI: out.URI, Data: image.Data})
	out.Notes = image.Notes
	out.imageSize = fmt.Sprintf("%dx%d", image.Width, image.Height)
	return nil
}

// imageFault says of a file what keeps its image from being sent.
func imageFault(err error, f *buffers.File) error {
	e := fault.From(err)
	if f.SizeBytes > media.MaxBytes && e.Kind == fault.BinaryFile {
		e = fault.New(fault.FileTooLarge, "%s; of %d bytes, and at most %d can be sent as they are", e.Message, f.SizeBytes, media.MaxBytes).Advise("%s", e.Hint)
	}
	return e.At(f.Path.Rel).With("size_bytes", f.SizeBytes).With("content_hash", f.Hash.String())
}

// serveAsBlock makes an answer one of a block. What is told of texts does not
// hold for it.
func (o *Output) serveAsBlock(mode Mode, kind toolcall.ContentType, b toolcall.Block) {
	*o = Output{
		FileState:  toolcall.FileState{Path: o.Path, URI: o.URI, Source: o.Source},
		TextFormat: toolcall.TextFormat{ContentType: kind},
		ReadMode:   mode,
		Extent:     toolcall.Extent{SizeBytes: o.SizeBytes, ContentHash: o.ContentHash},
		EOF:        true,
		blocks:     []toolcall.Block{b},
	}
}

func readBinary(f *buffers.File, in Input, out *Output) error {
	if !in.AllowBinary {
		return binaryFault(f)
	}
	start := min(toolcall.NumberOr(in.StartByte, 0), int(f.SizeBytes))
	size := min(toolcall.NumberOr(in.MaxBytes, maxWindowBytes), maxWindowBytes)
	if size == 0 {
		return fault.New(fault.InvalidParams, `"max_bytes" must be at least 1`)
	}
	size = min(size, base64.StdEncoding.DecodedLen(in.shareOf(base64.StdEncoding.EncodedLen(maxWindowBytes))))
	data, err := f.ReadRaw(nil, int64(start), size)
	if err != nil {
		return fault.From(err).At(f.Path.Rel)
	}
	end := start + len(data)
	out.ReadMode, out.ContentType, out.Encoding = modeBinary, toolcall.TypeBinary, "base64"
	out.ContentBase64 = base64.StdEncoding.EncodeToString(data)
	out.BytesShown = &toolcall.ByteRange{Start: start, End: end}
	out.Clamped = toolcall.NumberOr(in.MaxBytes, 0) > maxWindowBytes
	out.EOF = int64(end) == f.SizeBytes
	out.Truncated = !out.EOF
	if !out.EOF {
		out.NextStartByte = &end
	}
	return nil
}

// binaryFault names what a binary file is and says what to do about it.
func binaryFault(f *buffers.File) error {
	kind, err := formatOf(f)
	if err != nil {
		return fault.From(err).At(f.Path.Rel)
	}
	const insist = "Call again with allow_binary: true to get it as base64."
	message, hint := fmt.Sprintf("a binary file of %d bytes", f.SizeBytes), insist
	if kind.Name != "" {
		message = fmt.Sprintf("%s, %d bytes", kind.Name, f.SizeBytes)
		hint = kind.Advice + " Or call again with allow_binary: true to get it as base64."
	}
	e := fault.New(fault.BinaryFile, "%s", message).At(f.Path.Rel).Advise("%s", hint).
		With("size_bytes", f.SizeBytes).With("content_hash", f.Hash.String())
	if kind.Name != "" {
		e = e.With("format", kind.Name)
	}
	return e
}

// formatOf looks into a binary file to name it.
func formatOf(f *buffers.File) (media.Kind, error) {
	head, err := f.ReadRaw(nil, 0, media.HeadBytes)
	if err != nil {
		return media.Kind{}, err
	}
	kind := media.Identify(string(head), true)
	if kind.IsZip() {
		return media.InZip(string(head), f.SizeBytes, func(off int64, n int) ([]byte, error) {
			return f.ReadRaw(nil, off, n)
		}), nil
	}
	return kind, nil
}
