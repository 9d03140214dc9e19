package scenario

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestManyEditsAtOnce makes edits of one open file all at once, for the same
// text and with merging: each lands, whatever the others did before it.
func TestManyEditsAtOnce(t *testing.T) {
	w, s := openWorld(t)

	const edits = 16
	var before, after strings.Builder
	for i := range edits {
		fmt.Fprintf(&before, "old %02d\nbetween\n", i)
		fmt.Fprintf(&after, "new %02d\nbetween\n", i)
	}
	path := w.path("a.txt")
	if err := os.WriteFile(path, []byte(before.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Editor().Open(path, "text"); err != nil {
		t.Fatal(err)
	}
	var calls []Call
	for i := range edits {
		arguments, err := json.Marshal(map[string]any{
			"path": "a.txt", "expected_hash": hashOf([]byte(before.String())), "on_stale": "merge",
			"old_text": fmt.Sprintf("old %02d", i), "new_text": fmt.Sprintf("new %02d", i),
		})
		if err != nil {
			t.Fatal(err)
		}
		calls = append(calls, s.Begin("edit_file", arguments))
	}
	for i, c := range calls {
		if answer, err := c.Answer(t.Context()); err != nil || answer.IsError {
			t.Errorf("edit %d: %v %v", i, answer, err)
		}
	}
	if d, _ := s.Editor().Document(path); d.Text != after.String() {
		t.Errorf("the editor has %q", d.Text)
	}
}
