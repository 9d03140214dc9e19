package hook

import (
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// decision is what is to happen. The zero decision lets the host go on.
type decision struct {
	refuse string // the tool is not to run, and this is told the model
	// shown stands in place of what the tool answered; file is its first line and
	// the number of all, where it is text of a file.
	shown *shown
	hint  string // told the model beside the tool's answer
}

// shown is the editor's text of a file.
type shown struct {
	path        string // as the call has it
	text        string
	first       int // 1-based
	lines       int
	total       int
	explanation string // one sentence that tells what the text is
}

type object = map[string]any

// speak returns what a hook prints to have a decision done; nothing where the host
// is to go on.
func (e *Event) speak(d decision) ([]byte, error) {
	var out object
	switch {
	case d.refuse != "":
		out = e.refusing(d.refuse)
	case d.shown != nil:
		out = e.showing(d.shown)
	case d.hint != "":
		out = e.hinting(d.hint)
	}
	if out == nil {
		return nil, nil
	}
	return wire.Marshal(out)
}

func (e *Event) specific(members object) object {
	members["hookEventName"] = e.name
	return object{"hookSpecificOutput": members}
}

func (e *Event) refusing(why string) object {
	switch e.host.speaks {
	case gemini:
		return object{"decision": "deny", "reason": why}
	case copilot:
		return object{"permissionDecision": "deny", "permissionDecisionReason": why}
	}
	return e.specific(object{"permissionDecision": "deny", "permissionDecisionReason": why})
}

func (e *Event) hinting(hint string) object {
	switch e.host.speaks {
	case copilot:
		return object{"additionalContext": hint}
	case gemini:
		return object{"hookSpecificOutput": object{"hookEventName": e.name, "additionalContext": hint}}
	}
	return e.specific(object{"additionalContext": hint})
}

// showing has the editor's text stand where the tool's answer is, or, before the
// tool, where its refusal is.
func (e *Event) showing(s *shown) object {
	whole := s.explanation + "\n\n" + s.text
	switch {
	case e.when == before:
		return e.refusing(whole)
	case e.when == refused:
		return e.hinting(whole)
	}
	switch e.host.speaks {
	case claude:
		return e.specific(object{
			"additionalContext": s.explanation,
			"updatedToolOutput": object{"type": "text", "file": object{
				"filePath": s.path, "content": s.text, "numLines": s.lines, "startLine": s.first, "totalLines": s.total,
			}},
		})
	case copilot:
		return object{"modifiedResult": object{"resultType": "success", "textResultForLlm": whole}}
	}
	return object{"decision": "deny", "reason": whole}
}

// join makes one decision of those for several calls: all hints.
func join(all []decision) decision {
	var hints []string
	for _, d := range all {
		for _, s := range []string{d.refuse, d.hint} {
			if s != "" {
				hints = append(hints, s)
			}
		}
		if d.shown != nil {
			hints = append(hints, d.shown.explanation+"\n\n"+d.shown.text)
		}
	}
	return decision{hint: strings.Join(hints, "\n\n")}
}
