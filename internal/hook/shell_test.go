package hook

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/testscale"
)

// TestParseLine: what a line of shell, run in /w, is taken to read and to print.
func TestParseLine(t *testing.T) {
	for _, c := range []struct {
		line  string
		reads bool
		shown string
	}{
		{"make test", true, ""},
		{"FOO=1 time go test ./...", true, ""},
		{"sudo -u me timeout -k 1 10 make", true, ""},
		{"./gradlew build && echo done", true, ""},
		{"npx prettier --check .", true, ""},
		{"bash -c 'go vet ./...'", true, ""},
		{"x=$(go list)", true, ""},
		{"ls -la", false, ""},
		{"echo make", false, ""},
		{"cat a.txt", false, "/w/a.txt"},
		{"cat < a.txt", false, "/w/a.txt"},
		{"cat 'my file' b | head -3", false, "/w/my file /w/b"},
		{"sed -n 1,3p a.txt", false, "/w/a.txt"},
		{"sed -n -e 1,3p a.txt", false, "/w/a.txt"},
		{"cd sub; cat ../a.txt > /tmp/x", false, "/w/a.txt"},
		{"(cd sub; cat b.txt); cat a.txt", false, "/w/sub/b.txt /w/a.txt"},
		{"for f in a b; do cat $f.txt; done", false, "/w/a.txt /w/b.txt"},
		{"cat <<'EOF' > a.txt\nx\nEOF", false, ""},
		{"", false, ""},
		{"'open", false, ""},
		{strings.Repeat("a ", 1<<20), true, ""},
	} {
		l := parseLine(c.line, "/w")
		if shown := strings.Join(l.shown, " "); l.reads != c.reads || shown != c.shown {
			t.Errorf("%.60q: reads %v, shown %q", c.line, l.reads, shown)
		}
	}
}

