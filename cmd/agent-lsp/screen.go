package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/agent-lsp/agent-lsp/rpc/session"
	"github.com/agent-lsp/agent-lsp/tools"
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
func (s *screen) show(terminal tools.Terminal, answer session.Answer) error {
	text := answer.Raw
	header := string(text[:answer.Header])
	rest := strings.TrimPrefix(string(text[answer.Header:]), "\n\n")
	if header != "" {
		fmt.Fprintln(s.err, s.dim(header))
	}
	if rest == "" {
		return nil
	}
	if !strings.HasSuffix(rest, "\n") {
		rest += "\n"
	}
	_, err := s.out.WriteString(layout{terminal, s.columns, s.colour}.text(rest))
	return err
}

func (s *screen) dim(text string) string {
	if !s.colour || !s.bar {
		return text
	}
	return "\x1b[2m" + text + "\x1b[0m"
}
