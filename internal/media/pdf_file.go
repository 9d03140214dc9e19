package media

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/ascii85"
	"io"
)

// Limits of a PDF whose text is looked for.
const (
	// maxInflated is what one stream may inflate to, in bytes.
	maxInflated = 16 << 20
	// maxPDFWork is how many bytes are inflated and interpreted altogether.
	maxPDFWork = 96 << 20
	// maxPDFKept is how many bytes of inflated objects are kept.
	maxPDFKept = 64 << 20
	// maxPDFObjects is how many objects are noted, and maxPDFObject how much
	// of one is read, in bytes, its stream left aside.
	maxPDFObjects = 1 << 19
	maxPDFObject  = 4 << 20
)

// pdfFile is the objects of a PDF. They are found by reading the whole file,
// not by its table of offsets, which is often wrong and easily made to lead
// in circles. Everything it does is paid from a budget.
type pdfFile struct {
	ctx       context.Context
	raw       []byte
	objects   map[pdfRef][]byte // from behind "obj" on
	work      int               // bytes left to inflate and interpret
	catalog   pdfRef
	encrypted bool
}

func openPDF(ctx context.Context, raw []byte) *pdfFile {
	f := &pdfFile{ctx: ctx, raw: raw, objects: make(map[pdfRef][]byte), work: maxPDFWork, catalog: -1}
	kept := 0
	for at, found := 0, 0; found < maxPDFObjects && ctx.Err() == nil; found++ {
		i := bytes.Index(raw[at:], []byte("obj"))
		if i < 0 {
			break
		}
		at += i + len("obj")
		id, ok := objectNumber(raw[:at-len("obj")])
		if !ok {
			continue
		}
		f.objects[id] = raw[at:]
		head := dictHead(raw[at:])
		switch {
		case bytes.Contains(head, []byte("/Catalog")):
			f.catalog = id
		case bytes.Contains(head, []byte("/ObjStm")):
			kept += f.unpack(id, maxPDFKept-kept)
		case bytes.Contains(head, []byte("/XRef")) && bytes.Contains(head, []byte("/Encrypt")):
			f.encrypted = true
		}
	}
	f.readTrailers()
	return f
}

// dictHead is the beginning of an object: enough to know its type.
func dictHead(b []byte) []byte {
	const most = 1 << 10
	b = b[:min(len(b), most)]
	for _, end := range []string{"endobj", "stream"} {
		if i := bytes.Index(b, []byte(end)); i >= 0 {
			b = b[:i]
		}
	}
	return b
}

// objectNumber reads the "12 0 " that stands before "obj".
func objectNumber(before []byte) (pdfRef, bool) {
	at := len(before)
	back := func(is func(byte) bool, most int) []byte {
		end := at
		for at > 0 && end-at < most && is(before[at-1]) {
			at--
		}
		return before[at:end]
	}
	digit := func(c byte) bool { return '0' <= c && c <= '9' }
	back(isPDFSpace, 8)
	generation := back(digit, 5)
	space := back(isPDFSpace, 8)
	number := back(digit, 8)
	if len(generation) == 0 || len(space) == 0 || len(number) == 0 {
		return 0, false
	}
	id := 0
	for _, c := range number {
		id = id*10 + int(c-'0')
	}
	return pdfRef(id), true
}

// readTrailers looks for what the trailers name: the catalog, and whether all
// is encrypted.
func (f *pdfFile) readTrailers() {
	for at := 0; f.work > 0; {
		i := bytes.Index(f.raw[at:], []byte("trailer"))
		if i < 0 {
			return
		}
		at += i + len("trailer")
		p := pdfParser{src: f.raw[at:min(len(f.raw), at+64<<10)]}
		d, ok := p.next().(pdfDict)
		f.work -= p.at
		if !ok {
			continue
		}
		f.encrypted = f.encrypted || d["Encrypt"] != nil
		if root, ok := d["Root"].(pdfRef); ok && f.objects[root] != nil {
			f.catalog = root
		}
	}
}

