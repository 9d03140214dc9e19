package settings

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
)

// maxSettingsBytes bounds the size of the person's settings file.
const maxSettingsBytes = 1 << 20

// UserFile returns the path of the person's own settings below
// configHome, the folder that XDG_CONFIG_HOME names.
func UserFile(configHome string) string {
	return filepath.Join(configHome, "agent-lsp", "config.json")
}

// UserSettings are the person's own settings as their file has them.
type UserSettings struct {
	// Values are for [Settings.Merge] with Scope; nil where there are none.
	Values map[string]any
	// Scope is User, and Workspace for a file that somebody else may have
	// written: it loosens nothing.
	Scope Scope
	// Problem is what is wrong with the file; nil when nothing is.
	Problem error
}

// ForbidsAll reports whether the file could not be read. Until it can be,
// nothing is to be changed: it may forbid that.
func (u UserSettings) ForbidsAll() bool { return u.Problem != nil && u.Values == nil }

// LoadUser reads the person's own settings, agent-lsp/config.json
// below configHome (what XDG_CONFIG_HOME names). No file is no settings and no
// problem. Problems: invalid_params for a file that holds no JSON object,
// file_too_large for one over 1 MiB, permission_denied for one that others
// than the person and the superuser own or may change or replace.
func LoadUser(configHome string) UserSettings {
	path := UserFile(configHome)
	raw, byOthers, err := readSettings(path)
	if errors.Is(err, fs.ErrNotExist) {
		return UserSettings{}
	}
	if err != nil {
		return UserSettings{Problem: fault.From(err).At(path)}
	}
	var u UserSettings
	if err := json.Unmarshal(raw, &u.Values); err != nil || u.Values == nil {
		return UserSettings{Problem: fault.New(fault.InvalidParams, "the settings file does not hold a JSON object: %v", err).At(path).
			Advise("mend or remove it; until then nothing is changed, because it may forbid that")}
	}
	if byOthers || replaceable(configHome, path) {
		u.Scope = Workspace
		u.Problem = fault.New(fault.PermissionDenied, "others can change the settings file, or a folder that it is in: it may tighten the settings and loosens none").At(path).
			Advise("make them yours, and writable by you alone: chmod go-w")
	}
	return u
}

// readSettings reads a settings file. byOthers reports whether others may have
// written it.
func readSettings(path string) (raw []byte, byOthers bool, err error) {
	f, err := fsys.OpenToRead(path)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, false, err
	}
	if !info.Mode().IsRegular() {
		return nil, false, fsys.ErrNotAFile
	}
	raw, err = io.ReadAll(io.LimitReader(f, maxSettingsBytes+1))
	if len(raw) > maxSettingsBytes {
		return nil, false, fault.New(fault.FileTooLarge, "settings files are at most %d bytes", maxSettingsBytes)
	}
	return raw, fsys.OthersMayChange(info), err
}

// replaceable reports whether others may put another file in the place of the
// settings: in the folders that it is named by, or the one that it lies in.
func replaceable(configHome, path string) bool {
	folders := []string{configHome, filepath.Dir(path)}
	if real, err := fsys.RealPath(path); err == nil {
		folders = append(folders, filepath.Dir(real))
	}
	return slices.ContainsFunc(folders, func(dir string) bool {
		info, err := os.Stat(dir)
		return err != nil || fsys.OthersMayChange(info)
	})
}
