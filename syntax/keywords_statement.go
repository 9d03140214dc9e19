package syntax

import (
	"bytes"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// statement is the statement that has begun.
type statement struct {
	start  int // -1: nothing yet
	indent int // of the line that it begins; huge in the midst of a line
	depth  int
	name   text.Span // what stands before its parentheses
	block  int       // the depth of the block that it goes on behind
	after  int       // where its last parentheses end
	named  bool
	dead   bool // it defines nothing
	code   int  // where the code before it ends
}

const midLine = 1 << 30

// beginStatement takes note that a line begins with c, and whether a pattern
// has told already what it defines.
func (s *scanner) beginStatement(c byte, defined bool) {
	if s.lexicon.heads == noHeads {
		return
	}
	st := &s.statement
	if s.tails && s.isLabel() {
		st.start = -1
		return
	}
	restart := st.start < 0 ||
		(s.lexicon.heads == plainHeads || s.lineStatements) && s.depth <= st.depth && c != '{' && !st.named ||
		s.lexicon.heads != selectorHeads && st.named && s.indent <= st.indent && s.depth <= st.depth && s.letter[c] && !s.lexicon.continues[s.wordAt(s.at)]
	if restart {
		*st = statement{start: s.at, indent: s.indent, depth: s.depth, code: s.code}
	}
	st.dead = st.dead || defined
}

// isLabel tells that there is nothing on the line but "public:".
func (s *scanner) isLabel() bool {
	word := s.wordAt(s.first)
	end := s.first + len(word)
	return isAccess(word) && end < s.end && s.src[end] == ':' && s.nextByte(end+1) == '\n'
}

func isAccess(word string) bool {
	return word == "public" || word == "private" || word == "protected" || word == "signals"
}

// blockOpens begins the statements of a block. What has begun around it, and
// not before it, goes on when the block closes.
func (s *scanner) blockOpens() {
	if s.lexicon.heads == noHeads {
		return
	}
	if st := s.statement; st.start >= 0 && st.depth < s.depth-1 && len(s.around) < maxOpen {
		st.block = s.depth - 1
		s.around = append(s.around, st)
	}
	s.statementEnds()
}

// blockCloses goes on with what has begun around a block.
func (s *scanner) blockCloses() {
	if s.lexicon.heads == noHeads {
		return
	}
	n := len(s.around)
	for n > 0 && s.around[n-1].block > s.depth {
		n--
	}
	s.around = s.around[:n]
	if n == 0 || s.around[n-1].block < s.depth {
		s.statementEnds()
		return
	}
	s.statement = s.around[n-1]
	s.around = s.around[:n-1]
}

// statementEnds takes note that a statement has ended at this place.
func (s *scanner) statementEnds() {
	if s.lexicon.heads == noHeads {
		return
	}
	at, _ := indentAt(s.src, s.at, s.end)
	for at < s.end && (s.src[at] == ',' || isBlank(s.src[at])) {
		at++
	}
	s.statement = statement{start: at, indent: midLine, depth: s.depth, code: s.at}
	if s.depth <= s.attributedDepth+1 {
		s.attributed = -1
	}
	if at == s.end || isLineEnd(s.src[at]) || s.startsComment(at) {
		s.statement.start = -1
	}
}

// skipStatementAttributes returns where the statement begins past attributes,
// which may stand on lines of their own.
func (s *scanner) skipStatementAttributes() int {
	at, limit := s.skipLabel(s.statement.start), s.statement.name.Start
	for at < limit && s.attributeMark(at) != "" {
		end, depth := at, 0
		for ; end < limit; end++ {
			c := s.src[end]
			if c == '"' {
				end += max(0, bytes.IndexByte(s.src[end+1:limit], '"')+1)
			} else if s.base[c] == opening || c == '<' {
				depth++
			} else if s.base[c] == closing || c == '>' {
				depth--
			} else if depth == 0 && end > at+1 && (isBlank(c) || isLineEnd(c)) {
				break
			}
		}
		s.steps += end - at
		for end < limit && (isBlank(s.src[end]) || isLineEnd(s.src[end])) {
			end++
		}
		at = end
	}
	return at
}

// skipLabel goes past "public:", which is part of no definition.
func (s *scanner) skipLabel(at int) int {
	word := s.wordAt(at)
	end := at + len(word)
	if !s.tails || !isAccess(word) || end >= s.statement.name.Start || s.src[end] != ':' {
		return at
	}
	for end++; end < s.statement.name.Start && (isBlank(s.src[end]) || isLineEnd(s.src[end])); {
		end++
	}
	return end
}
