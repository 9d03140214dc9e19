package judge

import (
	"context"
	"runtime"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/parallel"
	"github.com/agent-lsp/agent-lsp/internal/testscale"
)

// TestInvariants checks over real code what holds for every outline, and tells
// how many symbols survive damage to one function.
func TestInvariants(t *testing.T) {
	sources := setUp(t)
	for _, language := range judged {
		t.Run(language, func(t *testing.T) {
			files, err := sources.pick(language, t.TempDir(), sample{testscale.Of(everyNth, 30), *other})
			if err != nil {
				t.Fatal(err)
			}
			wrong := make([][]string, len(files))
			alive := make([]share, len(files))
			err = parallel.ForEach(t.Context(), runtime.GOMAXPROCS(0), len(files), func(ctx context.Context, i int) error {
				wrong[i] = broken(ctx, files[i])
				alive[i] = survivors(ctx, files[i])
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			reportInvariants(t, wrong, alive)
		})
	}
}

func reportInvariants(t *testing.T, wrong [][]string, alive []share) {
	var all share
	told, broken := 0, 0
	for i := range wrong {
		all.of += alive[i].of
		all.all += alive[i].all
		broken += len(wrong[i])
		for _, w := range wrong[i] {
			if told++; told <= 20 || *differences {
				t.Error(w)
			}
		}
	}
	if broken > 0 {
		t.Errorf("%d in all", broken)
	}
	t.Logf("two lines deleted in a function: %.2f %% of the other symbols are still found (%d of %d)", all.percent(), all.of, all.all)
}
