package settings

import (
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/text"
)

// Setting describes one setting, for documentation and for reading it.
type Setting struct {
	Key  string // dotted, below "agentLsp"
	Type string // "integer", "boolean", "string", "paths", "patterns", or the values with "|" between
	Rule string // what a workspace's own settings may do with it
	Doc  string

	apply func(s *Settings, scope Scope, value any) error
}

// What a workspace's own settings may do with a setting.
const (
	ruleFree    = "any value"
	ruleTighten = "only tighten"
	ruleNothing = "nothing"
)

// Table returns the description of every setting, in the order of
// the documentation.
func Table() []Setting {
	return []Setting{
		{
			Key: "read.outlineThresholdBytes", Type: "integer", Rule: ruleFree,
			Doc:   "Source and Markdown texts larger than this many bytes are answered by their outline unless a window is asked for. 0 outlines all.",
			apply: number(0, func(s *Settings) *int64 { return &s.Read.OutlineThresholdBytes }),
		}, {
			Key: "read.maxFileBytes", Type: "integer", Rule: ruleFree,
			Doc:   "Files larger than this many bytes are file_too_large.",
			apply: number(1, func(s *Settings) *int64 { return &s.Read.MaxFileBytes }),
		}, {
			Key: "edits.confirm", Type: oneOf(confirms), Rule: ruleTighten,
			Doc:   "Which changes a person is shown first: those of protected files, always all, or never any; then changes of protected files are refused.",
			apply: confirm,
		}, {
			Key: "edits.onStale", Type: oneOf(onStales), Rule: ruleFree,
			Doc:   "What becomes of an edit whose text has changed meanwhile: reject it, or merge it where that is possible.",
			apply: choice(onStales, func(s *Settings) *OnStale { return &s.Edits.OnStale }),
		}, {
			Key: "edits.save", Type: oneOf(saves), Rule: ruleFree,
			Doc:   "When an edited open document is saved: auto saves those that had no unsaved changes before.",
			apply: choice(saves, func(s *Settings) *Save { return &s.Edits.Save }),
		}, {
			Key: "edits.diagnostics", Type: "boolean", Rule: ruleFree,
			Doc:   "Answers to edits, and the answers after them, tell in at most three lines what the edit broke and mended, as language servers told the editor.",
			apply: toggle(func(s *Settings) *bool { return &s.Edits.Diagnostics }),
		}, {
			Key: "policy.private", Type: "patterns", Rule: ruleTighten,
			Doc:   "Files that hold secrets and are kept from agents. The value replaces the built-in list; a workspace's value adds to it.",
			apply: patterns(func(s *Settings) *[]string { return &s.Policy.Private }),
		}, {
			Key: "policy.excluded", Type: "patterns", Rule: ruleTighten,
			Doc:   "Files that are neither listed nor read. A workspace's value adds to the person's own.",
			apply: patterns(func(s *Settings) *[]string { return &s.Policy.Excluded }),
		}, {
			Key: "policy.readOnlyRoots", Type: "paths", Rule: ruleTighten,
			Doc:   "Absolute paths of further folders that may be read, such as package stores. A workspace may only take some away.",
			apply: readOnlyRoots,
		}, {
			Key: "policy.readOnly", Type: "boolean", Rule: ruleTighten,
			Doc:   "Nothing is changed, in the editor or on disk.",
			apply: flag(true, func(s *Settings) *bool { return &s.Policy.ReadOnly }),
		}, {
			Key: "exec.enabled", Type: "boolean", Rule: ruleTighten,
			Doc:   "run_command exists, on the command line and never for editors: whoever talks to it runs commands as you.",
			apply: flag(false, func(s *Settings) *bool { return &s.Exec.Enabled }),
		}, {
			Key: "hooks.save", Type: "boolean", Rule: ruleTighten,
			Doc:   "The hook of agent-lsp hook has unsaved files saved before an assistant's own shell command that builds, tests or searches. Read from your own settings file alone.",
			apply: flag(false, func(s *Settings) *bool { return &s.Hooks.Save }),
		}, {
			Key: "index.enabled", Type: "boolean", Rule: ruleFree,
			Doc:   "Searches use an index.",
			apply: toggle(func(s *Settings) *bool { return &s.Index.Enabled }),
		}, {
			Key: "history.enabled", Type: "boolean", Rule: ruleTighten,
			Doc:   "What agents change is kept in the state folder, so that history, review and blame outlive the editor. Takes effect when the server starts.",
			apply: flag(false, func(s *Settings) *bool { return &s.History.Enabled }),
		}, {
			Key: "history.turnSeconds", Type: "integer", Rule: ruleFree,
			Doc:   "How many seconds an assistant changes nothing before its next edit begins a turn, with a checkpoint before it.",
			apply: number(1, func(s *Settings) *int64 { return &s.History.TurnSeconds }),
		}, {
			Key: "lsp.symbols", Type: "boolean", Rule: ruleFree,
			Doc:   "The server answers documentSymbol, foldingRange, selectionRange and workspace/symbol, for editors in which no other server does. Takes effect when the server starts.",
			apply: toggle(func(s *Settings) *bool { return &s.LSP.Symbols }),
		}, {
			Key: "log.level", Type: oneOf(logLevels), Rule: ruleFree,
			Doc:   "The least grave level that is logged. Logs never hold source text.",
			apply: choice(logLevels, func(s *Settings) *LogLevel { return &s.Log.Level }),
		}, {
			Key: "log.file", Type: "string", Rule: ruleNothing,
			Doc:   "The absolute path of a file to log to instead of standard error.",
			apply: logFile,
		},
	}
}

var (
	confirms  = []Confirm{ConfirmProtected, ConfirmAlways, ConfirmNever}
	onStales  = []OnStale{OnStaleReject, OnStaleMerge}
	saves     = []Save{SaveAuto, SaveAlways, SaveNever}
	logLevels = []LogLevel{LogDebug, LogInfo, LogWarn, LogError, LogOff}
)

func oneOf[T ~string](values []T) string {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = string(v)
	}
	return strings.Join(names, "|")
}

func findSetting(key string) *Setting {
	for _, def := range Table() {
		if def.Key == key {
			return &def
		}
	}
	return nil
}

// nearestSetting returns the key that an unknown one resembles most; a last
// part that is right in a wrong group counts, "" is none.
func nearestSetting(key string) string {
	best, least := "", max(2, len(key)/3)+1
	lower := strings.ToLower(key)
	for _, def := range Table() {
		known := strings.ToLower(def.Key)
		if strings.HasSuffix(known, "."+lastPart(lower)) {
			return def.Key
		}
		if d := text.EditDistance(lower, known, least); d < least {
			best, least = def.Key, d
		}
	}
	return best
}

func lastPart(key string) string { return key[strings.LastIndexByte(key, '.')+1:] }
