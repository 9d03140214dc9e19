package setup

import (
	"path"
	"slices"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/jsonc"
)

// format is how the entry of a server is written in a host's file.
type format interface {
	// command returns the words that the entry starts; none when it does not
	// say so. there reports whether there is an entry.
	command(src []byte) (words []string, there bool, err error)
	// add returns src with an entry; there is none yet.
	add(src []byte, s Server) ([]byte, error)
	// cut returns src without the entry.
	cut(src []byte) ([]byte, error)
}

// addEntry returns src with the server in it; src itself when it is there
// already. A missing file is an empty src.
//
// Errors: already_exists when there is an entry of that name which starts
// something else; invalid_params when the file is not as its host reads it.
func (h Host) addEntry(src []byte, s Server) ([]byte, error) {
	words, there, err := h.entry(src)
	switch {
	case err != nil:
		return nil, err
	case there && slices.Equal(words, s.words()):
		return src, nil
	case there:
		return nil, fault.New(fault.AlreadyExists, "there is an entry %q, and it starts %s, not %s", Name, line(words), line(s.words())).
			Advise("Remove or change it by hand, then call again.")
	}
	out, err := h.format.add(src, s)
	if err != nil {
		return nil, fault.New(fault.InvalidParams, "the entry cannot be added: %s", err).Advise("Add it by hand.")
	}
	if words, there, err := h.format.command(out); err != nil || !there || !slices.Equal(words, s.words()) {
		return nil, fault.New(fault.Internal, "the entry would not be read back").Advise("Add it by hand.")
	}
	return out, nil
}

// cutEntry returns src without the server; src itself when it has none.
//
// Errors: already_exists when the entry of that name starts another program;
// invalid_params when the file is not as its host reads it.
func (h Host) cutEntry(src []byte, s Server) ([]byte, error) {
	words, there, err := h.entry(src)
	switch {
	case err != nil:
		return nil, err
	case !there:
		return src, nil
	case !slices.Equal(words, s.words()) && !ours(words):
		return nil, fault.New(fault.AlreadyExists, "the entry %q starts %s, which is not this program", Name, line(words)).
			Advise("If it is to go, call again with --command and the program that it starts, or remove it by hand.")
	}
	out, err := h.format.cut(src)
	if err == nil {
		_, there, err = h.format.command(out)
	}
	if err != nil || there {
		return nil, fault.New(fault.InvalidParams, "the entry cannot be taken out of what is around it").Advise("Remove it by hand.")
	}
	return out, nil
}

func (h Host) entry(src []byte) (words []string, there bool, err error) {
	words, there, err = h.format.command(src)
	if err != nil {
		err = fault.New(fault.InvalidParams, "the file cannot be read as %s reads it: %s", h.Title, err).
			Advise("Mend it, or change it by hand.")
	}
	return words, there, err
}

// ours reports whether words start a program of our name as an MCP server: in
// whatever place it was when the entry was made, and whatever flags a person
// has given it.
func ours(words []string) bool {
	if len(words) < 2 || words[1] != serve {
		return false
	}
	return isOurName(words[0])
}

// isOurName reports whether a program has our name, wherever it is.
func isOurName(program string) bool {
	name := path.Base(strings.ReplaceAll(program, `\`, "/"))
	return strings.TrimSuffix(name, ".exe") == Name
}

// words is what a server starts.
func (s Server) words() []string { return append([]string{s.Command}, s.Args...) }

// line is what an entry starts, as one reads it.
func line(words []string) string {
	if len(words) == 0 {
		return "something else"
	}
	return strings.Join(words, " ")
}

// jsonFile is JSON, with comments or without, that has servers as members of
// the object at path, or of its member nested where there is that.
type jsonFile struct {
	path   []string
	nested string
	entry  func(Server) []jsonc.Field
}

func (f jsonFile) command(src []byte) ([]string, bool, error) {
	if blank(src) {
		return nil, false, nil
	}
	root, err := jsonc.Parse(src)
	if err != nil {
		return nil, false, err
	}
	entry := jsonc.Find(&root, f.at(&root)...)
	if entry == nil {
		return nil, false, nil
	}
	var is struct {
		Command any `json:"command"` // opencode has one list
		Args    any `json:"args"`
	}
	if jsonc.Decode(entry, &is) != nil {
		return nil, true, nil
	}
	return commandLine(is.Command, is.Args), true, nil
}

func (f jsonFile) add(src []byte, s Server) ([]byte, error) {
	at, err := f.where(src)
	if err != nil {
		return nil, err
	}
	return jsonc.Put(src, at, f.entry(s))
}

func (f jsonFile) cut(src []byte) ([]byte, error) {
	at, err := f.where(src)
	if err != nil {
		return nil, err
	}
	return jsonc.Cut(src, at)
}

// where returns the path of the entry in src.
func (f jsonFile) where(src []byte) ([]string, error) {
	if blank(src) {
		return f.at(nil), nil
	}
	root, err := jsonc.Parse(src)
	return f.at(&root), err
}

func (f jsonFile) at(root *jsonc.Value) []string {
	servers := f.path
	if f.nested != "" && root != nil {
		deeper := slices.Concat(f.path, []string{f.nested})
		if at := jsonc.Find(root, deeper...); at != nil && !isServer(at) {
			servers = deeper
		}
	}
	return slices.Concat(servers, []string{Name})
}

// isServer reports whether a value is a server that has the name of the object
// of servers.
func isServer(v *jsonc.Value) bool {
	return jsonc.Find(v, "type") != nil || jsonc.Find(v, "command") != nil || jsonc.Find(v, "enabled") != nil
}

// commandLine returns the words of an entry, whose command may be a list; none
// unless all are words.
func commandLine(command, args any) []string {
	var words []string
	for _, part := range []any{command, args} {
		list, isList := part.([]any)
		if !isList && part != nil {
			list = []any{part}
		}
		for _, v := range list {
			word, _ := v.(string)
			if word == "" {
				return nil
			}
			words = append(words, word)
		}
	}
	return words
}

func blank(src []byte) bool { return strings.TrimSpace(string(src)) == "" }
