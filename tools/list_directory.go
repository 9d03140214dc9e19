package tools

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/catalog"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/fsys"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// How many entries an answer holds.
const (
	defaultListed = 200
	maxListedHere = 5000
	// maxListDepth is the deepest tree that is listed, in levels.
	maxListDepth = 32
)

var listDirectory = tool[listInput, *listOutput]{
	name: "list_directory",
	doc: `List the files and folders in a folder, large ones with sizes, and what is open in the editor; depth shows a tree. ` +
		`Files by name: find_files.`,
	about:    aboutFolder(""),
	terminal: Terminal{Arguments: []string{"path"}, Cut: cutEntry},
	run:      runListDirectory,
}

type listInput struct {
	Path           string  `json:"path,omitempty" jsonschema:"Folder to list: relative to the workspace root (the default is the root itself; with several roots, their list), absolute, or a file:// URI."`
	Depth          *uint64 `json:"depth,omitempty" jsonschema:"How many levels to show: 1 (the default) is the folder's own entries. Levels that do not fit the limit as a whole are left out."`
	Limit          *uint64 `json:"limit,omitempty" jsonschema:"How many entries to show at most; the default is 200."`
	Cursor         string  `json:"cursor,omitempty" jsonschema:"Go on behind a page: the cursor that its answer gave."`
	IncludeIgnored bool    `json:"include_ignored,omitempty" jsonschema:"Show what ignore files and hidden names leave out, too."`
}

// listOutput is what list_directory gives.
type listOutput struct {
	Path string `json:"path"`
	URI  string `json:"uri,omitempty"`
	// Entries is for the schema: those of an answer stand encoded in shown.
	Entries []listEntry `json:"entries"`
	listCounts

	tree  bool
	shown encodedEntries
}

// listCounts are the members behind the entries.
type listCounts struct {
	Total   int      `json:"total" jsonschema:"How many entries the folder has, besides those left out."`
	Ignored int      `json:"ignored,omitzero" jsonschema:"How many entries are left out because of ignore files or hidden names."`
	Hidden  int      `json:"hidden,omitzero" jsonschema:"How many entries the policy keeps from agents."`
	Depth   int      `json:"depth,omitzero" jsonschema:"How many levels are shown, where that is less than was asked for."`
	More    bool     `json:"more,omitzero" jsonschema:"There are more entries: go on with cursor."`
	Cursor  string   `json:"cursor,omitempty"`
	Notes   []string `json:"notes,omitempty"`
}

// listEntry is a name in a folder.
type listEntry struct {
	Name     string       `json:"name"`
	Type     catalog.Type `json:"type" jsonschema:"file, directory, symlink or other"`
	Depth    int          `json:"depth,omitzero" jsonschema:"In a tree: 0 at the top; what a directory holds follows it, one deeper."`
	Size     *int64       `json:"size,omitempty" jsonschema:"Of a file, in bytes."`
	Modified string       `json:"modified,omitempty"`
	Target   string       `json:"target,omitempty" jsonschema:"What a symbolic link says."`
	URI      string       `json:"uri,omitempty" jsonschema:"To name it by, where its name is not UTF-8."`
	Open     bool         `json:"open,omitzero" jsonschema:"The editor has it open."`
	Dirty    bool         `json:"dirty,omitzero" jsonschema:"The editor has unsaved changes of it."`
	Unsaved  bool         `json:"unsaved,omitzero" jsonschema:"It exists in the editor only."`
	Ignored  bool         `json:"ignored,omitzero"`
}

