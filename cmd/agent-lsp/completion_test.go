//go:build unix

package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// shells complete each line of their arguments, a command line in which a
// completion is asked for at the end, and print what its last word becomes, one
// a line. Each is run in its own shell, with our program in its PATH.
var shells = map[string]string{
	// What readline gives a completion; "=" is a word of its own.
	"bash": `eval "$(agent-lsp completion bash)"
for line; do
	COMP_WORDS=(${line//=/ = }) COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
	_agent_lsp 2>&1
	found=${COMPREPLY[*]}
	[[ $line != *=* ]] || found="${COMP_WORDS[COMP_CWORD - 2]}=$found"
	echo "${found:-files}"
done`,
	// An interactive shell, to which the lines and the tabulator are typed.
	"zsh": `zmodload zsh/zpty
zpty shell 'zsh -f -i'
zpty -w shell "PROMPT='rea''dy>'; autoload -Uz compinit && compinit -u -D; eval \"\$(agent-lsp completion zsh)\"
shown() { print -r -- \"{\$BUFFER}\"; BUFFER=; zle reset-prompt }; zle -N shown; bindkey '^G' shown; bindkey '^I' complete-word"
zpty -r shell out '*ready>*ready>*'
for line; do
	zpty -w -n shell "$line"$'\t\a'
	zpty -r shell out '*{*}*' || exit 1
	out=${${out##*\{}%%\}*}
	print -r -- ${${out% }##* }
done
zpty -d shell`,
	"fish": `agent-lsp completion fish | source
for line in $argv
	echo (complete -C $line)
end`,
}

// TestShellsComplete runs the scripts in the shells that they are for.
func TestShellsComplete(t *testing.T) {
	lines := [][2]string{
		{"agent-lsp read-", "read-file"},
		{"agent-lsp setup cl", "claude"},
		{"agent-lsp completion z", "zsh"}, // and not the folder
		{"agent-lsp grep-files --cas", "--case"},
		{"agent-lsp grep-files x --case sm", "smart"},
		{"agent-lsp grep-files --case=sm", "--case=smart"},
		{"agent-lsp read-file unus", "unusual.txt"}, // where the program knows nothing
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for shell, script := range shells {
		t.Run(shell, func(t *testing.T) {
			path, err := exec.LookPath(shell)
			if err != nil {
				t.Skipf("there is no %s here: %v", shell, err)
			}
			bin, dir := t.TempDir(), t.TempDir()
			for _, err := range []error{
				os.Symlink(program, filepath.Join(bin, "agent-lsp")),
				os.Mkdir(filepath.Join(dir, "zdirectory"), 0o700),
				os.WriteFile(filepath.Join(dir, "unusual.txt"), nil, 0o600),
			} {
				if err != nil {
					t.Fatal(err)
				}
			}
			args := []string{"-c", script, shell}
			if shell == "fish" { // which has no name before the arguments
				args = args[:2]
			}
			for _, l := range lines {
				args = append(args, l[0])
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // a shell may wait for more than comes
			defer cancel()
			cmd := exec.CommandContext(ctx, path, args...)
			cmd.Dir, cmd.Stderr = dir, t.Output()
			cmd.Env = []string{runAsProgram + "=1", "HOME=" + bin, "TERM=dumb", "PATH=" + bin + ":" + os.Getenv("PATH")}
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Split(strings.TrimSpace(string(out)), "\n")
			for i, l := range lines {
				want := l[1]
				if shell == "bash" && want == "unusual.txt" {
					want = "files" // whose names bash itself finds
				}
				if i >= len(got) || got[i] != want {
					t.Errorf("%s: want %q in %q", l[0], want, got)
				}
			}
		})
	}
}
