package media

import (
	"bytes"
	"encoding/base64"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// MaxNotebook is the longest text that is read as a notebook, in bytes.
const MaxNotebook = 32 << 20

// Notebook is what a Jupyter notebook holds.
type Notebook struct {
	// Language is that of its code; "code" when it does not say.
	Language string
	Cells    []Cell
}

// Cell is one cell of a notebook.
type Cell struct {
	Number int    // from 1
	Kind   string // "code", "markdown", "raw" or what the notebook says
	ID     string // empty before version 4.5
	Count  string // of its last run; empty when there was none
	Source string
	// Span is where the cell stands in the notebook's JSON text.
	Span    text.Span
	outputs []cellOutput
}

// cellOutput is one output of a cell.
type cellOutput struct {
	name  string // "stdout", "stderr", "error" or empty
	text  string
	parts []part // what is no plain text
}

// part is an output in a format of its own.
type part struct {
	mimeType string
	encoded  string // base64 for images
	size     int    // in bytes, decoded
}

// data returns the bytes of an image.
func (p part) data() ([]byte, error) {
	return base64.StdEncoding.DecodeString(strings.Join(strings.Fields(p.encoded), ""))
}

// ParseNotebook reads the JSON text of a notebook, of version 3 or 4. The
// error is invalid_params: it is no JSON, or not that of a notebook.
func ParseNotebook(raw []byte) (*Notebook, error) {
	var top struct {
		Format     *float64        `json:"nbformat"`
		Cells      []wire.RawValue `json:"cells"`
		Worksheets []struct {
			Cells []wire.RawValue `json:"cells"`
		} `json:"worksheets"`
		Metadata wire.RawValue `json:"metadata"`
	}
	if err := wire.Unmarshal(raw, &top); err != nil {
		return nil, err
	}
	if top.Format == nil {
		return nil, fault.New(fault.InvalidParams, "it has no nbformat")
	}
	for _, sheet := range top.Worksheets {
		top.Cells = append(top.Cells, sheet.Cells...)
	}
	n := &Notebook{Language: languageOf(top.Metadata), Cells: make([]Cell, len(top.Cells))}
	at := 0
	for i, value := range top.Cells {
		cell, err := parseCell(value)
		if err != nil {
			return nil, err
		}
		// The value is as it stands in raw, and cells follow each other.
		if found := bytes.Index(raw[at:], value); found >= 0 {
			cell.Span = text.Span{Start: at + found, End: at + found + len(value)}
			at = cell.Span.End
		}
		cell.Number = i + 1
		n.Cells[i] = cell
	}
	return n, nil
}

// languageOf returns the language that a notebook's metadata names.
func languageOf(metadata wire.RawValue) string {
	var m struct {
		Info struct {
			Name string `json:"name"`
		} `json:"language_info"`
		Kernel struct {
			Language string `json:"language"`
		} `json:"kernelspec"`
	}
	if len(metadata) == 0 || wire.Unmarshal(metadata, &m) != nil {
		return "code"
	}
	switch {
	case m.Info.Name != "":
		return oneLine(m.Info.Name)
	case m.Kernel.Language != "":
		return oneLine(m.Kernel.Language)
	}
	return "code"
}

// oneLine keeps what stands in a mark from breaking it.
func oneLine(s string) string {
	const most = 80
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7F }), " ")
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

func parseCell(value wire.RawValue) (Cell, error) {
	var c struct {
		Kind    string        `json:"cell_type"`
		ID      string        `json:"id"`
		Count   wire.RawValue `json:"execution_count"`
		Prompt  wire.RawValue `json:"prompt_number"` // version 3
		Source  wire.RawValue `json:"source"`
		Input   wire.RawValue `json:"input"` // version 3
		Outputs []outputJSON  `json:"outputs"`
	}
	if err := wire.Unmarshal(value, &c); err != nil {
		return Cell{}, err
	}
	cell := Cell{Kind: oneLine(c.Kind), ID: oneLine(c.ID), Count: number(c.Count) + number(c.Prompt), Source: joined(c.Source) + joined(c.Input)}
	for _, o := range c.Outputs {
		cell.outputs = append(cell.outputs, o.output())
	}
	return cell, nil
}

// number returns a JSON number as it is written, "" for anything else.
func number(value wire.RawValue) string {
	var n float64
	if len(value) == 0 || len(value) > 20 || value.Kind() != '0' || wire.Unmarshal(value, &n) != nil {
		return ""
	}
	return string(value)
}

// joined returns the text that a notebook gives as a string or as a list of
// lines; "" for anything else.
func joined(value wire.RawValue) string {
	switch value.Kind() {
	case '"':
		var s string
		if wire.Unmarshal(value, &s) == nil {
			return s
		}
	case '[':
		var lines []string
		if wire.Unmarshal(value, &lines) == nil {
			return strings.Join(lines, "")
		}
	}
	return ""
}
