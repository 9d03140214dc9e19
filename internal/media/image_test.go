package media

import (
	"bytes"
	"context"
	"encoding/binary"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"slices"
	"strings"
	"testing"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// painted makes an image that is red at the left and blue at the right, with
// its first row green.
func painted(w, h int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.RGBA{R: 255, A: 255}
			switch {
			case y < h/8:
				c = color.RGBA{G: 255, A: 255}
			case x >= w/2:
				c = color.RGBA{B: 255, A: 255}
			}
			m.SetRGBA(x, y, c)
		}
	}
	return m
}

// encoded makes a file of m.
func encoded(t testing.TB, mimeType string, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	var err error
	switch mimeType {
	case "image/png":
		err = png.Encode(&b, m)
	case "image/jpeg":
		err = jpeg.Encode(&b, m, nil)
	case "image/gif":
		err = gif.Encode(&b, m, nil)
	case "image/bmp":
		err = bmp.Encode(&b, m)
	case "image/tiff":
		err = tiff.Encode(&b, m, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// turnedJPEG makes a JPEG whose EXIF says how it is to be turned.
func turnedJPEG(t testing.TB, m image.Image, orientation uint16, order binary.AppendByteOrder) []byte {
	t.Helper()
	exif := []byte("Exif\x00\x00MM\x00*")
	if order == binary.AppendByteOrder(binary.LittleEndian) {
		exif = []byte("Exif\x00\x00II*\x00")
	}
	exif = order.AppendUint32(exif, 8)
	exif = order.AppendUint16(exif, 1)
	exif = order.AppendUint16(exif, 0x0112)
	exif = order.AppendUint16(exif, 3)
	exif = order.AppendUint32(exif, 1)
	exif = order.AppendUint16(exif, orientation)
	exif = append(exif, 0, 0, 0, 0, 0, 0)
	out := binary.BigEndian.AppendUint16([]byte{0xFF, 0xD8, 0xFF, 0xE1}, uint16(len(exif)+2))
	return append(append(out, exif...), encoded(t, "image/jpeg", m)[2:]...)
}

func at(t *testing.T, data []byte, x, y float64) string {
	t.Helper()
	m, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	size := m.Bounds().Size()
	r, g, b, _ := m.At(int(x*float64(size.X-1)), int(y*float64(size.Y-1))).RGBA()
	switch max(r, g, b) {
	case r:
		return "red"
	case g:
		return "green"
	}
	return "blue"
}

func TestImageIsSentAsItIs(t *testing.T) {
	for _, mimeType := range []string{"image/png", "image/jpeg", "image/gif"} {
		raw := encoded(t, mimeType, painted(maxEdge, 3))
		got, err := NewSemaphore().Image(t.Context(), mimeType, raw)
		if err != nil || !bytes.Equal(got.Data, raw) || got.MIMEType != mimeType || got.Width != maxEdge || got.Height != 3 || got.Notes != nil {
			t.Errorf("%s: %s %dx%d, %d bytes of %d, %v, %v", mimeType, got.MIMEType, got.Width, got.Height, len(got.Data), len(raw), got.Notes, err)
		}
	}
}

func TestImageIsScaledDown(t *testing.T) {
	for mimeType, want := range map[string]string{
		"image/png": "image/png", "image/jpeg": "image/jpeg", "image/gif": "image/png", "image/bmp": "image/png", "image/tiff": "image/png",
	} {
		for _, size := range []image.Point{{2001, 40}, {40, 3000}, {4100, 80}, {9001, 7}} {
			raw := encoded(t, mimeType, painted(size.X, size.Y))
			got, err := NewSemaphore().Image(t.Context(), mimeType, raw)
			if err != nil || got.MIMEType != want || max(got.Width, got.Height) != maxEdge || len(got.Notes) != 1 {
				t.Errorf("%s of %v: %s %dx%d, %q, %v", mimeType, size, got.MIMEType, got.Width, got.Height, got.Notes, err)
				continue
			}
			if config, _, err := image.DecodeConfig(bytes.NewReader(got.Data)); err != nil || config.Width != got.Width || config.Height != got.Height {
				t.Errorf("%s of %v: it says %dx%d and is %dx%d, %v", mimeType, size, got.Width, got.Height, config.Width, config.Height, err)
			}
			if size.Y > 10 && (at(t, got.Data, 0, 0) != "green" || at(t, got.Data, 0.1, 0.9) != "red" || at(t, got.Data, 0.9, 0.9) != "blue") {
				t.Errorf("%s of %v: other colors", mimeType, size)
			}
		}
	}
}

// A file over the limit is made anew though its image is small enough; what
// compresses badly becomes a JPEG.
func TestImageOfManyBytes(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 1360, 1360))
	seed := uint32(1)
	for i := range m.Pix {
		seed = seed*1664525 + 1013904223
		if m.Pix[i] = uint8(seed >> 24); i%4 == 3 {
			m.Pix[i] = 255
		}
	}
	raw := encoded(t, "image/png", m)
	if len(raw) <= MaxBytes {
		t.Fatalf("the test's image has %d bytes", len(raw))
	}
	got, err := NewSemaphore().Image(t.Context(), "image/png", raw)
	if err != nil || got.MIMEType != "image/jpeg" || len(got.Data) > MaxBytes || got.Width != 1360 {
		t.Errorf("%s, %d bytes, %v", got.MIMEType, len(got.Data), err)
	}
}

func TestImageIsTurned(t *testing.T) {
	// Where the first row, which is green, comes to lie.
	for orientation, green := range map[uint16][2]float64{1: {.5, 0}, 2: {.5, 0}, 3: {.5, 1}, 4: {.5, 1}, 5: {0, .5}, 6: {1, .5}, 7: {1, .5}, 8: {0, .5}} {
		for _, order := range []binary.AppendByteOrder{binary.BigEndian, binary.LittleEndian} {
			raw := turnedJPEG(t, painted(2004, 64), orientation, order)
			got, err := NewSemaphore().Image(t.Context(), "image/jpeg", raw)
			if err != nil {
				t.Fatal(err)
			}
			if upright := got.Width > got.Height; upright != (orientation < 5) || at(t, got.Data, green[0], green[1]) != "green" {
				t.Errorf("orientation %d: %dx%d, green is elsewhere", orientation, got.Width, got.Height)
			}
			if said := strings.Contains(strings.Join(got.Notes, " "), "EXIF"); said != (orientation != 1) {
				t.Errorf("orientation %d: %q", orientation, got.Notes)
			}
		}
	}
}

func TestImageOfAnAnimation(t *testing.T) {
	frame := image.NewPaletted(image.Rect(0, 0, 2400, 2), color.Palette{color.Black, color.White})
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, &gif.GIF{Image: []*image.Paletted{frame, frame}, Delay: []int{1, 1}}); err != nil {
		t.Fatal(err)
	}
	got, err := NewSemaphore().Image(t.Context(), "image/gif", b.Bytes())
	if err != nil || !strings.Contains(strings.Join(got.Notes, " "), "first frame") {
		t.Errorf("%q, %v", got.Notes, err)
	}
}

