package setup

import (
	"maps"
	"strings"
	"testing"
)

// TestHooks: hooks are added beside a person's own, a second time changes nothing,
// another program of ours takes the place of the first, and removing gives back what
// was there.
func TestHooks(t *testing.T) {
	const own = `{"hooks":[{"type":"command","command":"mine"}]}`
	hooksOf := func(program, host string) []Hook {
		return []Hook{{Event: "PreToolUse", Matcher: "Read|Edit", Command: program + " hook " + host}, {Event: "Batch", Command: program + " hook " + host}}
	}
	for _, host := range Hosts() {
		if !host.Hooks() {
			continue
		}
		for _, project := range []bool{false, true} {
			o := order(AllowRead, project)
			files := places.fill(host.hooks.files)
			if project {
				files = places.fill(host.hooks.project)
			}
			for _, before := range []tree{{}, {files[0]: `{"hooks": {"PreToolUse": [` + own + `], "Other": []}, "theme": "dark"}` + "\n"}} {
				o.Hooks = hooksOf("/opt/agent-lsp", host.Name)
				with := mustDo(t, before, host.Steps(places, o))
				if n := strings.Count(with[files[0]], "/opt/agent-lsp hook "+host.Name); n != 2 {
					t.Errorf("%s: %d hooks in %s", host.Name, n, shown(with))
				}
				same(t, host.Name+", twice", mustDo(t, with, host.Steps(places, o)), with)
				o.Hooks = hooksOf("agent-lsp", host.Name)
				moved := mustDo(t, with, host.Steps(places, o))
				if strings.Contains(moved[files[0]], "/opt/agent-lsp hook") || strings.Count(moved[files[0]], "agent-lsp hook "+host.Name) != 2 {
					t.Errorf("%s: another program leaves %s", host.Name, shown(moved))
				}
				o.Hooks = nil
				same(t, host.Name+", without --hooks they stay", mustDo(t, moved, host.Steps(places, o)), moved)
				after := mustDo(t, moved, host.RemoveSteps(places, o))
				if host.hooks.version > 0 && before[files[0]] != "" {
					continue // the file is ours
				}
				if !maps.Equal(after, before) {
					t.Errorf("%s: removing leaves %s\nof %s", host.Name, shown(after), shown(before))
				}
			}
		}
	}
}

// TestHooksOfBrokenFiles: a file that is not as the host reads it is left alone.
func TestHooksOfBrokenFiles(t *testing.T) {
	for _, text := range []string{"{", `{"hooks": []}`, `{"hooks": {"PreToolUse": {}}}`} {
		host, _ := find("claude")
		o := order(AllowNone, false)
		o.Hooks = []Hook{{Event: "PreToolUse", Command: "agent-lsp hook claude"}}
		before := tree{places.fill(host.hooks.files)[0]: text}
		if after, err := before.do(host.Steps(places, o)); err == nil {
			t.Errorf("%s becomes %s", text, shown(after))
		}
	}
}

// TestHooksOfOthers: only a line that starts this program, and nothing else, is a hook
// of ours.
func TestHooksOfOthers(t *testing.T) {
	host, _ := find("claude")
	for command, ours := range map[string]bool{
		`agent-lsp hook claude`:                       true,
		`/opt/bin/agent-lsp hook claude`:              true,
		`'/opt/agent lsp/agent-lsp' hook claude`:      true,
		`'C:\\x y\\agent-lsp.exe' hook claude`:        true,
		`'/it'\\''s/agent-lsp' hook claude`:           true,
		`\"/a b/agent-lsp\" hook claude`:              true,
		`/opt/mine hook claude`:                       true, // what the order starts
		`/opt/other hook claude`:                      false,
		`agent-lsp hook claude && /home/me/audit.sh`:  false,
		`/home/me/audit.sh; agent-lsp hook claude`:    false,
		`x=1;agent-lsp hook claude`:                   false,
		`agent-lsp hook claude # so`:                  false,
		`agent-lsp hook claude | tee log`:             false,
		`agent-lsp hook claude > log`:                 false,
		`/home/me/agent-lsp-guard/run hook claude -s`: false,
		`/home/me/agent-lsp-guard/run hook claude`:    false,
		`# agent-lsp is off; my hook claude `:         false,
		`agent-lsp hook codex`:                        false,
		`agent-lsp\nhook claude\nrm x`:                false,
		`agent-lsp\nhook claude`:                      false,
		`$(x)/agent-lsp hook claude`:                  false,
		`agent-lsp`:                                   false,
	} {
		before := tree{places.fill(host.hooks.files)[0]: `{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "` + command + `"}]}]}}`}
		o := order(AllowNone, false)
		o.Server.Command = "/opt/mine"
		after := mustDo(t, before, host.RemoveHooks(places, o))
		if maps.Equal(after, before) == ours {
			t.Errorf("%s: %s", command, shown(after))
		}
		o.Hooks = []Hook{{Event: "PreToolUse", Command: "agent-lsp hook claude"}}
		with := mustDo(t, before, host.Steps(places, o))
		if kept := strings.Contains(shown(with), `"command": "`+command+`"`); kept == ours && command != "agent-lsp hook claude" {
			t.Errorf("%s: %s", command, shown(with))
		}
	}
}
