// Package workspace is the one gate to the disk: no other package opens,
// lists or writes the files of a workspace.
//
// A [Gate] holds the open workspace folders, the policy and the settings of
// one moment. It turns what a caller wrote into a [Path], opens files for
// reading ([Gate.Open], [Gate.Stat]) and lands texts on disk: one
// ([atomicfile.Replace], [atomicfile.Create]) or several, all or nothing ([atomicfile.Begin]),
// where a [atomicfile.Journal] has what a crash interrupts finished or undone.
//
// A [catalog.Catalog] lists what a gate's folders hold: all files ([catalog.Catalog.Files]),
// one folder ([catalog.Catalog.List]), or what is below a place, ignored or not
// ([catalog.Catalog.Walk]). It is fresh by watching, or by comparing times where
// nothing can be watched. A [catalog.Reader] reads many files of a list fast.
//
// Invariants:
//
//   - Containment is decided by descriptors, never by comparing path strings
//     before opening: every file is reached through an os.Root, so that a link
//     swapped between check and use leads nowhere. Links are followed only as
//     far as they stay inside some folder of the gate.
//   - Opening never blocks and never yields anything but a regular file of a
//     real file system: FIFOs, sockets, devices and the files of /proc are
//     refused at once.
//   - Policy is matched against the path as written and against the real path
//     of what was opened, without regard to case. A folder that a rule names
//     covers everything below it.
//   - Agents' ignore files hold wherever they are, as they are on disk and as
//     an editor has them; each can only take away.
//   - What a workspace's own settings say can only tighten policy, execution
//     and confirmation.
//   - A Gate does not change, apart from reopening a folder that was replaced
//     on disk at the same real path. A call uses one gate for its whole run.
//
// It reads no environment and no working directory; the clock only to tell
// whether a file changed so recently that its times cannot be trusted to tell
// the next change. It asks nobody for consent (it says when consent is needed),
// knows no texts but those of ignore files, and cannot see through hard links
// or bind mounts.
package workspace
