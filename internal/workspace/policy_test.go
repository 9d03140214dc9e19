package workspace

import (
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/disktest"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/settings"
)

func TestDefaultPolicy(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{
		".zed/settings.json":   "{}",
		".git/config":          "",
		".env":                 "SECRET=1",
		"link.txt":             "-> .env",
		"absolute.txt":         "-> $DIR/.env",
		"safe":                 "-> .zed",
		"repo":                 "-> $DIR/.git",
		"planned":              "-> .vscode/new.json",
		"src/main.go":          "",
		"secrets.example":      "",
		"looks-free.example":   "-> .env",
		"sub/.aws/credentials": "",
	})
	g := gateOn(t, nil, dir)
	const free, denied, consent = "free", "permission_denied", "consent"
	tests := []struct{ path, read, write string }{
		{"src/main.go", free, free},
		{"src/new/file.go", free, free},
		{"README.md", free, free},
		{".gitignore", free, free},
		{".github/dependabot.yml", free, free},
		{"key", free, free},
		{"environment.ts", free, free},

		{".env", denied, denied},
		{".ENV.Production", denied, denied},
		{"deploy/.env.local", denied, denied},
		{".env.example", free, free},
		{".env.sample", free, free},
		{"x/.env.template", free, free},
		{".env.d/main.example", free, free},
		{".env.example/main", free, free},
		{".env.d/main", denied, denied},
		{".env.example.local", denied, denied},
		{"server.pem", denied, denied},
		{"certs/a.KEY", denied, denied},
		{"id_rsa", denied, denied},
		{"id_rsa.pub", denied, denied},
		{"id_ed25519", denied, denied},
		{".ssh/config", denied, denied},
		{"sub/.aws/credentials", denied, denied},
		{"sub/.AWS/credentials", denied, denied},
		{"secrets.yaml", denied, denied},
		{"secrets.example", free, free},
		{"link.txt", denied, denied},
		{"absolute.txt", denied, denied},
		{"looks-free.example", denied, denied},
		{".env::$DATA", denied, denied},
		{".env.", denied, denied},

		{".git/config", free, denied},
		{".git", free, denied},
		{".GIT/hooks/pre-commit", free, denied},
		{"vendor/x/.git/config", free, denied},
		{"repo/config", free, denied},
		{"repo/hooks/new", free, denied},
		{"git~1/config", free, denied},

		{".vscode/settings.json", free, consent},
		{"packages/a/.vscode/tasks.json", free, consent},
		{".idea/workspace.xml", free, consent},
		{".zed/settings.json", free, consent},
		{"safe/settings.json", free, consent},
		{"safe/new.json", free, consent},
		{"planned", free, consent},
		{".claude/settings.json", free, consent},
		{".cUrSoR/mcp.json", free, consent},
		{".codex/config.toml", free, consent},
		{".gemini/settings.json", free, consent},
		{".mcp.json", free, consent},
		{".github/workflows/ci.yml", free, consent},
		{".GitHub/Workflows/ci.yml", free, consent},
		{"AGENTS.md", free, consent},
		{"docs/agents.md", free, consent},
		{"CLAUDE.md", free, consent},
		{"GEMINI.md", free, consent},
		{".cursorrules", free, consent},
		{".windsurfrules", free, consent},
		{".clinerules", free, consent},
		{".clinerules/style.md", free, consent},
		{".github/copilot-instructions.md", free, consent},
		{"tools/skills/x/SKILL.md", free, consent},
		{".bashrc", free, consent},
		{"dotfiles/.ZSHRC", free, consent},
		{".config/fish/config.fish", free, consent},
		{".Config/Nvim/init.lua", free, consent},
		{".vim/plugin/a.vim", free, consent},
		{".emacs.d/init.el", free, consent},
		{".gitconfig", free, consent},
		{"docs/HEAD", free, consent},
		{"server.git/config", free, consent},
		{"server.git/hooks/post-receive", free, consent},
		{".hg/hgrc", free, denied},
		{".jj/repo/config.toml", free, denied},
		{"git~2/config", free, denied},
		{".g\u00adit/config", free, denied},
		{".con\ufb01g/nvim/init.lua", free, consent},
		{".agent\u2060-lsp-x", free, denied},
		{"tmp/agent-lsp-1000/4711-x7k2pq.json", free, denied},
		{"agent-lsp-2/tsconfig-browse.json", free, free},
		{".emacs.elc", free, consent},
		{".bashrc.d/x.sh", free, consent},
		{".config/Cursor/User/settings.json", free, consent},
		{".config/git/config", free, consent},
		{".config/git/credentials", denied, denied},
		{".config/autostart/x.desktop", free, consent},
		{".config/systemd/user/x.service", free, consent},
		{"Library/LaunchAgents/x.plist", free, consent},
		{"etc/cron.d/x", free, consent},
		{".husky/pre-commit", free, consent},
		{".githooks/pre-commit", free, consent},
		{".pre-commit-config.yaml", free, consent},
		{"package.json", free, free},
		{"Makefile", free, free},
		{"build.gradle", free, free},
		{"profile", free, free},
		{"bashrc", free, free},
		{"config/nvim/init.lua", free, free},
		{"cron.d/x", free, free},
		{"src/profile/.keep", free, free},

		{".netrc", denied, denied},
		{"_netrc", denied, denied},
		{".git-credentials", denied, denied},
		{"web/.npmrc", denied, denied},
		{".npmrc.example", free, free},
		{".PyPiRc", denied, denied},
		{".kube/config", denied, denied},
		{".kube/cache/x", free, free},
		{".docker/config.json", denied, denied},
		{".docker/Dockerfile", free, free},
		{".gnupg/pubring.kbx", denied, denied},
		{".config/gh/hosts.yml", denied, denied},
		{".config/gh/config.yml", free, free},
		{".config/gcloud/credentials.db", denied, denied},
		{".azure/token", denied, denied},
		{".terraform.d/credentials.tfrc.json", denied, denied},
		{".password-store/a.gpg", denied, denied},
		{"x/mine.kdbx", denied, denied},
		{".mozilla/firefox/p/key4.db", denied, denied},
		{".config/google-chrome/Default/Cookies", denied, denied},
		{"Library/Application Support/Google/Chrome/Default/Cookies", denied, denied},

		{".agent-lsp-swap-x", free, denied},
		{"src/.AGENT-LSP-new-1", free, denied},
		{".agent-lsp-x/y", free, denied},
		{"moving-average.ts", free, free},
		{".agent-lsp", free, free},
		{".config/agent-lsp/config.json", free, denied},
		{".config/Agent-LSP/config.json", free, denied},

		{".agentignore", free, consent},
		{".aiexclude", free, consent},
		{".envrc", denied, denied}, // both private and protected
	}
	for _, tt := range tests {
		p, err := g.Resolve(tt.path, nil)
		disktest.Must(t, err)
		if got := disktest.Verdict(g.CheckRead(p)); got != tt.read {
			t.Errorf("read %s: %s, want %s", tt.path, got, tt.read)
		}
		if got := disktest.Verdict(g.CheckWrite(p)); got != tt.write {
			t.Errorf("write %s: %s, want %s", tt.path, got, tt.write)
		}
		want := tt.write
		if want == consent {
			want = free
		}
		if got := disktest.Verdict(g.CheckWrite(p.Consented())); got != want {
			t.Errorf("write %s with consent: %s, want %s", tt.path, got, want)
		}
		if _, err := g.Open(p); tt.read == denied != (fault.KindOf(err) == fault.PermissionDenied) {
			t.Errorf("Open %s: %v, but reading it is %s", tt.path, err, tt.read)
		}
		if _, err := g.Stat(p); tt.read == denied != (fault.KindOf(err) == fault.PermissionDenied) {
			t.Errorf("Stat %s: %v, but reading it is %s", tt.path, err, tt.read)
		}
	}
}

