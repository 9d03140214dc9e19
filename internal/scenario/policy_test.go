package scenario

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/fakeeditor"
	"github.com/agent-lsp/agent-lsp/tools"
)

// policyRow says how a tool is asked for what policy keeps from agents. In
// arguments $PATH is a path, $BARE the same within a string, $HASH the hash of every hidden file, and
// $CONTENT the beginning of what each of them holds.
type policyRow struct {
	file   string   // arguments that name a file; refused for hidden ones
	folder string   // arguments that name a folder; refused for hidden ones
	over   []string // arguments that reach over all files; hidden ones are left out
	// pathless is why the tool needs none of these.
	pathless string
}

// policyRows has a row for every tool.
var policyRows = map[string]policyRow{
	"read_file": {file: `{"path": $PATH}`},
	"outline":   {file: `{"path": $PATH}`, folder: `{"path": $PATH}`, over: []string{`{"path": "."}`, `{"query": "quiet"}`}},
	"grep_files": {file: `{"pattern": "TOPS", "path": $PATH}`, folder: `{"pattern": "TOPS", "path": $PATH}`,
		over: []string{`{"pattern": "TOPS"}`, `{"pattern": "TOPS", "include_ignored": true}`}},
	"list_directory":   {folder: `{"path": $PATH}`, over: []string{`{"path": ".", "depth": 5, "include_ignored": true}`}},
	"find_files":       {folder: `{"pattern": "**/*", "path": $PATH}`, over: []string{`{"pattern": "**/*"}`, `{"pattern": "hus"}`}},
	"open_files":       {over: []string{`{}`}},
	"diagnostics":      {file: `{"path": $PATH}`, over: []string{`{}`}},
	"references":       {file: `{"path": $PATH, "line": 1, "text": "quiet"}`, over: []string{`{"path": "main.go", "line": 1, "text": "package"}`}},
	"rename_symbol":    {file: `{"path": $PATH, "line": 1, "text": "quiet", "new_name": "x"}`},
	"code_action":      {file: `{"path": $PATH}`},
	"apply_patch":      {file: `{"patch": "*** Begin Patch\n*** Delete File: $BARE\n*** End Patch"}`},
	"replace_in_files": {over: []string{`{"pattern": "TOPS", "replacement": "x", "dry_run": true}`, `{"pattern": ".", "replacement": "x", "dry_run": true, "include": ["**/*hus*", ".*/**"]}`}},
	"write_file":       {file: `{"path": $PATH, "expected_hash": $HASH, "content": "x"}`},
	"edit_history":     {file: `{"path": $PATH}`, over: []string{`{}`}},
	"revert_edit":      {pathless: "it takes the id of a change, and goes the way of all changes"},
	"persist_output":   {pathless: "it keeps what it is given"},
	"run_command":      {pathless: "it is the person's to enable, and not served here"},
	"edit_file":        {file: `{"path": $PATH, "expected_hash": $HASH, "old_text": $CONTENT, "new_text": "x"}`},
}

// hiddenPlace is what policy keeps from agents by one of its rules. What a
// folder hides, hushWord names.
type hiddenPlace struct {
	rule         string
	file, folder string // a folder may lack
	kind         string // of the error
}

var hiddenPlaces = []hiddenPlace{
	{"policy.private", "hush.pem", ".ssh", "permission_denied"},
	{"policy.private, a folder in a row", ".config/gcloud/hush.txt", ".config/gcloud", "permission_denied"},
	{"policy.private, a password store", ".password-store/hush.gpg", ".password-store", "permission_denied"},
	{"policy.excluded", "vault/hush.txt", "vault", "permission_denied"},
	{"an agents' ignore file on disk", "kept/hush.txt", "kept", "permission_denied"},
	{"one in a folder", "sub/hush.sql", "sub/hush", "permission_denied"},
	{"one that is not saved", "sub/draft/hush.txt", "sub/draft", "permission_denied"},
	{"a link to a private file", "harmless.txt", "plain", "permission_denied"},
	{"a link to an ignored file", "harmless.sql", "kin", "permission_denied"},
	{"outside", "$TMP/outside/far.txt", "$TMP/outside", "outside_workspace"},
	{"a link that leads out", "out.txt", "out", "outside_workspace"},
	{"open in the editor, private", "open-hush.key", "", "permission_denied"},
	{"open in the editor, ignored", "kept/open-hush.txt", "", "permission_denied"},
}

// hushWord is in the name of every hidden file, and hushContent is what it
// holds: no answer may have either.
const (
	hushWord    = "hush"
	hushContent = "TOPSECRET func quiet() {}\n"
)

