package media

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// Limits of images.
const (
	// MaxBytes caps an image or a document as it is sent.
	MaxBytes = 5 << 20
	// MaxImageFile is the largest file that is taken to be scaled down, in
	// bytes.
	MaxImageFile = 64 << 20
	// maxEdge is the longest edge that is sent, in pixels. Models scale down
	// themselves what is longer than about 1568; longer than 2000 their hosts
	// refuse, in conversations with many images.
	maxEdge = 2000
	// maxPixels and maxDecodedBytes are what is decoded at all: a file of a
	// kilobyte can ask for gigabytes.
	maxPixels       = 50_000_000
	maxDecodedBytes = 256 << 20
	// maxScans is how many passes over a JPEG its file may ask for: each is
	// work on all its pixels.
	maxScans = 100
)

// Image is an image as it is sent.
type Image struct {
	MIMEType      string
	Width, Height int // of Data, in pixels
	Data          []byte
	// Notes tell what was done to the file's image, and why.
	Notes []string
}

// Image makes raw, a file of an image format that [Identify] named, fit to be
// sent: as it is where that is possible, else scaled down or in another
// format. The caller holds a place of the semaphore.
//
// Errors: binary_file for what is broken, file_too_large for what is over the
// limits, cancelled.
func (s *Semaphore) Image(ctx context.Context, mimeType string, raw []byte) (Image, error) {
	format, ok := formatOf(mimeType)
	if !ok {
		return Image{}, fault.New(fault.Internal, "%s is no image format", mimeType)
	}
	size, err := guarded(func() (image.Config, error) { return format.config(reader(ctx, raw)) })
	if err == nil && (size.Width <= 0 || size.Height <= 0) {
		err = errors.New("it has no pixels")
	}
	if err == nil {
		err = format.whole(raw)
	}
	if err != nil {
		return Image{}, broken(ctx, mimeType, err)
	}
	edge := max(size.Width, size.Height)
	if format.native && edge <= maxEdge && len(raw) <= MaxBytes {
		return Image{MIMEType: mimeType, Width: size.Width, Height: size.Height, Data: raw}, nil
	}
	if err := format.affordable(size, raw); err != nil {
		return Image{}, err
	}
	decoded, err := guarded(func() (image.Image, error) { return format.decode(reader(ctx, raw)) })
	if err != nil {
		return Image{}, broken(ctx, mimeType, err)
	}
	out, err := guarded(func() (Image, error) { return remake(ctx, decoded, format, raw) })
	if err != nil {
		return Image{}, broken(ctx, mimeType, err)
	}
	out.Notes = append(out.Notes, fmt.Sprintf("The file's image is %s, %dx%d pixels, %d bytes; sent is %s, %dx%d, %d bytes (%s).",
		mimeType, size.Width, size.Height, len(raw), out.MIMEType, out.Width, out.Height, len(out.Data), why(format, edge)))
	return out, nil
}

// why tells for a note what kept an image from being sent as it is.
func why(f format, edge int) string {
	switch {
	case edge > maxEdge:
		return fmt.Sprintf("the longer edge is at most %d pixels", maxEdge)
	case !f.native:
		return "models take png, jpeg, gif and webp"
	}
	return fmt.Sprintf("at most %d bytes can be sent", MaxBytes)
}

// broken says that an image cannot be looked into.
func broken(ctx context.Context, mimeType string, err error) error {
	if ctx.Err() != nil {
		return fault.From(ctx.Err())
	}
	if fault.KindOf(err) == fault.FileTooLarge {
		return err
	}
	return fault.New(fault.BinaryFile, "a broken image (%s): %v", mimeType, err).
		Advise("It is not sent, for a model's host would refuse it. Call again with allow_binary: true to get its bytes as base64.")
}

// affordable refuses images that would take too much to decode.
func (f format) affordable(size image.Config, raw []byte) error {
	pixels := int64(size.Width) * int64(size.Height)
	tooMany := pixels > maxPixels || int64(size.Width) > maxPixels || int64(size.Height) > maxPixels
	if !tooMany && f.decodedBytes(size, raw) <= maxDecodedBytes && f.scans(raw) <= maxScans {
		return nil
	}
	return fault.New(fault.FileTooLarge, "an image (%s) of %dx%d pixels, more than can be decoded to scale it down; at most %d pixels in %d MiB are",
		f.mimeType, size.Width, size.Height, maxPixels, maxDecodedBytes>>20).
		Advise("Make a smaller copy of it, at most %d pixels long, and read that.", maxEdge).
		With("width", size.Width).With("height", size.Height)
}

// reader reads raw until ctx ends: that is how a decoder is cancelled.
func reader(ctx context.Context, raw []byte) *cancelReader { return &cancelReader{ctx, raw, 0} }

type cancelReader struct {
	ctx context.Context
	raw []byte
	at  int
}

func (r *cancelReader) Read(p []byte) (int, error) {
	if r.ctx.Err() != nil {
		return 0, r.ctx.Err()
	}
	if r.at >= len(r.raw) {
		return 0, io.EOF
	}
	n := copy(p, r.raw[r.at:])
	r.at += n
	return n, nil
}

// ReadAt lets decoders seek in raw that would keep a copy of it otherwise.
func (r *cancelReader) ReadAt(p []byte, off int64) (int, error) {
	if r.ctx.Err() != nil {
		return 0, r.ctx.Err()
	}
	if off < 0 || off >= int64(len(r.raw)) {
		return 0, io.EOF
	}
	n := copy(p, r.raw[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}
