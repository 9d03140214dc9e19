// Package hook answers assistants' tool hooks: programs that a host runs before
// and after its own tools, so that these see what the editor has unsaved.
//
// An [Event] is what a host says, read by the host's row in the table of hosts.
// [Answer] works out what is to happen from the event and the live sessions, and
// tells it in the host's own words.
//
// Invariants:
//   - Where no session has unsaved text of what a tool is about, nothing is said
//     and the host goes on.
//   - The host is never held up by what is wrong on our side: its own tool runs
//     where an event is not understood. What is refused is a change behind unsaved
//     text alone, or below the folders of a session that cannot be asked.
//   - Text and edits pass the session's own tools, so the gate and the policy: what
//     these keep from agents is left to the host, and never shown.
//
// It reads and writes no file and never answers from disk.
package hook
