// Package statedir has folders of the program's own, outside of all
// workspaces: a [CacheFolder] for what can be made anew at any time, a
// [KeptFolder] for what cannot.
//
// Invariants:
//
//   - Folders and files in them are the person's alone (modes 0700 and 0600),
//     and names are single path elements: nothing leads out.
//   - A file is whole at any time, old or new, also when a process is killed
//     while it writes.
//   - Several processes may use a folder; who writes or removes holds its lock.
//   - A cache keeps to its limits of age and size ([CacheFolder.Trim]).
//
// It does not know where the folders are: their paths are passed down.
package statedir
