//go:build linux || darwin

package change

import (
	"io/fs"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/diff"
)

func TestWithMode(t *testing.T) {
	for _, tt := range []struct {
		now  fs.FileMode
		mode diff.FileMode
		want fs.FileMode
	}{
		{0, diff.ModePlain, 0o666}, {0, diff.ModeExecutable, 0o777},
		{0o644, diff.ModeExecutable, 0o755}, {0o600, diff.ModeExecutable, 0o700}, {0o620, diff.ModeExecutable, 0o720},
		{0o755, diff.ModeExecutable, 0o755}, {0o744, diff.ModeExecutable, 0o755},
		{0o755, diff.ModePlain, 0o644}, {0o711, diff.ModePlain, 0o600}, {0o654, diff.ModePlain, 0o644},
	} {
		if got := WithMode(tt.now, tt.mode); got != tt.want {
			t.Errorf("%o to %s: %o, want %o", tt.now, tt.mode, got, tt.want)
		}
	}
}
