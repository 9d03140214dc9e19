package judge

import (
	"context"
	"runtime"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/parallel"
)

// corrections count what a language's own parser says otherwise than ctags.
type corrections struct {
	none      int // no definitions
	unknown   int // definitions that ctags does not know
	ends      int // other last lines
	container int // in something else
}

// ask has files of one language judged, and the judge's faults taken out.
func ask(ctx context.Context, files []*file, language, here string) (verdict, corrections, error) {
	var c corrections
	if language == "javascript" || language == "typescript" {
		v, err := askScript(ctx, files, here, "node", "tsjudge.mjs")
		return v, c, err
	}
	var first, second verdict
	err := parallel.ForEach(ctx, runtime.GOMAXPROCS(0), 2, func(ctx context.Context, i int) (err error) {
		if i == 0 {
			first, err = askCtags(ctx, files, language)
		} else {
			second, err = askSecond(ctx, files, language, here)
		}
		return err
	})
	if err != nil {
		return nil, c, err
	}
	if language == "rust" {
		c.correctRust(files, first)
	}
	for path, sure := range second {
		first[path] = c.correct(first[path], sure)
	}
	return first, c, nil
}

// correct has the language's own parser decide what is a definition and where
// it begins, ends and belongs. What ctags does not know besides is optional:
// the outline is measured by what ctags finds.
func (c *corrections) correct(items, sure []item) []item {
	var corrected []item
	known := make([]bool, len(sure))
	for _, i := range items {
		at := counterpart(i, sure, known)
		switch {
		case at < 0 && i.Optional:
			corrected = append(corrected, i)
			continue
		case at < 0:
			c.none++
			continue
		}
		known[at] = true
		s := sure[at]
		s.Optional = i.Optional
		c.compare(i, s)
		corrected = append(corrected, s)
	}
	for at, s := range sure {
		if !known[at] {
			if !s.Optional {
				c.unknown++
			}
			s.Optional = true
			corrected = append(corrected, s)
		}
	}
	return corrected
}

func (c *corrections) compare(i, sure item) {
	if i.End > 0 && i.End != sure.End {
		c.ends++
	}
	if i.Containers != nil && sure.Containers != nil && !slices.ContainsFunc(sure.Containers, func(name string) bool {
		return lastPart(name) == i.Containers[0]
	}) {
		c.container++
	}
}

func counterpart(i item, sure []item, known []bool) int {
	for at, s := range sure {
		if !known[at] && s.Class == i.Class && same(s.Name, i.Name) && s.Start <= i.Line && i.Line <= max(s.Line, s.Start) {
			return at
		}
	}
	return -1
}
