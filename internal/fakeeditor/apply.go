package fakeeditor

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// workspaceEdit is the params of workspace/applyEdit, as far as text goes.
type workspaceEdit struct {
	Edit struct {
		Changes         map[string][]textEdit `json:"changes"`
		DocumentChanges []documentEdit        `json:"documentChanges"`
	} `json:"edit"`
}

type documentEdit struct {
	Document struct {
		URI     string `json:"uri"`
		Version *int   `json:"version"`
	} `json:"textDocument"`
	Edits         []textEdit `json:"edits"`
	fileOperation            // its kind is empty for text edits
}

// uri names the document that an edit is about.
func (d documentEdit) uri() string { return d.Document.URI + d.file() }

type textEdit struct {
	Range   Range  `json:"range"`
	NewText string `json:"newText"`
}

type applyAnswer struct {
	Applied bool   `json:"applied"`
	Reason  string `json:"failureReason,omitempty"`
}

// errStale is why an edit for another version is not applied.
var errStale = errors.New("the document has another version")

func (e *Editor) applyEdit(params json.RawMessage) (result any, answer bool, err error) {
	edits, err := e.readEdit(params)
	if err != nil {
		e.log.violation("workspace/applyEdit: %v", err)
		return nil, true, err
	}
	b := e.behaviourFor(edits)
	if b.BeforeApply != nil {
		for _, d := range edits {
			b.BeforeApply(e, d.uri())
		}
	}
	switch b.Apply {
	case Reject:
		return applyAnswer{Reason: b.Reason}, true, nil
	case Fail:
		return nil, true, &RPCError{Code: -32803, Message: b.Reason}
	case Drop:
		return applyAnswer{Applied: true}, true, nil
	case Ignore:
		return nil, false, nil
	}
	if err := e.applyAll(edits, b); err != nil {
		return e.refusal(err), true, nil
	}
	if b.Applied != nil {
		for _, d := range edits {
			b.Applied(e, d.uri())
		}
	}
	return applyAnswer{Applied: true}, true, nil
}

// refusal is the answer for an edit that cannot be applied.
func (e *Editor) refusal(err error) applyAnswer {
	if e.opts.DropsStale && errors.Is(err, errStale) {
		return applyAnswer{Applied: true}
	}
	return applyAnswer{Reason: err.Error()}
}

// behaviourFor is the behaviour towards edits; a good one where it is meant for
// others.
func (e *Editor) behaviourFor(edits []documentEdit) Behaviour {
	e.mu.Lock()
	defer e.mu.Unlock()
	b := e.behaviour
	for _, d := range edits {
		if b.Only != "" && d.uri() != b.Only {
			return Behaviour{}
		}
	}
	if b.After > 0 {
		e.behaviour.After--
		return Behaviour{}
	}
	return b
}

func (e *Editor) currentBehaviour() Behaviour {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.behaviour
}

// readEdit decodes the params and records what a server of this project must
// not send.
func (e *Editor) readEdit(params json.RawMessage) ([]documentEdit, error) {
	var w workspaceEdit
	if err := json.Unmarshal(params, &w); err != nil {
		return nil, err
	}
	edits := w.Edit.DocumentChanges
	for uri, changes := range w.Edit.Changes {
		d := documentEdit{Edits: changes}
		d.Document.URI = uri
		edits = append(edits, d)
	}
	if len(edits) == 0 {
		return nil, errors.New("no edits")
	}
	for _, d := range edits {
		switch {
		case d.Kind != "" && !slices.Contains(e.opts.FileOperations, d.Kind):
			return nil, fmt.Errorf("file operation %q was never offered", d.Kind)
		case e.opts.NoDocumentChanges && w.Edit.DocumentChanges != nil:
			return nil, errors.New("documentChanges was never offered")
		case d.Kind == "" && !e.opts.NoDocumentChanges && d.Document.Version == nil:
			e.log.violation("workspace/applyEdit for %s names no version", d.Document.URI)
		}
	}
	return edits, nil
}

// applyAll applies the edits of every document or of none.
func (e *Editor) applyAll(edits []documentEdit, b Behaviour) error {
	if len(edits) == 1 && edits[0].Kind != "" {
		return e.operate(edits[0].fileOperation)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	var todo []func()
	for _, de := range edits {
		d := e.docs[de.Document.URI]
		if d == nil {
			return fmt.Errorf("%s is not open", de.Document.URI)
		}
		if v := de.Document.Version; v != nil && *v != d.version && !b.IgnoreVersion {
			return fmt.Errorf("%w: %d, not %d", errStale, d.version, *v)
		}
		splices, err := e.splices(d, de.Edits)
		if err != nil {
			e.log.violation("workspace/applyEdit for %s: %v", d.uri, err)
			return err
		}
		todo = append(todo, func() { e.land(d, splices, b) })
	}
	for _, f := range todo {
		f()
	}
	return nil
}

// splices turns the edits, which all refer to the present text, into splices
// that can be applied one after the other.
func (e *Editor) splices(d *document, edits []textEdit) ([]splice, error) {
	out := make([]splice, 0, len(edits))
	eol := lineEnding(d.text, e.opts.LineRule)
	for _, t := range edits {
		start, okStart := e.coords.offset(d.text, t.Range.Start)
		end, okEnd := e.coords.offset(d.text, t.Range.End)
		if !okStart || !okEnd || end < start {
			return nil, fmt.Errorf("range %v names no text", t.Range)
		}
		text := t.NewText
		if e.opts.NormalizeEOL {
			text = normalise(text, eol)
		}
		out = append(out, splice{start, end, text})
	}
	out = descending(out)
	if overlapping(out) {
		return nil, errors.New("edits overlap")
	}
	return out, nil
}

// land applies splices as one undo step.
func (e *Editor) land(d *document, splices []splice, b Behaviour) {
	if b.Apply == Half && len(splices) > 0 {
		splices = splices[len(splices)-1:]
	}
	before := d.text
	if b.Rewrite != nil {
		after := before
		for _, s := range splices {
			after = s.apply(after)
		}
		splices = []splice{minimal(before, b.Rewrite(after))}
	}
	steps := slices.Clone(d.undo)
	if b.SplitChanges {
		for _, s := range splices {
			e.change(d, []splice{s})
		}
	} else {
		e.change(d, splices)
	}
	d.undo = steps // of several changes one step is made
	d.undo = keepLast(append(d.undo, before), e.opts.Remembers)
	if d.text != before {
		d.applied++
	}
}
