package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/agent-lsp/agent-lsp/rpc/session"
)

// screen is where a command's results go: in columns, with colours and a
// progress bar where a person looks on, without where a program reads.
type screen struct {
	out, err *os.File
	columns  bool // of out
	colour   bool // of out
	bar      bool // may be drawn on err
	drawn    bool
}

func newScreen(out, err *os.File) *screen {
	plain := os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb"
	return &screen{out: out, err: err, columns: isTerminal(out), colour: !plain && isTerminal(out), bar: !plain && isTerminal(err)}
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// barAfter is how long a call takes that gets a bar.
const barAfter = 300 * time.Millisecond

// barWidth is the width of the bar, in characters.
const barWidth = 30

// progress draws a bar while a long call runs; nil where nobody would see it.
func (s *screen) progress() func(message string, done, total int) {
	if !s.bar {
		return nil
	}
	began := time.Now()
	return func(message string, done, total int) {
		if total <= 0 || time.Since(began) < barAfter {
			return
		}
		full := barWidth * min(done, total) / total
		fmt.Fprintf(s.err, "\r%s [%s%s] %3d%%", message, strings.Repeat("#", full), strings.Repeat(".", barWidth-full), 100*done/total)
		s.drawn = true
	}
}

// clear takes the bar away.
func (s *screen) clear() {
	if s.drawn {
		fmt.Fprint(s.err, "\r\x1b[K")
	}
}

// show prints an answer: its header apart, so that what is piped on is the
// text alone.
func (s *screen) show(tool string, answer session.Answer) error {
	text := answer.Raw
	header := string(text[:answer.Header])
	rest := strings.TrimPrefix(string(text[answer.Header:]), "\n\n")
	if header != "" {
		fmt.Fprintln(s.err, s.dim(header))
	}
	if rest == "" {
		return nil
	}
	if s.columns {
		rest = inColumns(tool, rest)
	}
	w := bufio.NewWriter(s.out)
	s.write(w, tool, rest)
	return w.Flush()
}

func (s *screen) dim(text string) string {
	if !s.colour || !s.bar {
		return text
	}
	return "\x1b[2m" + text + "\x1b[0m"
}

// write prints text, whole lines of which a person sees in the colours of
// diffs, line numbers, and the names of files and folders.
func (s *screen) write(w io.StringWriter, tool, text string) {
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	if !s.colour {
		_, _ = w.WriteString(text) // Flush tells
		return
	}
	for line := range strings.SplitAfterSeq(text, "\n") {
		_, _ = w.WriteString(coloured(tool, line))
	}
}

// lineNumber is how lines of files begin, and fileHead what stands above hits.
var (
	lineNumber = regexp.MustCompile(`^ *\d+(\||[:-] )`)
	fileHead   = regexp.MustCompile(`^\S.* [0-9a-f]{8,64}$`)
)

// coloured paints a line by how it begins.
func coloured(tool, line string) string {
	body, end := strings.TrimSuffix(line, "\n"), "\n"
	if body == line {
		end = ""
	}
	number := lineNumber.FindString(body)
	switch {
	case number != "":
		return "\x1b[2m" + number + "\x1b[0m" + body[len(number):] + end
	case tool == "grep_files" && fileHead.MatchString(body):
		at := strings.LastIndexByte(body, ' ')
		return "\x1b[1m" + body[:at] + "\x1b[0m\x1b[2m" + body[at:] + "\x1b[0m" + end
	case tool == "list_directory" && strings.HasSuffix(body, "/"):
		return "\x1b[34m" + body + "\x1b[0m" + end
	case strings.HasPrefix(body, "@@"):
		return "\x1b[36m" + body + "\x1b[0m" + end
	case strings.HasPrefix(body, "--- ") || strings.HasPrefix(body, "+++ "):
		return "\x1b[1m" + body + "\x1b[0m" + end
	case strings.HasPrefix(body, "+"):
		return "\x1b[32m" + body + "\x1b[0m" + end
	case strings.HasPrefix(body, "-"):
		return "\x1b[31m" + body + "\x1b[0m" + end
	}
	return line
}
