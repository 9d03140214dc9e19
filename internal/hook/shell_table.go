package hook

import (
	"path/filepath"
	"strings"
)

// readers are programs that read files of a project without naming them: builds,
// tests, linters and searches.
const readers = " ant bazel black buck bun bundle cargo clang clippy cmake composer conan ctest deno dotnet eslint flake8 gcc g++ go gofmt golangci-lint" +
	" gradle gradlew grep ack ag rg jest just lein make mix mocha mvn mvnw mypy next ninja nox npm npx nx perl phpunit pnpm prettier pre-commit" +
	" pylint pyright pytest python rake rspec ruby ruff rubocop rustc sbt scons stack swift task tox ts-node tsc turbo uv vite vitest webpack yarn zig node java javac php sh bash "

// printers print the files that they name.
const printers = " awk bat batcat cat head less more nl sed tail "

func isReader(program string) bool {
	return has(readers, programName(program)) || strings.HasPrefix(program, "./")
}

func isPrinter(program string) bool { return has(printers, filepath.Base(program)) }

func isWriter(program string) bool {
	_, known := programs[filepath.Base(program)]
	return known
}

// has reports whether a list, in which blanks part its members, has one.
func has(list, member string) bool {
	return member != "" && strings.Contains(" "+list+" ", " "+member+" ")
}

// program is which files a program writes of those that it names. Flags are lists
// in which blanks part them.
type program struct {
	writes  string // flags with which it writes its operands; "*" where it always does
	unless  string // flags with which it does not
	values  string // flags whose value is the next word, no operand
	script  string // flags in whose absence the first operand is no file
	outputs string // flags whose value is a file that it writes
	short   bool   // flags of one letter may stand together
	to      bool   // its last operand is a file or a folder that the others go to
	here    bool   // without operands it writes the working directory
}

