//go:build !linux

package workspace

import "os"

// readEntries appends the entries of an open folder to into.
func readEntries(f *os.File, into []rawEntry) ([]rawEntry, error) {
	list, err := f.ReadDir(-1)
	for _, e := range list {
		into = append(into, rawEntry{name: []byte(e.Name()), kind: status{mode: e.Type()}.kind()})
	}
	return into, err
}
