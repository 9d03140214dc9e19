package tokens

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// task is a question, how its answer is checked, and how each tool set
// answers it.
type task struct {
	id, workspace, question string

	wants     []string // texts that the answers must hold
	absent    []string // texts that they must not hold
	lines     []lineRange
	names     []nameList
	expected  []change // what the files must hold at the end
	meanwhile []change // what another program writes before the counted calls
	unsaved   []change // what an editor holds and the disk does not

	sequences []sequence
}

// lineRange is lines of a file, 1-based and inclusive, that the answers must
// hold.
type lineRange struct {
	file        string
	first, last int
}

// nameList is what the first group of an expression matches in a file; the
// answers must name 95 of 100.
type nameList struct {
	file    string
	pattern *regexp.Regexp
}

// change is a replacement in a file. Without Old it is a new file.
type change struct {
	File   string `json:"-"`
	Old    string `json:"old"`
	New    string `json:"new"`
	Regexp bool   `json:"regexp"` // Old is an expression, New its replacement
	Count  int    `json:"count"`  // how often Old occurs; 0 is once
}

// sequence is what one tool set calls, and why.
type sequence struct {
	set, reason string
	cannot      bool // there is no such sequence; reason tells why
	calls       []call
}

type call struct {
	name      string
	arguments string   // JSON, or the text itself where freeform
	freeform  bool     // a patch
	before    bool     // made before what is counted
	recorded  []string // what a language server answered, for models
}

// parseTasks reads tasks:
//
//	== ID in WORKSPACE
//	The question, on one line.
//	want TEXT               the answers hold it
//	absent TEXT             they do not
//	lines FILE 10-20        they hold these lines
//	names FILE REGEXP       they name what its first group matches
//	edit FILE {"old":…}     what is to be changed, and nothing else in FILE
//	meanwhile FILE {…}      what another program changes on disk beforehand
//	unsaved FILE {…}        what the editor holds unsaved
//	SET: the reason
//	  TOOL {arguments}
//	  $ shell command
//	  before TOOL {…}       not counted
//	  apply_patch
//	  | line of the patch
//	    @ what a language server answers, where a model needs it
//	SET cannot: the reason
func parseTasks(name string, text []byte) (tasks []*task, err error) {
	p := &parser{}
	for i, line := range strings.Split(string(text), "\n") {
		if err := p.line(line); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, i+1, err)
		}
	}
	return p.tasks, nil
}

type parser struct {
	tasks []*task
	task  *task
	asked bool // the question was read
}

func (p *parser) line(line string) error {
	switch {
	case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#"):
		return nil
	case strings.HasPrefix(line, "== "):
		id, workspace, ok := strings.Cut(line[len("== "):], " in ")
		if !ok {
			return errors.New("want: == ID in WORKSPACE")
		}
		p.task, p.asked = &task{id: id, workspace: workspace}, false
		p.tasks = append(p.tasks, p.task)
		return nil
	case p.task == nil:
		return errors.New("no task yet")
	case !p.asked:
		p.task.question, p.asked = line, true
		return nil
	case strings.HasPrefix(line, "  "):
		return p.call(line[2:])
	}
	return p.directive(line)
}

func (p *parser) directive(line string) error {
	key, rest, _ := strings.Cut(line, " ")
	switch t := p.task; key {
	case "want":
		t.wants = append(t.wants, rest)
	case "absent":
		t.absent = append(t.absent, rest)
	case "lines":
		return p.lineRange(rest)
	case "names":
		file, pattern, _ := strings.Cut(rest, " ")
		r, err := regexp.Compile("(?m)" + pattern)
		if err != nil {
			return err
		}
		t.names = append(t.names, nameList{file, r})
	case "edit":
		return parseChange(&t.expected, rest)
	case "meanwhile":
		return parseChange(&t.meanwhile, rest)
	case "unsaved":
		return parseChange(&t.unsaved, rest)
	default:
		head, reason, ok := strings.Cut(line, ": ")
		set, cannot := strings.CutSuffix(head, " cannot")
		if !ok || strings.Contains(set, " ") {
			return fmt.Errorf("neither a directive nor a tool set: %s", line)
		}
		t.sequences = append(t.sequences, sequence{set: set, reason: reason, cannot: cannot})
	}
	return nil
}

func (p *parser) lineRange(s string) error {
	file, numbers, _ := strings.Cut(s, " ")
	from, to, _ := strings.Cut(numbers, "-")
	first, err := strconv.Atoi(from)
	last, err2 := strconv.Atoi(to)
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	p.task.lines = append(p.task.lines, lineRange{file, first, last})
	return nil
}

func parseChange(to *[]change, s string) error {
	file, object, _ := strings.Cut(s, " ")
	c := change{File: file}
	d := json.NewDecoder(strings.NewReader(object))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return err
	}
	*to = append(*to, c)
	return nil
}

// call reads a line of a sequence, without its indentation.
func (p *parser) call(line string) error {
	if len(p.task.sequences) == 0 {
		return errors.New("a call without a tool set")
	}
	s := &p.task.sequences[len(p.task.sequences)-1]
	if last := len(s.calls) - 1; strings.HasPrefix(line, "|") || strings.HasPrefix(line, "  @ ") {
		if last < 0 {
			return errors.New("goes on with no call")
		}
		if recorded, ok := strings.CutPrefix(line, "  @ "); ok {
			s.calls[last].recorded = append(s.calls[last].recorded, recorded)
			return nil
		}
		s.calls[last].freeform = true
		s.calls[last].arguments += strings.TrimPrefix(line[1:], " ") + "\n"
		return nil
	}
	line, before := strings.CutPrefix(line, "before ")
	name, arguments, _ := strings.Cut(line, " ")
	if name == "$" {
		b, err := encode(map[string]string{"command": arguments})
		if err != nil {
			return err
		}
		arguments = b
	} else if arguments != "" && !json.Valid([]byte(arguments)) {
		return fmt.Errorf("the arguments are not JSON: %s", arguments)
	}
	s.calls = append(s.calls, call{name: name, arguments: arguments, before: before})
	return nil
}

// encode returns a value as JSON as models write it, with no character of HTML
// escaped.
func encode(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n"), err
}
