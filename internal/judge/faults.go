package judge

import (
	"fmt"
	"os"
	"path"
	"regexp"
	"strings"
	"sync/atomic"
)

// faultList holds the differences that are the judges' own faults.
type faultList struct{ faults []*fault }

// fault is a line of faults.txt.
type fault struct {
	language string
	what     string
	file     string         // glob of the file's name, or of its end
	name     *regexp.Regexp // of the whole name
	line     *regexp.Regexp // of a part of the line where the name stands
	why      string
	used     atomic.Int64
}

// readFaults reads a list: tab-separated columns language, what, file, name,
// line and why; # begins a comment line.
func readFaults(name string) (*faultList, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	l := &faultList{}
	for n, line := range strings.Split(string(data), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		f, err := parseFault(line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n+1, err)
		}
		l.faults = append(l.faults, f)
	}
	return l, nil
}

func parseFault(line string) (*fault, error) {
	columns := strings.Split(line, "\t")
	if len(columns) != 6 {
		return nil, fmt.Errorf("has %d columns, not 6", len(columns))
	}
	if !listed(strings.Join(whats, " "), columns[1]) {
		return nil, fmt.Errorf("no such difference: %q", columns[1])
	}
	name, err := regexp.Compile("^(?:" + columns[3] + ")$")
	if err != nil {
		return nil, err
	}
	text, err := regexp.Compile(columns[4])
	if err != nil {
		return nil, err
	}
	_, err = path.Match(columns[2], "")
	return &fault{language: columns[0], what: columns[1], file: columns[2], name: name, line: text, why: columns[5]}, err
}

// covers tells whether a difference is in the list.
func (l *faultList) covers(language string, d difference) bool {
	for _, f := range l.faults {
		if f.language == language && f.what == d.what && f.fits(d.file) && f.name.MatchString(d.name) && f.line.MatchString(d.text) {
			f.used.Add(1)
			return true
		}
	}
	return false
}

func (f *fault) fits(file string) bool {
	if f.file == "*" || f.file == file {
		return true
	}
	whole, _ := path.Match(f.file, file)
	base, _ := path.Match(f.file, path.Base(file))
	return whole || base
}