// unpack notes the objects in an object stream, if they are at most room
// bytes. It returns how many bytes they are.
func (f *pdfFile) unpack(id pdfRef, room int) int {
	data, d := f.stream(id)
	first, n := integer(f.resolve(d["First"])), integer(f.resolve(d["N"]))
	if len(data) > room || first < 0 || first > len(data) {
		return 0
	}
	p := pdfParser{src: data[:first]}
	for range min(n, len(data)) {
		if f.work <= 0 {
			break
		}
		number, ok1 := p.next().(float64)
		offset, ok2 := p.next().(float64)
		if !ok1 || !ok2 {
			break
		}
		if at := first + int(offset); offset >= 0 && at < len(data) && number >= 0 {
			f.objects[pdfRef(number)] = data[at:]
			q := f.parser(data[at:])
			if isCatalog(q.next()) {
				f.catalog = pdfRef(number)
			}
			f.work -= q.at
		}
	}
	return len(data)
}

func isCatalog(v any) bool {
	d, ok := v.(pdfDict)
	return ok && d["Type"] == pdfName("Catalog")
}

// parser reads an object, as far as the budget goes. What it read has to be
// paid.
func (f *pdfFile) parser(src []byte) pdfParser {
	return pdfParser{src: src[:max(0, min(len(src), f.work, maxPDFObject))]}
}

// resolve follows a reference.
func (f *pdfFile) resolve(v any) any {
	for range 8 {
		id, ok := v.(pdfRef)
		if !ok {
			return v
		}
		p := f.parser(f.objects[id])
		v = p.next()
		f.work -= p.at
	}
	return nil
}

func (f *pdfFile) dict(v any) pdfDict {
	d, _ := f.resolve(v).(pdfDict)
	return d
}

func (f *pdfFile) array(v any) []any {
	a, _ := f.resolve(v).([]any)
	return a
}

func integer(v any) int {
	n, _ := v.(float64)
	if n < -1<<31 || n > 1<<31 {
		return -1
	}
	return int(n)
}

// stream returns what the stream v holds, as far as the limits allow, and its
// dictionary. A filter that is not known gives nothing.
func (f *pdfFile) stream(v any) ([]byte, pdfDict) {
	id, ok := v.(pdfRef)
	if !ok {
		return nil, nil
	}
	src := f.objects[id]
	p := f.parser(src)
	d, ok := p.next().(pdfDict)
	f.work -= p.at
	if !ok {
		return nil, nil
	}
	if p.skipSpace(); !bytes.HasPrefix(src[p.at:], []byte("stream")) {
		return nil, d
	}
	body := src[p.at+len("stream"):]
	body = bytes.TrimPrefix(bytes.TrimPrefix(body, []byte("\r")), []byte("\n"))
	body = body[:f.streamLength(body, d["Length"])]
	filters := f.array(d["Filter"])
	if name, ok := f.resolve(d["Filter"]).(pdfName); ok {
		filters = []any{name}
	}
	const mostFilters = 4
	if len(filters) > mostFilters {
		return nil, d
	}
	f.work -= len(body)
	for _, filter := range filters {
		name, _ := f.resolve(filter).(pdfName)
		body = f.filtered(name, body)
	}
	return body, d
}

// streamLength is what the dictionary says where that leads to the stream's
// end, else where the end is found.
func (f *pdfFile) streamLength(body []byte, length any) int {
	const end = "endstream"
	if n := integer(f.resolve(length)); n > 0 && n < len(body) {
		if after := bytes.TrimLeft(body[n:min(len(body), n+16)], "\r\n "); bytes.HasPrefix(after, []byte(end)) {
			return n
		}
	}
	n := bytes.Index(body, []byte(end))
	if n < 0 {
		n = len(body)
	}
	f.work -= n
	return n
}

func (f *pdfFile) filtered(name pdfName, body []byte) []byte {
	switch name {
	case "FlateDecode", "Fl":
		return f.inflate(body)
	case "ASCIIHexDecode", "AHx":
		p := pdfParser{src: body}
		return []byte(p.hex())
	case "ASCII85Decode", "A85":
		body = bytes.TrimPrefix(bytes.TrimSpace(body), []byte("<~"))
		if i := bytes.IndexByte(body, '~'); i >= 0 {
			body = body[:i]
		}
		out := make([]byte, 4*len(body)+4) // a "z" stands for four bytes
		n, _, _ := ascii85.Decode(out, body, true)
		return out[:n]
	}
	return nil
}

// inflate returns as much of a compressed stream as can be read.
func (f *pdfFile) inflate(body []byte) []byte {
	z, err := zlib.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil
	}
	out, _ := io.ReadAll(io.LimitReader(z, int64(max(0, min(maxInflated, f.work))))) // what came before damage counts
	_ = z.Close()                                                                    // it only says what reading said
	f.work -= len(out)
	return out
}
