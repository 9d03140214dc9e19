package syntax

import (
	"fmt"
	"strconv"
	"strings"
)

// A path is compiled to code that walk.c runs: steps one after the other, each
// an operation with its arguments.
const (
	opEnd    = iota // no more
	opElse          // another alternative
	opField         // field, number of kinds, kinds
	opFollow        // field
	opChild         // number of kinds, kinds
	opNth           // number as int16
	opInside        // number of kinds, kinds
	opHead
	opAll // the step that follows, a field or child, takes all
	opParent
)

// vocabulary gives a grammar's numbers to names. unknown gathers the names
// that it does not have.
type vocabulary struct {
	named, tokens map[string][]uint16 // kinds of nodes; several may share a name
	fields        map[string]uint16
	unknown       []string
}

func (v *vocabulary) kinds(of map[string][]uint16, names string) []uint16 {
	var ids []uint16
	for name := range strings.SplitSeq(names, ",") {
		found := of[name]
		if found == nil {
			v.unknown = append(v.unknown, name)
		}
		ids = append(ids, found...)
	}
	return append([]uint16{uint16(len(ids))}, ids...)
}

func (v *vocabulary) field(name string) uint16 {
	id, ok := v.fields[name]
	if !ok {
		v.unknown = append(v.unknown, name+" (field)")
	}
	return id
}

// compilePath appends a path's code to code.
func (v *vocabulary) compilePath(code []uint16, path string) []uint16 {
	for i, alternative := range strings.Split(path, " | ") {
		if i > 0 {
			code = append(code, opElse)
		}
		code = v.compileSteps(code, strings.TrimSpace(alternative))
	}
	return append(code, opEnd)
}

func (v *vocabulary) compileSteps(code []uint16, path string) []uint16 {
	inside := false // the step before was empty: "//"
	steps := splitSteps(path)
	for i, step := range steps {
		switch {
		case step == "":
			inside = i > 0
		case inside:
			code = append(append(code, opInside), v.kinds(v.named, step)...)
			inside = false
		default:
			code = v.compileStep(code, step)
		}
	}
	return code
}

// splitSteps divides a path at "/", but not within quotes. A path that begins
// with "//" begins with two empty steps.
func splitSteps(path string) []string {
	var steps []string
	quoted, start := false, 0
	for i := range len(path) {
		switch {
		case path[i] == '"':
			quoted = !quoted
		case path[i] == '/' && !quoted:
			steps = append(steps, path[start:i])
			start = i + 1
		}
	}
	return append(steps, path[start:])
}

func (v *vocabulary) compileStep(code []uint16, step string) []uint16 {
	if all, ok := strings.CutSuffix(step, "+"); ok {
		code, step = append(code, opAll), all
	}
	switch {
	case step == ".":
		return code
	case step == "~":
		return append(code, opHead)
	case step == "^":
		return append(code, opParent)
	case step[0] == '<':
		return append(append(code, opChild), v.kinds(v.named, strings.Trim(step, "<>"))...)
	case step[0] == '"':
		return append(append(code, opChild), v.token(strings.Trim(step, `"`))...)
	case step[0] == '#':
		n, err := strconv.ParseInt(step[1:], 10, 16)
		if err != nil {
			v.unknown = append(v.unknown, fmt.Sprintf("step %q", step))
		}
		return append(code, opNth, uint16(int16(n)))
	case strings.HasSuffix(step, "*"):
		return append(code, opFollow, v.field(strings.TrimSuffix(step, "*")))
	}
	name, kinds, limited := strings.Cut(step, ":")
	code = append(code, opField, v.field(name))
	if !limited {
		return append(code, 0)
	}
	return append(code, v.kinds(v.named, kinds)...)
}

// token is kinds for one token, which may hold a comma.
func (v *vocabulary) token(name string) []uint16 {
	ids := v.tokens[name]
	if ids == nil {
		v.unknown = append(v.unknown, strconv.Quote(name))
	}
	return append([]uint16{uint16(len(ids))}, ids...)
}
