package tools

import "github.com/agent-lsp/agent-lsp/internal/wire"

// What was changed is remembered by the process that changed it, and a caller
// whose calls go to several processes does not know which that was.

// HistoryCall returns the call that tells of a change, by its id. It fails where
// the change is not known.
func HistoryCall(id string) (tool string, arguments wire.RawValue) {
	raw, _ := wire.Marshal(historyInput{ID: id}) // a string and no more
	return editHistory.name, raw
}

// HistoryFiles returns the paths in the answer to [HistoryCall], as its structured result.
func HistoryFiles(answer []byte) []string {
	var out historyOutput
	if wire.Unmarshal(answer, &out) != nil {
		return nil
	}
	var paths []string
	for _, e := range out.Edits {
		for _, f := range e.Files {
			paths = append(paths, f.Path)
			if f.From != "" {
				paths = append(paths, f.From)
			}
		}
	}
	return paths
}
