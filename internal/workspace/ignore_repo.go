package workspace

import (
	"io"
	"os"
	"path/filepath"
	"strings"
)

// maxGitFile bounds a file that says where a repository is, in bytes.
const maxGitFile = 8 << 10

// ignoreSource is a file that rules come from, or the place of one, as it was.
// Its zero id means that there was none; of a folder only which one it is
// counts.
type ignoreSource struct {
	path string
	id   ID
}

func sourceAt(path string) ignoreSource {
	st, err := statPath(path)
	if err != nil {
		return ignoreSource{path: path}
	}
	if st.mode.IsDir() {
		st.id = ID{Dev: st.id.Dev, Ino: st.id.Ino}
	}
	return ignoreSource{path, st.id}
}

// topRules returns the rules that hold at dir, the real path of a workspace
// folder, because of files above it, up to the top of the repository that it
// is in. global is the text of the person's own excludes file; nil is none.
// What is in dir itself counts after below("", …).
func topRules(dir string, global []byte) *ignoreRules {
	top, sources := repositoryAbove(dir)
	ir := &ignoreRules{dir: dir}
	if global != nil {
		ir.global = parseIgnore(global)
	}
	if top != "" {
		ir.dir = top
		ir, sources = ir.down(dir, sources)
	}
	ir.sources = sources
	return ir
}

// repositoryAbove returns the top of the repository that the folder dir is in;
// "" if it is in none, or is a top itself. looked are the places that decided.
func repositoryAbove(dir string) (top string, looked []ignoreSource) {
	for at := dir; ; at = filepath.Dir(at) {
		s := sourceAt(filepath.Join(at, gitFolderName))
		looked = append(looked, s)
		switch {
		case s.id != (ID{}) && at != dir:
			return at, looked
		case s.id != (ID{}), at == filepath.Dir(at):
			return "", looked
		}
	}
}

// down goes from the repository's top, where ir stands, to dir, and adds the
// places on the way that count.
func (ir *ignoreRules) down(dir string, sources []ignoreSource) (*ignoreRules, []ignoreSource) {
	rest, _ := below(ir.dir, dir)
	names := append([]string{""}, splitNames(rest)...)
	for i, name := range names {
		if i == len(names)-1 {
			ir = ir.below(name, nil, nil)
			break
		}
		at := filepath.Join(ir.dir, name)
		held := []string{gitIgnoreName, dotIgnoreName}
		for _, file := range held {
			sources = append(sources, sourceAt(filepath.Join(at, file)))
		}
		if i == 0 {
			held = append(held, gitFolderName)
		}
		ir = ir.below(name, held, func(file string) ([]byte, error) {
			return readSmall(filepath.Join(at, file), maxIgnoreBytes+1)
		})
		sources = append(sources, ir.sources...)
	}
	return ir, sources
}

// enterRepository begins anew: what is outside a repository does not count in
// it, but for .ignore files.
func (ir *ignoreRules) enterRepository() {
	ir.inRepo, ir.git = true, nil
	exclude := excludeFile(ir.dir)
	ir.sources = []ignoreSource{sourceAt(filepath.Join(ir.dir, gitFolderName)), sourceAt(exclude)}
	if content, err := readSmall(exclude, maxIgnoreBytes); err == nil {
		ir.git = append(ir.git, parseIgnore(content).activate())
	}
	if ir.global != nil {
		ir.git = append(ir.git, ir.global.activate())
	}
}

// excludeFile returns where the info/exclude of the repository at top is. It
// is in the folder ".git", or where the file of that name leads: to the
// folder of a submodule, or to that of a worktree, which names the
// repository's own.
func excludeFile(top string) string {
	git := filepath.Join(top, gitFolderName)
	if said, ok := strings.CutPrefix(firstLine(git), "gitdir:"); ok {
		git = joinTo(top, strings.TrimSpace(said))
		if common := firstLine(filepath.Join(git, "commondir")); common != "" {
			git = joinTo(git, common)
		}
	}
	return filepath.Join(git, "info", "exclude")
}

// firstLine returns the first line of a small file; "" if there is none.
func firstLine(path string) string {
	content, err := readSmall(path, maxGitFile)
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(content), "\n")
	return strings.TrimSuffix(line, "\r")
}

// joinTo returns path as seen from the folder dir.
func joinTo(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// readSmall reads up to limit bytes of a regular file, without waiting.
func readSmall(path string, limit int64) ([]byte, error) {
	f, err := os.OpenFile(path, openFileFlags, 0)
	if err != nil {
		return nil, err
	}
	h, err := newHandle(f, path, nil)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	return io.ReadAll(io.LimitReader(h.File, limit))
}
