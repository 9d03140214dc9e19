package tokens

import (
	"strings"

	"github.com/tiktoken-go/tokenizer"
)

// counter returns a function that counts o200k_base tokens. The vocabulary is
// compiled in.
func counter() (func(string) int, error) {
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		return nil, err
	}
	return func(s string) int {
		n := 0
		for piece := range pieces(s) {
			k, err := codec.Count(piece)
			if err != nil {
				panic(err) // the library has no reason to fail
			}
			n += k
		}
		return n
	}, nil
}

// pieces cuts a long text after line feeds: merging takes time that grows
// faster than the text.
func pieces(s string) func(yield func(string) bool) {
	const long = 64 << 10
	return func(yield func(string) bool) {
		for len(s) > long {
			cut := strings.LastIndexByte(s[:long], '\n') + 1
			if cut == 0 {
				cut = long
			}
			if !yield(s[:cut]) {
				return
			}
			s = s[cut:]
		}
		yield(s)
	}
}