// programs are those that write files which they name; of some a subcommand.
var programs = map[string]program{
	"sed":               {writes: "-i --in-place", values: "-e -f -l --expression --file", script: "-e -f --expression --file", short: true},
	"gsed":              {writes: "-i --in-place", values: "-e -f -l --expression --file", script: "-e -f --expression --file", short: true},
	"perl":              {writes: "-i", values: "-e -E -I -M -m -F", script: "-e -E", short: true},
	"ruby":              {writes: "-i", values: "-e -I -r -F -E", script: "-e", short: true},
	"rm":                {writes: "*"},
	"unlink":            {writes: "*"},
	"shred":             {writes: "*", values: "-n -s"},
	"truncate":          {writes: "*", values: "-s -r --size --reference"},
	"tee":               {writes: "*"},
	"mv":                {writes: "*", values: "-S --suffix", outputs: "-t --target-directory", short: true, to: true},
	"cp":                {values: "-S --suffix", outputs: "-t --target-directory", short: true, to: true},
	"install":           {values: "-g -m -o -S", outputs: "-t --target-directory", to: true},
	"ln":                {values: "-S --suffix", outputs: "-t --target-directory", short: true, to: true},
	"rsync":             {values: "-e --exclude --include --rsh", to: true},
	"scp":               {values: "-P -i -o -F", to: true},
	"patch":             {writes: "*", unless: "--dry-run", outputs: "-o --output", here: true},
	"dd":                {},
	"sort":              {values: "-k -t -S -T", outputs: "-o --output", short: true},
	"curl":              {values: "-d -H -X -u -A --data --header --request --user", outputs: "-o --output", short: true},
	"wget":              {outputs: "-O --output-document -o"},
	"gcc":               {outputs: "-o"},
	"g++":               {outputs: "-o"},
	"cc":                {outputs: "-o"},
	"clang":             {outputs: "-o"},
	"go":                {outputs: "-o"},
	"pandoc":            {outputs: "-o --output"},
	"gofmt":             {writes: "-w", values: "-r", here: true},
	"gofumpt":           {writes: "-w", here: true},
	"goimports":         {writes: "-w", values: "-local -srcdir"},
	"shfmt":             {writes: "-w --write", values: "-i -ln"},
	"prettier":          {writes: "--write -w", values: "--config --parser --ignore-path"},
	"eslint":            {writes: "--fix", values: "-c --config --ext --rule", here: true},
	"stylelint":         {writes: "--fix", values: "--config"},
	"biome":             {writes: "--write --apply --fix", here: true},
	"black":             {writes: "*", unless: "--check --diff", values: "-l -t --line-length --target-version --config --exclude"},
	"isort":             {writes: "*", unless: "-c --check --check-only --diff", values: "--profile -l"},
	"autopep8":          {writes: "-i --in-place", values: "--max-line-length"},
	"yapf":              {writes: "-i --in-place", values: "--style"},
	"ruff":              {writes: "--fix", values: "--select --ignore --config", here: true},
	"ruff format":       {writes: "*", unless: "--check --diff", values: "--config --line-length", here: true},
	"rubocop":           {writes: "-a -A --autocorrect --autocorrect-all", here: true},
	"rustfmt":           {writes: "*", unless: "--check", values: "--edition --config"},
	"cargo fmt":         {writes: "*", unless: "--check", values: "-p --package --manifest-path", here: true},
	"cargo fix":         {writes: "*", values: "-p --package", here: true},
	"go fmt":            {writes: "*", unless: "-n", here: true},
	"go fix":            {writes: "*", here: true},
	"deno fmt":          {writes: "*", unless: "--check", here: true},
	"dart format":       {writes: "*", here: true},
	"mix format":        {writes: "*", unless: "--check-formatted", here: true},
	"terraform fmt":     {writes: "*", unless: "-check", here: true},
	"zig fmt":           {writes: "*", unless: "--check"},
	"clang-format":      {writes: "-i", values: "-style --style"},
	"dos2unix":          {writes: "*"},
	"git checkout":      {writes: "*", values: "-b -B --orphan --conflict"},
	"git restore":       {writes: "*", unless: "-S --staged", values: "-s --source"},
	"git rm":            {writes: "*", unless: "-n --dry-run --cached"},
	"git mv":            {writes: "*", to: true},
	"git clean":         {writes: "*", unless: "-n --dry-run", values: "-e --exclude", short: true, here: true},
	"git stash":         {writes: "*", values: "-m --message"},
	"hg revert":         {writes: "*", values: "-r --rev"},
	"jj restore":        {writes: "*", values: "-f -t --from --into --to"},
	"svn revert":        {writes: "*"},
	"unix2dos":          {writes: "*"},
	"ed":                {writes: "*", values: "-p"},
	"ex":                {writes: "*", values: "-c", short: true},
	"vim":               {writes: "-s -E", values: "-c -u", short: true},
	"nvim":              {writes: "-s -E", values: "-c -u", short: true},
	"awk":               {writes: "-i", values: "-i -v -f -F", script: "-f", short: true},
	"gawk":              {writes: "-i", values: "-i -v -f -F", script: "-f", short: true},
	"sponge":            {writes: "*"},
	"yq":                {writes: "-i --inplace", short: true},
	"golangci-lint run": {writes: "--fix", here: true},
	"golangci-lint fmt": {writes: "*", unless: "-d --diff", here: true},
}

// prefixes run the command that follows their flags, some after operands.
var prefixes = map[string]struct {
	values   string
	operands int
}{
	"nohup": {}, "setsid": {}, "command": {}, "builtin": {}, "chronic": {}, "exec": {values: "-a"},
	"env": {values: "-u -C -S --unset --chdir --split-string"}, "sudo": {values: "-u -g -h -p -C -T -U -D -R -r -t --user --group"}, "doas": {values: "-u -C"},
	"nice": {values: "-n"}, "ionice": {values: "-c -n"}, "timeout": {values: "-k -s --signal --kill-after", operands: 1},
	"stdbuf": {values: "-i -o -e"}, "time": {values: "-f -o"},
	"npx": {values: "-p --package"}, "bunx": {}, "uvx": {values: "--from --with -p"},
	"npm exec": {values: "-p --package"}, "pnpm": {}, "pnpm exec": {}, "pnpm dlx": {}, "yarn": {}, "bundle exec": {}, "poetry run": {}, "pipenv run": {}, "pdm run": {}, "hatch run": {}, "uv run": {values: "--with -p"},
	"python -m": {}, "busybox": {}, "strace": {values: "-e -o -p"}, "flock": {values: "-w -E", operands: 1}, "watch": {values: "-n"},
	"xargs": {values: "-n -P -I -L -d -s -a -E"}, "parallel": {values: "-j -I"},
}
