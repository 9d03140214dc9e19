package tools

import (
	"reflect"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/tools/read"
	"github.com/agent-lsp/agent-lsp/tools/schema"
)

// TestHabits: what hosts add is passed over, and what other tools call an argument,
// or how they say it, is understood as ours.
func TestHabits(t *testing.T) {
	check := func(tool, given, exact string) {
		t.Helper()
		var got, want any
		switch tool {
		case "read_file":
			got, want = decoded[read.Input](t, given), decoded[read.Input](t, exact)
		case "read_files":
			got, want = decoded[read.Call](t, given), decoded[read.Call](t, exact)
		case "edit_file":
			got, want = decoded[editInput](t, given), decoded[editInput](t, exact)
		case "grep_files":
			got, want = decoded[grepInput](t, given), decoded[grepInput](t, exact)
		case "apply_patch":
			got, want = decoded[patchInput](t, given), decoded[patchInput](t, exact)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s %s: got %+v, want %+v", tool, given, got, want)
		}
	}
	check("read_file", `{"path":"a","wait_for_previous":true,"waitForPrevious":false,"task_progress":"- [ ] x","toolSummary":"y"}`, `{"path":"a"}`)
	check("read_file", `{"file_path":"a"}`, `{"path":"a"}`)
	check("read_file", `{"absolutePath":"/a"}`, `{"path":"/a"}`)
	check("read_file", `{"path":"a","view_range":[3,9]}`, `{"path":"a","start_line":3,"end_line":9}`)
	check("read_file", `{"path":"a","viewRange":"[3,-1]"}`, `{"path":"a","start_line":3}`)
	check("read_file", `{"path":"a","limit":null,"symbol":null}`, `{"path":"a"}`)
	check("read_file", `{"path":"a","expand":"","format":"","outline":""}`, `{"path":"a"}`)
	check("edit_file", `{"path":"a","content_hash":"h","old_string":"x","new_str":"y"}`, `{"path":"a","expected_hash":"h","old_text":"x","new_text":"y"}`)
	check("edit_file", `{"path":"a","edits":[{"oldString":"x","newString":"y"}]}`, `{"path":"a","edits":[{"old_text":"x","new_text":"y"}]}`)
	check("grep_files", `{"query":"x","glob":"*.go","-i":true,"-n":true,"-C":2,"head_limit":5,"output_mode":"files_with_matches"}`,
		`{"pattern":"x","include":["*.go"],"case":"insensitive","context":2,"max_results":5,"output":"files"}`)
	check("grep_files", `{"pattern":"x","-A":3,"-B":"1","tail":2}`, `{"pattern":"x","after":3,"before":"1","last":2}`)
	check("grep_files", `{"pattern":"x","context_lines_before":3,"linesAfter":1}`, `{"pattern":"x","after":1,"before":3}`)
	check("grep_files", `{"pattern":"x","-i":false,"case_sensitive":false,"path":""}`, `{"pattern":"x","path":""}`)
	check("grep_files", `{"pattern":"x","caseSensitive":"true","dir_path":"sub"}`, `{"pattern":"x","case":"sensitive","path":"sub"}`)
	check("apply_patch", `{"input":"p"}`, `{"patch":"p"}`)
	check("edit_file", `{"relative_path":"a","edits":[{"name_path":"T.m","position":"after","body":"x"}]}`, `{"path":"a","edits":[{"symbol":"T.m","place":"after","new_text":"x"}]}`)
	check("read_files", `{"reads":["a.go",{"file_path":"b.go"},"{\"path\":\"c.go\"}"]}`, `{"reads":[{"path":"a.go"},{"path":"b.go"},{"path":"c.go"}]}`)
}

// TestHabitsThatAreNone: what could mean several things, or nothing, is refused and
// named.
func TestHabitsThatAreNone(t *testing.T) {
	for given, want := range map[string]string{
		`{"path":"a","view_range":[3]}`:                     `unknown argument "view_range"`,
		`{"path":"a","view_range":[-3,4]}`:                  `unknown argument "view_range"`,
		`{"path":"a","view_range":[1,2],"start_line":1}`:    `"start_line" is given twice`,
		`{"path":"a","file_path":"b"}`:                      `"path" is given twice`,
		`{"path":"a","-i":true}`:                            `unknown argument "-i"`,
		`{"path":"a","line":3}`:                             `unknown argument "line"`,
		`{"path":"a","output_mode":"content"}`:              `unknown argument "output_mode"`,
		`{"path":"a","symbols":true}`:                       `unknown argument "symbols"`,
		`{"path":"a","wait_for_previous":true,"other":"x"}`: `unknown argument "other"`,
	} {
		err := schema.Decode(wire.RawValue(given), new(read.Input), schema.Of[read.Input](enums))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", given, err, want)
		}
	}
}

func decoded[In any](t *testing.T, arguments string) In {
	t.Helper()
	var in In
	if err := schema.Decode(wire.RawValue(arguments), &in, schema.Of[In](enums)); err != nil {
		t.Errorf("%s: %v", arguments, err)
	}
	return in
}

// TestZerosThatAreNotGiven: a host that sends every optional argument empty asks
// for what it would have without them.
func TestZerosThatAreNotGiven(t *testing.T) {
	for given, exact := range map[string]string{
		`{"path":"a","start_line":0,"end_line":0,"start_byte":0,"max_bytes":0,"offset":0,"limit":0}`: `{"path":"a"}`,
		`{"path":"a","start_line":3,"end_line":9,"start_byte":0,"max_bytes":0,"offset":0,"limit":0}`: `{"path":"a","start_line":3,"end_line":9}`,
		`{"path":"a","start_line":0,"end_line":9}`:                                                   `{"path":"a","start_line":0,"end_line":9}`,
		`{"path":"a","start_line":0,"end_line":0,"start_byte":0,"max_bytes":500}`:                    `{"path":"a","start_byte":0,"max_bytes":500}`,
		`{"path":"a","start_byte":0}`:                                                                `{"path":"a","start_byte":0}`,
		`{"path":"a","start_byte":7,"max_bytes":0}`:                                                  `{"path":"a","start_byte":7}`,
		`{"path":"a","offset":0}`:                                                                    `{"path":"a","offset":0}`,
		`{"path":"a","offset":0,"limit":5}`:                                                          `{"path":"a","offset":0,"limit":5}`,
	} {
		if got, want := decoded[read.Input](t, given).Given(), decoded[read.Input](t, exact); !reflect.DeepEqual(got, want) {
			t.Errorf("read_file %s: got %+v, want %+v", given, got, want)
		}
	}
	for given, exact := range map[string]string{
		`{"path":"a","edits":[{"old_text":"x","new_text":"","near_line":0,"start_line":0,"end_line":0}],"old_text":"","new_text":"","near_line":0}`: `{"path":"a","edits":[{"old_text":"x","new_text":""}]}`,
		`{"path":"a","edits":[{"old_text":"","new_text":"y","start_line":1,"end_line":0}]}`:                                                         `{"path":"a","edits":[{"new_text":"y","start_line":1,"end_line":0}]}`,
		`{"path":"a","edits":[],"old_text":"x","new_text":""}`:                                                                                      `{"path":"a","old_text":"x","new_text":""}`,
	} {
		got, err := decoded[editInput](t, given).items()
		want, wantErr := decoded[editInput](t, exact).items()
		if err != nil || wantErr != nil || !reflect.DeepEqual(got[0].Given(), want[0].Given()) {
			t.Errorf("edit_file %s: got %+v %v, want %+v %v", given, got, err, want, wantErr)
		}
	}
}
