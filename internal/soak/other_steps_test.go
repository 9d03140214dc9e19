//go:build linux

package soak

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ask makes a call that changes nothing, and wants it to succeed.
func (a *assistant) ask(tool string, args map[string]any) (answer, bool) {
	came := a.did(a.name, "%s %v", tool, args)
	got, err := a.call(tool, args)
	came("%v %s", err, firstLine(got.text()))
	if err == nil && got.IsError {
		a.fail("%s: %s %v: %s", a.name, tool, args, got.text())
	}
	return got, err == nil && !got.IsError
}

// read reads a file in one of the ways there are.
func (a *assistant) read(d decision) {
	file := d.files[0]
	switch d.choice % 6 {
	case 0:
		a.ask("read_file", map[string]any{"path": file, "start_line": d.choice % 50, "end_line": d.choice})
	case 1:
		a.ask("read_file", map[string]any{"path": file, "start_byte": d.choice, "max_bytes": 3000})
	case 2:
		a.ask("read_file", map[string]any{"path": file, "format": "xml", "limit": 30})
	case 3:
		a.ask("read_file", map[string]any{"path": fmt.Sprintf("src/p%d/f%d.go", d.choice%6, d.choice%6), "symbol": "F3"})
	default:
		a.fetch(file)
	}
}

// search looks for one of the assistant's own tokens, which stands in one place.
func (a *assistant) search(d decision) {
	p := place{d.files[0], d.region}
	want := a.model.at(p)
	if len(want) != 1 || want[0] == "0" {
		a.ask("grep_files", map[string]any{"pattern": `func F1?\d\(`, "include": []string{"*.go"}, "max_results": d.other%50 + 1})
		return
	}
	before, beforeErr := os.Stat(a.path(p.file))
	got, ok := a.ask("grep_files", map[string]any{"pattern": want[0], "literal": true})
	if !ok || !a.isKnown(p.file) {
		return
	}
	// Another session's document that has no unsaved changes is searched on disk,
	// where its editor may just be writing it.
	if now, err := os.Stat(a.path(p.file)); errors.Join(beforeErr, err) != nil || !now.ModTime().Equal(before.ModTime()) {
		return
	}
	var r struct {
		Results int `json:"results"`
		Files   []struct {
			Path string `json:"path"`
		} `json:"files"`
	}
	if a.must(got.into(&r)) && (r.Results != 1 || len(r.Files) != 1 || r.Files[0].Path != p.file) {
		a.fail("%s: %s stands in %s, and the search finds: %s", a.name, want[0], p.file, got.text())
	}
}

// make makes, changes, moves and deletes files of its own.
func (a *assistant) make(d decision) {
	a.tokens++
	name := fmt.Sprintf("made/a%d/f%d.txt", a.number, a.tokens)
	text := fmt.Sprintf("made %d\n%s", a.tokens, strings.Repeat("and more\n", d.choice%40))
	have := a.sortedMade()
	if len(have) == 0 || d.choice < 400 && len(have) < 12 {
		a.makes("write_file", map[string]any{"path": name, "content": text}, map[string]string{name: text})
		return
	}
	old := have[d.other%len(have)]
	was := a.made[old]
	hash := map[string]any{old: hashOf(was)}
	switch d.choice % 3 {
	case 0:
		a.makes("write_file", map[string]any{"path": old, "content": text, "expected_hash": hashOf(was)}, map[string]string{old: text})
	case 1:
		patch := "*** Begin Patch\n*** Delete File: " + old + "\n*** End Patch\n"
		a.makes("apply_patch", map[string]any{"patch": patch, "expected_hashes": hash}, map[string]string{old: ""})
	case 2:
		first, _, _ := strings.Cut(was, "\n")
		patch := fmt.Sprintf("*** Begin Patch\n*** Update File: %s\n*** Move to: %s\n@@\n-%s\n+moved %[2]s\n*** End Patch\n", old, name, first)
		now := "moved " + name + strings.TrimPrefix(was, first)
		a.makes("apply_patch", map[string]any{"patch": patch, "expected_hashes": hash}, map[string]string{old: "", name: now})
	}
}

