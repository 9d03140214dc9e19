//go:build !linux

package fsys

// BarrierFile does not exist here: the system tells of each file in an order
// of its own.
type BarrierFile struct{ Path string }

func NewBarrierFile() *BarrierFile { return nil }

func (b *BarrierFile) Change() bool { return false }

func (b *BarrierFile) Close() {}
