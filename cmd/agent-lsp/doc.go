// Command agent-lsp gives AI assistants the editor's own view of the code.
//
// Editors start it like a language server, as "agent-lsp lsp". It mirrors
// their open documents, and serves reads and guarded edits of what the person
// sees, saved or not.
package main
