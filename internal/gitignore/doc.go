// Package gitignore reads ignore files: those that git knows, with .ignore
// ([Rules]), and the agents' own ([AgentRules]).
//
// Rules are chained from folder to folder: those inside a folder are made of
// the ones around it and of the ignore files that it holds, when it is visited.
//
// Invariants:
//
//   - Rules never change and may be shared by goroutines.
//   - What [Rules] take is what git takes (TestIgnoreIsGits).
//   - Each agents' ignore file decides by itself and can only take away. It is
//     held against a name as written and as folded. One that cannot be read
//     takes all of its folder.
//   - Remembered rules of a folder are used only while the folder and its
//     ignore files are in the very state in which they were read, and that
//     state is one which no later change can share.
//
// It opens ignore files and git's own files, and nothing else. That agents'
// rules are policy, and where they hold, is internal/workspace's to say.
package gitignore
