package usage

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/statedir"
	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// usageFile holds the sum of all sessions' figures.
const usageFile = "usage.json"

func usageFolder(cacheHome string) (*statedir.KeptFolder, error) {
	return statedir.OpenKeptFolder(filepath.Join(cacheHome, "agent-lsp", "stats"))
}

// Save adds the figures to what is kept below the cache folder cacheHome, an
// absolute path. Of a session without calls nothing is kept. Several processes
// may save at a time. Figures that cannot be read are begun again.
func (u *Usage) Save(cacheHome string) error {
	now := u.Figures()
	if !now.Used() {
		return nil
	}
	folder, err := usageFolder(cacheHome)
	if err != nil {
		return err
	}
	return folder.Update(usageFile, func(old []byte) ([]byte, error) {
		sum := readFigures(old)
		sum.Add(now)
		return wire.Marshal(sum)
	})
}

// SavedFigures returns the sum of all sessions that were saved below cacheHome.
func SavedFigures(cacheHome string) (Figures, error) {
	folder, err := usageFolder(cacheHome)
	if err != nil {
		return Figures{}, err
	}
	raw, err := folder.Read(usageFile)
	if err != nil {
		return Figures{}, err
	}
	return readFigures(raw), nil
}

func readFigures(raw []byte) Figures {
	var f Figures
	if len(raw) == 0 || wire.Unmarshal(raw, &f) != nil {
		f = Figures{}
	}
	f.Add(Figures{}) // so that no map is nil
	return f
}

// String renders the figures for people, one a line.
func (f Figures) String() string {
	var b strings.Builder
	line := func(name string, n int64) { fmt.Fprintf(&b, "%-24s %12d\n", name, n) }
	line("sessions", f.Sessions)
	line("commands", f.Commands)
	counts(&b, "calls", f.Calls)
	counts(&b, "failed", f.Failed)
	line("bytes served", f.BytesServed)
	line("bytes of whole files", f.BytesOfWholeFiles)
	line("repeated reads", f.RepeatedReads)
	line("not modified", f.NotModified)
	line("stale edits", f.StaleEdits)
	line("merged edits", f.Merged)
	return b.String()
}

// counts renders a group of counters, the largest first.
func counts(b *strings.Builder, group string, by map[string]int64) {
	var names []string
	var all int64
	for name, n := range by {
		names, all = append(names, name), all+n
	}
	slices.SortFunc(names, func(x, y string) int {
		if by[x] != by[y] {
			return int(min(max(by[y]-by[x], -1), 1))
		}
		return strings.Compare(x, y)
	})
	fmt.Fprintf(b, "%-24s %12d\n", group, all)
	for _, name := range names {
		fmt.Fprintf(b, "  %-22s %12d\n", name, by[name])
	}
}
