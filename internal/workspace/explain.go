package workspace

import (
	"errors"
	"os"
	"strings"
	"syscall"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// Explain turns an error of opening p into what a caller is told.
func (g *Gate) Explain(p Path, err error) error {
	switch {
	case errors.Is(err, fsys.ErrPathChanged):
		return fault.New(fault.OutsideWorkspace, "the path kept changing while it was opened").At(p.Rel).
			Advise("try again when nothing else is moving or replacing files there")
	case fsys.IsEscape(err):
		return ErrLeadsOut.At(p.Rel)
	case errors.Is(err, syscall.ELOOP):
		return fault.New(fault.NotFound, "its symbolic links go round in a circle").At(p.Rel)
	case errors.Is(err, syscall.ENAMETOOLONG):
		return fault.New(fault.InvalidParams, "a name in the path is too long").At(p.Rel)
	case fsys.IsNoDevice(err):
		return fsys.ErrNotAFile.At(p.Rel)
	}
	e := fault.From(err).At(p.Rel)
	kind := e.Kind
	if _, _, inside := g.LocateReadable(p.Abs); kind == fault.NotFound && inside && !g.IsOutput(p) && fsys.IsBehindFile(p.Abs) {
		kind = fault.NotDirectory
	}
	switch kind {
	case fault.NotFound:
		return g.notFound(p, e)
	case fault.IsDirectory:
		if _, reserved := g.inOutputs(p.Abs); reserved {
			return missingOutput(p)
		}
		return fault.New(fault.IsDirectory, "a folder, not a file").At(p.Rel).
			Advise("list_directory shows what is in it, outline what its files define")
	case fault.NotDirectory:
		return fault.New(fault.NotDirectory, "a part of the path is a file, not a folder").At(p.Rel).
			Advise("list_directory of the folder above it shows what is there")
	case fault.PermissionDenied:
		if e.Details["rule"] == nil {
			e = fault.New(fault.PermissionDenied, "the system's file permissions forbid it").At(p.Rel).
				Advise("the person can change them").With("rule", "file permissions")
		}
	}
	return e
}

// notFound says what is missing and what of that name is near.
func (g *Gate) notFound(p Path, e *fault.Error) error {
	r, rel, ok := g.LocateReadable(p.Abs)
	if !ok || r.Dir.Now() == nil {
		return e
	}
	if r == g.outputs {
		return missingOutput(p)
	}
	e = fault.New(fault.NotFound, "no such file").At(p.Rel)
	if info, err := os.Lstat(p.Abs); err == nil && info.Mode()&os.ModeSymlink != 0 {
		return fault.New(fault.NotFound, "a symbolic link to something that does not exist").At(p.Rel).
			Advise("make what it leads to, or let the person change the link").With("dangling", true)
	}
	if near := g.nearNames(r, rel); len(near) > 0 {
		return withNear(e, near)
	}
	return e.Advise("paths are relative to the workspace folder, or absolute; find_files finds a file by its name")
}

func withNear(e *fault.Error, near []string) *fault.Error {
	near = near[:min(len(near), maxNear)]
	return e.Advise("near: %s; find_files finds others by name", strings.Join(near, ", ")).With("near", near)
}
