//go:build !linux

package fsys

// BarrierFile does not exist here: the system tells of each file in an order
// of its own.
type BarrierFile struct{ Path string }

// NewBarrierFile returns nil: there is none.
func NewBarrierFile() *BarrierFile { return nil }

// Change reports false.
func (b *BarrierFile) Change() bool { return false }

// Close does nothing.
func (b *BarrierFile) Close() {}
