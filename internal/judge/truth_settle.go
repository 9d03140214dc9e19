package judge

import (
	"context"
	"runtime"

	"github.com/agent-lsp/agent-lsp/internal/parallel"
)

// ask has files of one language judged, and their faults taken out.
func ask(ctx context.Context, files []*file, language, here string) (verdict, error) {
	if language == "javascript" || language == "typescript" {
		return askScript(ctx, files, here, "node", "tsjudge.mjs")
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
		return nil, err
	}
	for path, sure := range second {
		first[path] = settle(first[path], sure)
	}
	return first, nil
}

// settle has the language's own parser decide what is a definition and where
// it begins, ends and belongs. What ctags does not know besides is optional:
// the outline is measured by what ctags finds.
func settle(items, sure []item) []item {
	var settled []item
	known := make([]bool, len(sure))
	for _, i := range items {
		if at := counterpart(i, sure); at >= 0 && !known[at] {
			known[at] = true
			s := sure[at]
			s.Optional = i.Optional
			settled = append(settled, s)
		} else if i.Optional {
			settled = append(settled, i)
		}
	}
	for at, s := range sure {
		if !known[at] {
			s.Optional = true
			settled = append(settled, s)
		}
	}
	return settled
}

func counterpart(i item, sure []item) int {
	for at, s := range sure {
		if s.Class == i.Class && same(s.Name, i.Name) && s.Start <= i.Line && i.Line <= max(s.Line, s.Start) {
			return at
		}
	}
	return -1
}
