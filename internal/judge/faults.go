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
	file     string         // glob of the whole name, or of its last part
	name     *regexp.Regexp // of the whole name
	where    string         // regular expression of a part of the line, or of what is said of it
	why      string
	used     atomic.Int64
}

// readFaults reads a list: tab-separated columns language, what, file, name,
// where and why; # begins a comment line.
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
	if _, err := regexp.Compile(strings.TrimPrefix(columns[4], "say:")); err != nil {
		return nil, err
	}
	_, err = path.Match(columns[2], "")
	return &fault{language: columns[0], what: columns[1], file: columns[2], name: name, where: columns[4], why: columns[5]}, err
}

// covers reports whether a difference is in the list.
func (l *faultList) covers(language string, d difference) bool {
	for _, f := range l.faults {
		if f.language == language && f.what == d.what && f.fits(d) {
			f.used.Add(1)
			return true
		}
	}
	return false
}

// fits reports whether a fault explains a difference. Where begins with "say:"
// it is about what is said of the difference; {name} stands for the name.
func (f *fault) fits(d difference) bool {
	if !f.name.MatchString(d.name) || !f.isOf(d.file) {
		return false
	}
	pattern := strings.ReplaceAll(f.where, "{name}", regexp.QuoteMeta(d.name))
	if about, says := strings.CutPrefix(pattern, "say:"); says {
		return regexp.MustCompile(about).MatchString(d.say)
	}
	return regexp.MustCompile(pattern).MatchString(d.text)
}

func (f *fault) isOf(file string) bool {
	if f.file == "*" {
		return true
	}
	whole, _ := path.Match(f.file, file)
	base, _ := path.Match(f.file, path.Base(file))
	return whole || base
}