// TestWritten: which of the files in a folder a line of shell, run in /w, is taken
// to write.
func TestWritten(t *testing.T) {
	files := []string{"/w/a.txt", "/w/b.txt", "/w/sub/a.txt", "/w/sub/c.go", "/w/rm", "/other/a.txt"}
	const all = "/w/a.txt /w/b.txt /w/sub/a.txt /w/sub/c.go /w/rm"
	for written, lines := range map[string][]string{
		"": {
			"", "make", "ls -la", "cat a.txt", "echo 'a > a.txt'", "git diff a.txt", "git log rm a.txt", "git status", "git add .", "git commit -am 'rm a.txt'",
			"[[ b > a.txt ]]", "[ b \\> a.txt ]", "# rm a.txt", "true # > a.txt", "cat <<'EOF'\nrm a.txt\nEOF", "cat > o.md <<'EOF'\nIt's fine\nrm a.txt\nEOF",
			"sed -n s/a/b/p a.txt", "sed -e s/i/j/ a.txt", "perl -ne print a.txt", "perl -ne 's/i/j/' a.txt", "go vet ./... 2>&1", "make 2> /dev/null", "cp a.txt new.txt",
			"gofmt -l .", "black --check .", "prettier --check .", "rustfmt --check a.txt", "ruff check .", "eslint .", "clang-format -style=file a.txt", "sort a.txt",
			"git stash list", "git stash show -p", "git reset", "git reset HEAD a.txt", "git clean -n", "git clean -nfd", "git checkout main", "git checkout -b a.txt", "git restore --staged a.txt", "git rm --cached a.txt",
			"git apply --check x.diff", "git -C /tmp/x checkout .", "cd /tmp && rm a.txt", "(cd /tmp; rm -rf .)", "rm -rf node_modules", "rm *.md", "rm a.tx?.bak", "rm '*.md'", "command -v rm a.txt",
			"tmp=$(mktemp); echo x > $tmp; rm $tmp", "rm -rf $TMPDIR/x", "echo x > \"$OUT\"", "curl https://example.com/a.txt", "find . -name '*.txt'", "find . -name '*.md' -delete", "dd if=a.txt of=/dev/null",
			"sh -c 'cat a.txt'", "grep -o a.txt b.txt", "echo $((1 > 2))", "sed -i '' -e s/a/b/ c.txt", "python3 -c \"print(open('a.txt').read())\"", "python3 -c \"import sys; sys.stdout.write(open('a.txt').read())\"", "node -e 'fs.writeFileSync(\"o.txt\")'",
			"bash --norc -c 'cat a.txt'", "pushd /tmp; rm a.txt; popd", "git checkout feature/x", "awk '{print}' a.txt", "vim a.txt", "npx prettier@3 --check .", "fd -e txt", "cd $(mktemp -d) && rm a.txt", "trap - EXIT", "cat < a.txt", "cat a.txt | tee /dev/null", "echo a.txt | xargs cat",
		},
		"/w/a.txt": {
			"sed -i s/a/b/ a.txt", "sed -i.bak s/a/b/ a.txt", "sed -Ei s/a/b/ a.txt", "sed -ni p a.txt", "sed --in-place s/a/b/ a.txt", "sed --in-place=.bak s/a/b/ a.txt", "sed -i -e s/a/b/ -- a.txt",
			"perl -pi -e s/a/b/ a.txt", "perl -i -pe s/a/b/ a.txt", "perl -0777 -pi.bak -e 's/a/b/' a.txt", "ruby -pi -e 'x' a.txt",
			"echo x > a.txt", "echo x >> a.txt", "echo x >| a.txt", "echo x &> a.txt", "echo x >& a.txt", "make 2> a.txt", "> a.txt", "{ echo; } > a.txt", "if true; then echo; fi > a.txt",
			"cp b.md a.txt", "cp x/a.txt .", "mv x/a.txt ./", "cp -t . x/a.txt", "mv a.txt x", "mv a.{txt,md}", "install -m 644 x a.txt", "ln -sf x a.txt", "rsync x a.txt",
			"rm a.txt", "rm -f -- a.txt", "rm /w/a.txt", "rm ./sub/../a.txt", "rm 'a.txt'", "rm a\\.txt", "rm \"$PWD/a.txt\"", "cd sub && rm ../a.txt", "cd sub; cd ..; rm a.txt", "rm a.t*", "rm [a].txt",
			"git checkout a.txt", "git checkout -- a.txt", "git checkout HEAD~1 -- a.txt", "git restore a.txt", "git restore --staged --worktree a.txt", "git -C . rm a.txt", "git stash push a.txt", "git mv a.txt x", "git -C sub checkout ../a.txt",
			"gofmt -w a.txt", "goimports -w a.txt", "black a.txt", "prettier --write a.txt", "npx prettier -w a.txt", "python -m black a.txt", "rustfmt a.txt", "ruff format a.txt", "ruff check --fix a.txt", "eslint --fix a.txt", "npx --yes eslint --fix a.txt", "clang-format -i a.txt", "uv run ruff format a.txt",
			"dd if=x of=a.txt", "sort -o a.txt x", "sort -oa.txt x", "sort -uo a.txt x", "sort --output=a.txt x", "curl -o a.txt u", "curl -sSLo a.txt u", "curl --output a.txt u", "wget -O a.txt u", "truncate -s 0 a.txt", "tee a.txt", "echo x | tee -a a.txt",
			"nohup rm a.txt", "env -i rm a.txt", "env -u X A=1 rm a.txt", "sudo -u me rm a.txt", "sudo -E rm a.txt", "timeout -s KILL 5 rm a.txt", "nice -n 3 rm a.txt", "stdbuf -oL tee a.txt", "A=1 exec rm a.txt", "time rm a.txt", "! rm a.txt", "true && (rm a.txt) &",
			"# don't touch\nsed -i s/a/b/ a.txt", "cat > o.md <<'EOF'\nIt's fine\nEOF\nrm a.txt", "cat <<-EOF > a.txt\n\tx\n\tEOF", "cat <<EOF\n$(rm a.txt)\nEOF", "bash <<'EOF'\nrm a.txt\nEOF",
			"sh -c 'rm a.txt'", "bash -lc \"rm a.txt\"", "eval rm a.txt", "x=`rm a.txt`", "f=a.txt; rm $f", "export f=a.txt; rm \"$f\"", "for f in a.txt x; do sed -i s/a/b/ \"$f\"; done", "f() { rm a.txt; }; f", "fs=(a.txt x); rm \"${fs[@]}\"",
			"find . -maxdepth 1 -exec rm a.txt \\;", "echo \"$(date)\" > a.txt", "case x in x) rm a.txt;; esac", "while read l; do echo $l; done < x > a.txt",
			"rm a.txt; (",
			"pushd sub; popd; rm a.txt", "cd sub && make; cd - && rm a.txt", "cd sub; rm $OLDPWD/a.txt", "cd sub; cd $OLDPWD; rm a.txt", "env -C sub rm ../a.txt", "env --chdir=sub rm ../a.txt", "env -S 'rm a.txt'", "env -C sub ls; rm a.txt",
			"bash --norc -c 'rm a.txt'", "bash -ce 'rm a.txt'", "bash -o pipefail -c 'rm a.txt'", "ksh -c 'rm a.txt'", "su -c 'rm a.txt' me", "trap 'rm a.txt' EXIT", "busybox rm a.txt", "flock -w 1 /tmp/l rm a.txt", "strace -f rm a.txt",
			"ed -s a.txt <<'EOF'\n1d\nw\nEOF", "ex -sc x a.txt", "vim -es -c wq a.txt", "gawk -i inplace '{print}' a.txt", "jq . a.txt | sponge a.txt", "yq -i .a=1 a.txt", "hg revert a.txt", "svn revert a.txt", "jj restore a.txt",
			"npx prettier@3 --write a.txt", "uvx ruff@latest format a.txt", "npm exec -- prettier --write a.txt", "pnpm prettier --write a.txt", "pnpm dlx prettier -w a.txt", "python3.12 -m black a.txt", "pipenv run black a.txt",
			"python3 - <<'EOF'\nopen('a.txt','w').write('x')\nEOF", "python3 -c \"open('a.txt','w').write('x')\"", "node -e 'fs.writeFileSync(\"a.txt\", s)'", "perl -e 'open(F, \">\", \"a.txt\")'", "python - <<PY\nfrom pathlib import Path\np = Path('a.txt')\np.write_text(p.read_text().replace('a', 'b'))\nPY",
			"git mv b.md a.txt",
		},
		"/w/a.txt /w/rm": {"echo 'open; rm a.txt", "if rm a.txt"},
		"/w/b.txt":       {"cp x/b.txt .", "mv sub/../x/b.txt ./"},
		"/w/a.txt /w/b.txt": {
			"rm *.txt", "rm ?.txt", "rm [ab].txt", "mv a.txt b.txt", "mv *.txt x", "rm {a,c}.txt x", "for f in *.txt; do sed -i s/x/y/ $f; done", "cp x/*.txt .", "f='a.txt b.txt'; rm $f", "F=\"a.txt b.txt\"; for f in $F; do rm $f; done",
		},
		"/w/a.txt /w/sub/a.txt":              {"find . -name a.txt -delete", "find . -name 'a.*' -exec sed -i s/a/b/ {} +"},
		"/w/a.txt /w/b.txt /w/sub/a.txt":     {"find . -name '*.txt' -delete"},
		"/w/sub/a.txt /w/sub/c.go":           {"rm -rf sub", "rm -rf sub/", "rm -r s*", "gofmt -w sub", "git checkout sub", "cd sub && go fmt ./...", "rm sub/*", "mv sub x", "rsync -a x/ sub"},
		"/w/a.txt /w/sub/a.txt /other/a.txt": {"rm ~/a.txt", "rm $HOME/a.txt", "cd ~ && rm a.txt", "cd \"$(git rev-parse --show-toplevel)\" && rm a.txt"},
		all: {
			"rm -rf .", "rm -rf *", "rm $'a\\x2etxt'", "rm -rf /w", "git checkout .", "git checkout -- .", "git restore .", "git clean -fd", "gofmt -w .", "black .", "prettier --write .", "npx prettier --write .",
			"ruff format", "cargo fmt", "go fmt ./...", "eslint --fix .", "grep -rl x . | xargs sed -i s/x/y/", "sed -i s/x/y/ $(git ls-files)", "git ls-files | while read f; do rm \"$f\"; done", "golangci-lint run --fix", "fd -e txt -x rm", "ls | parallel rm", "git checkout -- '*.txt' sub rm", "(cd sub; git checkout .. )", "find . -delete", "find . -type f -exec rm {} \\;",
		},
		all + " /other/a.txt": {"git stash", "git stash push -m x", "git stash pop", "git reset --hard", "git reset --hard HEAD~1", "git checkout -f main", "git apply x.diff", "rm -rf /", "git checkout -qf main", "git checkout-index -fa", strings.Repeat("true;\n", 20000) + "rm a.txt", "git checkout -- :/"},
	} {
		for _, line := range lines {
			l := parseLine(line, "/w")
			var got []string
			for _, f := range files {
				if l.all || slices.ContainsFunc(l.written, func(t target) bool { return t.covers(f) }) {
					got = append(got, f)
				}
			}
			if s := strings.Join(got, " "); s != written {
				t.Errorf("%q writes %q, not %q: %v", line, s, written, l.written)
			}
		}
	}
}

