package main

import (
	"os"

	"github.com/agent-lsp/agent-lsp/rpc/session"
)

// sessionFolders are where the processes beside editors are found.
func sessionFolders() []string {
	return session.Folders(os.Getenv("XDG_RUNTIME_DIR"), os.TempDir())
}
