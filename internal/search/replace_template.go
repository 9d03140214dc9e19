package search

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// template is what replaces a match: texts, and groups of the match.
type template []templatePart

// templatePart is a text, or a group, 0 for all of the match.
type templatePart struct {
	text  string
	group int // noGroup for a text
}

const noGroup = -1

// expand returns the template with the groups of a match in b: spans are their
// starts and ends, -1 for those that took no part in it.
func (t template) expand(b []byte, spans []int) string {
	if len(t) == 1 && t[0].group == noGroup {
		return t[0].text
	}
	var out strings.Builder
	for _, part := range t {
		if part.group == noGroup {
			out.WriteString(part.text)
		} else if from := spans[2*part.group]; from >= 0 {
			out.Write(b[from:spans[2*part.group+1]])
		}
	}
	return out.String()
}

// hasGroups reports whether a group is in the template that is not all of the
// match.
func (t template) hasGroups() bool {
	return slices.ContainsFunc(t, func(part templatePart) bool { return part.group > 0 })
}

// groupReference is what stands for a group, or for a dollar, in a replacement. A
// number ends with its last digit: $1x is the group 1 and an x.
var groupReference = regexp.MustCompile(`^\$(?:\$|([0-9]+)|([A-Za-z_][0-9A-Za-z_]*)|\{([0-9A-Za-z_]+)\}|[{&])`)

// parseTemplate reads a replacement. names are those of the groups, "" for one
// without, and for all of the match.
func parseTemplate(s string, names []string) (t template, err error) {
	var text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			t = append(t, templatePart{text.String(), noGroup})
			text.Reset()
		}
	}
	for at := 0; at < len(s); {
		if s[at] != '$' && s[at] != '\\' {
			text.WriteByte(s[at])
			at++
			continue
		}
		m := groupReference.FindStringSubmatch(s[at:])
		switch {
		case m == nil && isBackreference(s[at:], len(names)):
			return nil, templateError(at, "%s stands for no group", s[at:at+2]).
				Advise("Write $%c for the group; where no group is meant, (?:…) makes none.", s[at+1])
		case m == nil:
			text.WriteByte(s[at])
			at++
			continue
		case m[0] == "$$":
			text.WriteByte('$')
		default:
			name := m[1] + m[2] + m[3]
			group := groupNamed(name, names)
			if group < 0 {
				return nil, noSuchGroup(at, m[0], name, names)
			}
			flush()
			t = append(t, templatePart{group: group})
		}
		at += len(m[0])
	}
	flush()
	return t, nil
}

// groupNamed returns the number of a group by its number or name; -1 when there
// is none.
func groupNamed(name string, names []string) int {
	if name == "" {
		return -1
	}
	if n, err := strconv.Atoi(name); err == nil {
		if n < len(names) {
			return n
		}
		return -1
	}
	return slices.Index(names, name)
}

// isBackreference reports whether s begins as other programs refer to a group
// that there is.
func isBackreference(s string, groups int) bool {
	return len(s) > 1 && s[0] == '\\' && s[1] >= '1' && s[1] <= '9' && int(s[1]-'0') < groups
}

func noSuchGroup(at int, reference, name string, names []string) *fault.Error {
	if name == "" { // what other programs call the match, or an open brace
		return templateError(at, "%s stands for no group", reference).Advise("$0 is the match, ${1} a group, $$ a dollar.")
	}
	var has []string
	for i, n := range names[1:] {
		has = append(has, strings.TrimSuffix(fmt.Sprintf("$%d %s", i+1, n), " "))
	}
	groups := "The pattern has no groups"
	if len(has) > 0 {
		groups = "The pattern has " + strings.Join(has[:min(len(has), maxNamedGroups)], ", ")
	}
	return templateError(at, "the pattern has no group %s", name).Advise("%s; write ${1}0 for a group before a digit, $$ for a dollar.", groups)
}

// maxNamedGroups is how many groups an error lists.
const maxNamedGroups = 20

func templateError(at int, format string, args ...any) *fault.Error {
	return fault.New(fault.InvalidPattern, "%s, at byte %d of the replacement", fmt.Sprintf(format, args...), at).With("position_in_replacement", at)
}
