package scenario

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// maxPages bounds a paging loop that does not get on.
const maxPages = 100000

// page reads a file from byte 0 by next_start_byte with the given arguments
// and checks that the pages together are the text. The answers are judged one
// by one but not rendered.
func (r *runner) page(rest string) error {
	name, text, _ := strings.Cut(rest, " ")
	raw, err := r.jsonArg(text)
	if err != nil {
		return err
	}
	arguments := make(map[string]any)
	if err := json.Unmarshal(raw, &arguments); err != nil {
		return err
	}
	arguments["path"], arguments["format"] = name, "plain"
	var all strings.Builder
	start, pages := 0, 0
	for eof := false; !eof; pages++ {
		if pages == maxPages {
			return fmt.Errorf("no end after %d pages", pages)
		}
		arguments["start_byte"] = start
		if start, eof, err = r.onePage(arguments, &all); err != nil {
			return err
		}
	}
	fact, _ := r.truthOf(r.last)
	if all.String() != fact.text {
		r.complain("%d pages are not the text: %d bytes for %d", pages, all.Len(), len(fact.text))
	}
	return nil
}

// onePage reads one page into all and returns where the next one starts.
func (r *runner) onePage(arguments map[string]any, all *strings.Builder) (next int, eof bool, err error) {
	raw, err := json.Marshal(arguments)
	if err != nil {
		return 0, false, err
	}
	if err := r.begin("read_file " + string(raw)); err != nil {
		return 0, false, err
	}
	answer, err := r.hear(len(r.begun) - 1)
	switch {
	case err != nil:
		return 0, false, err
	case answer == nil:
		return 0, false, fmt.Errorf("page at %v:\n%s", arguments["start_byte"], r.want[len(r.want)-1].text)
	case r.lastErr:
		return 0, false, fmt.Errorf("page at %v:\n%s", arguments["start_byte"], r.render(*answer))
	}
	content, err := r.member("content")
	if err != nil {
		return 0, false, err
	}
	all.WriteString(content)
	if end, _ := r.member("eof"); end == "true" {
		return 0, true, nil
	}
	value, err := r.member("next_start_byte")
	if err != nil {
		return 0, false, err
	}
	next, err = strconv.Atoi(value)
	if err == nil && next <= arguments["start_byte"].(int) {
		err = fmt.Errorf("the page at %v goes on at %d", arguments["start_byte"], next)
	}
	return next, false, err
}

// unescape turns the path of a URI into a file's path.
func unescape(path string) string {
	if plain, err := url.PathUnescape(path); err == nil {
		return plain
	}
	return path
}
