// Package pathmatch holds paths against patterns: a [Glob] as tools take them,
// and a [RuleSet] of policy, with the rules that the program has of itself.
//
// Invariants:
//
//   - Matching is pure, and total: any bytes are a path.
//   - A rule matches a path without regard to case and to spellings that some
//     file system takes for the same, and covers everything below what it
//     matches. A glob is held against the bytes.
//   - What the braces of a glob multiply to is limited when it is compiled.
//
// It knows no files, and not what a rule is for: that a path is hidden, never
// written or needs consent is said by internal/workspace.
package pathmatch
