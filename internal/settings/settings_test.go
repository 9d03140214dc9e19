package settings

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

func object(t *testing.T, text string) map[string]any {
	t.Helper()
	var m map[string]any
	disktest.Must(t, json.Unmarshal([]byte(text), &m))
	return m
}

// values gives all settings by key, as text.
func values(s Settings) map[string]string {
	text := func(v any) string { raw, _ := json.Marshal(v); return string(raw) }
	return map[string]string{
		"read.outlineThresholdBytes": text(s.Read.OutlineThresholdBytes),
		"read.maxFileBytes":          text(s.Read.MaxFileBytes),
		"edits.confirm":              text(s.Edits.Confirm),
		"edits.onStale":              text(s.Edits.OnStale),
		"edits.save":                 text(s.Edits.Save),
		"edits.diagnostics":          text(s.Edits.Diagnostics),
		"policy.private":             text(s.Policy.Private),
		"policy.excluded":            text(s.Policy.Excluded),
		"policy.readOnlyRoots":       text(s.Policy.ReadOnlyRoots),
		"policy.readOnly":            text(s.Policy.ReadOnly),
		"exec.enabled":               text(s.Exec.Enabled),
		"hooks.save":                 text(s.Hooks.Save),
		"index.enabled":              text(s.Index.Enabled),
		"history.enabled":            text(s.History.Enabled),
		"history.turnSeconds":        text(s.History.TurnSeconds),
		"lsp.symbols":                text(s.LSP.Symbols),
		"log.level":                  text(s.Log.Level),
		"log.file":                   text(s.Log.File),
	}
}

// TestSettingsTable: every setting is in the table, takes a value from the
// person, and changes nothing else.
func TestSettingsTable(t *testing.T) {
	news := map[string]string{
		"read.outlineThresholdBytes": `1`,
		"read.maxFileBytes":          `2`,
		"edits.confirm":              `"always"`,
		"edits.onStale":              `"merge"`,
		"edits.save":                 `"never"`,
		"edits.diagnostics":          `false`,
		"policy.private":             `["x"]`,
		"policy.excluded":            `["y"]`,
		"policy.readOnlyRoots":       `["/z"]`,
		"policy.readOnly":            `true`,
		"exec.enabled":               `true`,
		"hooks.save":                 `true`,
		"index.enabled":              `false`,
		"history.enabled":            `false`,
		"history.turnSeconds":        `7`,
		"lsp.symbols":                `true`,
		"log.level":                  `"debug"`,
		"log.file":                   `"/l"`,
	}
	defaults := values(Default())
	if len(Table()) != len(news) || len(defaults) != len(news) {
		t.Fatalf("%d settings in the table, want %d", len(Table()), len(news))
	}
	for _, def := range Table() {
		if def.Doc == "" || def.Type == "" || def.Rule == "" {
			t.Errorf("%s is not described", def.Key)
		}
		want := values(Default())
		want[def.Key] = news[def.Key]
		s, bad := Default().Merge(User, object(t, `{"`+def.Key+`":`+news[def.Key]+`}`))
		if got := values(s); len(bad) > 0 || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, %v", def.Key, bad, got)
		}
		for _, wrong := range []string{`{"a":1}`, `[1]`, `-1`, `1.5`, `"nonsense"`, `1e300`, `9007199254740992`} {
			s, bad := Default().Merge(User, object(t, `{"`+def.Key+`":`+wrong+`}`))
			if !reflect.DeepEqual(values(s), defaults) || len(bad) != 1 {
				t.Errorf("%s = %s: %v, %v", def.Key, wrong, bad, values(s))
				continue
			}
			disktest.CheckKind(t, def.Key, bad[0], fault.InvalidParams)
			if fault.From(bad[0]).Details["setting"] != def.Key {
				t.Errorf("%s: the error is about %v", def.Key, fault.From(bad[0]).Details)
			}
		}
	}
}

func TestSettingsForms(t *testing.T) {
	for _, text := range []string{
		`{"read":{"maxFileBytes":7}}`,
		`{"read.maxFileBytes":7}`,
		`{"agentLsp":{"read":{"maxFileBytes":7}}}`,
		`{"agentLsp.read.maxFileBytes":7}`,
		`{"agentLsp":{"read.maxFileBytes":7}}`,
		`{"read":{"maxFileBytes":8},"read.maxFileBytes":7}`,
		`{"read":{"maxFileBytes":7,"outlineThresholdBytes":null},"policy":null}`,
	} {
		s, bad := Default().Merge(Workspace, object(t, text))
		if s.Read.MaxFileBytes != 7 || len(bad) > 0 {
			t.Errorf("%s: %d, %v", text, s.Read.MaxFileBytes, bad)
		}
	}
	s, _ := Default().Merge(Flags, map[string]any{"read.maxFileBytes": 9, "policy.private": []string{"q"}})
	if s.Read.MaxFileBytes != 9 || !slices.Equal(s.Policy.Private, []string{"q"}) {
		t.Errorf("Go values are not read: %+v", s)
	}
}

