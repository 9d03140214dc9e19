package workspace

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/agent-lsp/agent-lsp/internal/fault"
)

// maxSettingsBytes bounds the size of the person's settings file.
const maxSettingsBytes = 1 << 20

// UserSettingsFile returns the path of the person's own settings below
// configHome, the folder that XDG_CONFIG_HOME names.
func UserSettingsFile(configHome string) string {
	return filepath.Join(configHome, "agent-lsp", "config.json")
}

// LoadUserSettings reads the person's own settings, agent-lsp/config.json
// below configHome (what XDG_CONFIG_HOME names), for [Settings.Merge] with
// scope User. No file is no settings and no error. invalid_params is a file
// that holds no JSON object, file_too_large one over 1 MiB.
func LoadUserSettings(configHome string) (map[string]any, error) {
	path := UserSettingsFile(configHome)
	raw, err := readSettings(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fault.From(err).At(path)
	}
	var settings map[string]any
	if err := json.Unmarshal(raw, &settings); err != nil {
		return nil, fault.New(fault.InvalidParams, "the settings file does not hold a JSON object: %s", err).At(path).
			Advise("mend or remove it; until then nothing is changed, because it may forbid that")
	}
	return settings, nil
}

func readSettings(path string) ([]byte, error) {
	f, err := os.OpenFile(path, openFileFlags, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := identify(f)
	if err != nil {
		return nil, err
	}
	if !st.mode.IsRegular() {
		return nil, errNotAFile
	}
	raw, err := io.ReadAll(io.LimitReader(f, maxSettingsBytes+1))
	if len(raw) > maxSettingsBytes {
		return nil, fault.New(fault.FileTooLarge, "settings files are at most %d bytes", maxSettingsBytes)
	}
	return raw, err
}