func runListDirectory(ctx context.Context, env *toolcall.Env, in listInput) (*listOutput, error) {
	after, err := parseListCursor(in.Cursor)
	if err != nil {
		return nil, err
	}
	limit, notes := toolcall.CountOf("limit", in.Limit, defaultListed, maxListedHere)
	depth, more := toolcall.CountOf("depth", in.Depth, 1, maxListDepth)
	l := &lister{ctx: ctx, env: env, all: in.IncludeIgnored, out: &listOutput{Path: in.Path}}
	l.out.Notes = slices.Concat(notes, more)
	top, err := l.top(in.Path)
	if err != nil {
		return nil, err
	}
	l.out.Total = len(top.list)
	page := top.list[after.in(top.list):]
	if in.Limit == nil {
		limit = l.fitting(page, limit, depth)
	}
	switch {
	case len(page) > limit:
		page = page[:limit]
		l.out.More, l.out.Cursor = true, listCursorOf(page[limit-1])
		l.cut(depth, 1)
	case depth > 1:
		l.out.tree = true
		l.cut(depth, l.grow(level{top.dir, top.listing, page}, depth, limit))
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l.show(level{top.dir, top.listing, page}, 0)
	return l.out, nil
}

// listedBytes is what stands beside a name in the answer, about; aTreesName is a
// name of a tree's, whose names are not known yet.
const (
	listedBytes = 48
	aTreesName  = 32
)

// fitting returns how many entries, limit at most, the client shows of a page, or
// of a tree that begins with it.
func (l *lister) fitting(page []listed, limit, depth int) int {
	if l.env.Client.Room == 0 {
		return limit
	}
	room := l.env.Client.Room - toolcall.BesideBytes
	if depth > 1 {
		limit = max(1, min(limit, room/(aTreesName+listedBytes)))
	}
	for i := range page[:min(limit, len(page))] {
		if room -= len(page[i].Name) + listedBytes; room < 0 {
			return max(i, 1)
		}
	}
	return limit
}

// cut notes that fewer levels are shown than asked for.
func (l *lister) cut(asked, shown int) {
	if shown < asked {
		l.out.Depth = shown
	}
}

// lister lists a folder and, level by level, those below it.
type lister struct {
	ctx context.Context
	env *toolcall.Env
	all bool // ignored names too
	out *listOutput
}

// level is what a folder holds, on its way into the answer.
type level struct {
	dir     string           // absolute path; "" for the list of roots
	listing *catalog.Listing // that it comes from; may be nil
	list    []listed
}

// listed is one name. Listings are long: what few have stands apart.
type listed struct {
	*catalog.Entry
	at      int // its index in the listing; -1 when it is not from there
	root    *shownRoot
	inside  *level // in a tree
	unsaved bool   // it exists in the editor only
}

// shownRoot is a workspace folder in the list of all.
type shownRoot struct{ path, shown string }

func (v *level) path(e *listed) string {
	if e.root != nil {
		return e.root.path
	}
	return filepath.Join(v.dir, e.Name)
}

// top lists what the call names; "" and "." are the workspace's root, or the
// list of its roots.
func (l *lister) top(arg string) (*level, error) {
	if arg == "" || filepath.Clean(arg) == "." {
		arg, l.out.Path = ".", "."
		if roots := l.env.Snapshot.Gate.Folders(); len(roots) > 1 {
			return l.roots(roots)
		}
	}
	p, err := l.env.Snapshot.Resolve(arg)
	if err != nil {
		return nil, err
	}
	l.out.Path, l.out.URI = p.Rel, p.URI
	if p.Untitled() {
		return nil, fault.New(fault.NotDirectory, "an untitled document, not a folder").At(p.Rel).Advise("Read it with read_file.")
	}
	return l.folder(p)
}

func (l *lister) roots(roots []workspace.Folder) (*level, error) {
	top := make([]listed, len(roots))
	for i, r := range roots {
		p, err := l.env.Snapshot.Resolve(r.Path)
		if err != nil {
			return nil, err
		}
		top[i] = listed{Entry: &catalog.Entry{Name: r.Name, Type: catalog.Directory}, at: -1, root: &shownRoot{p.Abs, p.Rel}}
	}
	return &level{list: top}, nil
}

// folder lists the folder at p.
func (l *lister) folder(p workspace.Path) (*level, error) {
	if d := l.env.Snapshot.Overlay.Get(p.Key()); d != nil {
		return nil, fault.New(fault.NotDirectory, "a file, not a folder").At(p.Rel).Advise("Read it with read_file.")
	}
	only := l.onlyInEditor(p)
	folder, err := l.env.Catalog.List(l.ctx, l.env.Snapshot.Gate, p)
	switch {
	case fault.KindOf(err) == fault.NotFound && len(only) > 0:
		folder = &catalog.Listing{}
	case err != nil:
		return nil, err
	}
	return l.merge(p.Abs, folder, only), nil
}

// merge returns the entries of a folder that are shown, with those that exist
// only in the editor.
func (l *lister) merge(dir string, folder *catalog.Listing, only map[string]listed) *level {
	l.out.Hidden += folder.Hidden
	list := make([]listed, 0, len(folder.Entries)+len(only))
	for i := range folder.Entries {
		e := &folder.Entries[i]
		delete(only, e.Name)
		if e.Ignored && !l.all {
			l.out.Ignored++
			continue
		}
		list = append(list, listed{Entry: e, at: i})
	}
	for _, e := range only {
		at, _ := slices.BinarySearchFunc(list, e, compareListed)
		list = slices.Insert(list, at, e)
	}
	return &level{dir, folder, list}
}

// target returns what a link says, unless it leads to what the policy hides: it
// would name that.
func (l *lister) target(v *level, e *listed) string {
	if e.Type != catalog.Symlink {
		return ""
	}
	p, err := l.env.Snapshot.Resolve(v.path(e))
	if err == nil && l.env.Snapshot.Gate.CheckRead(p) != nil {
		return hiddenTarget
	}
	return e.Target
}

const hiddenTarget = "(hidden by policy)"

// onlyInEditor returns what open documents add to the folder at p: those in it,
// and the folders that those below it would need.
func (l *lister) onlyInEditor(p workspace.Path) map[string]listed {
	prefix := strings.TrimSuffix(p.Abs, string(filepath.Separator)) + string(filepath.Separator)
	var only map[string]listed
	for _, d := range toolcall.DocumentsBelow(l.env.Snapshot.Overlay.Documents(), prefix) {
		name, deeper, isBelow := strings.Cut(d.Path.Abs[len(prefix):], string(filepath.Separator))
		if l.env.Snapshot.Gate.CheckRead(d.Path) != nil || isBelow && (deeper == "" || l.env.HasFile(d)) {
			continue
		}
		e := &catalog.Entry{Name: name, Type: catalog.RegularFile, ID: fsys.ID{Size: int64(d.Text.Len())}}
		if isBelow {
			e = &catalog.Entry{Name: name, Type: catalog.Directory}
		}
		if only == nil {
			only = make(map[string]listed)
		}
		only[name] = listed{Entry: e, at: -1, unsaved: true}
	}
	return only
}

// grow lists the directories of a page down to a depth, as long as whole levels
// fit into limit entries. It returns how many levels there are then.
func (l *lister) grow(page level, depth, limit int) int {
	levels, room := []*level{&page}, limit-len(page.list)
	for shown := 1; shown < depth; shown++ {
		grown := make(map[*listed]*level)
		var next []*level
		ignored, hidden := l.out.Ignored, l.out.Hidden
		for _, v := range levels {
			for i := range v.list {
				e := &v.list[i]
				if e.Type != catalog.Directory || l.ctx.Err() != nil {
					continue
				}
				inside := l.below(v, e)
				if room -= len(inside.list); room < 0 {
					l.out.Ignored, l.out.Hidden = ignored, hidden
					return shown
				}
				grown[e], next = inside, append(next, inside)
			}
		}
		if len(grown) == 0 {
			return depth // there is nothing deeper
		}
		for e, inside := range grown {
			e.inside = inside
		}
		levels = next
	}
	return depth
}

// below lists a directory of the tree. One that cannot be listed is noted.
func (l *lister) below(v *level, e *listed) *level {
	p, err := l.env.Snapshot.Resolve(v.path(e))
	if err == nil {
		var inside *level
		if inside, err = l.folder(p); err == nil {
			return inside
		}
	}
	if len(l.out.Notes) < maxNotes && fault.KindOf(err) != fault.NotFound {
		l.out.Notes = append(l.out.Notes, wording.OneLine(fault.From(err).At(p.Rel).Advise("").Error()))
	}
	return &level{}
}

// maxNotes is how many notes about single folders or files an answer holds.
const maxNotes = 5