func TestConfirm(t *testing.T) {
	dir := disktest.Tree(t, nil)
	untitled := Path{URI: "untitled:x", Rel: "untitled:x"}
	for _, tt := range []struct {
		confirm                settings.Confirm
		plain, guarded, noFile string
	}{
		{settings.ConfirmProtected, "free", "consent", "free"},
		{settings.ConfirmAlways, "consent", "consent", "consent"},
		{settings.ConfirmNever, "free", "permission_denied", "free"},
	} {
		g := gateOn(t, func(s *settings.Settings) { s.Edits.Confirm = tt.confirm }, dir)
		plain, _ := g.Resolve("a.txt", nil)
		guarded, _ := g.Resolve("AGENTS.md", nil)
		if got := disktest.Verdict(g.CheckWrite(plain)); got != tt.plain {
			t.Errorf("%s, plain: %s", tt.confirm, got)
		}
		if got := disktest.Verdict(g.CheckWrite(guarded)); got != tt.guarded {
			t.Errorf("%s, protected: %s", tt.confirm, got)
		}
		want := "free"
		if tt.confirm == settings.ConfirmNever {
			want = "permission_denied"
		}
		if got := disktest.Verdict(g.CheckWrite(guarded.Consented())); got != want {
			t.Errorf("%s, protected with consent: %s", tt.confirm, got)
		}
		if got := disktest.Verdict(g.CheckWrite(untitled)); got != tt.noFile {
			t.Errorf("%s, untitled: %s", tt.confirm, got)
		}
		if err := g.CheckRead(untitled); err != nil {
			t.Errorf("an untitled document cannot be read: %v", err)
		}
	}
}