func TestUnknownSettings(t *testing.T) {
	for text, want := range map[string]string{
		`{"read":{"maxFileByte":1}}`:           "read.maxFileBytes",
		`{"Policy.Private":[]}`:                "policy.private",
		`{"read":{"confirm":"always"}}`:        "edits.confirm",
		`{"agentLsp":{"exec.enable":true}}`:    "exec.enabled",
		`{"completely":{"different":{"x":1}}}`: "",
		`{"log":{"lexyz":1}}`:                  "log.level",
		`{"log":{"lvwxy":1}}`:                  "", // a letter too many is another
	} {
		s, bad := Default().Merge(User, object(t, text))
		if len(bad) != 1 || !reflect.DeepEqual(values(s), values(Default())) {
			t.Errorf("%s: %v", text, bad)
			continue
		}
		hint := fault.From(bad[0]).Hint
		if (want == "") != (hint == "") || !strings.Contains(hint, want) {
			t.Errorf("%s: hint %q, want %q in it", text, hint, want)
		}
	}
}

// TestWorkspaceMayOnlyTighten is the whole of what an opened folder's own
// settings can and cannot do.
func TestWorkspaceMayOnlyTighten(t *testing.T) {
	for _, tt := range []struct {
		person, workspace string
		key, want         string
		refused           bool
	}{
		{`{}`, `{"edits.confirm":"always"}`, "edits.confirm", `"always"`, false},
		{`{}`, `{"edits.confirm":"never"}`, "edits.confirm", `"never"`, false},
		{`{"edits.confirm":"always"}`, `{"edits.confirm":"protected"}`, "edits.confirm", `"always"`, true},
		{`{"edits.confirm":"always"}`, `{"edits.confirm":"never"}`, "edits.confirm", `"always"`, true},
		{`{"edits.confirm":"never"}`, `{"edits.confirm":"protected"}`, "edits.confirm", `"never"`, true},
		{`{"edits.confirm":"never"}`, `{"edits.confirm":"always"}`, "edits.confirm", `"never"`, true},
		{`{"edits.confirm":"never"}`, `{"edits.confirm":"never"}`, "edits.confirm", `"never"`, false},
		{`{"policy.private":["a"]}`, `{"policy.private":["b","a"]}`, "policy.private", `["a","b"]`, false},
		{`{"policy.private":["a"]}`, `{"policy.private":[]}`, "policy.private", `["a"]`, false},
		{`{"policy.private":["a"]}`, `{"policy.private":["b","["]}`, "policy.private", `["a","b"]`, true},
		{`{"policy.private":["a"]}`, `{"policy.private":["!a"]}`, "policy.private", `["a"]`, true},
		{`{"policy.excluded":["a"]}`, `{"policy.excluded":["b"]}`, "policy.excluded", `["a","b"]`, false},
		{`{"policy.readOnlyRoots":["/a","/b"]}`, `{"policy.readOnlyRoots":["/b/"]}`, "policy.readOnlyRoots", `["/b"]`, false},
		{`{"policy.readOnlyRoots":["/a"]}`, `{"policy.readOnlyRoots":[]}`, "policy.readOnlyRoots", `[]`, false},
		{`{"policy.readOnlyRoots":["/a"]}`, `{"policy.readOnlyRoots":["/a","/etc"]}`, "policy.readOnlyRoots", `["/a"]`, true},
		{`{"policy.readOnlyRoots":["/a"]}`, `{"policy.readOnlyRoots":["/a/../etc"]}`, "policy.readOnlyRoots", `["/a"]`, true},
		{`{}`, `{"policy.readOnlyRoots":["~/x"]}`, "policy.readOnlyRoots", `null`, true},
		{`{}`, `{"policy.readOnly":true}`, "policy.readOnly", `true`, false},
		{`{"policy.readOnly":true}`, `{"policy.readOnly":false}`, "policy.readOnly", `true`, true},
		{`{}`, `{"policy.readOnly":false}`, "policy.readOnly", `false`, false},
		{`{}`, `{"exec.enabled":true}`, "exec.enabled", `false`, true},
		{`{"exec.enabled":true}`, `{"exec.enabled":false}`, "exec.enabled", `false`, false},
		{`{"exec.enabled":true}`, `{"exec.enabled":true}`, "exec.enabled", `true`, false},
		{`{}`, `{"log.file":"/home/u/.profile"}`, "log.file", `""`, true},
		{`{}`, `{"log.level":"debug"}`, "log.level", `"debug"`, false},
		{`{}`, `{"edits.save":"never"}`, "edits.save", `"never"`, false},
	} {
		for _, scope := range []Scope{User, Flags, Machine} {
			s, bad := Default().Merge(scope, object(t, tt.person))
			if len(bad) > 0 {
				t.Fatalf("%s: %v", tt.person, bad)
			}
			s, bad = s.Merge(Workspace, object(t, tt.workspace))
			if got := values(s)[tt.key]; got != tt.want || len(bad) > 0 != tt.refused {
				t.Errorf("%s, then %s: %s is %s, want %s; errors %v", tt.person, tt.workspace, tt.key, got, tt.want, bad)
			}
		}
	}
}

