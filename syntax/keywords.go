package syntax

import (
	"strings"
	"sync"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// Limits of what is found by keywords.
const (
	maxDefinitions  = 100_000
	maxOpen         = 10_000 // definitions within each other
	maxPatternBytes = 512    // that are looked at from where a line begins
	maxModifiers    = 16
)

// keywordDefinitions finds definitions in src[span] by how lines begin, by
// indentation and by what closes: a guess, made in one pass. l may be nil, for
// an unknown language.
func keywordDefinitions(l *Language, src []byte, span text.Span) []Definition {
	s := newScanner(l, src, span)
	s.scan()
	found := s.finish()
	if l == nil && len(found) == 0 { // prose, perhaps
		s = newScanner(l, src, span)
		scanProse(s)
		found = s.finish()
	}
	return found
}

// dialect tells how definitions look in a language, to one who reads lines. A
// zero field is one that the language has no need of.
type dialect struct {
	style     style
	quotes    []quote
	comments  *Comments // where they differ from the language's
	modifiers string    // words that may stand before a definition
	// attributes are what attributes and decorators begin with: "@", "#[".
	attributes string
	letters    string // bytes that names hold besides letters, digits and _
	separators string // bytes that divide a name into container and name
	brackets   string // the brackets that count; all without
	closers    string // words that end a definition, alone or with others behind
	continues  string // words that begin a line that goes on with a definition
	lines      []line
	heads      heads
	headKind   Kind // what heads define: Function, or Method where there is no other
	localHeads bool // functions in functions begin with a type, too
	arrows     bool // "=>" instead of a body
	merges     merges
	// constructors are names of methods; classConstructors: a method named
	// like its class is one.
	constructors      string
	classConstructors bool
	capitals          bool // variables in capitals are constants
	moduleMethods     bool // functions in modules are methods
	foldsCase         bool
	receivers         bool   // what stands before a name is not what it belongs to
	lineStatements    bool   // a line is a statement, unless it goes on
	directives        bool   // lines that begin with # are no code
	leads             string // words that begin lines which belong to what follows: Elixir's @doc
	others            string // words behind "end" that say that it ends no definition
	afterBody         string // bytes that show that a closing bracket was not the body's
	// flat: definitions are not told by the indentation of what follows, only
	// by what closes them.
	flat bool
	// tails: what follows a type's closing bracket belongs to it.
	tails      bool
	heredoc    string // what begins a text that stands in the next lines
	heredocAny bool   // up to a word in any case
	// matchLine matches what the lines cannot tell, before they are tried.
	matchLine func(s *scanner, at int) (match, bool)
	// scan is in place of all else.
	scan func(*scanner)
}

// style is how the end of a definition is told.
type style uint8

const (
	byBraces   style = iota // the bracket that closes it
	byEnds                  // a word, or the indentation
	byIndent                // the indentation
	byParens                // any bracket that closes what it began with
	bySections              // the next one like it
)

// line is how a line begins that defines something. See [compilePattern].
type line struct {
	kind     Kind
	patterns string // divided by " ; "
	place    place
	how      how
	name     string // where it is not in the text
}

// merges is when definitions of the same name, one after the other, are one.
type merges uint8

const (
	never     merges = iota
	always           // clauses, and the type above them
	headsOnly        // if the first is one line only
)

// place is where a pattern counts.
type place uint8

const (
	byKind place = iota // functions and types anywhere, values outside of code
	anywhere
	outside // not in code, and not within brackets that are no definition's
	atRoot  // not in any definition
	inType
	inBlock // a hidden one of the same kind
)

// how are particulars of a pattern.
type how uint8

const (
	hidden  how = 1 << iota // no definition, but a block that holds some
	call                    // a call: its parentheses hold the body
	ends                    // closed by a word in spite of the style
	alone                   // the line is all of it
	resting                 // holds what follows, to the next one
	leaf                    // nothing in it counts
	fixed                   // of the same kind in types, too
)

// lexicon is a dialect made ready for use.
type lexicon struct {
	*dialect
	class     [256]class
	base      [256]class // what a byte means that begins no string and no comment
	letter    [256]bool
	begins    [256]bool // bytes that the patterns without a word begin with
	quoteOf   [256][]quote
	comments  Comments
	modifiers map[string]bool
	leads     map[string]bool
	others    map[string]bool
	marks     []string // attributes
	closers   map[string]bool
	continues map[string]bool
	makers    map[string]bool // constructors
	byWord    map[string][]*pattern
	free      []*pattern // that do not begin with a word
}

// lexicons makes each language's lexicon on its first use.
var lexicons = sync.OnceValue(func() map[string]func() *lexicon {
	all := make(map[string]func() *lexicon, len(dialects))
	for name, d := range dialects {
		all[name] = sync.OnceValue(func() *lexicon { return newLexicon(name, d) })
	}
	return all
})

// lexiconOf returns a language's lexicon, that of unknown languages when there
// is none.
func lexiconOf(l *Language) *lexicon {
	if l != nil {
		if load := lexicons()[l.Name]; load != nil {
			return load()
		}
	}
	return lexicons()[unknownDialect]()
}

func newLexicon(name string, d *dialect) *lexicon {
	x := &lexicon{dialect: d, byWord: map[string][]*pattern{}}
	x.modifiers, x.closers, x.continues, x.makers = wordSet(d.modifiers), wordSet(d.closers), wordSet(d.continues), wordSet(d.constructors)
	x.leads, x.others, x.marks = wordSet(d.leads), wordSet(d.others), strings.Fields(d.attributes)
	switch l := ByName(name); {
	case d.comments != nil:
		x.comments = *d.comments
	case l != nil:
		x.comments = l.Comments
	}
	x.classify()
	for _, line := range d.lines {
		for text := range strings.SplitSeq(line.patterns, " ; ") {
			x.add(compilePattern(text, line))
		}
	}
	return x
}

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// add files a pattern under its first word, or else under its first byte.
func (x *lexicon) add(p *pattern) {
	first := p.steps[0]
	if first.op == stepHere {
		first = p.steps[1]
	}
	if first.op == stepWord || first.op == stepSelf {
		x.byWord[first.text] = append(x.byWord[first.text], p)
		return
	}
	x.free = append(x.free, p)
	if first.op == stepMark {
		x.begins[first.text[0]] = true
		return
	}
	for c := range 256 {
		x.begins[c] = x.begins[c] || x.letter[c] || strings.IndexByte("`\"'(~<", byte(c)) >= 0
	}
}
