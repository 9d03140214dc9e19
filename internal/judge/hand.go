package judge

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
)

// marked is a definition whose lines were read off a file by a person.
type marked struct {
	file, name string
	start, end int // the first line of the definition itself, and the last
}

// readMarked reads tab-separated columns file, name, start and end.
func readMarked(name string) ([]marked, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var all []marked
	for n, line := range strings.Split(string(data), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		columns := strings.Split(line, "\t")
		if len(columns) != 4 {
			return nil, fmt.Errorf("%s:%d: has %d columns, not 4", name, n+1, len(columns))
		}
		start, err := strconv.Atoi(columns[2])
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n+1, err)
		}
		end, err := strconv.Atoi(columns[3])
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n+1, err)
		}
		all = append(all, marked{columns[0], columns[1], start, end})
	}
	return all, nil
}

// checkMarked compares outlines with what was marked by hand, and says what
// is different.
func (r roots) checkMarked(ctx context.Context, language string, all []marked) (share, []string, error) {
	outlines := map[string][]symbol{}
	right := share{all: len(all)}
	var wrong []string
	for _, m := range all {
		if outlines[m.file] == nil {
			f, err := r.read(language, m.file)
			if err != nil {
				return right, nil, err
			}
			outlines[m.file], _ = symbolsOf(ctx, f)
		}
		if say := m.differs(outlines[m.file]); say != "" {
			wrong = append(wrong, fmt.Sprintf("end\t%s:%d\t%s\t%s", m.file, m.start, m.name, say))
		} else {
			right.of++
		}
	}
	return right, wrong, nil
}

// read reads a file by root and path in it.
func (r roots) read(language, name string) (*file, error) {
	root, below, _ := strings.Cut(name, "/")
	if r[root] == nil {
		return nil, fmt.Errorf("no sources %q for %s", root, path.Base(name))
	}
	text, err := fs.ReadFile(r[root], below)
	return &file{language: language, name: name, text: text}, err
}

func (m marked) differs(symbols []symbol) string {
	for _, s := range symbols {
		if same(s.Name, m.name) && s.StartLine <= m.start && m.start <= s.nameLine {
			if s.EndLine == m.end {
				return ""
			}
			return fmt.Sprintf("ends at %d, ours at %d", m.end, s.EndLine)
		}
	}
	return "not found"
}
