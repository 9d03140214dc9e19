package session

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

const (
	registrationEnd = ".json"
	socketEnd       = ".sock"
	tempEnd         = ".tmp"
	// maxRegistration and maxRegistrations bound what is read of a folder that
	// any process of the user can write to, in bytes and files.
	maxRegistration  = 1 << 20
	maxRegistrations = 1000
)

// Folders returns where registrations are kept: runtimeDir is the user's own
// folder for such things, as $XDG_RUNTIME_DIR, or ""; tempDir is the folder for
// temporary files. A session writes to the first that it can, and all are
// searched.
func Folders(runtimeDir, tempDir string) []string {
	var folders []string
	if filepath.IsAbs(runtimeDir) {
		folders = append(folders, filepath.Join(runtimeDir, "agent-lsp"))
	}
	if filepath.IsAbs(tempDir) {
		folders = append(folders, filepath.Join(tempDir, "agent-lsp-"+strconv.Itoa(os.Geteuid())))
	}
	return folders
}

// Stale is what a session that ended without removing it left behind.
type Stale struct {
	File    string // the registration's absolute path
	Removed bool
}

// Found is what there is in the folders.
type Found struct {
	Live []Registration // the newest first
	// Stale is what was found without a session, and removed.
	Stale []Stale
	// Problems are folders and files that cannot be used, and why.
	Problems []error
}

// Find looks for sessions in folders, and removes what is left of those that
// ended: whose socket nobody listens at. Folders that are not there hold none;
// those that others may write to are refused.
func Find(ctx context.Context, folders []string) Found {
	var found Found
	for _, path := range folders {
		if err := found.in(ctx, path); err != nil && fault.KindOf(err) != fault.NotFound {
			found.Problems = append(found.Problems, err)
		}
	}
	slices.SortStableFunc(found.Live, func(a, b Registration) int { return cmp.Or(b.Started.Compare(a.Started), cmp.Compare(a.PID, b.PID)) })
	return found
}

func (f *Found) in(ctx context.Context, path string) error {
	list, problems, err := readFolder(path)
	f.Problems = append(f.Problems, problems...)
	if err != nil {
		return err
	}
	root, err := workspace.OpenPrivate(path, false)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, r := range list {
		if !refuses(ctx, r.Socket) {
			f.Live = append(f.Live, r.Registration)
			continue
		}
		removed := removeFiles(root, strings.TrimSuffix(r.file, registrationEnd))
		f.Stale = append(f.Stale, Stale{filepath.Join(path, r.file), removed == nil})
	}
	return nil
}

// refuses tells whether nobody listens at a socket. One that cannot be
// connected to for another reason may be somebody's.
func refuses(ctx context.Context, socket string) bool {
	c, err := dialAt(ctx, socket)
	if err == nil {
		c.Close()
		return false
	}
	return refused(err)
}

func refused(err error) bool {
	return errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, syscall.ENOENT)
}

func removeFiles(root *os.Root, name string) error {
	var failed error
	for _, end := range []string{registrationEnd, socketEnd} {
		if err := root.Remove(name + end); err != nil && !errors.Is(err, os.ErrNotExist) {
			failed = err
		}
	}
	return failed
}

// registered is a registration and the name of its file.
type registered struct {
	Registration
	file string
}

