package judge

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
)

// A dialect says how ctags' answers about a language are read.
type dialect struct {
	name      string           // ctags' name of it
	kinds     map[string]class // ctags' long names of kinds
	optional  string           // kinds that an outline may leave out
	outermost string           // kinds of scopes that we do not name
	macros    []string         // what would mislead ctags: a macro to ignore, or macro=definition
	noEnds    bool             // ctags does not tell, or not rightly, where definitions end
}

var dialects = map[string]dialect{
	"go": {
		name: "Go", outermost: "package",
		kinds: map[string]class{"func": function, "methodSpec": function, "struct": typ, "interface": typ, "type": typ, "talias": typ},
		// An interface's methods are part of what it says, like fields.
		optional: "methodSpec",
	},
	"python": {
		name:  "Python",
		kinds: map[string]class{"function": function, "member": function, "class": typ},
	},
	"ruby": {
		name:     "Ruby",
		kinds:    map[string]class{"method": function, "singletonMethod": function, "alias": function, "class": typ, "module": typ},
		optional: "alias",
	},
	"php": {
		name:   "PHP",
		kinds:  map[string]class{"function": function, "class": typ, "interface": typ, "trait": typ, "namespace": scope},
		noEnds: true,
	},
	"c": {
		name: "C",
		kinds: map[string]class{
			"function": function, "prototype": function, "macro": function,
			"struct": typ, "union": typ, "enum": typ, "typedef": typ,
		},
		optional: "prototype macro",
		macros:   []string{"G_DEFINE_TYPE", "G_DEFINE_ABSTRACT_TYPE", "G_BEGIN_DECLS", "G_END_DECLS"},
	},
	"cpp": {
		name: "C++",
		kinds: map[string]class{
			"function": function, "prototype": function, "macro": function,
			"class": typ, "struct": typ, "union": typ, "enum": typ, "typedef": typ, "namespace": scope,
		},
		optional: "prototype macro namespace",
		macros: []string{
			"FLATBUFFERS_FINAL_CLASS", "FLATBUFFERS_NOEXCEPT", "FLATBUFFERS_OVERRIDE", "FLATBUFFERS_VTABLE_UNDERLYING_TYPE",
			"FLATBUFFERS_CONSTEXPR=constexpr", "FLATBUFFERS_CONSTEXPR_CPP11=constexpr", "FLATBUFFERS_CONSTEXPR_CPP14=constexpr",
			"FLATBUFFERS_MANUALLY_ALIGNED_STRUCT(a)=struct", "FLATBUFFERS_STRUCT_END(a,b)=",
			"BOOST_AUTO_TEST_SUITE", "BOOST_AUTO_TEST_SUITE_END", "BOOST_FIXTURE_TEST_SUITE", "BOOST_GLOBAL_FIXTURE",
		},
	},
	"java": {
		name: "Java", outermost: "package",
		kinds: map[string]class{"method": function, "class": typ, "enum": typ, "interface": typ, "annotation": typ},
	},
	"rust": {
		name: "Rust",
		kinds: map[string]class{
			"function": function, "method": function, "macro": function,
			"struct": typ, "enum": typ, "interface": typ, "typedef": typ, "module": scope,
		},
		optional: "macro module",
		noEnds:   true,
	},
	"csharp": {
		name: "C#",
		kinds: map[string]class{
			"method": function, "class": typ, "struct": typ, "interface": typ, "enum": typ, "typedef": typ, "namespace": scope,
		},
		optional: "namespace",
	},
}

// tag is a line of ctags' answer.
type tag struct {
	Name      string `json:"name"`
	Path      string `json:"path"`
	Line      int    `json:"line"`
	End       int    `json:"end"`
	Kind      string `json:"kind"`
	Scope     string `json:"scope"`
	ScopeKind string `json:"scopeKind"`
	Typeref   string `json:"typeref"`
}

// askCtags has ctags judge files of one language.
func askCtags(ctx context.Context, files []*file, language string) (verdict, error) {
	d := dialects[language]
	args := []string{"--options=NONE", "--language-force=" + d.name, "--kinds-" + d.name + "=*",
		"--output-format=json", "--sort=no", "--fields=+neKZ", "-L", "-", "-f", "-"}
	for _, macro := range d.macros {
		if strings.Contains(macro, "=") {
			args = append(args, "-D", macro)
		} else {
			args = append(args, "-I", macro+"+")
		}
	}
	cmd := exec.CommandContext(ctx, "ctags", args...)
	cmd.Stdin = strings.NewReader(pathsOf(files))
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("ctags: %w: %s", err, problems.String())
	}
	return d.read(out)
}

func pathsOf(files []*file) string {
	var paths strings.Builder
	for _, f := range files {
		paths.WriteString(f.path + "\n")
	}
	return paths.String()
}

func (d dialect) read(out []byte) (verdict, error) {
	v := verdict{}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var t tag
		if err := json.Unmarshal(lines.Bytes(), &t); err != nil {
			return nil, fmt.Errorf("ctags: %w in %q", err, lines.Text())
		}
		if c, ok := d.kinds[t.Kind]; ok && !anonymous(t.Name) {
			v[t.Path] = append(v[t.Path], d.item(t, c))
		}
	}
	for path := range v {
		v[path] = oneForEach(v[path])
	}
	return v, lines.Err()
}

func (d dialect) item(t tag, c class) item {
	i := item{Name: t.Name, Class: c, Line: t.Line, End: t.End, Optional: listed(d.optional, t.Kind), Containers: []string{""}}
	if d.noEnds {
		i.End = 0
	}
	if t.Scope != "" && !listed(d.outermost, t.ScopeKind) {
		i.Containers = []string{lastPart(t.Scope)}
	}
	if anonymous(i.Containers[0]) {
		i.Containers = nil
	}
	return i
}

// anonymous tells the names that ctags gives to what has none.
func anonymous(name string) bool {
	return strings.HasPrefix(name, "__anon") || strings.HasPrefix(name, "AnonymousClass")
}

// oneForEach drops a typedef that has the name of its struct, as in
// "typedef struct node {…} node;", which is one definition to a reader.
func oneForEach(items []item) []item {
	var kept []item
	types := map[string]int{}
	for _, i := range items {
		if at, twice := types[i.Name]; twice && i.Class == typ && kept[at].Containers != nil && kept[at].Line <= i.Line && i.Line <= max(kept[at].End, kept[at].Line) {
			continue
		}
		if i.Class == typ {
			types[i.Name] = len(kept)
		}
		kept = append(kept, i)
	}
	return kept
}

func listed(names, name string) bool {
	for n := range strings.FieldsSeq(names) {
		if n == name {
			return true
		}
	}
	return false
}
