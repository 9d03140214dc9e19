package setup

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// tree are the files of a machine, by their paths.
type tree map[string]string

// do applies steps, all or none.
func (t tree) do(steps []Step) (tree, error) {
	out := maps.Clone(t)
	for _, s := range steps {
		file := s.Files[0]
		for _, f := range s.Files {
			if _, there := t[f]; there {
				file = f
				break
			}
		}
		text, err := s.Apply([]byte(t[file]))
		if err != nil {
			return t, fault.From(err).At(file)
		}
		if out[file] = string(text); SaysNothing(text) {
			delete(out, file)
		}
	}
	return out, nil
}

func order(level Level, project bool) Order {
	return Order{
		Server: server, Allow: level, Project: project,
		Tools: Tools{Reads: []string{"read_file", "grep_files"}, Changes: []string{"edit_file", "apply_patch"}},
	}
}

// Each archive below testdata/allow is a host's files: "before/…", what setup
// makes of them at two levels, "read/…" and "all/…", or the error at "all"; and
// what removing leaves, where that is not what was before.
func TestAllow(t *testing.T) {
	files, err := filepath.Glob("testdata/allow/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { checkAllow(t, file) })
	}
}

func checkAllow(t *testing.T, file string) {
	words := strings.Split(strings.TrimSuffix(filepath.Base(file), ".txtar"), "-")
	host, ok := find(words[0])
	if !ok {
		t.Fatal("no such host")
	}
	project := slices.Contains(words, "project")
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, got := treeIn(archive, "before"), map[string]tree{}
	set := func(from tree, o Order) tree {
		to, err := from.do(host.Steps(places, o))
		if err != nil {
			got["error"] = tree{"/" + string(o.Allow): fault.From(err).Error() + "\n"}
		}
		return to
	}
	all, read := order(AllowAll, project), order(AllowRead, project)
	got["all"] = set(before, all)
	if got["error"] == nil {
		got["read"] = set(before, read)
		same(t, "all, after read", set(got["read"], all), got["all"])
		same(t, "read, after all", set(got["all"], read), got["read"])
		same(t, "all twice", set(got["all"], all), got["all"])
		more := read
		more.KeepMore = true
		same(t, "what is allowed beyond is kept", set(got["all"], more), got["all"])
		none := order(AllowNone, project)
		removed, err := got["all"].do(host.RemoveSteps(places, none))
		if err != nil {
			t.Fatal(err)
		}
		same(t, "none, and removed", mustDo(t, set(got["all"], none), host.RemoveSteps(places, none)), removed)
		if !maps.Equal(removed, before) {
			got["removed"] = removed
		}
	} else {
		delete(got, "all")
	}
	if *update {
		writeArchive(t, file, archive, before, got)
		return
	}
	for _, name := range []string{"read", "all", "removed", "error"} {
		if want := treeIn(archive, name); !maps.Equal(got[name], want) {
			t.Errorf("%s\n%s\nwant\n%s", name, shown(got[name]), shown(want))
		}
	}
}

func mustDo(t *testing.T, from tree, steps []Step) tree {
	t.Helper()
	to, err := from.do(steps)
	if err != nil {
		t.Fatal(err)
	}
	return to
}

func same(t *testing.T, what string, got, want tree) {
	t.Helper()
	if !maps.Equal(got, want) {
		t.Errorf("%s:\n%s\nwant\n%s", what, shown(got), shown(want))
	}
}

func treeIn(a *txtar.Archive, name string) tree {
	t := tree{}
	for _, f := range a.Files {
		if path, ok := strings.CutPrefix(f.Name, name+"/"); ok {
			t["/"+path] = string(f.Data)
		}
	}
	return t
}

func shown(t tree) string {
	var b strings.Builder
	for _, path := range slices.Sorted(maps.Keys(t)) {
		b.WriteString(path + ":\n" + t[path])
	}
	return b.String()
}

