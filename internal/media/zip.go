package media

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
)

// Parts of a zip that are looked at, in bytes.
const (
	// zipTail holds the record at the end: 22 bytes and a comment.
	zipTail = 22 + 1<<16
	// zipDirectory is how much of the list of entries is looked at.
	zipDirectory = 64 << 10
)

// InZip tells what sort of zip a file is, and how many entries it has: office
// documents, books, packages and programs are zips too. head is the file's
// beginning, read gives n bytes of it from an offset on. What cannot be read
// leaves it a zip archive.
func InZip(head string, size int64, read func(off int64, n int) ([]byte, error)) Kind {
	k := Kind{Class: ABinary, Name: zipName, Advice: listZip}
	from := max(0, size-zipTail)
	tail, err := read(from, int(size-from))
	if err != nil {
		return k
	}
	end, ok := zipEnd(tail)
	if !ok {
		k.Name += ", cut off or damaged"
		return k
	}
	listed, err := read(end.at, int(min(end.size, zipDirectory)))
	if err != nil {
		listed = nil
	}
	for _, s := range zipSorts {
		if s.fits(head, listed) {
			return Kind{Class: ABinary, Name: s.name, Advice: s.advice}
		}
	}
	k.Name += " of " + end.count()
	return k
}

// zipRecord is what a zip says at its end of its list of entries.
type zipRecord struct {
	entries  int
	at, size int64 // where the list stands
}

func (r zipRecord) count() string {
	switch r.entries {
	case 1:
		return "1 entry"
	case 1<<16 - 1: // the true number stands elsewhere
		return "65535 entries or more"
	}
	return fmt.Sprintf("%d entries", r.entries)
}

// zipEnd finds the record in the last bytes of a file.
func zipEnd(tail []byte) (zipRecord, bool) {
	const length = 22
	for at := bytes.LastIndex(tail, []byte("PK\x05\x06")); at >= 0; at = bytes.LastIndex(tail[:at], []byte("PK\x05\x06")) {
		if len(tail)-at < length {
			continue
		}
		order := binary.LittleEndian
		if comment := int(order.Uint16(tail[at+20:])); at+length+comment > len(tail) {
			continue
		}
		return zipRecord{
			entries: int(order.Uint16(tail[at+10:])),
			size:    int64(order.Uint32(tail[at+12:])), at: int64(order.Uint32(tail[at+16:])),
		}, true
	}
	return zipRecord{}, false
}

// zipSort is a format that is a zip: known by the words that its first entry
// holds, or by the name of an entry.
type zipSort struct {
	first, entry string
	name, advice string
}

func (s zipSort) fits(head string, listed []byte) bool {
	if s.first != "" {
		return strings.HasPrefix(head[min(len(head), 30):], s.first)
	}
	return bytes.Contains(listed, []byte(s.entry))
}

const (
	openDocument = "mimetypeapplication/vnd.oasis.opendocument."
	asText       = "Its text: `unzip -p FILE "
)

// zipSorts are read from the top: the first that fits wins.
var zipSorts = []zipSort{
	{first: openDocument + "text", name: "a text document (OpenDocument)", advice: asText + "content.xml`." + unpackText},
	{first: openDocument + "spreadsheet", name: "a spreadsheet (OpenDocument)", advice: asText + "content.xml`." + unpackText},
	{first: openDocument + "presentation", name: "a presentation (OpenDocument)", advice: asText + "content.xml`." + unpackText},
	{first: openDocument, name: "an OpenDocument file", advice: asText + "content.xml`." + unpackText},
	{first: "mimetypeapplication/epub+zip", name: "a book (EPUB)", advice: listZip + unpackText},
	{entry: "word/document.xml", name: "a Word document (docx)", advice: asText + "word/document.xml`." + unpackText},
	{entry: "xl/workbook.", name: "an Excel workbook (xlsx)", advice: asText + "xl/sharedStrings.xml`; convert it to csv and read that."},
	{entry: "ppt/presentation.xml", name: "a PowerPoint presentation (pptx)", advice: asText + "ppt/slides/slide1.xml`." + unpackText},
	{entry: "AndroidManifest.xml", name: "an Android package (APK)", advice: listZip},
	{entry: ".dist-info/WHEEL", name: "a Python package (wheel)", advice: listZip},
	{entry: "META-INF/MANIFEST.MF", name: "a Java archive (jar)", advice: listZip},
	{entry: "extension.vsixmanifest", name: "an editor's extension (VSIX)", advice: listZip},
}
