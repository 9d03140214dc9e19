package mutants

import (
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
)

// pick returns at most n mutants of the package's files whose names match
// files, at random, and those alone that compile.
func (p *source) pick(n int, seed uint64, files *regexp.Regexp) ([]numbered, error) {
	var all []Mutant
	for _, name := range p.GoFiles {
		if !files.MatchString(filepath.Base(name)) {
			continue
		}
		found, err := places(name, []byte(p.text[name]))
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	random := rand.New(rand.NewPCG(seed, 0))
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })

	var picked []numbered
	for len(picked) < n && len(all) > 0 {
		next := min(n-len(picked), len(all))
		for _, m := range all[:next] {
			picked = append(picked, numbered{m, len(picked) + 1})
		}
		all = all[next:]
		picked = p.compiling(picked)
	}
	return picked, nil
}

// compiling returns those of mutants that compile, numbered anew. Those that
// stand where only a constant may, or whose change the compiler refuses, do
// not.
func (p *source) compiling(mutants []numbered) []numbered {
	broken := p.broken(p.rewritten(mutants))
	if len(broken) == 0 {
		return mutants
	}
	mutants = slices.DeleteFunc(mutants, func(m numbered) bool {
		return broken[m.File] && len(p.broken(p.rewritten([]numbered{m}))) > 0
	})
	for i := range mutants {
		mutants[i].id = i + 1
	}
	return mutants
}

// rewritten returns the text of each file in which there are mutants.
func (p *source) rewritten(mutants []numbered) map[string]string {
	byFile := map[string][]numbered{}
	for _, m := range mutants {
		byFile[m.File] = append(byFile[m.File], m)
	}
	texts := map[string]string{}
	for name, of := range byFile {
		texts[name] = rewrite(p.text[name], of)
	}
	return texts
}