func writeArchive(t *testing.T, file string, a *txtar.Archive, before tree, got map[string]tree) {
	got["before"] = before
	a.Files = nil
	for _, name := range []string{"before", "read", "all", "removed", "error"} {
		for _, path := range slices.Sorted(maps.Keys(got[name])) {
			a.Files = append(a.Files, txtar.File{Name: name + path, Data: []byte(got[name][path])})
		}
	}
	if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Whatever a host's files hold, removing gives it back byte for byte, and no
// level covers the tool that runs commands.
func TestRemoveGivesBack(t *testing.T) {
	crlf := func(s string) string { return "\uFEFF" + strings.ReplaceAll(s, "\n", "\r\n") }
	for _, h := range Hosts() {
		for _, project := range []bool{false, true} {
			for _, text := range []string{"", "{\n  \"a\": 1\n}\n", "{\n\t\"mcpServers\": {\n\t\t\"b\": {}\n\t},\n\t\"permissions\": {\n\t\t\"allow\": [\"x\"]\n\t}\n}", "# t\n[a]\nb = \"\"\"\n[c]\n\"\"\"\n"} {
				for _, text := range []string{text, crlf(text)} {
					if strings.Trim(text, "\uFEFF") == "" {
						text = "" // a missing file
					}
					before := tree{}
					for _, s := range h.Steps(places, order(AllowAll, project)) {
						if text != "" && !strings.HasSuffix(s.Files[0], "agent-lsp.toml") && strings.HasSuffix(s.Files[0], "toml") == strings.Contains(text, "# t") {
							before[s.Files[0]] = text
						}
					}
					after, err := before.do(h.Steps(places, order(AllowAll, project)))
					if err != nil {
						t.Fatalf("%s: %v", h.Name, err)
					}
					if s := shown(after); strings.Contains(s, "run_command") && !strings.Contains(s, `"excludeTools": ["run_command"]`) {
						t.Errorf("%s: commands are covered:\n%s", h.Name, s)
					}
					same(t, h.Name, mustDo(t, after, h.RemoveSteps(places, order(AllowNone, project))), before)
				}
			}
		}
	}
}

func TestRemoveRefuses(t *testing.T) {
	for src, want := range map[string]string{
		`{"mcpServers": {"agent-lsp": {"command": "npx", "args": ["agent-lsp"]}}}`:                         "already_exists",
		`{"mcpServers": {"agent-lsp": {"url": "http://x"}}}`:                                               "already_exists",
		`{"mcpServers": {"agent-lsp": {"command": "/old/agent-lsp.exe", "args": ["mcp", "--read-only"]}}}`: "",
		`{"mcpServers": `: "invalid_params",
		`{}`:              "",
	} {
		host, _ := find("claude")
		out, err := host.RemoveSteps(places, order(AllowNone, false))[0].Apply([]byte(src))
		if err != nil {
			if string(fault.KindOf(err)) != want || !bytes.Equal(out, []byte(src)) {
				t.Errorf("%s: %v", src, err)
			}
		} else if want != "" {
			t.Errorf("%s: became %q", src, out)
		}
	}
}

// What an earlier version made of an inline entry, which Codex cannot read, can be
// taken out, and nothing else.
func TestRemoveInline(t *testing.T) {
	const tools = "\n[mcp_servers.agent-lsp.tools.edit_file]\napproval_mode = \"approve\"\n"
	const entry = `{ command = "/opt/agent lsp/agent-lsp", args = ["mcp", "--x={,"] }`
	host, _ := find("codex")
	for before, want := range map[string]string{
		"[mcp_servers]\nagent-lsp = " + entry + "\n":                                             "[mcp_servers]\n",
		"mcp_servers.agent-lsp = " + entry + " # so\nx = nan\n":                                  "x = nan\n",
		"mcp_servers = { agent-lsp = " + entry + " }\nx = 1\n":                                   "mcp_servers = { }\nx = 1\n",
		"mcp_servers = { a = { command = 'x' }, \"agent-lsp\" = " + entry + " }\n":               "mcp_servers = { a = { command = 'x' } }\n",
		"mcp_servers = {agent-lsp = " + entry + ", a = { command = 'x' }}\n":                     "mcp_servers = { a = { command = 'x' }}\n",
		"mcp_servers = { a.b = 1, agent-lsp.command = 'agent-lsp', agent-lsp.args = ['mcp'] }\n": "mcp_servers = { a.b = 1 }\n",
	} {
		out, err := host.RemoveSteps(places, order(AllowNone, false))[0].Apply([]byte(before + tools))
		if err != nil || string(out) != want {
			t.Errorf("%s: %v\n%s\nwant\n%s", before, err, out, want)
		}
	}
}
