package fakeeditor

import (
	"slices"
	"strings"
)

// Document is what a buffer holds at one moment.
type Document struct {
	URI, Path string // Path is empty for a document that is not a file
	Language  string
	Text      string
	Base      string // the text as of open, save or reload
	Version   int
	Dirty     bool
	Untold    bool // some changes are held back
	Format    Format
	UndoSteps int
	Applied   int // how many edits of the server changed the text
}

// Bytes is what saving the document now would write.
func (d Document) Bytes() ([]byte, error) { return d.Format.Encode(d.Text) }

// Document returns an open document by absolute path or URI.
func (e *Editor) Document(name string) (Document, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	d := e.docs[uriOf(name)]
	if d == nil {
		return Document{}, false
	}
	return d.export(), true
}

// Documents returns all open documents, by URI.
func (e *Editor) Documents() []Document {
	e.mu.Lock()
	defer e.mu.Unlock()
	var out []Document
	for _, d := range e.docs {
		out = append(out, d.export())
	}
	slices.SortFunc(out, func(a, b Document) int { return strings.Compare(a.URI, b.URI) })
	return out
}

func (d *document) export() Document {
	return Document{
		URI: d.uri, Path: d.path, Language: d.language, Text: d.text, Base: d.base, Version: d.version,
		Dirty: d.dirty(), Untold: len(d.waiting) > 0, Format: d.format, UndoSteps: len(d.undo), Applied: d.applied,
	}
}
