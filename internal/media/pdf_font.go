package media

import (
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

const (
	// maxCMap is how many codes a font may tell the characters of.
	maxCMap = 1 << 16
	// maxCharacters is what one code may show, in bytes of UTF-16.
	maxCharacters = 16
	// fontWork is what making a font costs, as work on bytes.
	fontWork = 4 << 10
)

// pdfFont tells which characters a font's codes show, and how wide they are.
type pdfFont struct {
	codeBytes int               // 1 or 2
	told      map[uint32]string // by the font's own table
	simple    [256]string       // by the encoding, where codes are of one byte
	widths    map[uint32]float64
	width     float64 // of other codes, in sizes of the font
	reader    *pdfReader
}

// font returns the font at a reference, made once.
func (r *pdfReader) font(v any) *pdfFont {
	id, isRef := v.(pdfRef)
	if f, ok := r.fonts[id]; ok && isRef {
		return f
	}
	f := r.makeFont(r.file.dict(v))
	if isRef {
		r.fonts[id] = f
	}
	return f
}

func (r *pdfReader) makeFont(d pdfDict) *pdfFont {
	r.file.work -= fontWork
	f := &pdfFont{codeBytes: 1, width: 0.5, widths: make(map[uint32]float64), reader: r}
	if d["Subtype"] == pdfName("Type0") {
		f.codeBytes = 2
		f.wideWidths(d)
	} else {
		f.simpleWidths(d)
		f.encode(d["Encoding"])
	}
	if data, _ := r.file.stream(d["ToUnicode"]); data != nil {
		f.readCMap(data)
	}
	return f
}

func (f *pdfFont) simpleWidths(d pdfDict) {
	first := integer(f.reader.file.resolve(d["FirstChar"]))
	for i, w := range f.reader.file.array(d["Widths"]) {
		if n, ok := w.(float64); ok && i < 256 && n > 0 && n < 10000 {
			f.widths[uint32(first+i)] = n / 1000
		}
	}
	if d["Subtype"] == pdfName("Type3") { // in units of its own
		f.widths = nil
	}
}

// wideWidths reads the widths of a composite font: runs of codes.
func (f *pdfFont) wideWidths(d pdfDict) {
	file := f.reader.file
	descendants := file.array(d["DescendantFonts"])
	if len(descendants) == 0 {
		return
	}
	font := file.dict(descendants[0])
	f.width = 1
	if n := integer(file.resolve(font["DW"])); n > 0 && n < 10000 {
		f.width = float64(n) / 1000
	}
	all := file.array(font["W"])
	for i := 0; i+1 < len(all) && len(f.widths) < maxCMap; {
		first := integer(all[i])
		if list, ok := file.resolve(all[i+1]).([]any); ok {
			for j, w := range list {
				if n, ok := w.(float64); ok {
					f.widths[uint32(first+j)] = n / 1000
				}
			}
			i += 2
			continue
		}
		if i+2 >= len(all) {
			return
		}
		end, width := integer(all[i+1]), integer(all[i+2])
		if file.work -= min(max(0, end-first), maxCMap); file.work < 0 {
			return
		}
		for code := first; code >= 0 && code <= end && code < maxCMap; code++ {
			f.widths[uint32(code)] = float64(width) / 1000
		}
		i += 3
	}
}

// encode fills in the characters of a font with codes of one byte.
func (f *pdfFont) encode(encoding any) {
	encoding = f.reader.file.resolve(encoding)
	d, _ := encoding.(pdfDict)
	base := text.EncodingWindows1252
	if encoding == pdfName("MacRomanEncoding") || f.reader.file.resolve(d["BaseEncoding"]) == pdfName("MacRomanEncoding") {
		base = "macintosh"
	}
	f.simple = charactersOf(base)
	code := 0
	for _, v := range f.reader.file.array(d["Differences"]) {
		switch v := v.(type) {
		case float64:
			code = integer(v)
		case pdfName:
			if 0 <= code && code < len(f.simple) {
				f.simple[code] = glyph(string(v))
			}
			code++
		}
	}
}

// charactersOf returns what the codes of an encoding show.
func charactersOf(e text.Encoding) (all [256]string) {
	var raw [256]byte
	for code := range raw {
		raw[code] = byte(code)
	}
	decoded, err := text.Decode(raw[:], e)
	if err != nil {
		return all
	}
	code := 0
	for _, r := range decoded.Text.String() {
		if code < len(all) {
			all[code] = printable(string(r))
		}
		code++
	}
	return all
}

// decode returns the characters that codes show, and their width in sizes of
// the font.
func (f *pdfFont) decode(codes string) (string, float64) {
	var b strings.Builder
	width := 0.0
	for i := 0; i+f.codeBytes <= len(codes); i += f.codeBytes {
		code := uint32(codes[i])
		if f.codeBytes == 2 {
			code = code<<8 | uint32(codes[i+1])
		}
		w, ok := f.widths[code]
		if !ok {
			w = f.width
		}
		width += w
		s, ok := f.told[code]
		if !ok && f.codeBytes == 1 {
			s = f.simple[code]
		}
		if s == "" {
			f.reader.unknown = true
		}
		b.WriteString(s)
	}
	return b.String(), width
}

// readCMap reads the table from codes to characters that a font brings along.
func (f *pdfFont) readCMap(data []byte) {
	f.told = make(map[uint32]string)
	p := pdfParser{src: data}
	var operands []any
	for !p.ended() && len(f.told) < maxCMap {
		v := p.next()
		op, ok := v.(pdfKeyword)
		if !ok {
			if len(operands) < 3*maxCMap {
				operands = append(operands, v)
			}
			continue
		}
		switch op {
		case "endcodespacerange":
			if s, ok := last(operands).(string); ok && (len(s) == 1 || len(s) == 2) {
				f.codeBytes = len(s)
			}
		case "endbfchar":
			for i := 0; i+1 < len(operands); i += 2 {
				f.tell(operands[i], 0, operands[i+1])
			}
		case "endbfrange":
			for i := 0; i+2 < len(operands); i += 3 {
				f.tellRange(operands[i], operands[i+1], operands[i+2])
			}
		}
		operands = operands[:0]
	}
}

func code(v any) uint32 {
	s, _ := v.(string)
	n := uint32(0)
	for i := range min(len(s), 4) {
		n = n<<8 | uint32(s[i])
	}
	return n
}

// tell notes what the code offset behind first shows: the characters of to,
// the last of them offset further.
func (f *pdfFont) tell(first any, offset uint32, to any) {
	s, ok := to.(string)
	if !ok || len(s) < 2 || len(s) > maxCharacters {
		return
	}
	units := make([]uint16, len(s)/2)
	for i := range units {
		units[i] = uint16(s[2*i])<<8 | uint16(s[2*i+1])
	}
	units[len(units)-1] += uint16(offset)
	f.told[code(first)+offset] = printable(string(utf16.Decode(units)))
}

func (f *pdfFont) tellRange(first, end, to any) {
	count := code(end) - code(first)
	if count >= maxCMap || code(end) < code(first) {
		return
	}
	if f.reader.file.work -= int(count); f.reader.file.work < 0 {
		return
	}
	list, isList := to.([]any)
	for i := uint32(0); i <= count && len(f.told) < maxCMap; i++ {
		switch {
		case !isList:
			f.tell(first, i, to)
		case int(i) < len(list):
			f.tell(string([]byte{byte((code(first) + i) >> 8), byte(code(first) + i)}), 0, list[i])
		}
	}
}

// printable drops what would break lines or terminals.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7F || r == 0xFFFD {
			return -1
		}
		return r
	}, s)
}

// glyph returns the characters of a glyph's name: "A", "uni00E9", "eacute".
func glyph(name string) string {
	name, _, _ = strings.Cut(name, ".")
	if len(name) == 1 {
		return printable(name)
	}
	if s, ok := glyphs[name]; ok {
		return s
	}
	for _, prefix := range []string{"uni", "u"} {
		if hex, ok := strings.CutPrefix(name, prefix); ok && len(hex) >= 4 && len(hex) <= 6 {
			if n, err := strconv.ParseUint(hex, 16, 21); err == nil {
				return printable(string(rune(n)))
			}
		}
	}
	return accented(name)
}
