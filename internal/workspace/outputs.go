package workspace

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/statedir"
)

// OutputsPrefix is where kept command output is read: a reserved folder that
// exists in no file system, has no listing and is never written to by tools.
const OutputsPrefix = "/" + outputsName + "/"

const outputsName = ".outputs"

// WithOutputs returns a gate like g that reads [OutputsPrefix] from the folder
// k. Policy patterns do not count there: the names are this program's own.
func (g *Gate) WithOutputs(k *statedir.KeptFolder) *Gate {
	abs := filepath.FromSlash(strings.TrimSuffix(OutputsPrefix, "/"))
	with := g.fresh()
	with.outputs = &Root{Folder: Folder{Name: outputsName, Path: abs}, showAbs: true, readOnly: true, Dir: k.Folder}
	return with
}

// outputArg reports whether an argument names something in the reserved folder,
// and returns its path there.
func (g *Gate) outputArg(arg string) (Path, bool) {
	if g.outputs == nil || !strings.HasPrefix(arg, "/") {
		return Path{}, false
	}
	clean := path.Clean(arg)
	if !strings.HasPrefix(clean, OutputsPrefix) && clean+"/" != OutputsPrefix {
		return Path{}, false
	}
	return g.Path(filepath.FromSlash(clean)), true
}

// inOutputs returns the place of a clean absolute path in the reserved folder.
func (g *Gate) inOutputs(abs string) (rel string, ok bool) {
	if g.outputs == nil {
		return "", false
	}
	return fsys.Below(g.outputs.Path, abs)
}

// IsOutput reports whether p names kept output.
func (g *Gate) IsOutput(p Path) bool {
	_, ok := g.inOutputs(p.Abs)
	return ok
}

// Unlisted is the error for the reserved folder where a listed one is wanted.
func (g *Gate) Unlisted(p Path) error {
	if !g.IsOutput(p) {
		return nil
	}
	return fault.New(fault.NotDirectory, "kept output is not listed").At(p.Rel).
		Advise("read_file and grep_files take the names that the command's answer gave")
}

// missingOutput is the error for an output that is not kept, or not any more.
// It names no others.
func missingOutput(p Path) error {
	return fault.New(fault.NotFound, "no such output is kept").At(p.Rel).
		Advise("outputs are removed by age and size; run the command again")
}

// WorkingFolder returns the real path of a folder of the workspace, to start
// a program in. Errors are those of [Gate.Open], and not_directory.
func (g *Gate) WorkingFolder(p Path) (string, error) {
	r, rel, err := g.forReading(p)
	if err != nil {
		return "", err
	}
	if r.readOnly {
		return "", g.outside(p.Rel)
	}
	real, err := g.realFolder(r, rel, p)
	if err != nil {
		return "", g.explainFolder(p, err)
	}
	return real, nil
}

func (g *Gate) realFolder(r *Root, rel string, p Path) (string, error) {
	real, err := r.folderAt(rel)
	if fsys.IsEscape(err) {
		at, linkErr := fsys.FollowLinks(p.Abs)
		in, place := innermost(g.roots, at.Path, (*Root).Real)
		if in == nil || linkErr != nil {
			return "", ErrLeadsOut
		}
		real, err = in.folderAt(place)
	}
	if err != nil {
		return "", err
	}
	if rule, ok := g.policy.hidden(g.placeOfReal(real)); ok {
		return "", denied(p, rule)
	}
	return real, nil
}

// folderAt returns the real path of a folder below r.
func (r *Root) folderAt(rel string) (string, error) {
	o := r.Dir.Now()
	if o == nil {
		return "", fault.New(fault.NotFound, "the workspace folder %s does not exist", r.Path)
	}
	d, err := o.Root.OpenFile(rel, fsys.OpenDirFlags, 0)
	if err != nil {
		return "", err
	}
	defer d.Close()
	st, err := fsys.StatFile(d)
	switch {
	case err != nil:
		return "", err
	case !st.Mode.IsDir():
		return "", fault.New(fault.NotDirectory, "a file, not a folder")
	}
	return fsys.DescriptorPath(d, filepath.Join(o.Real, rel))
}
