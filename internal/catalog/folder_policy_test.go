package catalog

import (
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/gatetest"
)

// TestFolderWithinARow: a rule over several names in a row also holds where
// some of them are above the workspace folder.
func TestFolderWithinARow(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{
		".config/nvim/lua/x.lua": "", ".config/gh/hosts.yml": "token", ".config/gcloud/db": "token", "link": "-> .config",
		".aws/x": "token",
	})
	for _, tt := range []struct{ folder, file, read, write string }{
		{".config", "nvim/lua/x.lua", "free", "consent"},
		{".config/nvim", "lua/x.lua", "free", "consent"},
		{".config/nvim/lua", "x.lua", "free", "consent"},
		{"link", "nvim/new.lua", "free", "consent"},
		{".config", "gh/hosts.yml", "permission_denied", "permission_denied"},
		{".config/gh", "hosts.yml", "permission_denied", "permission_denied"},
		{"link/gh", "hosts.yml", "permission_denied", "permission_denied"},
		{".config/gcloud", "db", "permission_denied", "permission_denied"},
		{"link/gcloud", "db", "permission_denied", "permission_denied"},
		{".config/gh", "config.yml", "free", "free"},
	} {
		g := gatetest.New(t, nil, dir+"/"+tt.folder)
		p, err := g.Resolve(tt.file, nil)
		disktest.Must(t, err)
		if got := disktest.Verdict(g.CheckRead(p)); got != tt.read {
			t.Errorf("%s in %s: reading is %s, want %s", tt.file, tt.folder, got, tt.read)
		}
		if got := disktest.Verdict(g.CheckWrite(p)); got != tt.write {
			t.Errorf("%s in %s: writing is %s, want %s", tt.file, tt.folder, got, tt.write)
		}
		c := New()
		files, err := c.Walk(t.Context(), g, g.Path(dir+"/"+tt.folder), true)
		if err == nil && files.Find(p) >= 0 && tt.read != "free" {
			t.Errorf("%s in %s is listed", tt.file, tt.folder)
		}
		c.Close()
	}
}
