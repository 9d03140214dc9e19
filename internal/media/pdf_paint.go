package media

import (
	"bytes"
	"math"
	"strings"
)

// pdfMatrix is a, b, c, d, e, f of the PDF reference.
type pdfMatrix [6]float64

// identity moves nothing.
var identity = pdfMatrix{1, 0, 0, 1, 0, 0}

// times returns m applied before n.
func (m pdfMatrix) times(n pdfMatrix) pdfMatrix {
	return pdfMatrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

// moved returns m after a move by x, y in its own coordinates.
func (m pdfMatrix) moved(x, y float64) pdfMatrix { return pdfMatrix{1, 0, 0, 1, x, y}.times(m) }

// Limits of what a page may ask for.
const (
	maxOperands = 64
	maxSaved    = 256      // graphics states
	maxForms    = 8        // forms inside of forms
	maxShown    = 64 << 10 // codes at a time
)

// pdfPainter follows what a page draws, as far as text goes.
type pdfPainter struct {
	reader *pdfReader
	out    strings.Builder
	room   int // bytes that out may take

	matrix        pdfMatrix // of the page
	saved         []pdfMatrix
	line, text    pdfMatrix // of the line's start, and where the next text goes
	font          *pdfFont
	size, leading float64
	endX, endY    float64 // where the last text ended, on the page
	hasText       bool    // there was some
	formsDrawn    int
}

// paint interprets a content stream.
func (p *pdfPainter) paint(content []byte, resources pdfDict, depth int) {
	f := p.reader.file
	content = content[:min(len(content), max(0, f.work))]
	f.work -= len(content)
	parser := pdfParser{src: content}
	var operands []any
	for !parser.ended() && p.out.Len() < p.room && f.work > 0 && f.ctx.Err() == nil {
		v := parser.next()
		op, ok := v.(pdfKeyword)
		if !ok {
			if len(operands) < maxOperands {
				operands = append(operands, v)
			}
			continue
		}
		switch op {
		case "BI":
			skipInlineImage(&parser)
		case "Do":
			p.form(operands, resources, depth)
		default:
			p.operate(op, operands, resources)
		}
		operands = operands[:0]
	}
}

// skipInlineImage moves behind the image's data.
func skipInlineImage(p *pdfParser) {
	for {
		i := bytes.Index(p.src[p.at:], []byte("EI"))
		if i < 0 {
			p.at = len(p.src)
			return
		}
		p.at += i + 2
		before := p.at - 3
		if before >= 0 && isPDFSpace(p.src[before]) && (p.ended() || isPDFSpace(p.src[p.at])) {
			return
		}
	}
}

// form draws a form, whose content is as that of a page.
func (p *pdfPainter) form(operands []any, resources pdfDict, depth int) {
	const mostForms = 1000
	name, ok := last(operands).(pdfName)
	if p.formsDrawn++; !ok || depth >= maxForms || p.formsDrawn > mostForms {
		return
	}
	f := p.reader.file
	ref := f.dict(resources["XObject"])[name]
	if f.dict(ref)["Subtype"] != pdfName("Form") {
		return
	}
	content, d := f.stream(ref)
	own := f.dict(d["Resources"])
	if own == nil {
		own = resources
	}
	before := p.matrix
	if m, ok := matrixOf(f.array(d["Matrix"])); ok {
		p.matrix = m.times(p.matrix)
	}
	p.paint(content, own, depth+1)
	p.matrix = before
}

func last(operands []any) any {
	if len(operands) == 0 {
		return nil
	}
	return operands[len(operands)-1]
}

// numbers returns the last n operands; false when they are no numbers.
func numbers(operands []any, n int) ([]float64, bool) {
	if len(operands) < n {
		return nil, false
	}
	out := make([]float64, n)
	for i, v := range operands[len(operands)-n:] {
		x, ok := v.(float64)
		if !ok || math.IsNaN(x) || math.Abs(x) > 1e9 {
			return nil, false
		}
		out[i] = x
	}
	return out, true
}

func matrixOf(operands []any) (m pdfMatrix, ok bool) {
	n, ok := numbers(operands, len(m))
	if ok {
		copy(m[:], n)
	}
	return m, ok
}

func (p *pdfPainter) operate(op pdfKeyword, operands []any, resources pdfDict) {
	switch op {
	case "q":
		if len(p.saved) < maxSaved {
			p.saved = append(p.saved, p.matrix)
		}
	case "Q":
		if n := len(p.saved); n > 0 {
			p.matrix, p.saved = p.saved[n-1], p.saved[:n-1]
		}
	case "cm":
		if m, ok := matrixOf(operands); ok {
			p.matrix = m.times(p.matrix)
		}
	case "BT":
		p.line, p.text = identity, identity
	case "Tf":
		p.setFont(operands, resources)
	case "TL":
		if n, ok := numbers(operands, 1); ok {
			p.leading = n[0]
		}
	case "Tm":
		if m, ok := matrixOf(operands); ok {
			p.line, p.text = m, m
		}
	case "Td", "TD":
		if n, ok := numbers(operands, 2); ok {
			p.nextLine(n[0], n[1])
			if op == "TD" {
				p.leading = -n[1]
			}
		}
	case "T*":
		p.nextLine(0, -p.leading)
	case "'", "\"":
		p.nextLine(0, -p.leading)
		p.show(last(operands))
	case "Tj":
		p.show(last(operands))
	case "TJ":
		parts, _ := last(operands).([]any)
		for _, part := range parts {
			p.show(part)
		}
	}
}

func (p *pdfPainter) nextLine(x, y float64) {
	p.line = p.line.moved(x, y)
	p.text = p.line
}

func (p *pdfPainter) setFont(operands []any, resources pdfDict) {
	if len(operands) < 2 {
		return
	}
	name, _ := operands[len(operands)-2].(pdfName)
	if n, ok := numbers(operands, 1); ok {
		p.size = n[0]
	}
	p.font = p.reader.font(p.reader.file.dict(resources["Font"])[name])
}

// show writes a string, or moves by a number as TJ says.
func (p *pdfPainter) show(v any) {
	switch v := v.(type) {
	case float64:
		if math.Abs(v) < 1e6 {
			p.text = p.text.moved(-v/1000*p.size, 0)
		}
	case string:
		if p.font == nil || v == "" {
			return
		}
		v = v[:min(len(v), maxShown)]
		text, width := p.font.decode(v)
		p.separate()
		p.out.WriteString(text)
		p.text = p.text.moved(width*p.size, 0)
		end := p.text.times(p.matrix)
		p.endX, p.endY, p.hasText = end[4], end[5], true
	}
}

// separate writes what stands between the last text and the next one: a line
// end where that is on another line, a blank where it is farther right.
func (p *pdfPainter) separate() {
	at := p.text.times(p.matrix)
	height := math.Abs(p.size) * math.Max(math.Hypot(at[2], at[3]), 1e-6)
	switch {
	case !p.hasText:
	case math.Abs(at[5]-p.endY) > 0.5*height || at[4] < p.endX-3*height:
		p.out.WriteByte('\n')
	case at[4]-p.endX > 0.18*height && !strings.HasSuffix(p.lastByte(), " "):
		p.out.WriteByte(' ')
	}
}

func (p *pdfPainter) lastByte() string {
	s := p.out.String()
	return s[max(0, len(s)-1):]
}
