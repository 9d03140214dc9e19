package session

import (
	"context"
	"crypto/rand"
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/wire"
)

// places are where a session is registered, under one name in each, and with a
// socket in each: a registration is believed only when its socket lies beside it.
// They are used by one goroutine at a time.
type places []*place

// place is one of them.
type place struct {
	root     *os.Root
	folder   string
	name     string // of its files, without the end
	listener net.Listener
}

// openPlaces opens a socket in each of folders in which that is possible. The
// error is that there is none.
func openPlaces(ctx context.Context, folders []string, pid int) (places, error) {
	if len(folders) == 0 {
		return nil, fault.New(fault.InvalidParams, "there is no folder for sessions")
	}
	// Processes of several containers may share a folder, and a number.
	name := strconv.Itoa(pid) + "-" + strings.ToLower(rand.Text()[:6])
	var open places
	var failed []error
	for _, folder := range folders {
		p, err := openPlace(ctx, folder, name)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		open = append(open, p)
	}
	if len(open) == 0 {
		return nil, errors.Join(failed...)
	}
	return open, nil
}

func openPlace(ctx context.Context, folder, name string) (*place, error) {
	root, err := fsys.OpenPrivate(folder, true)
	if err != nil {
		return nil, err
	}
	l, err := listenAt(ctx, root, name+socketEnd, filepath.Join(folder, name+socketEnd))
	if err != nil {
		root.Close()
		return nil, fault.From(err).At(folder)
	}
	return &place{root, folder, name, l}, nil
}

// write registers r in each place, instead of what was registered before, and
// returns the places that hold it. Where that is not possible, for want of room
// perhaps, a place is given up: it would tell what is no more. The error is that
// it is possible nowhere; then nothing is given up.
func (all places) write(r Registration) (places, error) {
	var written places
	var failed []error
	for _, p := range all {
		if err := p.write(r); err != nil {
			failed = append(failed, err)
		} else {
			written = append(written, p)
		}
	}
	if written == nil {
		return all, errors.Join(failed...)
	}
	for _, p := range all {
		if !slices.Contains(written, p) {
			_ = p.close()
		}
	}
	return written, nil
}

func (p *place) write(r Registration) error {
	r.Socket = p.listener.Addr().String()
	raw, err := wire.Marshal(r)
	if err != nil {
		return err
	}
	temp := p.name + tempEnd
	if err := p.root.WriteFile(temp, append(raw, '\n'), 0o600); err != nil {
		_ = p.root.Remove(temp)
		return err
	}
	return p.root.Rename(temp, p.name+registrationEnd)
}

// close removes the registrations and the sockets.
func (all places) close() error {
	var failed []error
	for _, p := range all {
		failed = append(failed, p.close())
	}
	return errors.Join(failed...)
}

func (p *place) close() error {
	err := p.root.Remove(p.name + registrationEnd)
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	return errors.Join(err, p.listener.Close(), p.root.Close())
}
