// This file goes when keywords.go and lead.go come.
package syntax

import "github.com/agent-lsp/agent-lsp/internal/text"

func leadStart(src []byte, head text.Offset, c Comments) text.Offset          { return head }
func keywordDefinitions(l *Language, src []byte, span text.Span) []Definition { return nil }

var plainLanguages = []Language{}