// TestWrittenLiterally: what a shell finds no file for it takes as it is, and a folder
// may be called like a pattern.
func TestWrittenLiterally(t *testing.T) {
	for _, line := range []string{"rm app/[id]/page.ts", "cd app/[id] && rm *.ts", "cd 'app/[id]'; rm page.ts", "rm 'app/[id]'/*"} {
		l := parseLine(line, "/w")
		if !slices.ContainsFunc(l.written, func(t target) bool { return t.covers("/w/app/[id]/page.ts") }) {
			t.Errorf("%q writes %v", line, l.written)
		}
	}
}

// TestLargeLines: what a line costs is bounded.
func TestLargeLines(t *testing.T) {
	for _, s := range []string{"(", "$(", "`", "{", "[[ ", "((", "$((", "<<a ", "${a-", "$(a ", "if ", "a|", "\"$(", "{a,b}", "for f in $f$f; do f=$f$f ", "f=($f $f)\n", "rm *a*\n", "sh -c '", "case x in ", "f(){ ", "find . -exec "} {
		l := parseLine(strings.Repeat(s, maxLine/len(s)/testscale.Of(1, 8)), "/w")
		if len(l.written) > maxPaths || len(l.named) > maxPaths {
			t.Errorf("%q: %d, %d", s, len(l.written), len(l.named))
		}
	}
}

// FuzzParseLine: any bytes are a line, and take a bounded time.
func FuzzParseLine(f *testing.F) {
	for _, line := range []string{
		"cat a > b; c && 'd'", "\\", "git -C", "find -exec {} ;", "xargs", "a=(b $c); for d in ${a[@]}; do rm $d{1,2}; done", "cat <<E\n$(x)\nE", "(00)&0\xff",
		"sed -i -e", "mv a b", "sh -c 'eval \"rm a\"'", "[[ a > b ]]", "cp -t", "env -u", "timeout", "rm ~", "read \"\"", "$((1))", "cd \"$(pwd)\"; echo >&2 >|x",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		begun := time.Now()
		l := parseLine(line, "/w")
		if took := time.Since(begun); took > 20*time.Second {
			t.Errorf("took %v", took)
		}
		for _, p := range slices.Concat(l.named, l.shown) {
			if !strings.HasPrefix(p, "/") {
				t.Errorf("%q: %v", line, p)
			}
		}
		for _, w := range l.written {
			if !strings.HasPrefix(w.path, "/") && !(w.glob && strings.HasPrefix(w.path, unknown)) {
				t.Errorf("%q: %v", line, w)
			}
			w.covers("/w/sub/a.txt")
		}
	})
}
