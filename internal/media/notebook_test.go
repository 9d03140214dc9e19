package media

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

func viewOf(t testing.TB, raw string) View {
	t.Helper()
	n, err := ParseNotebook([]byte(raw))
	if err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return NewSemaphore().View(t.Context(), n, 1<<20, 2000)
}

// notebookOf makes a notebook of cells.
func notebookOf(cells ...string) string {
	return `{"nbformat": 4, "metadata": {"language_info": {"name": "julia"}}, "cells": [` + strings.Join(cells, ", ") + `]}`
}

func TestNotebookView(t *testing.T) {
	for _, tt := range []struct{ raw, want string }{
		{notebookOf(), ""},
		{notebookOf(`{"cell_type": "markdown", "source": "a\nb"}`), "--- cell 1 markdown\na\nb\n"},
		{notebookOf(`{"cell_type": "code", "id": "x", "execution_count": 12, "source": ["f(1)\n", "g(2)"], "outputs": []}`), "--- cell 1 In [12]\nf(1)\ng(2)\n"},
		{notebookOf(`{"cell_type": "code", "execution_count": null, "source": ""}`), "--- cell 1 In [ ]\n"},
		{notebookOf(`{"cell_type": "code", "source": 1, "execution_count": "x"}`), "--- cell 1 In [ ]\n"},
		{notebookOf(`{"cell_type": "raw\n---", "source": "a"}`), "--- cell 1 raw ---\na\n"},
		{notebookOf(`{"cell_type": "code", "source": "f", "outputs": [{"output_type": "stream", "name": "stderr", "text": "\u001b[1mbold\u001b[0m\u001b[3"}]}`),
			"--- cell 1 In [ ]\nf\n--- Out stderr\nbold\n"},
		{notebookOf(`{"cell_type": "code", "source": "f", "outputs": [{"output_type": "error", "ename": "E", "evalue": "v", "traceback": []}]}`),
			"--- cell 1 In [ ]\nf\n--- Out error\nE: v\n"},
		{notebookOf(`{"cell_type": "code", "source": "f", "outputs": [{"output_type": "display_data", "data": {"application/json": {"a": 1}, "text/html": ["<p>"], "text/plain": "p"}}]}`),
			"--- cell 1 In [ ]\nf\n--- Out\np\n"},
		{notebookOf(`{"cell_type": "code", "source": "f", "outputs": [{"output_type": "display_data", "data": {"image/png": "bm8gaW1hZ2U="}}]}`),
			"--- cell 1 In [ ]\nf\n"},
		{`{"nbformat": 3, "worksheets": [{"cells": [{"cell_type": "code", "input": "x", "prompt_number": 2, "outputs": [{"output_type": "pyout", "text": "3"}]}]}]}`,
			"--- cell 1 In [2]\nx\n--- Out\n3\n"},
	} {
		if got := viewOf(t, tt.raw).Text; got != tt.want {
			t.Errorf("%s\n got %q\nwant %q", tt.raw, got, tt.want)
		}
	}
}

// Each cell's span is the cell as it stands in the text.
func TestNotebookSpans(t *testing.T) {
	cells := []string{`{"cell_type": "raw", "source": "é\u00e9"}`, `{"cell_type": "raw", "source": "a"}`, `{"cell_type": "raw", "source": "a"}`, "{ }"}
	raw := notebookOf(cells...)
	n, err := ParseNotebook([]byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	last := 0
	for i, c := range n.Cells {
		if got := raw[c.Span.Start:c.Span.End]; got != cells[i] || c.Span.Start < last || c.Number != i+1 {
			t.Errorf("cell %d is %q at %v", c.Number, got, c.Span)
		}
		last = c.Span.End
	}
}

func TestNotebookCut(t *testing.T) {
	long := fmt.Sprintf(`{"cell_type": "raw", "source": %q}`, strings.Repeat("line of text\n", 50))
	n, err := ParseNotebook([]byte(notebookOf(long, long, long)))
	if err != nil {
		t.Fatal(err)
	}
	for limit, want := range map[int]View{100: {Shown: 1, Cut: true}, 800: {Shown: 1}, 1500: {Shown: 2}, 1 << 20: {Shown: 3}} {
		v := NewSemaphore().View(t.Context(), n, limit, 2000)
		if v.Shown != want.Shown || v.Cut != want.Cut || len(v.Text) > limit+10 {
			t.Errorf("limit %d: %d cells, cut %v, %d bytes", limit, v.Shown, v.Cut, len(v.Text))
		}
	}
	if v := NewSemaphore().View(t.Context(), n, 1<<20, 5); !strings.Contains(v.Text, "line [truncated]\n") {
		t.Errorf("lines are not cut: %.100q", v.Text)
	}
}

func TestNotNotebooks(t *testing.T) {
	for _, raw := range []string{"", "{", "[]", "{}", `{"cells": []}`, `{"nbformat": 4, "cells": {}}`, `{"nbformat": 4, "cells": [1]}`, `{"nbformat": 4, "cells": [{"outputs": 1}]}`, "{\"nbformat\": 4, \"cells\": [\"\xff\"]}"} {
		if _, err := ParseNotebook([]byte(raw)); err == nil {
			t.Errorf("%q is taken for a notebook", raw)
		}
	}
}

func FuzzNotebook(f *testing.F) {
	f.Add(notebookOf(`{"cell_type": "code", "id": "x", "execution_count": 1, "source": ["a\n"], "outputs": [{"output_type": "display_data", "data": {"image/png": "aGk=", "text/plain": ["b"]}}]}`))
	f.Add(`{"nbformat": 3, "worksheets": [{"cells": [{"cell_type": "code", "input": "x", "prompt_number": 2, "outputs": [{"output_type": "pyerr", "traceback": ["\u001b[1"]}]}]}]}`)
	f.Fuzz(func(t *testing.T, raw string) {
		n, err := ParseNotebook([]byte(raw))
		if err != nil {
			return
		}
		for _, c := range n.Cells {
			if c.Span.Start < 0 || c.Span.End > len(raw) || c.Span.Start > c.Span.End {
				t.Fatalf("cell %d stands at %v of %d", c.Number, c.Span, len(raw))
			}
		}
		const most = 500
		v := NewSemaphore().View(t.Context(), n, most, 20)
		if !utf8.ValidString(v.Text) || len(v.Text) > most+10 || v.Shown > len(n.Cells) {
			t.Fatalf("%d of %d cells, %d bytes: %q", v.Shown, len(n.Cells), len(v.Text), v.Text)
		}
	})
}
