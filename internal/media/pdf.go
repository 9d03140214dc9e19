package media

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/klippa-app/go-pdfium"
	pdferrors "github.com/klippa-app/go-pdfium/errors"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// Limits of the text that is taken from a PDF.
const (
	// MaxPDFFile is the largest PDF whose text is looked for, in bytes.
	MaxPDFFile   = 64 << 20
	maxPDFPages  = 5000
	maxPDFText   = 8 << 20
	maxPageChars = 1 << 20
	// maxPDFMemory is what the reader may take in all, the file included.
	maxPDFMemory   = 256 << 20
	wasmPage       = 64 << 10
	defaultPDFTime = 20 * time.Second // for reading one PDF
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

// PDF takes the text from a PDF, by PDFium in a WebAssembly sandbox that has
// neither files nor a network: what a document makes of it ends with the call.
// compiled is a folder of this program's own where the sandbox keeps what it
// compiles of PDFium, which takes some seconds; "" compiles it each time. The
// caller holds a place of the semaphore. The error is that of ctx.
func (s *Semaphore) PDF(ctx context.Context, raw []byte, compiled string) (PDFText, error) {
	if !bytes.Contains(raw, []byte("obj")) { // the word that begins all that a PDF holds
		return PDFText{Broken: true, Note: "There is nothing in it."}, nil
	}
	text, err := guarded(func() (PDFText, error) { return pdfText(ctx, raw, compiled, defaultPDFTime) })
	switch {
	case ctx.Err() != nil:
		return PDFText{}, fault.From(ctx.Err())
	case errors.Is(err, pdferrors.ErrPassword), errors.Is(err, pdferrors.ErrSecurity):
		return PDFText{Note: "Its text could not be read: the file is encrypted."}, nil
	case err != nil:
		return PDFText{Note: "Its text could not be read: the file is damaged."}, nil
	}
	return text, nil
}

// pdfText reads for at most limit, not counting the sandbox's start. Its error
// is of a file that cannot be opened.
func pdfText(ctx context.Context, raw []byte, compiled string, limit time.Duration) (PDFText, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	pool, err := newPDFium(ctx, compiled)
	if err != nil {
		return PDFText{}, err
	}
	defer pool.Close() //nolint:errcheck // it is only read from
	defer time.AfterFunc(limit, cancel).Stop()
	reader, err := pool.GetInstance(limit)
	if err != nil {
		return PDFText{}, err
	}
	defer reader.Close() //nolint:errcheck // it is only read from
	opened, err := reader.OpenDocument(&requests.OpenDocument{File: &raw})
	if err != nil {
		return PDFText{}, err
	}
	count, err := reader.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: opened.Document})
	if err != nil {
		return PDFText{}, err
	}
	d := pdfDocument{reader: reader, id: opened.Document}
	d.read(ctx, count.PageCount)
	return d.text(count.PageCount), nil
}

// newPDFium starts a sandbox. With ctx ends all that goes on in it.
func newPDFium(ctx context.Context, compiled string) (pdfium.Pool, error) {
	config := wazero.NewRuntimeConfig().
		WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling).
		WithMemoryLimitPages(maxPDFMemory / wasmPage).
		WithCloseOnContextDone(true)
	if compiled != "" {
		if cache, err := wazero.NewCompilationCacheWithDir(compiled); err == nil {
			config = config.WithCompilationCache(cache)
		}
	}
	return webassembly.Init(webassembly.Config{
		Context: ctx, MaxIdle: 1, MaxTotal: 1, RuntimeConfig: config,
		FSConfig: wazero.NewFSConfig(), Stdout: io.Discard, Stderr: io.Discard,
	})
}

// pdfDocument gathers the text of an open document's pages.
type pdfDocument struct {
	reader  pdfium.Pdfium
	id      references.FPDF_DOCUMENT
	out     strings.Builder
	pages   int
	shown   bool // there is some text
	damaged bool // some page could not be read
}

func (d *pdfDocument) read(ctx context.Context, count int) {
	for d.pages < min(count, maxPDFPages) && d.out.Len() < maxPDFText {
		text, err := d.page(d.pages)
		if ctx.Err() != nil {
			return
		}
		d.damaged = d.damaged || err != nil
		d.pages++
		text = strings.TrimSpace(pdfLines.Replace(strings.ToValidUTF8(text, "\uFFFD")))
		d.shown = d.shown || text != ""
		fmt.Fprintf(&d.out, "--- page %d ---\n%s\n", d.pages, text)
	}
}

// pdfLines ends lines as everywhere here, and joins words that a line's end
// took apart.
var pdfLines = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\uFFFE", "", "\x00", "")

// page returns the text of the page at a 0-based index.
func (d *pdfDocument) page(index int) (string, error) {
	loaded, err := d.reader.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: d.id, Index: index})
	if err != nil {
		return "", err
	}
	defer d.reader.FPDF_ClosePage(&requests.FPDF_ClosePage{Page: loaded.Page}) //nolint:errcheck // it is only read from
	page, err := d.reader.FPDFText_LoadPage(&requests.FPDFText_LoadPage{Page: requests.Page{ByReference: &loaded.Page}})
	if err != nil {
		return "", err
	}
	defer d.reader.FPDFText_ClosePage(&requests.FPDFText_ClosePage{TextPage: page.TextPage}) //nolint:errcheck // it is only read from
	chars, err := d.reader.FPDFText_CountChars(&requests.FPDFText_CountChars{TextPage: page.TextPage})
	if err != nil || chars.Count <= 0 {
		return "", err
	}
	got, err := d.reader.FPDFText_GetText(&requests.FPDFText_GetText{TextPage: page.TextPage, Count: min(chars.Count, maxPageChars)})
	if err != nil {
		return "", err
	}
	return got.Text, nil
}

// text returns what was gathered of a document of count pages.
func (d *pdfDocument) text(count int) PDFText {
	t := PDFText{Pages: count}
	if d.shown {
		t.Text = d.out.String()
	}
	switch {
	case count == 0:
		t.Note = "Its text could not be read: no pages were found in it."
	case d.pages < count:
		t.Note = fmt.Sprintf("The text is of the first %d pages.", d.pages)
	case d.damaged:
		t.Note = "Some of its pages could not be read: the file is damaged."
	case !d.shown:
		t.Note = "It has no text: the pages may be images."
	}
	return t
}
