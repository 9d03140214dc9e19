//go:build unix

package session

import (
	"os"
	"path/filepath"
	"strconv"
)

// below returns the folders for sessions in those that are absolute paths.
func below(runtimeDir, tempDir, stateDir string) []string {
	var folders []string
	if filepath.IsAbs(runtimeDir) {
		folders = append(folders, filepath.Join(runtimeDir, "agent-lsp"))
	}
	if filepath.IsAbs(tempDir) {
		folders = append(folders, filepath.Join(tempDir, "agent-lsp-"+strconv.Itoa(os.Geteuid())))
	}
	if filepath.IsAbs(stateDir) {
		folders = append(folders, filepath.Join(stateDir, "agent-lsp", "sessions"))
	}
	return folders
}

// userRuntimeDir is where systems with logind keep what $XDG_RUNTIME_DIR names.
func userRuntimeDir() string { return "/run/user/" + strconv.Itoa(os.Geteuid()) }
