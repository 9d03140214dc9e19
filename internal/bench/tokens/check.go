package tokens

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// nameShare is how many of the names of a [nameList] answers must have.
const nameShare = 0.95

// check returns what is missing in the answers of a sequence, given as one
// text, nil when nothing is.
func (t *task) check(dir, answers string) error {
	readable := unescape(answers)
	holds := func(s string) bool { return strings.Contains(answers, s) || strings.Contains(readable, s) }
	for _, want := range t.wants {
		if !holds(want) {
			return fmt.Errorf("the answers do not hold %q", want)
		}
	}
	for _, bad := range t.absent {
		if holds(bad) {
			return fmt.Errorf("the answers hold %q", bad)
		}
	}
	for _, r := range t.lines {
		if err := r.check(dir, holds); err != nil {
			return err
		}
	}
	for _, n := range t.names {
		if err := n.check(dir, readable); err != nil {
			return err
		}
	}
	return nil
}

func (r lineRange) check(dir string, holds func(string) bool) error {
	b, err := os.ReadFile(filepath.Join(dir, r.file))
	if err != nil {
		return err
	}
	lines := strings.Split(string(b), "\n")
	if r.first < 1 || r.first > r.last || r.last > len(lines) {
		return fmt.Errorf("%s has no lines %d-%d", r.file, r.first, r.last)
	}
	for i, line := range lines[r.first-1 : r.last] {
		// What is as short as a bracket proves nothing.
		if line = strings.TrimSpace(line); len(line) > 3 && !holds(line) {
			return fmt.Errorf("the answers do not hold line %d of %s: %q", r.first+i, r.file, line)
		}
	}
	return nil
}

func (n nameList) check(dir, answers string) error {
	b, err := os.ReadFile(filepath.Join(dir, n.file))
	if err != nil {
		return err
	}
	said := map[string]bool{}
	for _, word := range words.FindAllString(answers, -1) {
		said[word] = true
	}
	var all int
	var missing []string
	for _, m := range n.pattern.FindAllSubmatch(b, -1) {
		if all++; !said[string(m[1])] {
			missing = append(missing, string(m[1]))
		}
	}
	if all == 0 || float64(all-len(missing)) < nameShare*float64(all) {
		return fmt.Errorf("the answers do not name %d of %d: %.200s", len(missing), all, strings.Join(missing, " "))
	}
	return nil
}

var words = regexp.MustCompile(`\w+`)

// unescape undoes the escapes of JSON strings within a text.
func unescape(s string) string {
	return strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\"`, `"`, `\r`, "\r").Replace(s)
}

// apply returns the text with the change made.
func (c change) apply(text string) (string, error) {
	want := max(c.Count, 1)
	if c.Regexp {
		r, err := regexp.Compile(c.Old)
		if err != nil {
			return "", err
		}
		if n := len(r.FindAllStringIndex(text, -1)); n != want {
			return "", fmt.Errorf("%s: %q matches %d times", c.File, c.Old, n)
		}
		return r.ReplaceAllString(text, c.New), nil
	}
	if c.Old == "" {
		return c.New, nil
	}
	if n := strings.Count(text, c.Old); n != want {
		return "", fmt.Errorf("%s: %q occurs %d times", c.File, c.Old, n)
	}
	return strings.ReplaceAll(text, c.Old, c.New), nil
}

// applyAll returns the texts of the files that changes concern, as the changes
// leave them.
func applyAll(before map[string]string, changes []change) (map[string]string, error) {
	after := map[string]string{}
	for _, c := range changes {
		text, ok := after[c.File]
		if !ok {
			text = before[c.File]
		}
		text, err := c.apply(text)
		if err != nil {
			return nil, err
		}
		after[c.File] = text
	}
	return after, nil
}

// files reads the files that a task changes; those that are not there are
// empty.
func (t *task) files(dir string) (map[string]string, error) {
	texts := map[string]string{}
	for _, changes := range [][]change{t.expected, t.meanwhile, t.unsaved} {
		for _, c := range changes {
			b, err := os.ReadFile(filepath.Join(dir, c.File))
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
			texts[c.File] = string(b)
		}
	}
	return texts, nil
}

// put writes files; an empty text is no file.
func put(dir string, texts map[string]string) error {
	for name, text := range texts {
		path := filepath.Join(dir, name)
		if text == "" {
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			continue
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
