package session

import "path/filepath"

// below returns the folders for sessions in those that are absolute paths: of the
// state alone, which every program of the user's finds, and that of temporary
// files lies in.
func below(runtimeDir, _, stateDir string) []string {
	var folders []string
	if filepath.IsAbs(runtimeDir) {
		folders = append(folders, filepath.Join(runtimeDir, "agent-lsp"))
	}
	if filepath.IsAbs(stateDir) {
		folders = append(folders, filepath.Join(stateDir, "agent-lsp", "sessions"))
	}
	return folders
}

// userRuntimeDir is none: there is no usual one.
func userRuntimeDir() string { return "" }
