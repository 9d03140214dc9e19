// Package judge compares outlines of real code with what other programs take
// for its definitions: universal-ctags, and the TypeScript compiler. It serves
// tests alone.
//
// Both find functions, methods and types. What the judge knows and the outline
// lacks counts against the outline (recall), and so does what the outline has
// and the judge does not know (invented); what both know is compared by its
// start, end and container. The judges are not always right: a third party of
// each language's own tools (go/parser, Python's ast, Ruby's Ripper) decides
// where it can, and faults.txt lists the rest, each with why.
//
// The code to outline and the judges are installed by .ci/setup.sh.
// docs/outline-accuracy.md tells what is measured and the figures.
package judge
