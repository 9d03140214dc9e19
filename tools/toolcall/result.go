package toolcall

import (
	"maps"
	"reflect"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// Result is what a call gave.
type Result struct {
	Rendering
	// Err is set when the call failed; then the rendering says the same in
	// words.
	Err *fault.Error

	// Output is the structured result of a call that did not fail.
	Output any
}

// Rendering is a result for a model to read.
type Rendering struct {
	// Header says what this is, in one line where it is of one file; "" where what
	// follows says it all.
	Header string
	// Summary is what of it a person is told who follows the call, in one line;
	// "" for the header's first.
	Summary string
	// Body is the text that was asked for; empty when there is none.
	Body string
	// After is what follows the body without being part of it: an outline.
	// The structured result has it as a list.
	After string
	// Blocks are what is no text.
	Blocks []Block
}

// Block is an image or a document in its own format.
type Block struct {
	// MIMEType is the format; those of images begin with "image/".
	MIMEType string
	URI      string
	Data     []byte
}

// bulky is an output whose greatest part is one text: it is escaped apart
// from the rest, at a fraction of the cost.
type bulky interface {
	// Split returns the output without its content, and the content; present
	// is false when it has none.
	Split() (rest any, content string, present bool)
}

// many is an output of many small parts, which writes itself.
type many interface {
	AppendJSON(dst []byte) ([]byte, error)
}

// AppendStructured appends the structured result as a JSON object: the
// output, or {"error": {kind, message, hint, path, …details}}.
func (r Result) AppendStructured(dst []byte) ([]byte, error) {
	if r.Err != nil {
		return AppendJSON(dst, map[string]any{"error": ErrorFields(r.Err)})
	}
	if m, ok := r.Output.(many); ok {
		return m.AppendJSON(dst)
	}
	b, ok := r.Output.(bulky)
	if !ok {
		return AppendJSON(dst, r.Output)
	}
	rest, content, present := b.Split()
	dst, err := AppendJSON(dst, rest)
	if err != nil || !present {
		return dst, err
	}
	dst = append(dst[:len(dst)-1], `,"content":`...)
	return append(wire.AppendString(dst, content), '}'), nil
}

// AppendJSON appends v as JSON.
func AppendJSON(dst []byte, v any) ([]byte, error) {
	raw, err := wire.Marshal(v)
	return append(dst, raw...), err
}

// ErrorFields returns the members of an error in a structured result.
func ErrorFields(e *fault.Error) map[string]any {
	fields := maps.Clone(e.Details)
	if fields == nil {
		fields = make(map[string]any, 4)
	}
	fields["kind"], fields["message"] = string(e.Kind), e.Message
	if e.Hint != "" {
		fields["hint"] = e.Hint
	}
	if e.Path != "" {
		fields["path"] = e.Path
	}
	return fields
}

// AppendText appends the rendering: header, body and what follows, those that
// there are, with an empty line between them.
func (r Result) AppendText(dst []byte) []byte {
	start := len(dst)
	dst = append(dst, r.Header...)
	for _, part := range [...]string{r.Body, r.After} {
		if part != "" && len(dst) > start {
			dst = append(dst, "\n\n"...)
		}
		dst = append(dst, part...)
	}
	return dst
}

// Failed returns the result of a call that failed before its tool was run.
func Failed(err error) Result { return Failure(err, FirstDigits) }

// forPeople is an output that is rendered in another way for people, who did not
// write what was called for.
type forPeople interface {
	ForPeople(Rendering) Rendering
}

// ForPeople returns r as the command line shows it.
func (r Result) ForPeople() Result {
	if out, ok := r.Output.(forPeople); ok && r.Err == nil {
		r.Rendering = out.ForPeople(r.Rendering)
	}
	return r
}

// Note returns r with one more thing that it says: in the first line of its
// header, in an error's words at their end, and in the structured result where
// that has notes.
func (r Result) Note(text string) Result {
	if r.Err != nil {
		r.Header += "\n(" + text + ")"
		return r
	}
	first, rest, more := strings.Cut(r.Header, "\n")
	if first != "" {
		first += "; "
	}
	r.Header = first + text
	if more {
		r.Header += "\n" + rest
	}
	if v := reflect.ValueOf(r.Output); v.Kind() == reflect.Pointer && v.Elem().Kind() == reflect.Struct {
		if notes := v.Elem().FieldByName("Notes"); notes.IsValid() && notes.Type() == reflect.TypeFor[[]string]() {
			notes.Set(reflect.Append(notes, reflect.ValueOf(text)))
		}
	}
	return r
}

// DiffContext is how many lines stand around a change in a diff that is shown.
const DiffContext = 3
