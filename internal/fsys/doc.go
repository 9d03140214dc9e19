// Package fsys is the program's one small interface to the operating system's
// files: what differs from system to system stands here, one file a system,
// and what is above is written once.
//
// A [Folder] is a folder that is opened anew when it was removed and made
// again; a [Dir] is one open directory, a [DirHandle] one to look at the names
// of, a [DirCalls] one to write in. A [Handle] is an open regular file, an [ID]
// tells one state of a file from every other. [FollowLinks] says where a path
// leads, [FoldPath] which spellings are one name. [OpenPrivate], [LockFile],
// [PeerUser] and [ThisMachine] serve what lies outside of workspaces.
//
// Invariants:
//
//   - What is opened is a regular file or a folder of a real file system.
//     Opening never waits for a FIFO's other end, and takes no terminal over.
//   - Whoever opens a directory or a bare descriptor closes it, but for a
//     [Dir]: calls of gates that were dropped may still use it, so it is left
//     to the garbage collector.
//   - What [FollowLinks] says may be outdated at once. It chooses what is
//     opened; what was opened has the last word.
//   - Calls that a signal interrupts are made again.
//
// It knows no roots, no policy and no settings, and it decides about no path
// whether it may be opened: that is internal/workspace's.
package fsys