// readFolder returns the registrations in a folder, whether their sessions live
// or not. What is no registration is a problem, not a failure.
func readFolder(path string) (list []registered, problems []error, err error) {
	root, err := workspace.OpenPrivate(path, false)
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	dir, err := root.Open(".")
	if err != nil {
		return nil, nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(3 * maxRegistrations)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	slices.Sort(names)
	for _, name := range names {
		if !strings.HasSuffix(name, registrationEnd) {
			continue
		}
		r, err := readRegistration(root, path, name)
		switch {
		case errors.Is(err, os.ErrNotExist): // it ended meanwhile
		case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
			return nil, problems, fault.From(err).At(path)
		case err != nil:
			problems = append(problems, fault.New(fault.IO, "not a registration of a session: %s", fault.From(err).Message).
				At(filepath.Join(path, name)).Advise("Remove the file."))
		case len(list) < maxRegistrations:
			list = append(list, registered{r, name})
		}
	}
	return list, problems, nil
}

func readRegistration(root *os.Root, folder, name string) (r Registration, err error) {
	if info, err := root.Lstat(name); err != nil {
		return r, err
	} else if !info.Mode().IsRegular() || info.Size() > maxRegistration {
		return r, errors.New("it is no file of the usual size")
	}
	f, err := root.Open(name)
	if err != nil {
		return r, err
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxRegistration))
	if err != nil {
		return r, err
	}
	if err := wire.Unmarshal(raw, &r); err != nil {
		return r, err
	}
	if r.Socket != filepath.Join(folder, strings.TrimSuffix(name, registrationEnd)+socketEnd) {
		return r, errors.New("its socket is not beside it")
	}
	return r, nil
}

// place is where a session is registered. It is used by one goroutine at a
// time.
type place struct {
	root     *os.Root
	folder   string
	name     string // of its files, without the end
	listener net.Listener
}

// open opens the socket in the first of folders in which that is possible.
func openPlace(ctx context.Context, folders []string, pid int) (*place, error) {
	if len(folders) == 0 {
		return nil, fault.New(fault.InvalidParams, "there is no folder for sessions")
	}
	var failed []error
	for _, folder := range folders {
		p, err := openPlaceIn(ctx, folder, pid)
		if err == nil {
			return p, nil
		}
		failed = append(failed, err)
	}
	return nil, errors.Join(failed...)
}

func openPlaceIn(ctx context.Context, folder string, pid int) (*place, error) {
	root, err := workspace.OpenPrivate(folder, true)
	if err != nil {
		return nil, err
	}
	// Processes of several containers may share the folder, and a number.
	name := strconv.Itoa(pid) + "-" + strings.ToLower(rand.Text()[:6])
	l, err := listenAt(ctx, root, name+socketEnd, filepath.Join(folder, name+socketEnd))
	if err != nil {
		root.Close()
		return nil, fault.From(err).At(folder)
	}
	return &place{root, folder, name, l}, nil
}

// write registers r, in place of what was registered before.
func (p *place) write(r Registration) error {
	r.Socket = p.listener.Addr().String()
	raw, err := wire.Marshal(r)
	if err != nil {
		return err
	}
	temp := p.name + tempEnd
	if err := p.root.WriteFile(temp, append(raw, '\n'), 0o600); err != nil {
		return err
	}
	return p.root.Rename(temp, p.name+registrationEnd)
}

// close removes the registration, then the socket.
func (p *place) close() error {
	err := p.root.Remove(p.name + registrationEnd)
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	return errors.Join(err, p.listener.Close(), p.root.Close())
}

// compatible tells why this program cannot talk to a session; nil when it can.
func (r Registration) compatible() error { return checkProtocol(r.Protocol, r.Version, r.who()) }

func checkProtocol(number int, version, who string) error {
	if number == Protocol {
		return nil
	}
	older := "the editor's"
	if number > Protocol {
		older = "this one"
	}
	return fault.New(fault.NoEditor, "%s is of agent-lsp %s, which speaks protocol %d; this program speaks %d", who, version, number, Protocol).
		Advise("Update the older of the two, %s, and start it again.", older)
}

// who names a session for people.
func (r Registration) who() string {
	editor := r.Editor
	if editor == "" {
		editor = "an editor"
	}
	return editor + " (process " + strconv.Itoa(r.PID) + ")"
}

func errForeignUser(uid int) error {
	return fault.New(fault.PermissionDenied, "the process at the other end is of user %d, not of this one", uid)
}

// startedNow cuts a time to what a registration shows.
func startedNow(now time.Time) time.Time { return now.UTC().Truncate(time.Millisecond) }
