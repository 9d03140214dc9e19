package change

import (
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// SaveMode says whether an open document is saved after an edit. The empty value
// is SaveAuto.
type SaveMode string

// Whether a document is saved.
const (
	SaveAuto   SaveMode = "auto"   // save what was clean before and is only edited by us
	SaveAlways SaveMode = "always" // save, or refuse the call
	SaveNever  SaveMode = "never"
)

// UnmarshalText refuses what is not in the list.
func (m *SaveMode) UnmarshalText(b []byte) error {
	return toolcall.OneOf(m, b, SaveAuto, SaveAlways, SaveNever)
}
