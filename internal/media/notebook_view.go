package media

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Limits of what is shown of outputs, in bytes.
const (
	maxOutputText = 2 << 10
	// Images in outputs are shown while they are few and small.
	maxInlineImages     = 4
	maxInlineImageBytes = 256 << 10
)

// View is a notebook as a person reads it.
type View struct {
	Text string
	// Shown is how many cells Text holds, from the first on.
	Shown int
	// Cut tells that the last of them is cut off.
	Cut bool
	// Images are what outputs hold, in order; Text names them by number.
	Images []Image
	// Unshown are the outputs of the cells shown that Text does not hold, by type,
	// in the order in which types come first.
	Unshown []Unshown
}

// Unshown tells which cells, by their numbers, have an output of a type that is
// neither text nor sent beside it.
type Unshown struct {
	MIMEType string
	Cells    []int // ascending
}

// View renders cells until maxBytes are reached; lines are cut at maxLine
// characters. The caller holds a place of the semaphore.
func (s *Semaphore) View(ctx context.Context, n *Notebook, maxBytes, maxLine int) View {
	v := viewer{ctx: ctx, semaphore: s, notebook: n, maxLine: maxLine, leftAt: map[string]int{}}
	for i := range n.Cells {
		before, images := v.b.Len(), len(v.images)
		v.unshown = nil
		v.cell(&n.Cells[i])
		if text := v.b.String(); v.b.Len() > maxBytes && i > 0 {
			return View{Text: text[:before], Shown: i, Images: v.images[:images], Unshown: v.left}
		} else if v.b.Len() > maxBytes {
			v.leave(n.Cells[i].Number)
			return View{Text: wholeLines(text[:maxBytes]) + "[cut]\n", Shown: 1, Cut: true, Images: v.images, Unshown: v.left}
		}
		v.leave(n.Cells[i].Number)
	}
	return View{Text: v.b.String(), Shown: len(n.Cells), Images: v.images, Unshown: v.left}
}

// leave notes the types of the outputs of a cell that are not shown.
func (v *viewer) leave(cell int) {
	for _, kind := range v.unshown {
		at, known := v.leftAt[kind]
		if !known {
			at, v.leftAt[kind] = len(v.left), len(v.left)
			v.left = append(v.left, Unshown{MIMEType: kind})
		}
		u := &v.left[at]
		if len(u.Cells) == 0 || u.Cells[len(u.Cells)-1] != cell {
			u.Cells = append(u.Cells, cell)
		}
	}
}

// wholeLines drops what follows the last line end, or half a character.
func wholeLines(s string) string {
	if end := strings.LastIndexByte(s, '\n'); end >= 0 {
		return s[:end+1]
	}
	return strings.ToValidUTF8(s, "") + "\n"
}

type viewer struct {
	ctx       context.Context
	semaphore *Semaphore
	notebook  *Notebook
	maxLine   int
	b         strings.Builder
	images    []Image
	tried     int            // images that were looked into
	unshown   []string       // types of the present cell's outputs that are not shown
	left      []Unshown      // the same of the cells before
	leftAt    map[string]int // where a type stands in left
}

func (v *viewer) cell(c *Cell) {
	v.mark("cell "+fmt.Sprint(c.Number), c.kind())
	v.lines(c.Source)
	for i := range c.outputs {
		v.output(c, &c.outputs[i])
	}
}

// kind is what the head of a cell says beside its number: of code the count of its
// last run where that is another.
func (c *Cell) kind() string {
	switch {
	case c.Kind != "code":
		return c.Kind
	case c.Count == fmt.Sprint(c.Number):
		return ""
	case c.Count == "":
		return "In [ ]"
	}
	return "In [" + c.Count + "]"
}

// Title is how a cell is headed: "In [3] · python", "markdown".
func (c *Cell) Title(language string) string {
	if c.Kind != "code" {
		return c.Kind
	}
	count := c.Count
	if count == "" {
		count = " "
	}
	return "In [" + count + "] · " + language
}

// mark writes a line that heads what follows.
func (v *viewer) mark(words ...string) {
	v.b.WriteString("---")
	for _, w := range words {
		if w != "" {
			v.b.WriteString(" " + w)
		}
	}
	v.b.WriteString("\n")
}

// lines writes lines, each cut where it is too long.
func (v *viewer) lines(s string) {
	if s == "" {
		return
	}
	for line := range strings.Lines(strings.ToValidUTF8(s, "\uFFFD")) {
		line = strings.TrimRight(line, "\r\n")
		if len(line) > v.maxLine && utf8.RuneCountInString(line) > v.maxLine {
			line = string([]rune(line)[:v.maxLine]) + "[truncated]"
		}
		v.b.WriteString(line)
		v.b.WriteByte('\n')
	}
}

func (v *viewer) output(c *Cell, o *cellOutput) {
	if o.text == "" && len(o.parts) == 0 {
		return
	}
	if o.text != "" || o.name != "" {
		v.mark("Out", o.name)
	}
	v.lines(middleCut(o.text, c.Number))
	for _, p := range o.parts {
		v.part(p)
	}
}

// middleCut leaves the beginning and the end of a long output.
func middleCut(s string, cell int) string {
	if len(s) <= maxOutputText {
		return s
	}
	head := wholeLines(s[:maxOutputText/2])
	tail := s[len(s)-maxOutputText/2:]
	if _, after, found := strings.Cut(tail, "\n"); found {
		tail = after
	}
	return fmt.Sprintf("%s[%d bytes are left out; symbol \"cell %d\" gives them as JSON]\n%s", head, len(s)-len(head)-len(tail), cell, tail)
}

// part takes a small image along, and notes what is not shown.
func (v *viewer) part(p part) {
	image, ok := v.image(p)
	if !ok {
		v.unshown = append(v.unshown, p.mimeType)
		return
	}
	v.images = append(v.images, image)
	fmt.Fprintf(&v.b, "--- Out [%s, %dx%d pixels, sent as image %d]\n", p.mimeType, image.Width, image.Height, len(v.images))
}

func (v *viewer) image(p part) (Image, bool) {
	if p.encoded == "" || p.size > maxInlineImageBytes || v.tried == maxInlineImages {
		return Image{}, false
	}
	v.tried++
	data, err := p.data()
	if err != nil {
		return Image{}, false
	}
	kind := Identify(string(data[:min(len(data), HeadBytes)]), true)
	if kind.Class != AnImage {
		return Image{}, false
	}
	image, err := v.semaphore.Image(v.ctx, kind.MIMEType, data)
	return image, err == nil
}
