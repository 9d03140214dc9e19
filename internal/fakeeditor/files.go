package fakeeditor

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// fileOperation is an element of documentChanges that deletes or moves a file.
type fileOperation struct {
	Kind   string `json:"kind"`
	URI    string `json:"uri"`
	OldURI string `json:"oldUri"`
	NewURI string `json:"newUri"`
}

// file is the document's URI before the operation.
func (o fileOperation) file() string { return o.URI + o.OldURI }

// operate does a file operation as editors do it: the document is closed, a
// moved one opened under its new name.
func (e *Editor) operate(o fileOperation) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	from := pathOf(o.file())
	d := e.docs[o.file()]
	if d != nil && d.dirty() {
		e.log.violation("%s of %s, which has unsaved changes", o.Kind, o.file())
	}
	switch o.Kind {
	case "delete":
		if err := os.Remove(from); err != nil {
			return err
		}
		if d != nil {
			e.vanish(d)
		}
		return nil
	case "rename":
		to := pathOf(o.NewURI)
		if _, err := os.Lstat(to); err == nil {
			return fmt.Errorf("%s exists", to)
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := os.Rename(from, to); err != nil {
			return err
		}
		if d != nil {
			e.vanish(d)
			e.appear(&document{uri: o.NewURI, path: to, language: d.language, text: d.text, base: d.base, format: d.format})
		}
		return nil
	}
	return errors.New("unknown file operation " + o.Kind)
}
