package archtest

const modulePath = "github.com/agent-lsp/agent-lsp"

// A rule says what the package in folder pkg may import.
type rule struct {
	level   int    // its imports are of lower levels
	pkg     string // folder in the module
	imports string // folders of ours, separated by blanks, besides everybody's
	doors   string // third-party modules that this package alone imports
}

// rules holds every package of the module but the test packages. Imports only
// go down; the files of a package's tests keep to its rule too.
var rules = []rule{
	{0, "internal/reinterpret", "", ""},
	{0, "internal/fault", "", ""},
	{0, "internal/text", "", "golang.org/x/text"},
	{0, "internal/wire", "", "github.com/go-json-experiment/json"},
	{0, "internal/parallel", "", "github.com/sourcegraph/conc"},
	{0, "internal/jsonc", "", "github.com/tailscale/hujson"},
	{0, "tools/wording", "", ""},

	{1, "internal/fsys", "", "golang.org/x/sys"},
	{1, "internal/diff", "internal/text", "github.com/sergi/go-diff"},
	{1, "internal/setup", "internal/jsonc", "github.com/BurntSushi/toml"},
	{1, "syntax", "internal/text", "github.com/smacker/go-tree-sitter github.com/tree-sitter github.com/tree-sitter-grammars"},

	{1, "tools/schema", "internal/text internal/wire tools/wording", "github.com/google/jsonschema-go"},

	{2, "internal/pathmatch", "internal/fsys", "github.com/bmatcuk/doublestar/v4"},
	{2, "internal/gitignore", "internal/text internal/fsys", ""},
	{2, "internal/statedir", "internal/fsys", ""},
	{2, "outline", "internal/text internal/jsonc syntax", ""},
	{2, "internal/media", "internal/text internal/wire", "golang.org/x/image github.com/klippa-app/go-pdfium github.com/tetratelabs/wazero"},

	{3, "internal/ledger", "internal/text internal/diff internal/wire internal/statedir", ""},
	{3, "internal/settings", "internal/text internal/fsys internal/pathmatch", ""},
	{3, "tools/usage", "internal/wire internal/statedir", ""},

	{4, "internal/workspace", "internal/text internal/fsys internal/pathmatch internal/gitignore internal/statedir internal/settings", ""},

	{5, "internal/catalog", "internal/parallel internal/fsys internal/pathmatch internal/gitignore internal/statedir internal/settings internal/workspace", "github.com/fsnotify/fsnotify"},
	{5, "internal/atomicfile", "internal/text internal/parallel internal/fsys internal/statedir internal/settings internal/workspace", ""},
	{5, "internal/output", "internal/fsys internal/statedir internal/workspace", ""},
	{5, "buffers", "internal/text internal/diff internal/fsys internal/gitignore internal/settings internal/workspace", ""},

	{6, "tools/fuzzy", "internal/catalog", ""},
	{6, "tools/history", "internal/text internal/wire internal/ledger internal/atomicfile buffers tools/wording", ""},
	{6, "internal/review", "internal/text internal/wire internal/ledger internal/workspace buffers", ""},
	{6, "internal/search", "internal/text internal/parallel internal/fsys internal/statedir internal/settings internal/workspace internal/catalog buffers", ""},

	{7, "tools/toolcall", "internal/text internal/wire internal/fsys internal/workspace internal/catalog internal/atomicfile internal/diff internal/media internal/output internal/search internal/review syntax outline buffers" +
		" tools/wording tools/usage tools/fuzzy tools/history", ""},

	{8, "tools/core", "internal/text internal/fsys internal/ledger internal/review internal/statedir internal/settings internal/workspace internal/catalog internal/atomicfile internal/output internal/search outline buffers" +
		" tools/usage tools/fuzzy tools/history tools/toolcall", ""},
	{8, "tools/locate", "internal/text internal/diff internal/search syntax outline buffers tools/wording tools/toolcall", ""},
	{8, "tools/find", "internal/text internal/parallel internal/workspace internal/catalog syntax outline buffers tools/wording tools/fuzzy tools/toolcall", ""},

	{9, "tools/change", "internal/text internal/ledger internal/review internal/settings internal/workspace internal/atomicfile internal/diff buffers tools/wording tools/history tools/toolcall tools/locate", ""},
	{9, "tools/read", "internal/text internal/workspace internal/diff internal/media internal/output syntax outline buffers tools/wording tools/toolcall tools/find", ""},

	{10, "tools", "internal/text internal/wire internal/parallel internal/fsys internal/pathmatch internal/settings internal/workspace internal/catalog" +
		" internal/diff internal/media internal/output internal/search syntax outline buffers" +
		" tools/wording tools/schema tools/usage tools/fuzzy tools/history tools/toolcall tools/core tools/locate tools/find tools/change tools/read", ""},

	{8, "rpc/form", "internal/wire tools/toolcall", ""},
	{9, "rpc/session", "internal/text internal/wire internal/parallel internal/fsys internal/workspace buffers tools/toolcall rpc/form", "github.com/Microsoft/go-winio"},
	{11, "rpc/session/route", "internal/parallel internal/fsys internal/workspace buffers tools/toolcall tools/core tools rpc/form rpc/session", ""},
	{8, "rpc/stdio", "internal/fsys", ""},
	{9, "rpc/jsonrpc", "internal/wire rpc/stdio", "go.lsp.dev/jsonrpc2"},
	{11, "internal/reference", "internal/pathmatch internal/settings tools", ""},

	{11, "rpc", "internal/text internal/wire internal/parallel internal/settings internal/workspace internal/diff internal/ledger internal/review syntax outline buffers tools/usage tools/toolcall tools/core tools/find tools/change tools rpc/form rpc/session rpc/jsonrpc",
		"go.lsp.dev/protocol go.lsp.dev/uri"},
	{12, "rpc/mcp", "internal/text internal/wire internal/parallel internal/settings internal/workspace tools/toolcall tools/core tools rpc/form rpc/session rpc/session/route", "github.com/modelcontextprotocol/go-sdk"},
	{12, "internal/hook", "internal/text internal/wire internal/fsys internal/workspace internal/diff tools/toolcall rpc/form rpc/session rpc/session/route", "mvdan.cc/sh/v3"},

	{13, "cmd/agent-lsp", "internal/text internal/wire internal/parallel internal/fsys internal/ledger internal/statedir internal/settings internal/workspace internal/catalog internal/atomicfile" +
		" internal/diff internal/output internal/search internal/setup internal/hook tools/usage tools/toolcall tools/core tools rpc rpc/form rpc/mcp rpc/session rpc/session/route rpc/stdio",
		"github.com/alecthomas/kong"},
}

