package gitignore

import (
	"io"
	"path/filepath"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// maxGitFile bounds a file that says where a repository is, in bytes.
const maxGitFile = 8 << 10

// Source is a file that rules come from, or the place of one, as it was.
// The zero ID means that there was none; of a folder only which one it is
// counts.
type Source struct {
	Path string
	ID   fsys.ID
}

// SourceAt returns the file or folder at path as it is now.
func SourceAt(path string) Source {
	st, err := fsys.StatPath(path)
	if err != nil {
		return Source{Path: path}
	}
	if st.Mode.IsDir() {
		st.ID = fsys.ID{Dev: st.ID.Dev, Ino: st.ID.Ino}
	}
	return Source{path, st.ID}
}

// TopRules returns the rules that hold at dir, the real path of a workspace
// folder, because of files above it, up to the top of the repository that it
// is in. global is the text of the person's own excludes file; nil is none.
// What is in dir itself counts after below("", …).
func TopRules(dir string, global []byte) *Rules {
	top, sources := repositoryAbove(dir)
	ir := &Rules{dir: dir}
	if global != nil {
		ir.global = parseIgnore(global)
	}
	if top != "" {
		ir.dir = top
		ir, sources = ir.down(dir, sources)
	}
	ir.Sources = sources
	return ir
}

// repositoryAbove returns the top of the repository that the folder dir is in;
// "" if it is in none, or is a top itself. looked are the places that decided.
func repositoryAbove(dir string) (top string, looked []Source) {
	for at := dir; ; at = filepath.Dir(at) {
		s := SourceAt(filepath.Join(at, GitFolderName))
		looked = append(looked, s)
		switch {
		case s.ID != (fsys.ID{}) && at != dir:
			return at, looked
		case s.ID != (fsys.ID{}), at == filepath.Dir(at):
			return "", looked
		}
	}
}

// down goes from the repository's top, where ir stands, to dir, and adds the
// places on the way that count.
func (ir *Rules) down(dir string, sources []Source) (*Rules, []Source) {
	rest, _ := fsys.Below(ir.dir, dir)
	names := append([]string{""}, fsys.SplitNames(rest)...)
	for i, name := range names {
		if i == len(names)-1 {
			ir = ir.Below(name, nil, nil)
			break
		}
		at := filepath.Join(ir.dir, name)
		held := []string{GitIgnoreName, DotIgnoreName}
		for _, file := range held {
			sources = append(sources, SourceAt(filepath.Join(at, file)))
		}
		if i == 0 {
			held = append(held, GitFolderName)
		}
		ir = ir.Below(name, held, func(file string) ([]byte, error) {
			return readSmall(filepath.Join(at, file), MaxFileBytes+1)
		})
		sources = append(sources, ir.Sources...)
	}
	return ir, sources
}

// enterRepository begins anew: what is outside a repository does not count in
// it, but for .ignore files.
func (ir *Rules) enterRepository() {
	ir.inRepo, ir.git = true, nil
	exclude := excludeFile(ir.dir)
	ir.Sources = []Source{SourceAt(filepath.Join(ir.dir, GitFolderName)), SourceAt(exclude)}
	if content, err := readSmall(exclude, MaxFileBytes); err == nil {
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
	git := filepath.Join(top, GitFolderName)
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
	f, err := fsys.OpenToRead(path)
	if err != nil {
		return nil, err
	}
	h, err := fsys.NewHandle(f, path, nil)
	if err != nil {
		return nil, err
	}
	defer h.Close()
	return io.ReadAll(io.LimitReader(h.File, limit))
}
