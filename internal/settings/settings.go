package settings

import (
	"slices"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/pathmatch"
)

// Settings are the values of all settings. The zero value is not useful;
// start from [Default].
type Settings struct {
	Read struct {
		OutlineThresholdBytes int64 // texts larger than this are outlined by default
		MaxFileBytes          int64 // larger files are refused
	}
	Edits struct {
		Confirm     Confirm
		OnStale     OnStale
		Save        Save
		Diagnostics bool // answers to edits tell what language servers say of them
	}
	Policy struct {
		Private       []string // patterns of files that hold secrets
		Excluded      []string // patterns of files that are neither listed nor read
		ReadOnlyRoots []string // absolute paths of further places to read
		ReadOnly      bool     // nothing is changed
	}
	Exec  struct{ Enabled bool }
	Hooks struct{ Save bool } // unsaved files are saved before an assistant's own commands
	Index struct{ Enabled bool }
	// History: what agents changed is kept for the next session.
	History struct {
		Enabled     bool
		TurnSeconds int64 // how long an agent changes nothing before a turn of its own begins
	}
	LSP struct{ Symbols bool }
	Log struct {
		Level LogLevel
		File  string // "" logs to standard error
	}
}

// Confirm says which changes are shown to a person first.
type Confirm string

// The values of edits.confirm.
const (
	ConfirmProtected Confirm = "protected" // those of protected files
	ConfirmAlways    Confirm = "always"    // all
	ConfirmNever     Confirm = "never"     // none; those of protected files are refused
)

// OnStale says what becomes of an edit made on an older text.
type OnStale string

// The values of edits.onStale.
const (
	OnStaleReject OnStale = "reject"
	OnStaleMerge  OnStale = "merge"
)

// Save says when an edited document is saved.
type Save string

// The values of edits.save.
const (
	SaveAuto   Save = "auto" // when it was saved before
	SaveAlways Save = "always"
	SaveNever  Save = "never"
)

// LogLevel is the least grave level that is logged.
type LogLevel string

// The values of log.level.
const (
	LogDebug LogLevel = "debug"
	LogInfo  LogLevel = "info"
	LogWarn  LogLevel = "warn"
	LogError LogLevel = "error"
	LogOff   LogLevel = "off"
)

// Scope says who a setting comes from.
type Scope int

// The scopes. What User, Flags and Machine say counts in full: it is the
// person's own. Workspace is what the opened folder says, which somebody else
// may have written: it may tighten policy, execution and confirmation, never
// loosen them.
const (
	User      Scope = iota // the person's own file
	Flags                  // the command line
	Machine                // the editor's settings outside any workspace
	Workspace              // the opened folder's settings
)

// Default returns what holds when nobody says otherwise.
func Default() Settings {
	var s Settings
	s.Read.OutlineThresholdBytes = 16 << 10
	s.Read.MaxFileBytes = 4 << 30
	s.Edits.Confirm = ConfirmProtected
	s.Edits.OnStale = OnStaleReject
	s.Edits.Save = SaveAuto
	s.Edits.Diagnostics = true
	s.Policy.Private = slices.Clone(pathmatch.DefaultPrivate)
	s.Index.Enabled = true
	s.History.Enabled = true
	s.History.TurnSeconds = 120
	s.Log.Level = LogInfo
	return s
}

// Clone returns a copy that shares nothing with s.
func (s Settings) Clone() Settings {
	s.Policy.Private = slices.Clone(s.Policy.Private)
	s.Policy.Excluded = slices.Clone(s.Policy.Excluded)
	s.Policy.ReadOnlyRoots = slices.Clone(s.Policy.ReadOnlyRoots)
	return s
}

// Merge returns s with the values of raw, which come from scope, in place.
// Later calls win, so merge from the widest scope to the narrowest: User,
// Machine, Flags, Workspace; and begin again from the defaults when any of
// them changes.
//
// Keys of raw may be nested ("read": {"maxFileBytes": 1}) or dotted
// ("read.maxFileBytes": 1), with or without "agentLsp" in front. Null leaves a
// setting as it is.
//
// Each error names one key once, in the detail "setting": an unknown one with
// the nearest real one, a wrong type or value, or what a workspace may not
// loosen. That key is left as it was; of a list of patterns, only what is no
// pattern is left out.
func (s Settings) Merge(scope Scope, raw map[string]any) (Settings, []error) {
	s = s.Clone()
	var bad []error
	for _, v := range flatten(raw) {
		def := findSetting(v.key)
		if def == nil {
			bad = append(bad, unknownSetting(v.key))
			continue
		}
		if err := def.apply(&s, scope, v.value); err != nil {
			bad = append(bad, badSetting(def.Key, err))
		}
	}
	return s, bad
}

func badSetting(key string, err error) error {
	return fault.New(fault.InvalidParams, "setting %s: %s", key, err.Error()).With("setting", key)
}

func unknownSetting(key string) error {
	e := fault.New(fault.InvalidParams, "there is no setting %q", key).With("setting", key)
	if nearest := nearestSetting(key); nearest != "" {
		return e.Advise("did you mean %s?", nearest)
	}
	return e
}
