package tools

import (
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// What is open and what is wrong is known to each editor for itself. Where
// several work in a folder all are asked, and their answers made one.

// Part is what one editor's session answered.
type Part struct {
	Editor string // as people are told of it
	// Raw is the structured answer.
	Raw []byte
	// Err stands for it where the session gave none, or one that failed.
	Err error
}

// Merges reports whether an answer can be made of those of several editors.
func (d Definition) Merges() bool { return d.merge != nil }

// Merge makes one result of those of several editors, of tools that
// [Definition.Merges]. What some of them failed at is noted; it fails where all
// did.
func (d Definition) Merge(parts []Part) toolcall.Result { return d.merge(parts) }

// part is what one editor answered.
type part[Out any] struct {
	editor string
	out    Out
}

// merger returns the merge of a definition; nil where join is.
func merger[Out answer](join func([]part[Out]) Out) func([]Part) toolcall.Result {
	if join == nil {
		return nil
	}
	return func(parts []Part) toolcall.Result {
		var good []part[Out]
		var bad []Part
		for _, p := range parts {
			one := part[Out]{editor: p.Editor}
			if p.Err == nil {
				p.Err = readAnswer(p.Raw, &one.out)
			}
			if p.Err == nil {
				good = append(good, one)
			} else {
				bad = append(bad, p)
			}
		}
		if len(good) == 0 {
			return toolcall.Failed(bad[0].Err)
		}
		out := join(good)
		r := toolcall.Result{Rendering: out.Render(toolcall.FirstDigits), Output: out}
		for _, p := range bad {
			why := strings.TrimPrefix(fault.From(p.Err).Message, p.Editor+" ")
			r = r.Note(p.Editor + ": " + why)
		}
		return r
	}
}

// readAnswer reads an structured answer; the error is what it tells of, too.
func readAnswer(raw []byte, out any) error {
	var failed struct {
		Error *struct {
			Kind    fault.Kind `json:"kind"`
			Message string     `json:"message"`
			Hint    string     `json:"hint"`
			Path    string     `json:"path"`
		} `json:"error"`
	}
	if err := wire.Unmarshal(raw, &failed); err != nil {
		return err
	}
	if e := failed.Error; e != nil {
		return &fault.Error{Kind: e.Kind, Message: e.Message, Hint: e.Hint, Path: e.Path}
	}
	return wire.Unmarshal(raw, out)
}

// labelled are notes of one editor among several.
func labelled(editor string, notes []string) []string {
	list := make([]string, len(notes))
	for i, n := range notes {
		list[i] = editor + ": " + n
	}
	return list
}
