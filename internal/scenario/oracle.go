package scenario

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agent-lsp/agent-lsp/internal/fakeeditor"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

// truth is what the scenario package itself knows about a file, worked out
// with the simplest code that can.
type truth struct {
	raw    []byte // on disk, or what saving the buffer would write
	text   string
	known  bool // the package can decode this file
	untold bool // the editor keeps changes back
	source string
	dirty  bool
	bom    bool
}

// judge compares an answer with the truth.
func (r *runner) judge(b begun, answer Answer) {
	if answer.IsError {
		r.judgeError(answer)
		return
	}
	switch b.tool {
	case "read_file":
		r.judgeReads(b.args)
	case "edit_file":
		r.judgeEdit(b.args)
	}
}

// judgeError checks that the text and the structured error agree.
func (r *runner) judgeError(answer Answer) {
	kind, err := lookIn(r.last, "error.kind")
	if err != nil {
		r.complain("an error without error.kind")
		return
	}
	if len(answer.Content) == 0 || !strings.HasPrefix(answer.Content[0].Text, fmt.Sprint(kind)) {
		r.complain("the error's text does not start with its kind %v", kind)
	}
}

func (r *runner) complain(format string, args ...any) {
	r.t.Errorf("%s:%d: %s", r.archive.path, r.command.line, fmt.Sprintf(format, args...))
}

// judgeReads judges a read, or each of several that was answered.
func (r *runner) judgeReads(raw json.RawMessage) {
	all := r.last
	list, several := all.get("reads")
	items, _ := list.([]any)
	if !several {
		r.judgeRead(raw)
		return
	}
	defer func() { r.last = all }()
	var call struct{ Reads []json.RawMessage }
	_ = json.Unmarshal(raw, &call)
	for i, item := range items {
		one, _ := item.(object)
		if _, answered := one.get("uri"); answered && i < len(call.Reads) {
			r.last = one
			r.judgeRead(call.Reads[i])
		}
	}
}

func (r *runner) judgeRead(raw json.RawMessage) {
	fact, there := r.truthOf(r.last)
	if !there {
		r.complain("the answer's uri names no file that the scenario knows")
		return
	}
	var a struct{ Encoding string }
	_ = json.Unmarshal(raw, &a) // unusable arguments were refused already
	mode, _ := r.member("read_mode")
	fact.known = fact.known && a.Encoding == "" && !slices.Contains([]string{"image", "document", "binary"}, mode)
	r.checkMember("source", fact.source)
	if outOfSync, _ := r.last.get("unsure"); outOfSync == true || fact.untold {
		return
	}
	r.checkMember("content_hash", hashOf(fact.raw))
	if fact.source == "disk" {
		r.checkMember("size_bytes", fmt.Sprint(len(fact.raw)))
	} else {
		r.checkMember("dirty", fmt.Sprint(fact.dirty))
	}
	if !fact.known {
		return
	}
	r.checkMember("text_bytes", fmt.Sprint(len(fact.text)))
	r.checkMember("total_lines", fmt.Sprint(len(lineStarts(fact.text))))
	r.checkMember("eol", lineEnds(fact.text))
	r.checkMember("final_newline", fmt.Sprint(strings.HasSuffix(fact.text, "\n") || strings.HasSuffix(fact.text, "\r")))
	r.checkMember("bom", fmt.Sprint(fact.bom))
	r.judgeContent(fact.text, raw)
}

// checkMember compares a member of the last answer; one that is absent says
// false or nothing and is not compared unless true was due.
func (r *runner) checkMember(name, want string) {
	have, err := r.member(name)
	if err != nil && want == "true" {
		r.complain("%s is absent, it should be true", name)
	}
	if err == nil && have != want {
		r.complain("%s is %s, the truth is %s", name, have, want)
	}
}

// truthOf works out what the file that an answer names holds.
func (r *runner) truthOf(answer object) (truth, bool) {
	uri, _ := answer.get("uri")
	name, isText := uri.(string)
	if !isText {
		return truth{}, false
	}
	if d, open := r.editor().Document(name); open {
		raw, err := d.Bytes()
		return truth{
			raw: raw, text: d.Text, known: err == nil, source: "buffer",
			untold: d.Untold, dirty: d.Dirty, bom: d.Format.BOM,
		}, true
	}
	path, isFile := strings.CutPrefix(name, "file://")
	if !isFile {
		return truth{}, false
	}
	if output, kept := strings.CutPrefix(path, workspace.OutputsPrefix); kept {
		path = filepath.Join(r.world.state, "agent-lsp", "outputs", output)
	}
	if filepath.Separator != '/' {
		path = strings.TrimPrefix(path, "/") // before the drive
	}
	raw, err := os.ReadFile(unescape(path))
	if err != nil {
		return truth{}, false
	}
	f := fakeeditor.DetectFormat(raw)
	return truth{
		raw: raw, text: f.Decode(raw), source: "disk", bom: f.BOM,
		known: f.Encoding != fakeeditor.UTF8 || utf8.Valid(raw),
	}, true
}