// everybodys may be imported by every package but themselves.
const everybodys = "internal/fault internal/reinterpret"

// unsafes are the packages that may import unsafe: syntax for its C code.
const unsafes = "internal/reinterpret syntax"

// testPackages, and what lies below them, serve tests and generators alone: they may import
// everything, and only they and files of tests may import them.
const testPackages = "internal/archtest internal/scenario internal/fakeeditor internal/bench internal/judge internal/mutants internal/soak internal/hosttest internal/testscale internal/disktest internal/gatetest editor-clients/vscode/scripts"

// testModules are third-party modules for files of tests and test packages.
const testModules = "go.uber.org/goleak github.com/rogpeppe/go-internal github.com/tiktoken-go/tokenizer"

// testDoors are modules with a door that other packages' tests import too: to
// make what the program never makes (FIFOs, leases), and to hold a matcher
// against another one.
const testDoors = "golang.org/x/sys github.com/bmatcuk/doublestar/v4"

// A reservation keeps functions of the standard library to a few packages.
type reservation struct {
	functions string // by import path
	packages  string // folders that may use them
	why       string
}

var reservations = []reservation{
	{
		functions: "os.Chmod os.Chown os.Chtimes os.CopyFS os.Create os.CreateTemp os.DirFS os.Lchown os.Link os.Lstat" +
			" os.Mkdir os.MkdirAll os.MkdirTemp os.Open os.OpenFile os.OpenInRoot os.OpenRoot os.ReadDir os.ReadFile" +
			" os.Readlink os.Remove os.RemoveAll os.Rename os.Stat os.Symlink os.Truncate os.WriteFile" +
			" path/filepath.EvalSymlinks path/filepath.Glob path/filepath.Walk path/filepath.WalkDir" +
			" io/ioutil.ReadAll io/ioutil.ReadDir io/ioutil.ReadFile io/ioutil.TempDir io/ioutil.TempFile io/ioutil.WriteFile" +
			" syscall.Open syscall.Rename syscall.Unlink",
		packages: "internal/fsys internal/gitignore internal/settings internal/statedir internal/workspace internal/atomicfile cmd/agent-lsp",
		why:      "internal/workspace is the one gate to the disk, and internal/catalog and internal/atomicfile go through it (the others open files of the person's and of our own; cmd opens the log)",
	},
	{
		functions: "os.Chdir os.Clearenv os.Environ os.Getenv os.Getwd os.LookupEnv os.Setenv os.Unsetenv" +
			" os.UserCacheDir os.UserConfigDir os.UserHomeDir os.TempDir path/filepath.Abs",
		packages: "cmd/agent-lsp",
		why:      "the environment and the working directory are read once, in cmd, and passed down",
	},
	{
		functions: "time.Now time.Since time.Until",
		packages:  "rpc rpc/jsonrpc rpc/stdio rpc/mcp rpc/session rpc/session/route cmd/agent-lsp internal/gitignore internal/catalog",
		why:       "results do not depend on the clock: times are passed down (internal/gitignore and internal/catalog only tell whether a file changed so recently that the next change may carry the same time)",
	},
	{
		functions: "time.Sleep time.Tick",
		packages:  "internal/fsys",
		why:       "nothing but internal/fsys, for another program's lock on a folder, waits without being woken",
	},
	{
		functions: "context.WithValue",
		packages:  "rpc/mcp",
		why:       "what a function needs is an argument (net/http tells a handler of its connection by a context alone)",
	},
	{
		functions: "os.Exit log.Fatal log.Fatalf log.Fatalln log.Panic log.Panicf log.Panicln",
		packages:  "cmd/agent-lsp",
		why:       "only cmd ends the process",
	},
}

// An exception is one place where a rule does not hold, and why that is right.
type exception struct {
	where string // folder.Function, folder.(*Type).Method or folder.variable
	why   string
}

// goStatements are the functions that may start a goroutine by themselves,
// each with who waits for it. All others use internal/parallel.
var goStatements = []exception{}

// packageVars are the variables of packages, besides errors and tables that
// nothing writes to, that may exist.
var packageVars = []exception{
	{"internal/wire.escapes", "a table that is read through a pointer, because an array is copied otherwise"},
}