// TestPolicyIsUniform: what one tool may not see, none may.
func TestPolicyIsUniform(t *testing.T) {
	w, s := openHidden(t)
	for _, tool := range tools.All() {
		row, known := policyRows[tool.Name]
		switch {
		case !known:
			t.Errorf("%s has no row in policyRows: say how it could reach files", tool.Name)
		case row.file == "" && row.folder == "" && len(row.over) == 0 && row.pathless == "":
			t.Errorf("%s: its row in policyRows is empty", tool.Name)
		}
		t.Run(tool.Name, func(t *testing.T) { row.check(t, w, s, tool.Name) })
	}
	changed, err := w.changed(nil)
	if err != nil || len(changed) > 0 {
		t.Errorf("files changed: %q (%v)", changed, err)
	}
	for _, d := range s.Editor().Documents() {
		if d.Applied > 0 {
			t.Errorf("%s was edited", d.URI)
		}
	}
}

func (row policyRow) check(t *testing.T, w *world, s Surface, tool string) {
	for _, place := range hiddenPlaces {
		for arguments, path := range map[string]string{row.file: place.file, row.folder: place.folder} {
			if arguments == "" || path == "" {
				continue
			}
			for _, spelled := range []string{w.folders(path), w.path(w.folders(path))} {
				kind, text := ask(t, s, tool, arguments, spelled)
				if kind != place.kind {
					t.Errorf("%s: %s answers %q, want %q\n%s", place.rule, path, kind, place.kind, text)
				}
				if strings.Contains(text, "TOPSECRET") {
					t.Errorf("%s: %s is shown:\n%s", place.rule, path, text)
				}
			}
		}
	}
	for _, arguments := range row.over {
		kind, text := ask(t, s, tool, arguments, ".")
		if kind != "" {
			t.Errorf("%s fails: %s", arguments, text)
		}
		if strings.Contains(text, hushWord) || strings.Contains(text, "TOPSECRET") {
			t.Errorf("%s shows what is hidden:\n%s", arguments, text)
		}
	}
}

// ask calls a tool and returns the kind of its error, and all that it says.
func ask(t *testing.T, s Surface, tool, arguments, path string) (kind, text string) {
	t.Helper()
	quoted, err := json.Marshal(path)
	if err != nil {
		t.Fatal(err)
	}
	hash := fmt.Sprintf(`"sha256:%x"`, sha256.Sum256([]byte(hushContent)))
	bare := strings.Trim(string(quoted), `"`)
	arguments = strings.NewReplacer("$BARE", bare, "$PATH", string(quoted), "$HASH", hash, "$CONTENT", `"TOP"`).Replace(arguments)
	answer, err := s.Begin(tool, json.RawMessage(arguments)).Answer(t.Context())
	if err != nil {
		t.Fatalf("%s %s: %v", tool, arguments, err)
	}
	var structured struct{ Error struct{ Kind string } }
	if err := json.Unmarshal(answer.Structured, &structured); err != nil {
		t.Fatal(err)
	}
	all, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	return structured.Error.Kind, string(all)
}

// openHidden makes the places, and starts a server with an editor.
func openHidden(t *testing.T) (*world, Surface) {
	t.Helper()
	w, err := newWorld(t, nil)
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(err)
	t.Cleanup(w.close)
	for _, file := range []string{
		"hush.pem", ".ssh/hush.txt", ".config/gcloud/hush.txt", ".password-store/hush.gpg", "vault/hush.txt", "kept/hush.txt", "kept/open-hush.txt", "sub/hush.sql", "sub/hush/hush.txt",
		"sub/draft/hush.txt", "$TMP/outside/far.txt", "open-hush.key",
	} {
		check(w.write(w.folders(file), hushContent))
	}
	check(w.write(".agentignore", "/kept/\n"))
	check(w.write("sub/.cursorignore", "*.sql\nhush/\n"))
	check(w.write("main.go", "package main\n\nfunc main() {}\n"))
	for link, target := range map[string]string{
		"harmless.txt": "hush.pem", "plain": ".ssh", "harmless.sql": "sub/hush.sql", "kin": "sub/hush", "out.txt": "../outside/far.txt", "out": "../outside",
	} {
		check(os.Symlink(target, w.path(link)))
		check(w.adopt(w.path(link)))
	}
	options := clientOptions()
	options.Roots = []fakeeditor.Root{{Name: "ws", Dir: w.work}}
	options.InitializationOptions = map[string]any{"agentLspMachine": map[string]any{"policy.excluded": []string{"/vault"}}}
	s, err := OpenLSP(t.Context(), t, Workspace{Editor: options, StateDir: w.state})
	check(err)
	t.Cleanup(func() {
		if err := s.Close(context.WithoutCancel(t.Context())); err != nil {
			t.Errorf("closing: %v", err)
		}
	})
	for _, file := range []string{"open-hush.key", "kept/open-hush.txt", "main.go"} {
		_, err := s.Editor().Open(w.path(file), "")
		check(err)
	}
	unsaved := "file://" + filepath.ToSlash(w.path("sub/.aiexclude"))
	check(s.Editor().OpenText(unsaved, "", "draft\n"))
	return w, s
}

