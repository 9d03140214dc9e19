// Package review follows the files that agents change, in the editor and on disk,
// and tells what of that the person has not accepted.
//
// A file is followed from an agent's first change of it on. Between two of them
// its text is looked at when somebody asks, and a moment after it changed: what
// differs then came through the editor, where the file is open there, else from
// another program. While a change of an agent is under way nobody looks, see
// [Hold], so what the agent changed is told from what the person typed just
// before and after.
package review
