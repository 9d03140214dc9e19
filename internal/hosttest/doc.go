// Package hosttest holds conversations with real assistant hosts: Claude
// Code, Codex, Gemini CLI, opencode, Copilot CLI and Qwen Code, each as
// `agent-lsp setup` leaves it.
//
// A [Model] speaks the streaming APIs of OpenAI (responses and chat
// completions), Anthropic and Gemini, and says what a script tells it to. The
// script is a table of steps: what the person does in the editor, what the
// model calls, and what must be seen afterwards by the model, in the editor and
// on disk. Each step is a named check; a failed one shows what the model saw.
//
// A host is a row of a table: where its program is, how it is started against
// the model, and what it does in its own way.
//
// Invariants:
//   - the model answers when the script says so: nothing waits for a time;
//   - a host gets a home, temporary and runtime folder of its own, and a proxy
//     that refuses and records whatever it wants from another machine;
//   - every process that was started in that home has ended when a run has.
//
// It does not install the hosts (.ci/hosts.sh does) and does not judge what a
// real model would do.
package hosttest
