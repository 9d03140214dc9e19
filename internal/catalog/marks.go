package catalog

import (
	"path/filepath"
	"sync"
)

// marks collect what may have changed, by folder. However much is noted, they
// stay small: many names become a folder, many folders become everything.
type marks struct {
	mu      sync.Mutex
	all     bool
	folders map[string]*folderMarks // by absolute path
	names   int                     // in all of them
}

// folderMarks are the names in one folder that may have changed; true if they
// may name something else now. Nil names are all of them.
type folderMarks struct{ names map[string]bool }

const (
	maxMarkedNames   = 4096
	maxMarkedFolders = 4096
)

// note marks what is at path.
func (m *marks) note(path string, replaced bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.all {
		return
	}
	dir, name := filepath.Dir(path), filepath.Base(path)
	f := m.folders[dir]
	switch {
	case f == nil && len(m.folders) >= maxMarkedFolders:
		m.setAll()
		return
	case f == nil:
		if m.folders == nil {
			m.folders = make(map[string]*folderMarks)
		}
		f = &folderMarks{make(map[string]bool, 1)}
		m.folders[dir] = f
	case f.names == nil:
		return
	}
	old, known := f.names[name]
	if !known {
		m.names++
	}
	f.names[name] = old || replaced
	if m.names > maxMarkedNames {
		m.widen()
	}
}

// widen gives up the names of the folders that have most.
func (m *marks) widen() {
	for _, f := range m.folders {
		if len(f.names) > maxNames {
			m.names -= len(f.names)
			f.names = nil
		}
	}
	if m.names > maxMarkedNames/2 {
		m.setAll()
	}
}

// noteAll marks everything.
func (m *marks) noteAll() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.setAll()
}

func (m *marks) setAll() { m.all, m.folders, m.names = true, nil, 0 }

// take returns what is marked and unmarks it.
func (m *marks) take() (folders map[string]*folderMarks, all bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	folders, all = m.folders, m.all
	m.folders, m.all, m.names = nil, false, 0
	return folders, all
}
