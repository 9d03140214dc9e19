// Package diff treats changes of a text as values: it computes, checks,
// applies, trims, merges and renders them, and reads them from patches.
//
// An [Edit] replaces a span of bytes by new text. A list of edits always
// refers to one text, is sorted by where the edits begin and does not overlap;
// [Check] reports whether that holds.
//
// [ParsePatch] reads a patch of any form into one value, and
// [FilePatch.Locate] finds the edits of a text that it asks for, or says why
// there is no one place for them.
//
// Invariants: Apply(a, Compute(a, b)) equals b; Unified's output, given to
// git apply or patch, or read and located here, turns the text into exactly
// what [Apply] makes of it; what a patch leaves as it is, no edit covers;
// every result is a function of the arguments alone, so that no diff depends
// on how busy the machine is.
//
// A line ends at a line feed here, as it does for git and patch: a lone
// carriage return is a character of its line.
//
// It touches no files: the paths of a patch are names to it.
package diff
