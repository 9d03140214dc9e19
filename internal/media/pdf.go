package media

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// Limits of the text that is taken from a PDF.
const (
	// MaxPDFFile is the largest PDF whose text is looked for, in bytes.
	MaxPDFFile  = 64 << 20
	maxPDFPages = 5000
	maxPDFText  = 8 << 20
	maxPDFTree  = 1 << 16 // nodes of the tree of pages
)

// PDFText is the text of a PDF, as far as it can be told.
type PDFText struct {
	// Text is of all pages, each under a line "--- page N ---". Empty when
	// there is none.
	Text  string
	Pages int
	// Note says what is missing, a sentence; may be empty.
	Note string
	// Broken tells that the file is no more than the beginning of a PDF: there
	// is nothing in it that anybody could show.
	Broken bool
}

// PDF takes the text from a PDF. It is what the pages show, in the order in
// which they are drawn: tables and columns may come apart. The caller holds a
// place at the desk. The error is that of ctx.
func (d *Desk) PDF(ctx context.Context, raw []byte) (PDFText, error) {
	text, err := guarded(func() (PDFText, error) { return pdfText(ctx, raw), nil })
	if ctx.Err() != nil {
		return PDFText{}, fault.From(ctx.Err())
	}
	if err != nil { // a bug, but not the caller's
		return PDFText{Note: "Its text could not be read: the file is damaged."}, nil
	}
	return text, nil
}

func pdfText(ctx context.Context, raw []byte) PDFText {
	if !bytes.Contains(raw, []byte("obj")) { // the word that begins all that a PDF holds
		return PDFText{Broken: true, Note: "There is nothing in it."}
	}
	f := openPDF(ctx, raw)
	if f.encrypted {
		return PDFText{Note: "Its text could not be read: the file is encrypted."}
	}
	r := pdfReader{file: f, fonts: make(map[pdfRef]*pdfFont), seen: make(map[pdfRef]bool)}
	r.tree(f.dict(f.catalog)["Pages"], nil, 0)
	out := PDFText{Text: r.out.String(), Pages: r.pages, Note: r.note()}
	if !r.shown {
		out.Text = ""
	}
	return out
}

// pdfReader walks the tree of pages and gathers their text.
type pdfReader struct {
	file    *pdfFile
	fonts   map[pdfRef]*pdfFont
	seen    map[pdfRef]bool // nodes of the tree: it may lead in circles
	out     strings.Builder
	pages   int
	shown   bool // there is some text
	unknown bool // some font does not tell its characters
	stopped bool // before the end
}

func (r *pdfReader) note() string {
	switch {
	case r.pages == 0:
		return "Its text could not be read: no pages were found in it."
	case r.stopped || r.file.work <= 0:
		return fmt.Sprintf("The text is of the first %d pages.", r.pages)
	case !r.shown && r.unknown:
		return "Its fonts do not tell which characters they show."
	case !r.shown:
		return "It has no text: the pages may be images."
	case r.unknown:
		return "Some of its fonts do not tell which characters they show; text in them is missing."
	}
	return ""
}

// tree reads the pages below a node, which take over its resources.
func (r *pdfReader) tree(node any, resources any, depth int) {
	id, ok := node.(pdfRef)
	if !ok || r.seen[id] || depth > maxPDFDepth || len(r.seen) > maxPDFTree {
		return
	}
	r.seen[id] = true
	d := r.file.dict(id)
	if d["Resources"] != nil {
		resources = d["Resources"]
	}
	kids := r.file.array(d["Kids"])
	if d["Type"] == pdfName("Page") || kids == nil && d["Contents"] != nil {
		r.page(d, resources)
		return
	}
	for _, kid := range kids {
		if r.stop() {
			return
		}
		r.tree(kid, resources, depth+1)
	}
}

func (r *pdfReader) stop() bool {
	r.stopped = r.stopped || r.pages >= maxPDFPages || r.out.Len() >= maxPDFText || r.file.work <= 0 || r.file.ctx.Err() != nil
	return r.stopped
}

func (r *pdfReader) page(d pdfDict, resources any) {
	r.pages++
	fmt.Fprintf(&r.out, "--- page %d ---\n", r.pages)
	var content []byte
	parts := r.file.array(d["Contents"])
	if parts == nil {
		parts = []any{d["Contents"]}
	}
	for _, part := range parts {
		data, _ := r.file.stream(part)
		if content = append(append(content, data...), '\n'); len(content) > maxInflated || r.file.work <= 0 {
			break
		}
	}
	p := pdfPainter{reader: r, matrix: identity, room: maxPDFText}
	p.paint(content, r.file.dict(resources), 0)
	text := strings.TrimSpace(p.out.String())
	r.shown = r.shown || text != ""
	r.out.WriteString(text + "\n")
}