func (a *assistant) sortedMade() []string {
	var out []string
	for name := range a.made {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// makes makes a call after which files have these texts, or are gone where a text
// is empty. Of files whose outcome is unknown nothing is said any more.
func (a *assistant) makes(tool string, args map[string]any, after map[string]string) {
	came := a.did(a.name, "%s makes %d files: %.200v", tool, len(after), args)
	got, err := a.call(tool, args)
	came("%v %s", err, firstLine(got.text()))
	if err == nil && got.IsError && !slices.Contains(unknown, got.kind()) {
		a.present()
		return
	}
	a.hashed(tool, got, after)
	for name, text := range after {
		delete(a.made, name)
		a.unclear[name] = err != nil || got.IsError
		if text != "" && !a.unclear[name] {
			a.made[name] = text
		}
	}
	a.present()
}

// hashed wants the answer to a write to name the hash of what was written.
func (a *assistant) hashed(tool string, got answer, after map[string]string) {
	var e edited
	if tool != "write_file" || got.kind() != "ok" || got.into(&e) != nil {
		return
	}
	for name, text := range after {
		if e.of(name).Hash != hashOf(text) {
			a.fail("%s: the hash of %s is not that of what was written: %s", a.name, name, got.text())
		}
	}
}

// present wants the files that the assistant made to be there, and those that it
// deleted to be gone.
func (a *assistant) present() {
	for name, text := range a.made {
		if raw, err := os.ReadFile(a.path(name)); err != nil || string(raw) != text {
			a.fail("%s: %s holds %q (%v) instead of %q", a.name, name, raw, err, text)
		}
	}
	for name, unclear := range a.unclear {
		if unclear {
			continue
		}
		if _, err := os.Lstat(a.path(name)); a.made[name] == "" && err == nil {
			a.fail("%s: %s was deleted, and is there", a.name, name)
		}
		delete(a.unclear, name) // where it comes back, a listing tells
	}
}

// look asks for what lists and outlines tell.
func (a *assistant) look(d decision) {
	switch d.choice % 7 {
	case 0:
		a.ask("open_files", map[string]any{})
	case 1:
		a.ask("find_files", map[string]any{"pattern": "**/d0*.go"})
	case 2:
		a.ask("outline", map[string]any{"path": d.files[0]})
	case 3:
		a.ask("outline", map[string]any{"query": "F1"})
	case 4:
		a.ask("edit_history", map[string]any{})
	default:
		a.list()
	}
}

// list wants a listing to have the files that the assistant made, and no others.
func (a *assistant) list() {
	if len(a.made) == 0 {
		return
	}
	folder := fmt.Sprintf("made/a%d", a.number)
	got, ok := a.ask("list_directory", map[string]any{"path": folder})
	if !ok {
		return
	}
	var r struct {
		Entries []struct {
			Name string `json:"name"`
		} `json:"entries"`
	}
	if !a.must(got.into(&r)) {
		return
	}
	listed := make(map[string]bool)
	for _, e := range r.Entries {
		name := folder + "/" + e.Name
		listed[name] = true
		if _, mine := a.made[name]; !mine && !a.unclear[name] {
			a.fail("%s: %s is listed, and is not there", a.name, name)
		}
	}
	for name := range a.made {
		if !listed[name] {
			a.fail("%s: %s is there, and not listed: %s", a.name, name, got.text())
		}
	}
}

// trespass tries what policy forbids.
func (a *assistant) trespass(d decision) {
	reads := []string{
		".env", "config/secrets.yaml", "config/server.pem", "hidden/notes.txt", "link-out.txt", "../outside.txt",
		filepath.Join(a.dir, "outside.txt"), filepath.Join(a.home, ".bashrc"), a.settings,
	}
	writes := []string{
		".git/config", ".git/hooks/pre-commit", ".vscode/settings.json", ".vscode/tasks.json", "AGENTS.md", ".agentignore",
		"../outside.txt", "link-out.txt", ".env", filepath.Join(a.dir, "new.txt"), a.settings,
	}
	tool, args := "read_file", map[string]any{"path": reads[d.choice%len(reads)]}
	switch d.other % 3 {
	case 0:
		path := writes[d.choice%len(writes)]
		tool, args = "write_file", map[string]any{"path": path, "content": "owned\n"}
		if text, ok := a.guarded[filepath.Join(a.root, path)]; ok {
			args["expected_hash"] = hashOf(text)
		}
	case 1:
		a.ask("grep_files", map[string]any{"pattern": `secret = (\w+)`, "include_ignored": true})
		return
	}
	came := a.did(a.name, "tries %s %v", tool, args)
	got, err := a.call(tool, args)
	came("%v %s", err, firstLine(got.text()))
	if err == nil && !got.IsError {
		a.fail("%s: %s %v is allowed: %s", a.name, tool, args, got.text())
	}
}

// contend changes a file that another program writes at the same time.
func (a *assistant) contend(d decision) {
	file := diskFile(2 + d.choice%(diskFiles-2))
	came := a.did(a.name, "touches %s", file)
	got, err := a.call("read_file", whole(file))
	if err != nil || got.IsError {
		came("%v %s", err, firstLine(got.text()))
		return // it may be away
	}
	var r struct {
		Content string `json:"content"`
		Hash    string `json:"content_hash"`
	}
	if !a.must(got.into(&r)) {
		return
	}
	head, _, _ := strings.Cut(r.Content, "\n")
	if head == "" {
		came("empty")
		return
	}
	a.tokens++
	got, err = a.call("edit_file", map[string]any{
		"path": file, "expected_hash": r.Hash, "old_text": head, "new_text": fmt.Sprintf("%s touched-%d-%d", head, a.number, a.tokens), "on_stale": d.stale(),
	})
	came("%s: %v %s", head, err, firstLine(got.text()))
}

// command runs a command; some of them are still running when the assistant is
// killed.
func (a *assistant) command(d decision) {
	a.tokens++
	token := fmt.Sprintf("ran-%d-%d", a.number, a.tokens)
	args := map[string]any{"command": "echo " + token, "output": "concise"}
	code := 0
	switch d.choice % 5 {
	case 0:
		args["command"], code = "echo "+token+"; exit 3", 3
	case 1:
		args["command"] = "seq 20000; echo " + token
	case 2:
		args["command"] = "sleep 600 & echo " + token // what is left of the group is ended
	case 3:
		args["command"], args["timeout_ms"], code = "echo "+token+"; sleep 600", 300, -1
	}
	came := a.did(a.name, "runs %s", args["command"])
	got, err := a.call("run_command", args)
	came("%v %s", err, firstLine(got.text()))
	if err != nil {
		return
	}
	var r struct {
		Stdout string `json:"stdout"`
		Code   int    `json:"exit_code"`
	}
	inTime := code >= 0 // else the shell may have been ended before it wrote anything
	if got.IsError || got.into(&r) != nil || inTime && (!strings.Contains(r.Stdout, token) || r.Code != code) {
		a.fail("%s: %v gives %s", a.name, args, got.text())
	}
}
