package judge

import (
	"fmt"
	"regexp"
	"strings"
)

// startWrong says what is wrong with where a symbol begins, or "": the judge's
// line must be the name's, or lie between the start and the head, and above the
// name nothing may be taken in but comments, attributes and the definition's
// own words.
func startWrong(i item, s symbol, lines *lineTable, language string) string {
	if s.nameLine != i.Line && (i.Line < s.StartLine || i.Line > s.HeadLine) {
		return fmt.Sprintf("at %d, ours at %d, name at %d", i.Line, s.StartLine, s.nameLine)
	}
	if i.Start > 0 && s.StartLine > i.Start {
		return fmt.Sprintf("begins at %d, ours at %d", i.Start, s.StartLine)
	}
	from := lines.start(s.StartLine)
	above := string(lines.text[from:max(s.NameSpan.Start, from)])
	if of := textOfAnother(above, language); of != "" {
		return fmt.Sprintf("begins at %d with what is another's: %q", s.StartLine, of)
	}
	return ""
}

// comments are what may stand above a definition and is no code.
var comments = regexp.MustCompile(`(?s)/\*.*?\*/|(?m)//.*$`)
var hashComments = regexp.MustCompile(`(?ms)^=begin.*?^=end|#.*?$`)

// textOfAnother returns what ends another definition or statement in the text
// above a name, outside of brackets: a semicolon or a brace.
func textOfAnother(above, language string) string {
	switch language {
	case "python", "ruby":
		above = hashComments.ReplaceAllString(above, "")
	case "php":
		above = comments.ReplaceAllString(above, "")
		above = regexp.MustCompile(`(?m)#[^\[].*$`).ReplaceAllString(above, "")
	default:
		above = comments.ReplaceAllString(above, "")
	}
	if strings.HasPrefix(strings.TrimSpace(above), "typedef") { // its name stands after its body
		return ""
	}
	depth := 0
	for at, r := range above {
		switch {
		case strings.ContainsRune("([<", r):
			depth++
		case strings.ContainsRune(")]>", r):
			depth--
		case depth <= 0 && strings.ContainsRune(";{}", r):
			return strings.TrimSpace(above[:at+1])
		}
	}
	return ""
}
