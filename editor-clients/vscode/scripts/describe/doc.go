// Command describe prints what the extension is generated from, as JSON: the
// server's tools, its settings, and the encodings that it knows by VS Code's
// names.
package main
