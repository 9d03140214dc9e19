package syntax

// Language is one row of the table of languages: how its files are known and
// how its definitions are found.
type Language struct {
	Name       string   // as editors name it: "go", "csharp", "shellscript"
	Aliases    []string // other names that editors use
	Extensions []string // of file names, lower case, without dot
	FileNames  []string // whole file names, lower case; those that end in a dot with any extension
	Shebangs   []string // interpreters, without version
	Comments   Comments
	// Separator divides a qualified name, as in C++ definitions outside of
	// their class, into container and name: "::".
	Separator string
	// EndMarks: a definition may be closed by a line that says so, which the
	// grammar takes for something beside it: "end Shape".
	EndMarks bool

	rules     Rules      // nil: no grammar
	spellings []Spelling // what the grammar does not know
	ascii     bool       // the grammar knows no letters beyond ASCII
	frame     Frame      // what the grammar needs around a text
	// rewrites are what it does not know either, where that takes more to tell.
	rewrites []Rewrite
	// braces: bodies stand in braces, which tell where they end if it fails.
	braces bool
	// family tells how what goes through a preprocessor is hidden from it.
	family family
	// nesting is what the grammar's scanner calls itself at; "" for a scanner
	// that does not.
	nesting string
	// holdsText: a file may be prose for the most part, and be right.
	holdsText bool
	// flat: no function stands in another.
	flat bool
	// lines reads a text in which the grammar failed; nil: what it did see
	// counts, and line patterns fill in the rest.
	lines func(src []byte) []Definition
	// fragile: where the grammar fails anywhere nothing of what it saw is
	// sure, and line patterns do better.
	fragile bool
}

// Comments tells how a language marks comments.
type Comments struct {
	Line  []string    // what a comment to the line's end begins with
	Block [][2]string // what a comment of several lines begins and ends with
}
