// Package tokens measures what a task costs a model: the o200k tokens of the
// calls and of the answers, with our tools and with those that models have
// otherwise.
//
// A task (tasks/*.txt, see [parseTasks] for the form) is a question about
// pinned sources, a check of the answers, and for each tool set the best known
// sequences of calls, each beside its reason. The cheapest sequence that
// passes the check counts, so that a new argument of a tool is tried by
// writing a sequence that uses it beside the old one.
//
// Our program, the MCP servers from npm and Codex's apply_patch run for real,
// and so does every shell command. Claude Code's built-in tools, Codex's
// shell and Serena cannot be run here; they are models that answer in the
// form that the stated versions answer in ([claudeVersion], [serenaVersion]).
package tokens
