// Package catalog lists what the folders of a gate hold: all files
// ([Catalog.Files]), one folder ([Catalog.List]), or what is below a place,
// ignored or not ([Catalog.Walk]). A [Reader] reads many files of a list fast.
//
// What is in the workspace is kept as a tree of nodes, one a folder, with what
// is to be done before each is right. It is fresh by watching, or by comparing
// times where nothing can be watched.
//
// Invariants:
//
//   - A list shows what was on disk at some moment after it was asked for; what
//     happened before the call is in it, as far as the system tells.
//   - Nothing is listed that the gate's policy hides; hidden things are counted
//     and not named.
//   - Lists never change and are shared; their generations tell them apart.
//   - Walking follows no link below a workspace folder.
//   - Every goroutine ends with [Catalog.Close].
//
// It writes nothing in workspaces, and decides nothing about policy: it asks
// the gate. The clock only tells it which times are too fresh to be trusted.
package catalog
