package media

import (
	"bytes"
	"compress/zlib"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// pdfOf makes a PDF of objects, numbered from 1. The first is the catalog.
func pdfOf(objects ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	offsets := make([]int, len(objects))
	for i, o := range objects {
		offsets[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, at := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(&b, "trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, start)
	return b.Bytes()
}

// streamOf makes a stream object.
func streamOf(dict, content string) string {
	return fmt.Sprintf("<<%s/Length %d>>\nstream\n%s\nendstream", dict, len(content), content)
}

func deflated(s string) string {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, _ = z.Write([]byte(s))
	_ = z.Close()
	return b.String()
}

const (
	catalogOf2 = "<</Type/Catalog/Pages 2 0 R>>"
	onePage    = "<</Type/Pages/Kids[3 0 R]/Count 1/Resources<</Font<</F 5 0 R>>/XObject<</X 6 0 R>>>>>>"
	pageOf4    = "<</Type/Page/Parent 2 0 R/Contents 4 0 R>>"
	helvetica  = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"
)

// pageWith makes a PDF of one page with a content and a font.
func pageWith(content, font string, more ...string) []byte {
	return pdfOf(append([]string{catalogOf2, onePage, pageOf4, content, font}, more...)...)
}

// compiledHere returns a folder where the sandbox keeps what it compiles, for
// all runs of the tests: compiling takes seconds.
func compiledHere(t testing.TB) string {
	t.Helper()
	home, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(home, "agent-lsp-test", "compiled")
}

func TestPDFText(t *testing.T) {
	const hello = "BT /F 12 Tf 72 720 Td (Hello, world) Tj ET"
	cmap := streamOf("", "1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfchar <0001> <00410042> endbfchar 2 beginbfrange <0002> <0004> <0061> <0005> <0006> [<00e9> <4e2d>] endbfrange")
	for _, tt := range []struct {
		name string
		raw  []byte
		want string // of page 1
	}{
		{"plain", pageWith(streamOf("", hello), helvetica), "Hello, world"},
		{"compressed", pageWith(streamOf("/Filter/FlateDecode", deflated(hello)), helvetica), "Hello, world"},
		{"chained filters", pageWith(streamOf("/Filter[/ASCIIHexDecode/FlateDecode]", fmt.Sprintf("%x>", deflated(hello))), helvetica), "Hello, world"},
		{"lines and kerning", pageWith(streamOf("", "BT /F 10 Tf 14 TL 1 0 0 1 50 700 Tm [(Ke) 20 (rn) -300 (ed)] TJ T* (next) Tj 0 -14 Td (third) Tj ET"), helvetica), "Kern ed\nnext\nthird"},
		{"escapes", pageWith(streamOf("", `BT /F 10 Tf (\(a\) \101\
b \344) Tj ET`), helvetica), "(a) Ab ä"},
		{"differences", pageWith(streamOf("", "BT /F 10 Tf (\x01\x02\x03A) Tj ET"), "<</Type/Font/Subtype/Type1/Encoding<</Differences[1/fi/eacute/uni4E2D]>>>>"), "fié中A"},
		{"its own table", pageWith(streamOf("", "BT /F 10 Tf <00010002000400050006> Tj ET"), "<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/ToUnicode 6 0 R/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/X/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>]>>", cmap), "ABacé中"},
		{"a form", pageWith(streamOf("", "q 1 0 0 1 0 100 cm /X Do Q"), helvetica, streamOf("/Type/XObject/Subtype/Form/Matrix[1 0 0 1 0 0]", hello)), "Hello, world"},
		{"an inline image", pageWith(streamOf("", "BI /W 1 /H 1 /BPC 8 /CS /G ID \x01 EI "+hello), helvetica), "Hello, world"},
		{"a wrong table of offsets", bytes.ReplaceAll(pageWith(streamOf("", hello), helvetica), []byte("0000"), []byte("9999")), "Hello, world"},
		{"a wrong length", pageWith("<</Length 3>>\nstream\n"+hello+"\nendstream", helvetica), "Hello, world"},
		{"cut off", pageWith(streamOf("", hello), helvetica)[:560], "Hello, world"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := NewSemaphore().PDF(t.Context(), tt.raw, compiledHere(t))
			if want := "--- page 1 ---\n" + tt.want + "\n"; err != nil || got.Text != want || got.Pages != 1 {
				t.Errorf("got %q, %d pages, %q, %v; want %q", got.Text, got.Pages, got.Note, err, want)
			}
		})
	}
}

func TestPDFPages(t *testing.T) {
	const pages = 1000
	kids := make([]string, pages)
	objects := []string{catalogOf2, "", streamOf("", "BT /F 10 Tf (some text) Tj ET"), helvetica}
	for i := range kids {
		kids[i] = fmt.Sprintf("%d 0 R", len(objects)+1)
		objects = append(objects, "<</Type/Page/Contents 3 0 R/Resources<</Font<</F 4 0 R>>>>>>")
	}
	objects[1] = "<</Type/Pages/Kids[" + strings.Join(kids, " ") + "]/Count 1000>>"
	got, err := NewSemaphore().PDF(t.Context(), pdfOf(objects...), compiledHere(t))
	if err != nil || got.Pages != pages || strings.Count(got.Text, "some text") != pages || got.Note != "" {
		t.Errorf("%d pages, %d texts, %q, %v", got.Pages, strings.Count(got.Text, "some text"), got.Note, err)
	}
}

// What is made to hang a reader, or to fill its memory, ends.
func TestPDFHostile(t *testing.T) {
	bomb := deflated(strings.Repeat("[ ", 8<<20))
	for name, raw := range map[string][]byte{
		"pages in circles":        pdfOf(catalogOf2, "<</Type/Pages/Kids[2 0 R 3 0 R 2 0 R]>>", "<</Type/Pages/Kids[2 0 R]>>"),
		"references in circles":   pdfOf(catalogOf2, "3 0 R", "2 0 R"),
		"lengths in circles":      pageWith("<</Length 4 0 R>>\nstream\nBT ET\nendstream", helvetica),
		"forms in circles":        pageWith(streamOf("", "/X Do /X Do"), helvetica, streamOf("/Subtype/Form/Resources<</XObject<</X 6 0 R>>>>", "/X Do /X Do /X Do")),
		"objects in their stream": pdfOf(streamOf("/Type/ObjStm/N 1000000/First 8", "1 0 1 0 <</Type/Catalog/Pages 1 0 R>>")),
		"deep":                    pageWith(streamOf("", strings.Repeat("[<<", 1<<18)), helvetica),
		"a string without end":    pageWith(streamOf("", "BT <41"), helvetica),
		"a bomb":                  pageWith(streamOf("/Filter/FlateDecode", bomb), helvetica),
		"a bomb again and again":  pdfOf(catalogOf2, onePage, "<</Type/Page/Contents["+strings.Repeat("4 0 R ", 10000)+"]>>", streamOf("/Filter/FlateDecode", bomb), helvetica),
		"many objects":            []byte("%PDF-1.4\n" + strings.Repeat("1 0 obj", 1<<20)),
		"many trailers":           []byte("%PDF-1.4\n" + strings.Repeat("trailer<<", 1<<20)),
		"wide widths":             pageWith(streamOf("", strings.Repeat("/F 1 Tf ", 1000)), "<</Subtype/Type0/DescendantFonts[<</W["+strings.Repeat("0 65535 1 ", 100000)+"]>>]>>"),
		"nothing":                 []byte("%PDF-1.4\n"),
		"encrypted":               bytes.Replace(pageWith(streamOf("", "x"), helvetica), []byte("/Root"), []byte("/Encrypt 9 0 R/Root"), 1),
	} {
		t.Run(name, func(t *testing.T) {
			got, err := NewSemaphore().PDF(t.Context(), raw, compiledHere(t))
			if err != nil || got.Text != "" || got.Note == "" {
				t.Errorf("got %.100q, %q, %v", got.Text, got.Note, err)
			}
		})
	}
}

func TestPDFCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := NewSemaphore().PDF(ctx, pageWith(streamOf("", "x"), helvetica), ""); err == nil {
		t.Error("no error after the call was cancelled")
	}
}

func FuzzPDF(f *testing.F) {
	f.Add(pageWith(streamOf("/Filter/FlateDecode", deflated("BT /F 1 Tf [(a) -300 <62>] TJ ET")), helvetica))
	f.Add(pageWith(streamOf("", "q /X Do BI ID EI Q"), "<</Subtype/Type0/ToUnicode 6 0 R>>", streamOf("", "1 beginbfrange <00> <02> [<0041>] endbfrange")))
	f.Add(pdfOf(streamOf("/Type/ObjStm/N 1/First 4", "2 0 <</Type/Catalog/Pages 2 0 R>>")))
	compiled := compiledHere(f)
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, err := NewSemaphore().PDF(t.Context(), raw, compiled)
		if err != nil {
			t.Fatal(err)
		}
		if got.Text != strings.ToValidUTF8(got.Text, "") {
			t.Errorf("not UTF-8: %q", got.Text)
		}
	})
}

func TestPDFBroken(t *testing.T) {
	for raw, broken := range map[string]bool{
		"%PDF-1.7\ngarbage": true, "%PDF-1.4": true,
		"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n": false,
	} {
		if got, err := NewSemaphore().PDF(t.Context(), []byte(raw), compiledHere(t)); err != nil || got.Broken != broken {
			t.Errorf("%q: %+v, %v", raw, got, err)
		}
	}
}