func TestReadOnly(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{"proj/a.txt": "", "store/b.txt": "", "out/c.txt": ""})
	g := gateOn(t, func(s *settings.Settings) { s.Policy.ReadOnlyRoots = []string{dir + "/store"} }, dir+"/proj")
	for path, want := range map[string]string{"/proj/a.txt": "free", "/store/b.txt": "read_only", "/out/c.txt": "consent"} {
		p, err := g.FromURI(fileURI(dir + path))
		disktest.Must(t, err)
		if got := disktest.Verdict(g.CheckWrite(p)); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	g = gateOn(t, func(s *settings.Settings) { s.Policy.ReadOnly = true }, dir+"/proj")
	for _, p := range []Path{g.Path(dir + "/proj/a.txt"), g.Path(dir + "/proj/a.txt").Consented(), {URI: "untitled:x"}} {
		if got := disktest.Verdict(g.CheckWrite(p)); got != "read_only" {
			t.Errorf("policy.readOnly, %s: %s", p.URI, got)
		}
	}
}

func TestExcluded(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{"gen/a.go": "", "src/a.go": "", "link": "-> gen/a.go"})
	g := gateOn(t, func(s *settings.Settings) { s.Policy.Excluded = []string{"/gen"} }, dir)
	for path, want := range map[string]fault.Kind{"gen/a.go": fault.PermissionDenied, "link": fault.PermissionDenied, "src/a.go": ""} {
		_, err := read(t, g, path)
		disktest.CheckKind(t, path, err, want)
		if err != nil && !strings.Contains(err.Error(), "policy.excluded") {
			t.Errorf("%s: the rule is not named: %v", path, err)
		}
	}
}

// TestFolderThatIsProtected: opening a protected folder as a workspace folder
// must not take the protection away.
func TestFolderThatIsProtected(t *testing.T) {
	dir := disktest.Tree(t, map[string]string{".vscode/tasks.json": "", ".git/config": "", ".ssh/config": "", "secrets.go/main.go": ""})
	for _, tt := range []struct{ folder, file, read, write string }{
		{".vscode", "tasks.json", "free", "consent"},
		{".git", "config", "free", "permission_denied"},
		{".ssh", "config", "permission_denied", "permission_denied"},
		{"secrets.go", "main.go", "free", "free"},
	} {
		g := gateOn(t, nil, dir+"/"+tt.folder)
		p, err := g.Resolve(tt.file, nil)
		disktest.Must(t, err)
		if got := disktest.Verdict(g.CheckRead(p)); got != tt.read {
			t.Errorf("%s: reading is %s, want %s", tt.folder, got, tt.read)
		}
		if got := disktest.Verdict(g.CheckWrite(p)); got != tt.write {
			t.Errorf("%s: writing is %s, want %s", tt.folder, got, tt.write)
		}
	}
}

// TestSystemPermissions: the system's own refusal is permission_denied too
// and says so. The superuser is refused nothing, so the error is made here.
func TestSystemPermissions(t *testing.T) {
	g := gateOn(t, nil, disktest.Tree(t, nil))
	p, err := g.Resolve("a", nil)
	disktest.Must(t, err)
	err = g.Explain(p, &os.PathError{Op: "openat", Path: "a", Err: syscall.EACCES})
	if e := fault.From(err); e.Kind != fault.PermissionDenied || e.Details["rule"] != "file permissions" || e.Path != "a" {
		t.Errorf("got %v %v", err, e.Details)
	}
}
