package main

import (
	"os"
	"path/filepath"
	"strconv"

	"github.com/agent-lsp/agent-lsp/internal/settings"
)

// ownPlaces are the files and folders that no tool writes: where this process
// keeps settings, state, cache and sockets, and where one would that has none
// of the environment that this one has.
func ownPlaces() []string {
	own := sessionFolders()
	for _, dir := range []string{
		configHome(), cacheHome(), stateHome(),
		belowHome(".config"), belowHome(".cache"), belowHome(".local/state"),
		filepath.Join("/run/user", strconv.Itoa(os.Geteuid())),
	} {
		own = append(own, filepath.Join(dir, "agent-lsp"))
	}
	own = append(own, filepath.Join("/tmp", "agent-lsp-"+strconv.Itoa(os.Geteuid())))
	return append(own, settings.UserFile(configHome()), settings.UserFile(belowHome(".config")))
}
