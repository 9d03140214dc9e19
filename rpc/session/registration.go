package session

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/wire"
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

// ServeFolders returns where a session is registered, in each that it can be:
// runtimeDir is the user's own folder for such things, as $XDG_RUNTIME_DIR, or
// "", which stands for the system's usual one; tempDir is the folder for
// temporary files; stateDir is the user's for what lasts. Programs that assistants
// start often lack some of the variables that these come from.
func ServeFolders(runtimeDir, tempDir, stateDir string) []string {
	if !filepath.IsAbs(runtimeDir) {
		runtimeDir = userRuntimeDir()
	}
	return below(runtimeDir, tempDir, stateDir)
}

// FindFolders returns where sessions are looked for, whatever folders they were
// started with: those of [ServeFolders], and the system's usual one.
func FindFolders(runtimeDir, tempDir, stateDir string) []string {
	folders := ServeFolders(runtimeDir, tempDir, stateDir)
	for _, usual := range below(userRuntimeDir(), "", "") {
		if !slices.Contains(folders, usual) {
			folders = append(folders, usual)
		}
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
	// Elsewhere are sessions of other machines or containers that share a folder
	// with this one. Nothing can be asked of them.
	Elsewhere []Registration
	// Stale is what was found without a session, and removed.
	Stale []Stale
	// Problems are folders and files that cannot be used, and why.
	Problems []error
}

// Find looks for sessions in folders, and removes what is left of those that
// ended: whose socket nobody listens at. Folders that are not there hold none;
// those that others may write to are refused. A session that is registered in
// several folders is told once, as the first of them has it.
func Find(ctx context.Context, folders []string) Found {
	var found Found
	for _, path := range folders {
		if err := found.in(ctx, path); err != nil && fault.KindOf(err) != fault.NotFound {
			found.Problems = append(found.Problems, err)
		}
	}
	found.Live, found.Elsewhere = once(found.Live), once(found.Elsewhere)
	slices.SortStableFunc(found.Live, func(a, b Registration) int { return cmp.Or(b.Started.Compare(a.Started), cmp.Compare(a.PID, b.PID)) })
	return found
}

func (f *Found) in(ctx context.Context, path string) error {
	list, problems, err := readFolder(path)
	f.Problems = append(f.Problems, problems...)
	if err != nil {
		return err
	}
	root, err := fsys.OpenPrivate(path, false)
	if err != nil {
		return err
	}
	defer root.Close()
	here := fsys.ThisMachine()
	for _, r := range list {
		switch {
		case !here.Same(r.machine()):
			f.Elsewhere = append(f.Elsewhere, r.Registration)
			continue
		case !here.Restarted(r.machine()):
			err := listens(ctx, r.Socket)
			if problem := (*fault.Error)(nil); errors.As(err, &problem) {
				f.Problems = append(f.Problems, problem.At(r.Socket))
				continue
			}
			if !refused(err) {
				f.Live = append(f.Live, r.Registration)
				continue
			}
		}
		removed := removeFiles(root, strings.TrimSuffix(r.file, registrationEnd))
		f.Stale = append(f.Stale, Stale{filepath.Join(path, r.file), removed == nil})
	}
	return nil
}

// once returns the registrations with one of each session.
func once(all []Registration) []Registration {
	var list []Registration
	for _, r := range all {
		if !slices.ContainsFunc(list, func(of Registration) bool { return of.Name() == r.Name() }) {
			list = append(list, r)
		}
	}
	return list
}

// Name returns what a session's files are called in each folder in which it is
// registered.
func (r Registration) Name() string { return filepath.Base(r.Socket) }

// machine returns where the session runs; programs of 0.1 do not say.
func (r Registration) machine() fsys.MachineID {
	return fsys.MachineID{Machine: r.Machine, Boot: r.Boot}
}

// listens returns why this user's own process is not reached at a socket; nil where
// it is. One that cannot be connected to may live all the same, unless the error is
// one that [refused] reports.
func listens(ctx context.Context, socket string) error {
	c, err := dialAt(ctx, socket)
	if err != nil {
		return err
	}
	defer c.Close()
	return checkPeer(c)
}

// refused reports whether an error of connecting says that nobody listens.
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
	root, err := fsys.OpenPrivate(path, false)
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
	socket := strings.TrimSuffix(name, registrationEnd) + socketEnd
	beside := filepath.Join(folder, socket)
	if r.Socket != beside && !slices.Equal(RealPaths([]string{r.Socket}), RealPaths([]string{beside})) {
		return r, errors.New("its socket is not beside it")
	}
	r.Socket = beside // by the name that this process knows the folder by
	return r, nil
}

// Compatible returns why this program cannot talk to a session, session_unreachable;
// nil when it can.
func (r Registration) Compatible() error {
	return checkProtocol(r.Protocol, r.Newest, r.Version, r.Who())
}

// checkProtocol tells why this program cannot talk to one that speaks the
// versions from oldest to newest, which is 0 where there is one alone.
func checkProtocol(oldest, newest int, version, who string) error {
	if oldest <= Protocol && max(newest, oldest) >= OldestProtocol {
		return nil
	}
	older := "the editor's"
	if oldest > Protocol {
		older = "this one"
	}
	return fault.New(fault.SessionUnreachable, "%s is of agent-lsp %s, which speaks protocol %s; this program speaks %s",
		who, version, spoken(oldest, newest), spoken(OldestProtocol, Protocol)).
		Advise("Update the older of the two, %s, and start it again.", older)
}

// spoken names versions of the protocol.
func spoken(oldest, newest int) string {
	if newest <= oldest {
		return strconv.Itoa(oldest)
	}
	return strconv.Itoa(oldest) + " to " + strconv.Itoa(newest)
}

// Who names a session for people.
func (r Registration) Who() string {
	editor := r.Editor
	if editor == "" {
		editor = "an editor"
	}
	return editor + " (process " + strconv.Itoa(r.PID) + ")"
}

func errOtherUser(uid int) error {
	return fault.New(fault.PermissionDenied, "the process at the other end is of user %d, not of this one", uid).
		Advise("Remove the socket and the registration beside it.")
}

// startedNow cuts a time to what a registration shows.
func startedNow(now time.Time) time.Time { return now.UTC().Truncate(time.Millisecond) }
