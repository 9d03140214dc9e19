// Package workspace is the gate to the files of a workspace: which folders
// there are, which file a path names, and what may be done with it.
//
// A [Gate] holds the open workspace folders, the policy and the settings of
// one moment. It turns what a caller wrote into a [Path], opens files for
// reading ([Gate.Open], [Gate.Stat]), and says what may be read and written
// ([Gate.CheckRead], [Gate.CheckWrite]). internal/catalog lists and
// internal/atomicfile writes through it: by its [Root]s, its opened folders
// ([Gate.OpenFolder]) and its targets of writes ([Gate.FindWriteTarget]).
//
// Invariants:
//
//   - Containment is decided by descriptors, never by comparing path strings
//     before opening: every file is reached through an os.Root, so that a link
//     exchanged between check and use leads nowhere. Links are followed only as
//     far as they stay inside some folder of the gate.
//   - Opening never blocks and never yields anything but a regular file of a
//     real file system: FIFOs, sockets, devices and the files of /proc are
//     refused at once.
//   - Policy is matched against the path as written and against the real path
//     of what was opened, without regard to case. A folder that a rule names
//     covers everything below it.
//   - Agents' ignore files hold wherever they are, as they are on disk and as
//     an editor has them; each can only take away.
//   - A Gate does not change, apart from reopening a folder that was replaced
//     on disk at the same real path. A call uses one gate for its whole run.
//
// It reads no environment, no working directory and no clock. It writes
// nothing, asks nobody for consent (it says when consent is needed), knows no
// texts but those of ignore files, and cannot see through hard links or bind
// mounts.
package workspace
