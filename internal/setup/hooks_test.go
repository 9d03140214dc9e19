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
