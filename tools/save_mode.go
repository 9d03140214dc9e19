package tools

// saveMode says whether an open document is saved after an edit. The empty value
// is saveAuto.
type saveMode string

const (
	saveAuto   saveMode = "auto"   // save what was clean before and is only edited by us
	saveAlways saveMode = "always" // save, or refuse the call
	saveNever  saveMode = "never"
)

// UnmarshalText refuses what is not in the list.
func (m *saveMode) UnmarshalText(b []byte) error {
	return oneOf(m, b, saveAuto, saveAlways, saveNever)
}
