package scenario

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
)

// cannotRun returns why a scenario cannot run on this system; "" where it can, as
// all can on Unix.
func cannotRun(t *testing.T, path string) string {
	if filepath.Separator == '/' {
		return ""
	}
	raw, err := os.ReadFile(path)
	disktest.Must(t, err)
	for _, m := range missing {
		if strings.Contains("\n"+string(raw), "\n"+m.command) {
			return m.why
		}
	}
	return ""
}

// missing are the commands of scripts that Windows, or wine, cannot carry out.
var missing = []struct{ command, why string }{
	{"link ", "wine makes no symbolic links"},
	{"fifo ", "Windows has no FIFOs in folders"},
	{"socket ", "wine has no sockets in folders"},
	{"chmod ", "Windows has no permission bits"},
	{"hardlink linked.txt Linked.txt", "Windows does not tell names apart that differ in case alone"},
	{"new mode 100755", "Windows has no permission bits"},
	{"expect mode ", "Windows has no permission bits"},
	{"write \"two\\nlines", "Windows has no line feeds in names"},
}
