//go:build linux

package soak

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// model is what the assistants' regions may hold: one value where the last call
// was answered, two while one is out or where its outcome is unknown.
type model struct {
	mu      sync.Mutex
	allowed map[place][]string
}

// place is a region in a file.
type place struct{ file, region string }

func newModel() *model { return &model{allowed: make(map[place][]string)} }

// at returns the values that a place may hold; every one begins with "0".
func (m *model) at(p place) []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if values, ok := m.allowed[p]; ok {
		return slices.Clone(values)
	}
	return []string{"0"}
}

func (m *model) set(p place, values ...string) {
	slices.Sort(values)
	values = slices.Compact(values)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.allowed[p] = values
}

// check holds an assistant's regions of a text against the model.
func (m *model) check(file, text string, assistant int) error {
	for i := range regions {
		name := region(assistant, i)
		v, err := value(text, name)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if want := m.at(place{file, name}); !slices.Contains(want, v) {
			return fmt.Errorf("%s: region %s holds %q, and should hold %s", file, name, v, strings.Join(want, " or "))
		}
	}
	return nil
}
