package media

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"

	"golang.org/x/image/draw"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// remake scales a decoded image down to what may be sent, turns it upright,
// and encodes it.
func remake(ctx context.Context, src image.Image, f format, raw []byte) (Image, error) {
	small, err := scaled(ctx, src)
	if err != nil {
		return Image{}, err
	}
	var notes []string
	if f.mimeType == "image/jpeg" {
		if o := scanJPEG(raw).orientation; o != 1 {
			small = upright(small, o)
			notes = append(notes, "It was turned as its EXIF orientation says.")
		}
	}
	if f.mimeType == "image/gif" && isAnimatedGIF(raw) {
		notes = append(notes, "Of the animation only the first frame is sent.")
	}
	out, err := encode(ctx, small, f.photo)
	if err != nil {
		return Image{}, err
	}
	out.Width, out.Height, out.Notes = small.Rect.Dx(), small.Rect.Dy(), notes
	return out, nil
}

// scaled returns src with no edge over maxEdge. It averages whole pixels down
// to less than twice that, then interpolates: a kernel over all pixels would
// take a multiple of the memory of the image.
func scaled(ctx context.Context, src image.Image) (*image.RGBA, error) {
	edge := max(src.Bounds().Dx(), src.Bounds().Dy())
	small, err := reduced(ctx, src, max(1, edge/maxEdge))
	if err != nil || edge <= maxEdge {
		return small, err
	}
	fit := func(n int) int { return max(1, (n*maxEdge+edge/2)/edge) }
	size := image.Pt(fit(src.Bounds().Dx()), fit(src.Bounds().Dy()))
	if small.Rect.Size() == size {
		return small, nil
	}
	dst := image.NewRGBA(image.Rectangle{Max: size})
	draw.ApproxBiLinear.Scale(dst, dst.Rect, small, small.Rect, draw.Src, nil)
	return dst, nil
}

// reduced returns src with by times by pixels averaged to one.
func reduced(ctx context.Context, src image.Image, by int) (*image.RGBA, error) {
	b := src.Bounds()
	across, down := min(by, b.Dx()), min(by, b.Dy())
	dst := image.NewRGBA(image.Rect(0, 0, b.Dx()/across, b.Dy()/down))
	row := image.NewRGBA(image.Rect(0, 0, dst.Rect.Dx()*across, 1))
	sums := make([]uint32, 4*dst.Rect.Dx())
	for y := range dst.Rect.Dy() {
		if ctx.Err() != nil {
			return nil, fault.From(ctx.Err())
		}
		clear(sums)
		for d := range down {
			draw.Draw(row, row.Rect, src, image.Pt(b.Min.X, b.Min.Y+y*down+d), draw.Src)
			addRow(sums, row.Pix, across)
		}
		for i, s := range sums {
			dst.Pix[y*dst.Stride+i] = uint8(s / uint32(across*down))
		}
	}
	return dst, nil
}

// addRow adds each across pixels of pix to one of sums.
func addRow(sums []uint32, pix []uint8, across int) {
	for i, at := 0, 0; i < len(sums); i += 4 {
		for range across {
			sums[i] += uint32(pix[at])
			sums[i+1] += uint32(pix[at+1])
			sums[i+2] += uint32(pix[at+2])
			sums[i+3] += uint32(pix[at+3])
			at += 4
		}
	}
}

// upright turns src as an EXIF orientation from 2 to 8 says.
func upright(src *image.RGBA, orientation int) *image.RGBA {
	w, h := src.Rect.Dx(), src.Rect.Dy()
	size := image.Pt(w, h)
	if orientation >= 5 { // the axes change places
		size = image.Pt(h, w)
	}
	dst := image.NewRGBA(image.Rectangle{Max: size})
	for y := range h {
		for x := range w {
			to := turned(x, y, w, h, orientation)
			copy(dst.Pix[dst.PixOffset(to.X, to.Y):][:4], src.Pix[src.PixOffset(x, y):][:4])
		}
	}
	return dst
}

// turned returns where the pixel at x, y of a w by h image goes.
func turned(x, y, w, h, orientation int) image.Point {
	right, bottom := w-1-x, h-1-y
	switch orientation {
	case 2:
		return image.Pt(right, y)
	case 3:
		return image.Pt(right, bottom)
	case 4:
		return image.Pt(x, bottom)
	case 5:
		return image.Pt(y, x)
	case 6:
		return image.Pt(bottom, x)
	case 7:
		return image.Pt(bottom, right)
	case 8:
		return image.Pt(y, right)
	}
	return image.Pt(x, y)
}

// encode makes a PNG of what is drawn, and a JPEG of photographs and of what
// is too large as a PNG.
func encode(ctx context.Context, m *image.RGBA, photo bool) (Image, error) {
	if !photo {
		var b bytes.Buffer
		if err := png.Encode(&b, m); err != nil {
			return Image{}, err
		}
		if b.Len() <= MaxBytes {
			return Image{MIMEType: "image/png", Data: b.Bytes()}, nil
		}
	}
	m = onWhite(m)
	for quality := 85; quality > 0; quality -= 25 {
		if ctx.Err() != nil {
			return Image{}, fault.From(ctx.Err())
		}
		var b bytes.Buffer
		if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: quality}); err != nil {
			return Image{}, err
		}
		if b.Len() <= MaxBytes {
			return Image{MIMEType: "image/jpeg", Data: b.Bytes()}, nil
		}
	}
	return Image{}, fault.New(fault.FileTooLarge, "the image is over %d bytes even when scaled down", MaxBytes)
}

// onWhite returns m with white behind it: JPEG knows no transparency.
func onWhite(m *image.RGBA) *image.RGBA {
	if m.Opaque() {
		return m
	}
	dst := image.NewRGBA(m.Rect)
	draw.Draw(dst, dst.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	draw.Draw(dst, dst.Rect, m, image.Point{}, draw.Over)
	return dst
}
