package tools

import (
	"encoding/base64"
	"strings"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// mediaKind is a format that is served as it is, known by its first bytes
// whatever the name says.
type mediaKind struct {
	magic    string
	at       int
	mimeType string
	mode     readMode
}

var mediaKinds = [...]mediaKind{
	{"\x89PNG\r\n\x1a\n", 0, "image/png", modeImage},
	{"\xff\xd8\xff", 0, "image/jpeg", modeImage},
	{"GIF87a", 0, "image/gif", modeImage},
	{"GIF89a", 0, "image/gif", modeImage},
	{"WEBP", 8, "image/webp", modeImage},
	{"%PDF-", 0, "application/pdf", modeDocument},
}

// mediaOf tells what a file holds that is no text: an image, a document, else
// a binary. Its mode is empty when the file holds text.
func mediaOf(f *buffers.File) mediaKind {
	for _, m := range mediaKinds {
		if len(f.Magic) < m.at || !strings.HasPrefix(f.Magic[m.at:], m.magic) {
			continue
		}
		if m.at > 0 && !strings.HasPrefix(f.Magic, "RIFF") {
			continue
		}
		return m
	}
	if f.Binary {
		return mediaKind{mode: modeBinary}
	}
	return mediaKind{}
}

func readMedia(f *buffers.File, kind mediaKind, out *readOutput) error {
	if f.SizeBytes > maxMediaBytes {
		return fault.New(fault.FileTooLarge, "%s of %d bytes; at most %d can be sent", kind.mimeType, f.SizeBytes, maxMediaBytes).
			At(f.Path.Rel).Advise("Make a smaller copy of it and read that.").With("size_bytes", f.SizeBytes)
	}
	data, err := f.ReadRaw(nil, 0, int(f.SizeBytes))
	if err != nil {
		return fault.From(err).At(f.Path.Rel)
	}
	*out = readOutput{
		standing:   standing{Path: out.Path, URI: out.URI, Source: out.Source},
		textFormat: textFormat{ContentType: typeImage},
		ReadMode:   kind.mode,
		extent:     extent{SizeBytes: out.SizeBytes, ContentHash: out.ContentHash},
		EOF:        true,
		blocks:     []Block{{MIMEType: kind.mimeType, URI: out.URI, Data: data}},
	}
	if kind.mode == modeDocument {
		out.ContentType = typeDocument
	}
	return nil
}

func readBinary(f *buffers.File, in readInput, out *readOutput) error {
	if !in.AllowBinary {
		return fault.New(fault.BinaryFile, "a binary file of %d bytes", f.SizeBytes).At(f.Path.Rel).
			Advise("Call again with allow_binary: true to get it as base64.").
			With("size_bytes", f.SizeBytes).With("content_hash", f.Hash.String())
	}
	start := min(number(in.StartByte, 0), int(f.SizeBytes))
	size := min(number(in.MaxBytes, maxWindowBytes), maxWindowBytes)
	if size == 0 {
		return fault.New(fault.InvalidParams, `"max_bytes" must be at least 1`)
	}
	data, err := f.ReadRaw(nil, int64(start), size)
	if err != nil {
		return fault.From(err).At(f.Path.Rel)
	}
	end := start + len(data)
	out.ReadMode, out.ContentType, out.Encoding = modeBinary, typeBinary, "base64"
	out.ContentBase64 = base64.StdEncoding.EncodeToString(data)
	out.BytesShown = &byteRange{start, end}
	out.Clamped = number(in.MaxBytes, 0) > maxWindowBytes
	out.EOF = int64(end) == f.SizeBytes
	out.Truncated = !out.EOF
	if !out.EOF {
		out.NextStartByte = &end
	}
	return nil
}
