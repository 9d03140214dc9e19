package wire

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

type edit struct {
	OldText   string   `json:"old_text"`
	StartLine int      `json:"start_line,omitzero"`
	Near      *uint    `json:"near_line,omitzero"`
	Tags      []string `json:"tags,omitzero"`
	Kind      kind     `json:"kind,omitzero"`
}

type kind string

func (k *kind) UnmarshalText(b []byte) error {
	if string(b) == "odd" {
		return fault.New(fault.InvalidPattern, "odd is no kind")
	}
	*k = kind(b)
	return nil
}

type call struct {
	Name  string   `json:"name"`
	Edits []edit   `json:"edits"`
	Rest  RawValue `json:"rest,omitzero"`
}

func TestMarshal(t *testing.T) {
	for _, c := range []struct {
		value any
		want  string
	}{
		{"<a> & \u2028", "\"<a> & \u2028\""},
		{"bad \xff byte", "\"bad \uFFFD byte\""},
		{map[string]int{"b": 1, "a": 2, "c": 3}, `{"a":2,"b":1,"c":3}`},
		{[]string(nil), `[]`},
		{map[string]int(nil), `{}`},
		{call{Name: "x", Rest: RawValue(`{"a" : 1}`)}, `{"name":"x","edits":[],"rest":{"a":1}}`},
		{struct{ A *int }{}, `{"A":null}`},
	} {
		got, err := Marshal(c.value)
		if err != nil || string(got) != c.want {
			t.Errorf("Marshal(%#v) = %s, %v; want %s", c.value, got, err, c.want)
		}
	}
}

func TestMarshalRefusesWhatJSONCannotHold(t *testing.T) {
	if _, err := Marshal(map[string]any{"f": math.Inf(1)}); fault.KindOf(err) != fault.Internal {
		t.Errorf("Marshal(∞) gives %v", err)
	}
}

func TestUnmarshal(t *testing.T) {
	var got call
	in := `{"name":"x","edits":[{"old_text":"a","near_line":3,"future":1}],"rest":[1, 2]}`
	if err := Unmarshal([]byte(in), &got); err != nil {
		t.Fatal(err)
	}
	if got.Name != "x" || len(got.Edits) != 1 || *got.Edits[0].Near != 3 || string(got.Rest) != "[1, 2]" {
		t.Errorf("Unmarshal gives %+v", got)
	}
}

func TestUnmarshalMatchesNamesWithTheirCase(t *testing.T) {
	var got call
	if err := Unmarshal([]byte(`{"NAME":"x","Name":"y"}`), &got); err != nil || got.Name != "" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestUnmarshalErrors(t *testing.T) {
	for _, c := range []struct{ in, message, pointer string }{
		{`{"name":"a","name":"b"}`, `member "name" occurs twice`, "/name"},
		{`{"edits":[{"tags":[],"tags":[]}]}`, `member "tags" occurs twice at /edits/0`, "/edits/0/tags"},
		{"{\"name\":\"\xff\"}", "not valid JSON at byte 9 at /name: invalid UTF-8", "/name"},
		{`{"name":"\ud800"}`, "not valid JSON at byte", "/name"},
		{`{"name":`, "not valid JSON at byte 8", "/name"},
		{``, "not valid JSON at byte 0", ""},
		{`{} {}`, "not valid JSON at byte 3", ""},
		{`{"name":1}`, `a number does not fit at /name: want a string`, "/name"},
		{`{"edits":{}}`, `an object does not fit at /edits: want an array`, "/edits"},
		{`{"edits":[{"start_line":"4"}]}`, `a string does not fit at /edits/0/start_line: want an integer`, "/edits/0/start_line"},
		{`{"edits":[{"start_line":1.5}]}`, `a number (1.5) does not fit at /edits/0/start_line: want an integer`, "/edits/0/start_line"},
		{`{"edits":[{"near_line":-1}]}`, `a number (-1) does not fit at /edits/0/near_line: want an integer, not negative`, "/edits/0/near_line"},
		{`{"edits":[{"start_line":99999999999999999999}]}`, `want an integer`, "/edits/0/start_line"},
		{`[]`, `an array does not fit: want an object`, ""},
	} {
		for range 20 { // the library varies its words; ours must not
			err := Unmarshal([]byte(c.in), new(call))
			f, ok := errors.AsType[*fault.Error](err)
			if !ok || f.Kind != fault.InvalidParams {
				t.Fatalf("Unmarshal(%s) gives %v", c.in, err)
			}
			if !strings.Contains(f.Message, c.message) || f.Details["pointer"] != c.pointer {
				t.Fatalf("Unmarshal(%s) gives %q at %q\nwant %q at %q", c.in, f.Message, f.Details["pointer"], c.message, c.pointer)
			}
		}
	}
}

func TestUnmarshalKeepsAFieldsOwnError(t *testing.T) {
	err := Unmarshal([]byte(`{"edits":[{"kind":"odd"}]}`), new(call))
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || f.Kind != fault.InvalidPattern || f.Details["pointer"] != "/edits/0/kind" {
		t.Errorf("got %#v", err)
	}
}

func TestUnmarshalStrict(t *testing.T) {
	err := UnmarshalStrict([]byte(`{"name":"x","edits":[{"oldtext":"a"}]}`), new(call))
	f, ok := errors.AsType[*fault.Error](err)
	if !ok || f.Kind != fault.InvalidParams || f.Details["unknown"] != "oldtext" || f.Details["pointer"] != "/edits/0/oldtext" {
		t.Fatalf("got %#v", err)
	}
	if want := `unknown member "oldtext" at /edits/0`; f.Message != want {
		t.Errorf("message %q, want %q", f.Message, want)
	}
	if err := UnmarshalStrict([]byte(`{"name":"x"}`), new(call)); err != nil {
		t.Error(err)
	}
}

func TestUnmarshalBoundsDepth(t *testing.T) {
	in := strings.Repeat("[", 20000)
	var v any
	if err := Unmarshal([]byte(in), &v); fault.KindOf(err) != fault.InvalidParams {
		t.Errorf("got %v", err)
	}
}

func FuzzUnmarshal(f *testing.F) {
	f.Add(`{"name":"x","edits":[{"old_text":"a","near_line":3}],"rest":null}`)
	f.Fuzz(func(t *testing.T, in string) {
		var v call
		if Unmarshal([]byte(in), &v) != nil {
			return
		}
		out, err := Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if err := UnmarshalStrict(out, new(call)); err != nil {
			t.Fatalf("what Marshal wrote is refused: %v\n%s", err, out)
		}
	})
}