// writeRows has for every tool that changes files the calls that would change,
// make or remove one; see policyRow.
var writeRows = map[string][]string{
	"write_file":       {`{"path": $PATH, "content": "x"}`, `{"path": $PATH, "content": "x", "expected_hash": $HASH}`},
	"edit_file":        {`{"path": $PATH, "expected_hash": $HASH, "old_text": $CONTENT, "new_text": "x"}`},
	"rename_symbol":    {}, // what a server changes is tried by scenarios/servers/rename.txtar
	"code_action":      {},
	"replace_in_files": {`{"pattern": $CONTENT, "replacement": "x", "literal": true, "include": [$PATH], "expected_count": 1}`},
	"apply_patch": {
		`{"patch": "*** Begin Patch\n*** Add File: $BARE\n+x\n*** End Patch"}`,
		`{"patch": "*** Begin Patch\n*** Delete File: $BARE\n*** End Patch", "expected_hashes": {$PATH: $HASH}}`,
		`{"patch": "*** Begin Patch\n*** Update File: $BARE\n@@\n-TOPSECRET func quiet() {}\n+x\n*** End Patch", "expected_hashes": {$PATH: $HASH}}`,
		`{"patch": "*** Begin Patch\n*** Update File: $BARE\n*** Move to: taken.txt\n*** End Patch", "expected_hashes": {$PATH: $HASH}}`,
		`{"patch": "*** Begin Patch\n*** Update File: main.go\n*** Move to: $BARE\n*** End Patch", "expected_hashes": {"main.go": "$MAIN"}}`,
	},
}

// TestUnwritableIsUniform: what one tool may not write, though anybody may read
// it, none may, consent or not, whether it is there or not, on disk or open in
// the editor.
func TestUnwritableIsUniform(t *testing.T) {
	w, s := openHidden(t)
	for _, d := range tools.All() {
		if rows := writeRows[d.Name]; !d.ReadOnly && rows == nil && policyRows[d.Name].pathless == "" {
			t.Errorf("%s has no row in writeRows: say how it changes files", d.Name)
		}
	}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	there := []string{".agent-lsp-swap-1", "sub/.Agent-LSP-new-2", ".agent-lsp-d/y.txt", ".config/agent-lsp/config.json", ".git/config"}
	for _, file := range there {
		check(w.write(file, hushContent))
	}
	for link, target := range map[string]string{"to-config": ".config/agent-lsp", "to-swap.txt": ".agent-lsp-swap-1"} {
		check(os.Symlink(target, w.path(link)))
		check(w.adopt(w.path(link)))
	}
	_, err := s.Editor().Open(w.path(".config/agent-lsp/config.json"), "")
	check(err)
	_, err = s.Editor().Open(w.path("sub/.Agent-LSP-new-2"), "")
	check(err)
	places := append(slices.Clone(there), "to-config/config.json", "to-config/new.json", "to-swap.txt", ".agent-lsp-swap-none", "sub/.agent-lsp-none/deep/x",
		".CONFIG/agent-lsp/new.json", ".config/Agent-Lsp/new.json")
	main := fmt.Sprintf("sha256:%x", sha256.Sum256([]byte("package main\n\nfunc main() {}\n")))
	for tool, rows := range writeRows {
		for _, arguments := range rows {
			arguments = strings.ReplaceAll(arguments, "$MAIN", main)
			for _, place := range places {
				for _, spelled := range []string{place, w.path(place)} {
					switch kind, text := ask(t, s, tool, arguments, spelled); kind {
					case "permission_denied":
					case "text_not_found":
						if tool != "replace_in_files" { // it names no file: these are none of all
							t.Errorf("%s %s of %s: %s", tool, arguments, spelled, text)
						}
					case "already_exists", "not_found": // it comes first, and changes nothing either
						if strings.Contains(place, "none") && kind == "already_exists" {
							t.Errorf("%s %s of %s: %s", tool, arguments, spelled, text)
						}
					default:
						t.Errorf("%s %s of %s answers %q\n%s", tool, arguments, spelled, kind, text)
					}
				}
			}
		}
	}
	changed, err := w.changed(nil)
	if err != nil || len(changed) > 0 {
		t.Errorf("files changed: %q (%v)", changed, err)
	}
	for _, d := range s.Editor().Documents() {
		if d.Applied > 0 {
			t.Errorf("%s was edited", d.URI)
		}
	}
}