// judgeContent checks what is shown against the text.
func (r *runner) judgeContent(text string, raw json.RawMessage) {
	shown, err := r.span("bytes_shown")
	content, has := r.last.get("content")
	if err != nil || !has {
		return
	}
	if shown[0] < 0 || shown[1] < shown[0] || shown[1] > len(text) {
		r.complain("bytes_shown %v lies outside of the text", shown)
		return
	}
	exact := text[shown[0]:shown[1]]
	var a struct{ Format string }
	_ = json.Unmarshal(raw, &a) // unusable arguments were refused already
	if mode, _ := r.member("read_mode"); a.Format == "plain" && mode != "offset" && mode != "tail" && content != exact {
		r.complain("content is not the text's bytes %v", shown)
	}
	r.judgeLines(text, shown)
	if next, err := r.member("next_start_byte"); err == nil && next != fmt.Sprint(shown[1]) {
		r.complain("next_start_byte is %s, what is shown ends at %d", next, shown[1])
	}
}

// judgeLines checks lines_shown against bytes_shown.
func (r *runner) judgeLines(text string, shown [2]int) {
	lines, err := r.span("lines_shown")
	if err != nil || shown[0] == shown[1] {
		return
	}
	starts := lineStarts(text)
	first, last := lineOf(starts, shown[0]), lineOf(starts, shown[1]-1)
	if lines != [2]int{first, last} {
		r.complain("lines_shown is %v, bytes %v are lines %d to %d", lines, shown, first, last)
	}
	partial, _ := r.last.get("partial_line")
	whole := starts[first-1] == shown[0] && (shown[1] == len(text) || slices.Contains(starts, shown[1]))
	if !whole && partial != true {
		r.complain("bytes %v are not whole lines and partial_line is not true", shown)
	}
}

// span reads a {start, end} member of the last answer.
func (r *runner) span(name string) ([2]int, error) {
	var out [2]int
	for i, end := range []string{".start", ".end"} {
		value, err := r.member(name + end)
		if err != nil {
			return out, err
		}
		if _, err := fmt.Sscan(value, &out[i]); err != nil {
			return out, err
		}
	}
	return out, nil
}

// judgeEdit checks the hash that an edit's answer promises for the next edit.
func (r *runner) judgeEdit(raw json.RawMessage) {
	var a struct {
		Path   string
		DryRun bool `json:"dry_run"`
	}
	if err := json.Unmarshal(raw, &a); err != nil || a.DryRun || r.behaviour.Applied != nil {
		return
	}
	now, err := r.bytesOf(a.Path)
	if err != nil {
		return // the path is not spelt as the scenario spells it
	}
	r.checkMember("files.0.content_hash", hashOf(now))
}

// lineStarts returns the byte offset of each line: LF, CRLF and a lone CR end
// lines, a final line end starts no further one, an empty text has none.
func lineStarts(text string) []int {
	var starts []int
	next := 0
	for i := range len(text) {
		if i == next {
			starts = append(starts, i)
		}
		if text[i] == '\n' || text[i] == '\r' && !strings.HasPrefix(text[i+1:], "\n") {
			next = i + 1
		}
	}
	return starts
}

// lineOf returns the 1-based line that holds a byte.
func lineOf(starts []int, offset int) int {
	i, found := slices.BinarySearch(starts, offset)
	if found {
		return i + 1
	}
	return i
}

// lineEnds names the kind of line ends that a text has.
func lineEnds(text string) string {
	crlf := strings.Count(text, "\r\n")
	kinds := []struct {
		name string
		n    int
	}{
		{"crlf", crlf},
		{"lf", strings.Count(text, "\n") - crlf},
		{"cr", strings.Count(text, "\r") - crlf},
	}
	name := "none"
	for _, k := range kinds {
		switch {
		case k.n == 0:
		case name != "none":
			return "mixed"
		default:
			name = k.name
		}
	}
	return name
}
