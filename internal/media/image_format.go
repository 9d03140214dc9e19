package media

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"
	"golang.org/x/image/webp"
)

// format is an image format that can be decoded.
type format struct {
	mimeType string
	native   bool // models take it as it is
	photo    bool // its images are seldom drawn: JPEG suits them
	config   func(io.Reader) (image.Config, error)
	decode   func(io.Reader) (image.Image, error)
}

func formatOf(mimeType string) (format, bool) {
	for _, f := range [...]format{
		{"image/png", true, false, png.DecodeConfig, png.Decode},
		{"image/jpeg", true, true, jpeg.DecodeConfig, jpeg.Decode},
		{"image/gif", true, false, gif.DecodeConfig, gif.Decode},
		{"image/webp", true, false, webp.DecodeConfig, webp.Decode},
		{"image/bmp", false, false, bmp.DecodeConfig, bmp.Decode},
		{"image/tiff", false, false, tiff.DecodeConfig, tiff.Decode},
	} {
		if f.mimeType == mimeType {
			return f, true
		}
	}
	return format{}, false
}

// whole reports what is missing of a file that was cut off. It looks at how
// the file is put together, not at each pixel.
func (f format) whole(raw []byte) error {
	switch f.mimeType {
	case "image/png":
		return wholePNG(raw)
	case "image/jpeg":
		last := bytes.LastIndex(raw, []byte{0xFF, markSOS})
		if last < 0 {
			return errors.New("it has no image data")
		}
		if !bytes.Contains(raw[last:], []byte{0xFF, markEOI}) {
			return errors.New("the file is cut off")
		}
	case "image/gif":
		if imagesOfGIF(raw, 1) == 0 {
			return errors.New("its image is missing or cut off")
		}
	case "image/webp":
		if size := binary.LittleEndian.Uint32(raw[4:]); int64(size)+8 > int64(len(raw))+1 {
			return errors.New("the file is cut off")
		}
	}
	return nil
}

// wholePNG walks the chunks of a PNG to its end.
func wholePNG(raw []byte) error {
	const signature, around = 8, 12
	hasData := false
	for at := signature; at+around <= len(raw); {
		size := int64(binary.BigEndian.Uint32(raw[at:]))
		switch string(raw[at+4 : at+8]) {
		case "IDAT":
			hasData = true
		case "IEND":
			if !hasData {
				return errors.New("it has no image data")
			}
			return nil
		}
		if size > int64(len(raw)-at-around) {
			break
		}
		at += around + int(size)
	}
	return errors.New("the file is cut off")
}

// decodedBytes is about what decoding takes at its peak, in bytes.
func (f format) decodedBytes(size image.Config, raw []byte) int64 {
	pixels := int64(size.Width) * int64(size.Height)
	switch f.mimeType {
	case "image/jpeg":
		return scanJPEG(raw).decodedBytes(pixels)
	case "image/webp":
		return 12 * pixels // the image before and after its transforms
	case "image/png":
		const interlace = 28 // where the header tells it
		if raw[interlace] != 0 {
			pixels += pixels / 2 // its passes are images too
		}
	}
	return pixels * bytesPerPixel(size.ColorModel)
}

// bytesPerPixel is what an image of a color model takes.
func bytesPerPixel(m color.Model) int64 {
	switch m {
	case color.GrayModel:
		return 1
	case color.Gray16Model:
		return 2
	case color.RGBA64Model, color.NRGBA64Model:
		return 8
	}
	if _, ok := m.(color.Palette); ok {
		return 1
	}
	return 4
}

// scans is how many passes over the pixels a file asks for.
func (f format) scans(raw []byte) int {
	if f.mimeType != "image/jpeg" {
		return 1
	}
	return bytes.Count(raw, []byte{0xFF, markSOS})
}

// isAnimatedGIF reports whether a GIF has more than one image.
func isAnimatedGIF(raw []byte) bool { return imagesOfGIF(raw, 2) == 2 }

// imagesOfGIF walks the blocks of a GIF and counts its images, up to most;
// those that are cut off do not count.
func imagesOfGIF(raw []byte, most int) (images int) {
	const header, descriptor = 13, 10
	if len(raw) < header {
		return 0
	}
	for at := header + colorTable(raw[10]); at < len(raw) && images < most; at++ {
		isImage := raw[at] == 0x2C
		switch {
		case raw[at] == 0x21: // an extension: its label, then blocks
			at += 2
		case !isImage || at+descriptor > len(raw):
			return images
		default:
			at += descriptor + colorTable(raw[at+9]) + 1
		}
		for at < len(raw) && raw[at] != 0 {
			at += 1 + int(raw[at])
		}
		if isImage && at < len(raw) {
			images++
		}
	}
	return images
}

// colorTable is the length of the table that flags announce, in bytes.
func colorTable(flags byte) int {
	if flags&0x80 == 0 {
		return 0
	}
	return 3 << (flags&7 + 1)
}
