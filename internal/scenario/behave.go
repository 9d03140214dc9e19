package scenario

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/agent-lsp/agent-lsp/internal/fakeeditor"
)

// behave adds one way of misbehaving to those in force.
//
//	behave well                    forget all of them
//	behave reject|fail REASON      answer edits with applied:false, with an error
//	behave drop|ignore|half        claim to have applied; never answer; apply the first edit only
//	behave type-before L:C TEXT [FILE]  type once when an edit has arrived, before it is looked at
//	behave type-after L:C TEXT [FILE]   type once when an edit was applied, before it is answered
//	behave type-while-asked L:C TEXT [FILE]  type once when language servers are asked
//	behave close-while-asked       close the document once when they are asked about it
//	behave save-after              save once by itself when an edit was applied
//	behave only FILE               misbehave towards edits of this document alone
//	behave after N                 the next N such edits go well
//	behave close-before            close the document when an edit has arrived
//	behave close-after             close it once when an edit was applied
//	behave rewrite OLD NEW         alter the text within the edit's own step, as a formatter does
//	behave save-rewrite OLD NEW    alter the text on saving
//	behave hold METHOD             keep the server's requests of this method until release
//	behave hold-answer             apply edits at once and keep the answer until release
//	behave answer-first, split, ignore-version, refuse-save, refuse-reload
//	behave version omit|repeat|back   what the next didChanges say
//	behave range L:C-L:C           the same, as LSP counts
//	behave consent apply|reject REASON
//	behave die METHOD              close the connection when such a request arrives
func (r *runner) behave(a args) error {
	if err := a.need(1, 4); err != nil {
		return err
	}
	if err := r.setBehaviour(a[0], a[1:]); err != nil {
		return err
	}
	r.editor().Behave(r.behaviour)
	return nil
}

// release also ends holding.
func (r *runner) release() {
	r.behaviour.Hold, r.behaviour.HoldAnswer = nil, false
	r.editor().Release()
}

func (r *runner) setBehaviour(word string, a args) error {
	b := &r.behaviour
	switch word {
	case "well":
		*b = fakeeditor.Behaviour{}
	case "reject", "fail", "drop", "ignore", "half":
		b.Apply, b.Reason = applyModes[word], a.or(0, "no reason")
	case "only":
		b.Only = r.uri(a.or(0, ""))
	case "after":
		_, err := fmt.Sscan(a.or(0, ""), &b.After)
		return err
	case "type-before", "type-after", "type-while-asked", "close-before", "close-after", "close-while-asked", "save-after":
		return r.setHook(word, a)
	case "rewrite", "save-rewrite":
		return r.setRewrite(word, a)
	case "hold":
		if err := a.need(1, 1); err != nil {
			return err
		}
		b.Hold = map[string]bool{a[0]: true}
	case "version":
		return r.setWireVersion(a.or(0, ""))
	case "range":
		return r.setWireRange(a.or(0, ""))
	case "consent":
		b.Consent, b.ConsentReason = a.or(0, "reject"), a.or(1, "")
	case "die":
		b.DieOn, r.died = a.or(0, "workspace/applyEdit"), true
	default:
		return r.setFlag(word)
	}
	return nil
}

var applyModes = map[string]fakeeditor.ApplyMode{
	"reject": fakeeditor.Reject, "fail": fakeeditor.Fail, "drop": fakeeditor.Drop,
	"ignore": fakeeditor.Ignore, "half": fakeeditor.Half,
}

func (r *runner) setFlag(word string) error {
	flags := map[string]*bool{
		"hold-answer":    &r.behaviour.HoldAnswer,
		"answer-first":   &r.behaviour.AnswerFirst,
		"split":          &r.behaviour.SplitChanges,
		"ignore-version": &r.behaviour.IgnoreVersion,
		"refuse-save":    &r.behaviour.RefuseSave,
		"refuse-reload":  &r.behaviour.RefuseReload,
	}
	flag, known := flags[word]
	if !known {
		return fmt.Errorf("unknown behaviour %q", word)
	}
	*flag = true
	return nil
}

// setHook makes the person do something at the time of an edit, once.
func (r *runner) setHook(word string, a args) error {
	act := (*fakeeditor.Editor).Close
	if word == "save-after" {
		act = (*fakeeditor.Editor).Save
	} else if strings.HasPrefix(word, "type-") {
		if err := a.need(2, 3); err != nil {
			return err
		}
		at, err := point(a[0])
		if err != nil {
			return err
		}
		act = func(e *fakeeditor.Editor, uri string) error {
			if len(a) == 3 {
				uri = r.uri(a[2])
			}
			return e.Type(uri, at, a[1])
		}
	}
	var once sync.Once
	hook := func(e *fakeeditor.Editor, uri string) {
		once.Do(func() {
			if err := act(e, uri); err != nil {
				r.t.Errorf("%s: %v", word, err)
			}
		})
	}
	switch {
	case strings.HasSuffix(word, "-while-asked"):
		r.behaviour.BeforeLanguages = hook
	case strings.HasSuffix(word, "-after"):
		r.behaviour.Applied = hook
	default:
		r.behaviour.BeforeApply = hook
	}
	return nil
}

func (r *runner) setRewrite(word string, a args) error {
	if err := a.need(2, 2); err != nil {
		return err
	}
	rewrite := func(text string) string { return strings.ReplaceAll(text, a[0], a[1]) }
	if word == "rewrite" {
		r.behaviour.Rewrite = rewrite
	} else {
		r.behaviour.SaveRewrite = rewrite
	}
	return nil
}

func (r *runner) setWireVersion(how string) error {
	shift := map[string]int{"repeat": -1, "back": -2}
	if how != "omit" && !slices.Contains([]string{"repeat", "back"}, how) {
		return fmt.Errorf("unknown version %q", how)
	}
	r.behaviour.WireVersion = func(v int) *int {
		if how == "omit" {
			return nil
		}
		v += shift[how]
		return &v
	}
	return nil
}

func (r *runner) setWireRange(s string) error {
	lie := &fakeeditor.Range{}
	_, err := fmt.Sscanf(s, "%d:%d-%d:%d",
		&lie.Start.Line, &lie.Start.Character, &lie.End.Line, &lie.End.Character)
	r.behaviour.WireRange = lie
	return err
}

// servers sets what language servers know.
func (r *runner) servers(rest string) error {
	method, text, _ := strings.Cut(rest, " ")
	answer, err := r.jsonArg(text)
	if err != nil {
		return err
	}
	known := maps.Clone(r.behaviour.Languages)
	if known == nil {
		known = make(map[string]json.RawMessage)
	}
	known[method] = answer
	r.behaviour.Languages = known
	r.editor().Behave(r.behaviour)
	return nil
}
