package bench

import (
	"fmt"
	"math/rand/v2"
	"runtime"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

const (
	largeDocument = 10 << 20
	smallDocument = 100 << 10
)

// An Applier returns what a didChange notification with these params does,
// decoding included, without the connection around it.
type Applier func(store *buffers.Store, gate *workspace.Gate) (apply func(params []byte) error)

// keystroke measures one-character changes at random places of a document of
// size bytes: in the store alone, and decoded from a notification.
func keystroke(size int, applier Applier) (stored, decoded float64) {
	gate, problems := workspace.NewGate(nil, nil, settings.Default())
	if len(problems) > 0 {
		panic(problems)
	}
	path, err := gate.FromURI("untitled:bench")
	check(err)
	store := buffers.NewStore()
	content := source(size)
	store.Open(buffers.Opening{URI: path.URI, Path: path, Version: 0, Text: content})
	lines := store.Overlay().Get(path.Key()).Text.Lines()
	r := rand.New(rand.NewPCG(1, 2))
	version := int32(0)
	const n = 3000
	place := make([]text.Position, n)
	for i := range place {
		place[i] = text.Position{Line: r.Uint32N(uint32(lines)), Character: r.Uint32N(40)}
	}
	change := func(p text.Position) {
		version++
		check(store.Change(path.Key(), version, text.UTF16, []buffers.Change{{Range: &buffers.Range{Start: p, End: p}, Text: "x"}}))
	}
	stored = medianOf(n, func(i int) { change(place[i]) })
	raw := make([][]byte, n)
	for i, p := range place {
		raw[i] = fmt.Appendf(nil, `{"textDocument":{"uri":"untitled:bench","version":%d},"contentChanges":[{"range":{"start":{"line":%d,"character":%d},"end":{"line":%d,"character":%d}},"text":"x"}]}`,
			100_000+i, p.Line, p.Character, p.Line, p.Character)
	}
	// The warm-up repeats the first versions, so it runs on a store of its own.
	apply := applier(store, gate)
	decoded = medianWithoutWarmUp(n, func(i int) { check(apply(raw[i])) })
	return stored, decoded
}

func medianWithoutWarmUp(n int, f func(i int)) float64 {
	x := make([]float64, n)
	for i := range n {
		x[i] = timed(func() { f(i) })
	}
	return median(x)
}

// TextRows measures documents in the store and what a notification changes in
// them.
func TextRows(applier Applier) []Figure {
	stored, decoded := keystroke(largeDocument, applier)
	storedSmall, decodedSmall := keystroke(smallDocument, applier)
	perByte, snapshots := textMemory()
	return []Figure{
		{Name: "didChange of one character in 10 MB, in the store", Got: stored, Unit: "µs", Bar: 5},
		{Name: "… decoded and applied", Got: decoded, Unit: "µs", Bar: 20},
		{Name: "… in the store, against a 100 KB document", Got: stored, Floor: storedSmall, Unit: "µs", Bar: 2},
		{Name: "… decoded and applied, against a 100 KB document", Got: decoded, Floor: decodedSmall, Unit: "µs", Bar: 2},
		{Name: "memory of an open ASCII text, bytes a byte", Got: perByte, Unit: "B", Bar: 1.3},
		{Name: "1,000 snapshots after 1,000 edits of 10 MB, against one", Got: snapshots, Floor: perByte * largeDocument, Unit: "B", Bar: 1.5},
	}
}

// textMemory returns the memory that a text takes for each of its bytes, and
// that of 1,001 snapshots, one after each edit.
func textMemory() (perByte, snapshots float64) {
	content := source(largeDocument)
	before := heap()
	t := text.New(content)
	one := heap() - before
	kept := make([]text.Text, 0, 1001)
	kept = append(kept, t)
	r := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		o := r.IntN(t.Len())
		t = t.Replace(text.Span{Start: o, End: o}, "x")
		kept = append(kept, t)
	}
	all := heap() - before
	runtime.KeepAlive(kept)
	runtime.KeepAlive(content)
	return one / float64(len(content)), all
}

func heap() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}
