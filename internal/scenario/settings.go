package scenario

import (
	"fmt"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fakeeditor"
)

// settingVerbs are the commands that stand before everything else.
var settingVerbs = map[string]func(*runner, string) error{
	"root":     (*runner).setRoot,
	"editor":   (*runner).setEditor,
	"settings": func(r *runner, s string) error { return r.setOption("agentLsp", s) },
	"machine":  func(r *runner, s string) error { return r.setOption("agentLspMachine", s) },
}

func (r *runner) setRoot(rest string) error {
	root, err := r.parseRoot(rest)
	if err == nil {
		r.options.Roots = append(r.options.Roots, root)
	}
	return err
}

func (r *runner) parseRoot(s string) (fakeeditor.Root, error) {
	name, dir, found := strings.Cut(s, "=")
	if !found {
		return fakeeditor.Root{}, fmt.Errorf("%q is not NAME=DIR", s)
	}
	dir, err := r.expand(dir, false)
	return fakeeditor.Root{Name: name, Dir: r.world.path(dir)}, err
}

func (r *runner) setEditor(rest string) error {
	words := strings.Fields(rest)
	if len(words) == 0 {
		return fmt.Errorf("which editor?")
	}
	roots := r.options.Roots
	switch words[0] {
	case "client":
		r.options = clientOptions()
	case "plain":
		r.options = fakeeditor.Options{}
	case "vscode":
		r.options = fakeeditor.VSCode()
	case "neovim":
		r.options = fakeeditor.Neovim()
	default:
		return fmt.Errorf("unknown editor %q", words[0])
	}
	r.options.Roots = roots
	for _, w := range words[1:] {
		if err := r.setEditorKey(w); err != nil {
			return err
		}
	}
	return nil
}

func (r *runner) setEditorKey(word string) error {
	switch key, value, _ := strings.Cut(word, "="); key {
	case "encodings":
		r.options.Encodings = strings.Split(value, ",")
	case "line-rule":
		r.options.LineRule = value
	case "versions":
		r.options.NoDocumentChanges = value == "no"
	case "without":
		for ability := range strings.SplitSeq(value, ",") {
			delete(r.options.AgentLSP, ability)
		}
	case "questions":
		r.options.NoQuestions = value == "no"
	case "files":
		r.options.FileOperations = nil
		if value != "no" {
			r.options.FileOperations = strings.Split(value, ",")
		}
	case "state":
		r.options.DocumentState = value != "no"
	default:
		return fmt.Errorf("unknown key %q", key)
	}
	return nil
}

func (r *runner) setOption(name, s string) error {
	raw, err := r.jsonArg(s)
	if err != nil {
		return err
	}
	if r.initial == nil {
		r.initial = make(map[string]any)
	}
	r.initial[name] = raw
	return nil
}
