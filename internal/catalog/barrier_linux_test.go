package catalog

import (
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// TestBarrierThatIsNotTold: nobody takes what was not told for what did not
// happen, and what will never be told is not waited for again.
func TestBarrierThatIsNotTold(t *testing.T) {
	t.Parallel()
	b := barrier{file: fsys.NewBarrierFile()}
	if b.file == nil {
		t.Skip("not here")
	}
	defer b.close()
	if b.wait(t.Context()) {
		t.Error("it was told")
	}
	for range 20 { // a busy machine may be too slow now and then
		b.lost()
		told := make(chan bool, 1)
		go func() { told <- b.wait(t.Context()) }()
		for waits := false; !waits; time.Sleep(time.Millisecond) {
			b.mu.Lock()
			waits = b.waiter != nil || len(told) > 0
			b.mu.Unlock()
		}
		b.take(b.file.Path)
		if <-told {
			return
		}
	}
	t.Error("it was never told")
}
