package media

import (
	"bytes"
	"encoding/binary"
)

// Markers of JPEG segments, behind 0xFF.
const (
	markSOF0 = 0xC0 // frames are SOF0 to SOF15, without the three below
	markDHT  = 0xC4
	markJPG  = 0xC8
	markDAC  = 0xCC
	markSOF2 = 0xC2 // a progressive frame
	markEnd  = 0xCF
	markSOI  = 0xD8
	markSOS  = 0xDA // the image's data begin
	markEOI  = 0xD9 // the file ends
	markAPP1 = 0xE1
)

// jpegFacts is what the segments before a JPEG's data tell.
type jpegFacts struct {
	orientation int // EXIF's, 1 to 8; 1 is upright
	progressive bool
	// samples over maxSamples is how many samples a pixel has.
	samples, maxSamples int64
}

// decodedBytes is what the decoder keeps: the samples, and for a progressive
// image its coefficients too, of four bytes each.
func (f jpegFacts) decodedBytes(pixels int64) int64 {
	each := int64(1)
	if f.progressive {
		each = 5
	}
	return pixels * f.samples * each / f.maxSamples
}

// scanJPEG reads the segments before the image's data.
func scanJPEG(raw []byte) jpegFacts {
	f := jpegFacts{orientation: 1, samples: 4, maxSamples: 1}
	for at := 2; at+4 <= len(raw) && raw[at] == 0xFF; {
		mark := raw[at+1]
		if mark == 0xFF || mark == markSOI {
			at++
			continue
		}
		size := int(binary.BigEndian.Uint16(raw[at+2:]))
		if mark == markSOS || size < 2 || at+2+size > len(raw) {
			break
		}
		body := raw[at+4 : at+2+size]
		switch {
		case mark == markAPP1:
			if o := exifOrientation(body); o != 0 {
				f.orientation = o
			}
		case markSOF0 <= mark && mark <= markEnd && mark != markDHT && mark != markJPG && mark != markDAC:
			f.frame(mark, body)
		}
		at += 2 + size
	}
	return f
}

// frame reads a frame's header: how finely each component is sampled.
func (f *jpegFacts) frame(mark byte, body []byte) {
	const fixed, each = 6, 3
	f.progressive = mark == markSOF2
	var sum, widest, highest int64
	for at := fixed; at+each <= len(body); at += each {
		h, v := int64(body[at+1]>>4), int64(body[at+1]&15)
		sum += h * v
		widest, highest = max(widest, h), max(highest, v)
	}
	if widest*highest > 0 {
		f.samples, f.maxSamples = sum, widest*highest
	}
}

// exifOrientation returns the orientation that an APP1 segment tells, 0 when
// it tells none.
func exifOrientation(body []byte) int {
	const tag, entry = 0x0112, 12
	tiff, ok := bytes.CutPrefix(body, []byte("Exif\x00\x00"))
	if !ok || len(tiff) < 8 {
		return 0
	}
	var order binary.ByteOrder = binary.BigEndian
	if tiff[0] == 'I' {
		order = binary.LittleEndian
	}
	first := int64(order.Uint32(tiff[4:]))
	if first+2 > int64(len(tiff)) {
		return 0
	}
	table := tiff[first:]
	for at := 2; at+entry <= len(table) && at < 2+entry*int(order.Uint16(table)); at += entry {
		if order.Uint16(table[at:]) == tag {
			if o := int(order.Uint16(table[at+8:])); 1 <= o && o <= 8 {
				return o
			}
		}
	}
	return 0
}