// sized returns a PNG whose header tells another size than its image's.
func sized(t testing.TB, width, height uint32) []byte {
	raw := encoded(t, "image/png", painted(1, 1))
	header := raw[12:29]
	binary.BigEndian.PutUint32(header[4:], width)
	binary.BigEndian.PutUint32(header[8:], height)
	binary.BigEndian.PutUint32(raw[29:], checksum(header))
	return raw
}

// checksum is PNG's, by its definition.
func checksum(b []byte) uint32 {
	sum := ^uint32(0)
	for _, c := range b {
		sum ^= uint32(c)
		for range 8 {
			sum = sum>>1 ^ 0xEDB88320&-(sum&1)
		}
	}
	return ^sum
}

func TestImageThatIsNotSent(t *testing.T) {
	whole := encoded(t, "image/png", painted(40, 40))
	photo := encoded(t, "image/jpeg", painted(2400, 40))
	small, moving := encoded(t, "image/jpeg", painted(40, 40)), encoded(t, "image/gif", painted(40, 40))
	for _, tt := range []struct {
		name, mimeType string
		raw            []byte
		want           fault.Kind
	}{
		{"a bomb", "image/png", sized(t, 60000, 60000), fault.FileTooLarge},
		{"a line of a bomb", "image/png", sized(t, 1<<31-1, 1), fault.FileTooLarge},
		{"large and empty", "image/png", sized(t, 5000, 5000), fault.BinaryFile},
		{"no pixels", "image/png", sized(t, 0, 1), fault.BinaryFile},
		{"cut off", "image/png", whole[:len(whole)-13], fault.BinaryFile},
		{"a header", "image/png", whole[:8], fault.BinaryFile},
		{"nothing", "image/gif", []byte("GIF89a"), fault.BinaryFile},
		{"a GIF's beginning", "image/gif", moving[:len(moving)/2], fault.BinaryFile},
		{"a small photo that is cut off", "image/jpeg", small[:len(small)-20], fault.BinaryFile},
		{"a large one that is cut off", "image/jpeg", photo[:len(photo)/2], fault.BinaryFile},
		{"many scans", "image/jpeg", slices.Concat(photo, bytes.Repeat([]byte{0xFF, markSOS}, maxScans), []byte{0xFF, markEOI}), fault.FileTooLarge},
		{"webp without image", "image/webp", []byte("RIFF\x04\x00\x00\x00WEBP"), fault.BinaryFile},
		{"bmp without image", "image/bmp", []byte("BM\x00\x00\x00\x00\x00\x00\x00\x00\x36\x00\x00\x00"), fault.BinaryFile},
		{"tiff without image", "image/tiff", []byte("II*\x00\xff\xff\xff\xff"), fault.BinaryFile},
	} {
		got, err := NewSemaphore().Image(t.Context(), tt.mimeType, tt.raw)
		if fault.KindOf(err) != tt.want || fault.From(err).Hint == "" {
			t.Errorf("%s: %d bytes, %v; want %s", tt.name, len(got.Data), err, tt.want)
		}
	}
}

func TestImageCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	raw := encoded(t, "image/png", painted(2400, 4))
	if _, err := NewSemaphore().Image(ctx, "image/png", raw); fault.KindOf(err) != fault.Cancelled {
		t.Errorf("Image: %v", err)
	}
	d := NewSemaphore()
	for range semaphoreSlots {
		if _, err := d.Acquire(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := d.Acquire(ctx); fault.KindOf(err) != fault.Cancelled {
		t.Errorf("Acquire of a full semaphore: %v", err)
	}
}

func FuzzImage(f *testing.F) {
	small := painted(9, 5)
	for _, mimeType := range []string{"image/png", "image/jpeg", "image/gif", "image/bmp", "image/tiff"} {
		f.Add(encoded(f, mimeType, small))
	}
	f.Add(turnedJPEG(f, small, 6, binary.LittleEndian))
	f.Add([]byte("RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\xfe\x07\x00"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		kind := Identify(string(raw[:min(len(raw), HeadBytes)]), true)
		if kind.Class != AnImage {
			return
		}
		got, err := NewSemaphore().Image(t.Context(), kind.MIMEType, raw)
		if err != nil {
			if k := fault.KindOf(err); k != fault.BinaryFile && k != fault.FileTooLarge {
				t.Errorf("%v", err)
			}
			return
		}
		if len(got.Data) > MaxBytes || max(got.Width, got.Height) > maxEdge || min(got.Width, got.Height) < 1 {
			t.Errorf("%s %dx%d, %d bytes", got.MIMEType, got.Width, got.Height, len(got.Data))
		}
		isAnimatedGIF(raw)
		scanJPEG(raw)
	})
}
