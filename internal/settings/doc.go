// Package settings has the settings of the program: their table ([Table]),
// their values ([Settings]), and how layers from the person and from a
// workspace are laid over the defaults ([Settings.Merge]).
//
// Invariants:
//
//   - What a workspace's own settings say can only tighten policy, execution
//     and confirmation; what others may have written tightens likewise.
//   - A value that is not understood leaves its setting as it was and is told,
//     with the key's nearest name.
//   - A [Settings] shares nothing with another one once it was cloned.
//
// It reads one file, the person's ([LoadUser]), and no environment. What a
// setting does is done by the package that asks for it.
package settings
