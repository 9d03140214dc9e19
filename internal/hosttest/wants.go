package hosttest

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// What must be so.

// says looks for words in the answers of the step, taken together.
func says(words ...string) want {
	return func(s *scene) error { return contains("the model does not see", strings.Join(s.answers, "\n"), words) }
}

// told looks for words in all that the last turn added to what the model sees:
// hosts put what a hook says beside answers, too.
func told(words string) want {
	return func(s *scene) error {
		now, before := s.talks[0].turn.Body, s.talks[0].knew
		if bytes.Count(now, []byte(words)) <= bytes.Count(before, []byte(words)) {
			return fmt.Errorf("the model is not told %q", words)
		}
		return nil
	}
}

// answer looks for words in one answer.
func answer(n int, words ...string) want {
	return func(s *scene) error { return contains(fmt.Sprintf("answer %d lacks", n+1), s.answers[n], words) }
}

func lacks(words ...string) want {
	return func(s *scene) error {
		for _, w := range words {
			if strings.Contains(strings.Join(s.answers, "\n"), w) {
				return fmt.Errorf("the model sees %q", w)
			}
		}
		return nil
	}
}

func contains(what, text string, words []string) error {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return fmt.Errorf("%s %q", what, w)
		}
	}
	return nil
}

func buffer(file string, words ...string) want {
	return func(s *scene) error {
		text, err := s.editor.text(file)
		if err != nil {
			return err
		}
		if err := contains("the editor's text lacks", text, words); err != nil {
			return fmt.Errorf("%w; it is:\n%s", err, text)
		}
		return nil
	}
}

func bufferLacks(file, word string) want {
	return func(s *scene) error {
		text, err := s.editor.text(file)
		if err == nil && strings.Contains(text, word) {
			err = fmt.Errorf("the editor's text has %q; it is:\n%s", word, text)
		}
		return err
	}
}

func unsaved(file string) want {
	return func(s *scene) error {
		is, err := s.editor.unsaved(file)
		if err == nil && !is {
			err = fmt.Errorf("the editor shows %s as saved", file)
		}
		return err
	}
}

func disk(file string, words ...string) want {
	return func(s *scene) error { return contains(file+" on disk lacks", s.stage.disk(file), words) }
}

func diskLacks(file, word string) want {
	return func(s *scene) error {
		if strings.Contains(s.stage.disk(file), word) {
			return fmt.Errorf("%s on disk has %q", file, word)
		}
		return nil
	}
}

var (
	bigLine   = regexp.MustCompile(`(\d{6}) the quick`)
	bigHeader = regexp.MustCompile(`lines 1-(\d+) of 4000`)
)

// whole looks whether each line is there that the answer's header tells of.
func whole(s *scene) error {
	header := bigHeader.FindStringSubmatch(s.answers[0])
	if header == nil {
		return errors.New("no header with the lines")
	}
	told, _ := strconv.Atoi(header[1])
	lines := bigLine.FindAllStringSubmatch(s.answers[0], -1)
	for i := range told {
		if i >= len(lines) || lines[i][1] != fmt.Sprintf("%06d", i) {
			return fmt.Errorf("line %d of %d is missing, in %d bytes", i+1, told, len(s.answers[0]))
		}
	}
	if told < 100 {
		return fmt.Errorf("only %d lines", told)
	}
	return nil
}

// counted looks whether the first answer has as many of something as it tells.
func counted(pattern, told string) want {
	return func(s *scene) error {
		m := regexp.MustCompile(told).FindStringSubmatch(s.answers[0])
		if m == nil {
			return errors.New("the answer does not tell how many there are")
		}
		if have := len(regexp.MustCompile(pattern).FindAllString(s.answers[0], -1)); strconv.Itoa(have) != m[1] {
			return fmt.Errorf("%d of %s are there", have, m[0])
		}
		return nil
	}
}

// cuts are the words by which hosts tell that they have cut an answer.
var cuts = regexp.MustCompile(`(?i)output too large|truncated|tool-outputs|persisted-output|characters omitted|saved to`)

func uncut(s *scene) error {
	for i, a := range s.answers {
		if cut := cuts.FindString(a); cut != "" {
			return fmt.Errorf("answer %d (%d bytes) is cut: %q", i+1, len(a), cut)
		}
	}
	return nil
}

// everyday is by what words a model would search which tool.
func everyday() [][2]string {
	return [][2]string{
		{"read a file", "read_file"}, {"edit a file", "edit_file"}, {"apply a patch", "apply_patch"}, {"search text in files", "grep_files"},
		{"outline of symbols in a file", "outline"}, {"files open in the editor", "open_files"},
	}
}

// searched looks whether the host's own search shows those of our tools for
// everyday words that the host hides.
func searched(s *scene) error {
	t := s.talks[0]
	if err := t.wait(s.ctx); err != nil {
		return err
	}
	for _, e := range everyday() {
		words, name := e[0], e[1]
		if _, shown := t.find(name); shown || !t.hides() {
			continue
		}
		answer, err := t.search(s.ctx, words, "")
		if err != nil {
			return err
		}
		if _, shown := t.find(name); !shown && !strings.Contains(answer, name) {
			s.answers = append(s.answers, answer)
			return fmt.Errorf("%q does not show %s", words, name)
		}
	}
	return nil
}
