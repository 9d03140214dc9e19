// Package diff treats changes of a text as values: it computes, checks,
// applies, trims, merges and renders them.
//
// An [Edit] replaces a span of bytes by new text. A list of edits always
// refers to one text, is sorted by where the edits begin and does not overlap;
// [Check] tells whether that holds.
//
// Invariants: Apply(a, Compute(a, b)) equals b; Unified's output, given to
// git apply or patch, turns the text into exactly what [Apply] makes of it;
// every result is a function of the arguments alone, so that no diff depends
// on how busy the machine is.
//
// A line ends at a line feed here, as it does for git and patch: a lone
// carriage return is a character of its line.
//
// It does not look for text, parse patches, or know of files.
package diff
