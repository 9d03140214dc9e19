package session

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/rpc/form"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// BenchmarkRoundTrip is a call over a socket to another process, whose answer
// is ready: what a session adds to a tool.
func BenchmarkRoundTrip(b *testing.B) {
	for _, name := range []string{"10k", "64k", "10k watched", "10k watched, with pauses", "10k with pauses"} {
		b.Run(name, func(b *testing.B) {
			folder, _ := serveThere(b)
			c := attached(b, folder)
			tool, how, _ := strings.Cut(name, " ")
			if strings.HasPrefix(how, "watched") {
				watch(b, c)
			}
			call := Call{Tool: tool, Arguments: []byte(`{"path":"main.go"}`), Client: toolcall.Client{Name: "bench"}, Form: form.MCP}
			b.ReportAllocs()
			var took []time.Duration
			for b.Loop() {
				began := time.Now()
				if a, _, err := c.Call(b.Context(), call); err != nil || len(a.Raw) < 10<<10 {
					b.Fatal(len(a.Raw), err)
				}
				took = append(took, time.Since(began))
				if strings.HasSuffix(how, "pauses") {
					time.Sleep(30 * time.Millisecond)
				}
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Nanoseconds()), "p50-ns")
		})
	}
	b.Run("10k 16 at once", func(b *testing.B) {
		folder, _ := serveThere(b)
		c := attached(b, folder)
		call := Call{Tool: "10k", Arguments: []byte(`{"path":"main.go"}`), Form: form.MCP}
		var work sync.WaitGroup
		for range 16 {
			work.Go(func() {
				for range b.N/16 + 1 {
					if _, _, err := c.Call(b.Context(), call); err != nil {
						b.Error(err)
					}
				}
			})
		}
		work.Wait()
	})
}
