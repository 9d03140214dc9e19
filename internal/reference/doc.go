// Package reference makes the reference pages of the docs from the program
// itself: the tools from their definitions, the settings from their table, the
// kinds of errors from their constants. Its test fails when a page is not
// fresh; "make generate" writes them.
package reference
