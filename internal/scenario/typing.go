package scenario

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fakeeditor"
)

// editorVerbs are what the person at the editor does.
var editorVerbs = map[string]func(*runner, args) error{
	"open":        (*runner).openFile,
	"open-as":     (*runner).openAs,
	"open-text":   (*runner).openText,
	"type":        (*runner).typeText,
	"delete":      (*runner).deleteText,
	"replace":     (*runner).replaceText,
	"replace-all": (*runner).replaceAll,
	"undo":        named((*fakeeditor.Editor).Undo),
	"hold":        named((*fakeeditor.Editor).Hold),
	"flush":       named((*fakeeditor.Editor).Flush),
	"close":       named((*fakeeditor.Editor).Close),
	"save":        (*runner).save,
	"reload":      named((*fakeeditor.Editor).Reload),
	"look":        (*runner).look,
	"show": func(r *runner, a args) error {
		r.editor().Show(r.uri(a.or(0, "")))
		return nil
	},
	"diagnose": (*runner).diagnose,
	"roots":    (*runner).changeRoots,
	"behave":   (*runner).behave,
	"await": func(r *runner, a args) error {
		if err := a.need(1, 1); err != nil {
			return err
		}
		return r.editor().Await(r.ctx, a[0])
	},
	"release": func(r *runner, _ args) error {
		r.release()
		return nil
	},
	"expect": (*runner).expect,
	"let": func(r *runner, a args) error {
		if err := a.need(2, 2); err != nil {
			return err
		}
		r.names[a[0]] = a[1]
		return nil
	},
}

// named is a command whose only word is a file.
func named(f func(*fakeeditor.Editor, string) error) func(*runner, args) error {
	return func(r *runner, a args) error {
		if err := a.need(1, 1); err != nil {
			return err
		}
		return f(r.editor(), r.uri(a[0]))
	}
}

func (r *runner) openFile(a args) error {
	if err := a.need(1, 2); err != nil {
		return err
	}
	_, err := r.editor().Open(r.world.path(a[0]), a.or(1, "plaintext"))
	return err
}

func (r *runner) openAs(a args) error {
	if err := a.need(2, 2); err != nil {
		return err
	}
	_, err := r.editor().OpenAs(r.world.path(a[0]), "plaintext", fakeeditor.Format{Encoding: a[1]})
	return err
}

func (r *runner) openText(a args) error {
	if err := a.need(2, 3); err != nil {
		return err
	}
	return r.editor().OpenText(r.uri(a[0]), a.or(2, "plaintext"), a[1])
}

func (r *runner) typeText(a args) error {
	if err := a.need(3, 3); err != nil {
		return err
	}
	at, err := point(a[1])
	if err != nil {
		return err
	}
	return r.editor().Type(r.uri(a[0]), at, a[2])
}

func (r *runner) deleteText(a args) error {
	if err := a.need(2, 2); err != nil {
		return err
	}
	return r.replaceText(append(a, ""))
}

func (r *runner) replaceText(a args) error {
	if err := a.need(3, 3); err != nil {
		return err
	}
	from, to, err := points(a[1])
	if err != nil {
		return err
	}
	return r.editor().Replace(r.uri(a[0]), from, to, a[2])
}

func (r *runner) replaceAll(a args) error {
	if err := a.need(2, 2); err != nil {
		return err
	}
	return r.editor().ReplaceAll(r.uri(a[0]), a[1])
}

// save also takes what was written into the model: the person wanted it.
func (r *runner) save(a args) error {
	if err := named((*fakeeditor.Editor).Save)(r, a); err != nil {
		return err
	}
	return r.world.adopt(r.world.path(a[0]))
}

func (r *runner) changeRoots(a args) error {
	var roots []fakeeditor.Root
	for _, s := range a {
		root, err := r.parseRoot(s)
		if err != nil {
			return err
		}
		roots = append(roots, root)
	}
	r.editor().SetRoots(roots...)
	return nil
}

func (r *runner) look(a args) error {
	if err := a.need(1, -1); err != nil {
		return err
	}
	var selected [][2]fakeeditor.Point
	for _, word := range a[1:] {
		from, to, err := points(word)
		if err != nil {
			return err
		}
		selected = append(selected, [2]fakeeditor.Point{from, to})
	}
	r.editor().Look(r.uri(a[0]), selected...)
	return nil
}

func (r *runner) diagnose(a args) error {
	if err := a.need(4, 6); err != nil {
		return err
	}
	from, to, err := points(a[1])
	if err != nil {
		return err
	}
	r.editor().Diagnose(fakeeditor.Diagnostic{
		URI: r.uri(a[0]), From: from, To: to,
		Severity: 1 + slices.Index([]string{"error", "warning", "info", "hint"}, a[2]),
		Message:  a[3], Source: a.or(4, ""), Code: a.or(5, ""),
	})
	return nil
}

// tellState sends agent/documentState with members replaced.
func (r *runner) tellState(rest string) error {
	name, text, _ := strings.Cut(rest, " ")
	raw, err := r.jsonArg(text)
	if err != nil {
		return err
	}
	var replace map[string]any
	if err := json.Unmarshal(raw, &replace); err != nil {
		return err
	}
	return r.editor().State(r.uri(name), replace)
}