func TestMergeLeavesItsReceiver(t *testing.T) {
	before := Default()
	before.Policy.Private = append(make([]string, 0, 8), "a")
	after, _ := before.Merge(Workspace, map[string]any{"policy.private": []any{"b"}})
	other, _ := before.Merge(Workspace, map[string]any{"policy.private": []any{"c"}})
	if !slices.Equal(before.Policy.Private, []string{"a"}) || !slices.Equal(after.Policy.Private, []string{"a", "b"}) ||
		!slices.Equal(other.Policy.Private, []string{"a", "c"}) {
		t.Errorf("%v, %v, %v", before.Policy.Private, after.Policy.Private, other.Policy.Private)
	}
}

func TestLoadUserSettings(t *testing.T) {
	home := t.TempDir()
	if u := LoadUser(home); u.Values != nil || u.Problem != nil || u.ForbidsAll() {
		t.Errorf("no file: %+v", u)
	}
	disktest.Plant(t, home, "agent-lsp/config.json", `{"read":{"maxFileBytes":5}}`)
	u := LoadUser(home)
	disktest.Must(t, u.Problem)
	if s, bad := Default().Merge(u.Scope, u.Values); s.Read.MaxFileBytes != 5 || len(bad) > 0 || u.ForbidsAll() {
		t.Errorf("%v, %v", u, bad)
	}
	for text, want := range map[string]fault.Kind{
		`{"read":`: fault.InvalidParams,
		`[]`:       fault.InvalidParams,
		`null`:     fault.InvalidParams,
		``:         fault.InvalidParams,
		`{"a":"` + strings.Repeat("x", maxSettingsBytes) + `"}`: fault.FileTooLarge,
	} {
		disktest.Plant(t, home, "agent-lsp/config.json", text)
		u := LoadUser(home)
		disktest.CheckKind(t, text[:min(len(text), 20)], u.Problem, want)
		if !u.ForbidsAll() {
			t.Errorf("%.20s: it may forbid changes", text)
		}
	}
	disktest.Plant(t, home, "agent-lsp/config.json", "{}"+strings.Repeat(" ", maxSettingsBytes-2))
	disktest.Must(t, LoadUser(home).Problem)
	disktest.Must(t, os.Remove(filepath.Join(home, "agent-lsp/config.json")))
	disktest.Plant(t, home, "agent-lsp/config.json/", "")
	disktest.CheckKind(t, "a folder", LoadUser(home).Problem, fault.NotAFile)
}

// TestSettingsThatOthersMayWrite: what somebody else may have written loosens
// nothing, and that is said; what it tightens holds.
func TestSettingsThatOthersMayWrite(t *testing.T) {
	if !fsys.HasPermissions {
		return // this system has other rights
	}
	for name, tt := range map[string]struct {
		spoil func(home, file string) error
		told  bool
	}{
		"mine":                 {func(_, _ string) error { return nil }, false},
		"read by all":          {func(_, file string) error { return os.Chmod(file, 0o644) }, false},
		"written by all":       {func(_, file string) error { return os.Chmod(file, 0o646) }, true},
		"a folder of all":      {func(_, file string) error { return os.Chmod(filepath.Dir(file), 0o777) }, true},
		"a shared folder":      {func(_, file string) error { return os.Chmod(filepath.Dir(file), 0o777|os.ModeSticky) }, false},
		"its folder is shared": {func(home, _ string) error { return os.Chmod(home, 0o777) }, true},
		"a link to a folder of all": {func(home, file string) error {
			real := filepath.Join(home, "open", "c.json")
			return errors.Join(os.Mkdir(filepath.Dir(real), 0o755), os.Chmod(filepath.Dir(real), 0o777), os.Rename(file, real), os.Symlink(real, file))
		}, true},
		"a link": {func(home, file string) error {
			real := filepath.Join(home, "c.json")
			return errors.Join(os.Rename(file, real), os.Symlink(real, file))
		}, false},
	} {
		home := t.TempDir()
		disktest.Plant(t, home, "agent-lsp/config.json", `{"exec.enabled":true,"policy.private":[],"policy.readOnly":true}`)
		disktest.Must(t, tt.spoil(home, UserFile(home)))
		u := LoadUser(home)
		if told := fault.KindOf(u.Problem) == fault.PermissionDenied; told != tt.told || u.ForbidsAll() {
			t.Errorf("%s: %v", name, u.Problem)
		}
		s, _ := Default().Merge(u.Scope, u.Values)
		if s.Exec.Enabled == tt.told || (len(s.Policy.Private) == 0) == tt.told || !s.Policy.ReadOnly {
			t.Errorf("%s: %+v", name, s)
		}
	}
}
