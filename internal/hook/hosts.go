package hook

// does is what a tool of a host does, as far as it matters here.
type does int

const (
	reads does = iota + 1
	edits
	writes
	patches
	cells // edits of a notebook's cells, for which the editor's text has no like
	searches
	runs
)

// tool says what a host's tool does and how its arguments are called; "" for
// those that it has not.
type tool struct {
	does does

	path    string // of the file; of the folder where it searches or runs
	from    string // the first line to read, 1-based
	offset  string // lines to pass over, in place of from
	to      string // the last line to read
	limit   string // how many lines, in place of to
	between string // the first and the last line as a list, in place of both

	old, new string // of an edit
	all      string // whether every place is replaced
	list     string // edits as a list of objects with old, new and all
	text     string // what is written: the content, the patch, the command or the pattern
}

// language is how a host and its hooks talk.
type language int

const (
	claude language = iota + 1
	codex
	gemini
	qwen
	copilot
)

// Host is an assistant that has tool hooks.
type Host struct {
	Name, Title string
	// Before and After are the events that a hook is installed for, and Matcher
	// the tools, as a regular expression; "" where the host knows no such thing.
	Before, After, Matcher string

	speaks language
	// Batch is the event after all tools of a turn, "" for none. It tells of calls that
	// the host refused before it ran a hook, as they do not fit the file on disk.
	Batch string
	// replaces: what the model reads in place of a tool's answer can be said after
	// it; else it is said before, by refusing the call.
	replaces bool
	// asked: hooks are run after the person was asked for leave, where the host asks.
	// Else neverAsks are its permission modes in which it never asks about an edit: in
	// others, also those that ask about some files alone, no edit is made for it, as
	// that would pass its question by.
	asked     bool
	neverAsks []string
	// refusals are how the host's answers begin, before it runs a hook, to a change that
	// does not fit the file on disk. Other refusals are the person's, or rightly so.
	refusals []string
	// anyCase: its searches pass over the case of letters.
	anyCase bool
	// hints: what is said before a tool that may run reaches the model.
	hints bool
	tools map[string]tool
}

// Hosts returns the hosts, in the order in which they are told.
//
// Names are those that the hosts' hooks are given, in Claude Code 2.1, Codex 0.169,
// Gemini CLI 0.61, Qwen Code 0.15 and Copilot CLI 1.0.
func Hosts() []Host {
	return []Host{
		{
			Name: "claude", Title: "Claude Code", speaks: claude,
			Before: "PreToolUse", After: "PostToolUse", Batch: "PostToolBatch",
			Matcher: "Read|Edit|MultiEdit|Write|NotebookEdit|Grep|Bash", replaces: true, hints: true,
			neverAsks: []string{"bypassPermissions"},
			refusals:  []string{"String to replace not found in file", "File has been modified since read", "File does not exist"},
			tools: map[string]tool{
				"Read":         {does: reads, path: "file_path", from: "offset", limit: "limit"},
				"Edit":         {does: edits, path: "file_path", old: "old_string", new: "new_string", all: "replace_all"},
				"MultiEdit":    {does: edits, path: "file_path", list: "edits", old: "old_string", new: "new_string", all: "replace_all"},
				"Write":        {does: writes, path: "file_path", text: "content"},
				"NotebookEdit": {does: cells, path: "notebook_path"},
				"Grep":         {does: searches, path: "path", text: "pattern"},
				"Bash":         {does: runs, text: "command"},
			},
		},
		{
			Name: "codex", Title: "Codex", speaks: codex,
			Before: "PreToolUse", After: "PostToolUse", Matcher: "^(Bash|apply_patch)$", hints: true, neverAsks: []string{"bypassPermissions"},
			tools: map[string]tool{
				"Bash":        {does: runs, text: "command"},
				"apply_patch": {does: patches, text: "command"},
			},
		},
		{
			Name: "gemini", Title: "Gemini CLI", speaks: gemini,
			Before: "BeforeTool", After: "AfterTool", Matcher: "^(read_file|replace|write_file|grep_search|search_file_content|run_shell_command)$", replaces: true, asked: true, anyCase: true,
			tools: map[string]tool{
				"read_file":           {does: reads, path: "file_path", from: "start_line", to: "end_line"},
				"replace":             {does: edits, path: "file_path", old: "old_string", new: "new_string", all: "allow_multiple"},
				"write_file":          {does: writes, path: "file_path", text: "content"},
				"grep_search":         {does: searches, path: "dir_path", text: "pattern"},
				"search_file_content": {does: searches, path: "dir_path", text: "pattern"},
				"run_shell_command":   {does: runs, path: "dir_path", text: "command"},
			},
		},
		{
			Name: "qwen", Title: "Qwen Code", speaks: qwen,
			Before: "PreToolUse", After: "PostToolUse", Matcher: "^(read_file|edit|write_file|grep_search|run_shell_command)$", asked: true, anyCase: true,
			tools: map[string]tool{
				"read_file":         {does: reads, path: "file_path", offset: "offset", limit: "limit"},
				"edit":              {does: edits, path: "file_path", old: "old_string", new: "new_string", all: "replace_all"},
				"write_file":        {does: writes, path: "file_path", text: "content"},
				"grep_search":       {does: searches, path: "path", text: "pattern"},
				"run_shell_command": {does: runs, path: "directory", text: "command"},
			},
		},
		{
			Name: "copilot", Title: "Copilot CLI", speaks: copilot,
			Before: "preToolUse", After: "postToolUse", replaces: true,
			tools: map[string]tool{
				"view":        {does: reads, path: "path", between: "view_range"},
				"edit":        {does: edits, path: "path", old: "old_str", new: "new_str"},
				"create":      {does: writes, path: "path", text: "file_text"},
				"apply_patch": {does: patches, text: "input"},
				"grep":        {does: searches, path: "path", text: "pattern"},
				"rg":          {does: searches, path: "path", text: "pattern"},
				"bash":        {does: runs, text: "command"},
			},
		},
	}
}

// HostOf returns the host of that name.
func HostOf(name string) (Host, bool) {
	for _, h := range Hosts() {
		if h.Name == name {
			return h, true
		}
	}
	return Host{}, false
}
