//go:build !linux

package fsys

import "os"

// readEntries appends the entries of an open folder to into.
func readEntries(f *os.File, into []DirEntry) ([]DirEntry, error) {
	list, err := f.ReadDir(-1)
	for _, e := range list {
		into = append(into, DirEntry{Name: []byte(e.Name()), Kind: Status{Mode: e.Type()}.Kind()})
	}
	return into, err
}
