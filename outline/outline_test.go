package outline

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/syntax"
)

// parse makes an outline of a drawing: a symbol a line, indented by depth, as
// "START-END kind name" or "START-END kind container:name". Each line of the
// text is taken to have ten bytes.
func parse(t testing.TB, drawing string) *Outline {
	t.Helper()
	o := &Outline{}
	var open []int
	for line := range strings.Lines(strings.Trim(drawing, "\n")) {
		s := Symbol{Parent: -1, Depth: (len(line) - len(strings.TrimLeft(line, "\t"))), bodied: true}
		var kind string
		_, err := fmt.Sscanf(strings.TrimSpace(line), "%d-%d %s %s", &s.StartLine, &s.EndLine, &kind, &s.Name)
		k, ok := syntax.ParseKind(kind)
		if err != nil || !ok {
			t.Fatalf("%q: %v", line, err)
		}
		open = append(open[:s.Depth], len(o.Symbols))
		if s.Depth > 0 {
			s.Parent = open[s.Depth-1]
			s.Container = o.Symbols[s.Parent].Name
		}
		if at := strings.LastIndexByte(s.Name, ':'); at > 0 {
			s.Container, s.Name = s.Name[:at], s.Name[at+1:]
		}
		s.Kind, s.HeadLine, s.Signature = k, s.StartLine, kind+" "+s.Name+"()"
		s.Span = text.Span{Start: 10 * (s.StartLine - 1), End: 10*s.EndLine - 1}
		s.NameSpan = text.Span{Start: s.Span.Start, End: s.Span.Start + 1}
		o.Symbols = append(o.Symbols, s)
	}
	return o
}

func (o *Outline) names(which []int) string {
	var names []string
	for _, i := range which {
		names = append(names, fmt.Sprintf("%s@%d", o.Path(i), o.Symbols[i].StartLine))
	}
	return strings.Join(names, " ")
}

func TestAtFindsTheInnermost(t *testing.T) {
	o := parse(t, `
1-3 function a
5-20 class b
	6-8 method c
	10-15 method d
		11-12 class e
30-31 function f`)
	for line, want := range map[int]int{1: 0, 4: -1, 5: 1, 7: 2, 9: 1, 10: 3, 12: 4, 13: 3, 20: 1, 25: -1, 31: 5, 40: -1} {
		if have := o.At(10*line - 5); have != want {
			t.Errorf("line %d is in %d, not %d", line, want, have)
		}
	}
	for i, want := range []int{-1, -1, 1, 1, 3, -1} { // the byte after each one
		if have := o.At(o.Symbols[i].Span.End); have != want {
			t.Errorf("the end of %d is in %d, not %d", i, have, want)
		}
	}
}

func TestFind(t *testing.T) {
	o := parse(t, `
1-1 function New
2-9 class Store
	3-3 constructor Store
	4-4 method Get
	5-5 method Put
	6-8 class Entry
		7-7 method Get
11-20 namespace shapes
	12-14 object impl_Point
		13-13 method Point:area
	15-19 class Square
		16-16 constructor Square
		17-17 method area
21-21 method Receiver:Close
22-22 function Close
23-23 method A::B:f
30-40 string Guide
	31-33 string Linux
		32-33 string Install
	34-36 string Mac
		35-36 string Install
50-50 class .main
51-51 class #main
52-52 function get
53-53 function one_only`)
	for query, want := range map[string]string{
		"New":                      "New@1",
		"Store":                    "Store@2",
		"Store.Store":              "Store.Store@3",
		"Get":                      "Store.Get@4 Entry.Get@7",
		"Store.Get":                "Store.Get@4",
		"Store::Get":               "Store.Get@4",
		"Store#Put":                "Store.Put@5",
		"Entry.Get":                "Entry.Get@7",
		"Store.Entry.Get":          "Entry.Get@7",
		"Put":                      "Store.Put@5",
		"Square":                   "shapes.Square@15",
		"Point.area":               "Point.area@13",
		"shapes.Point.area":        "Point.area@13",
		"shapes::Square.area":      "Square.area@17",
		"Square.Square":            "Square.Square@16",
		"Close":                    "Close@22",
		"Receiver.Close":           "Receiver.Close@21",
		"(*Receiver).Close()":      "Receiver.Close@21",
		"func (*Receiver).Close":   "Receiver.Close@21",
		"(*Store)":                 "Store@2",
		"Sto)re":                   "",
		"(Store":                   "",
		"A::B::f":                  "A::B.f@23",
		"A.B.f":                    "A::B.f@23",
		"B::f":                     "A::B.f@23",
		"Install":                  "Linux/Install@32 Mac/Install@35",
		"Mac/Install":              "Mac/Install@35",
		"Guide / Mac / Install":    "Mac/Install@35",
		"Guide > Mac > Install":    "Mac/Install@35",
		"## Mac":                   "Guide/Mac@34",
		"/Guide/Mac":               "Guide/Mac@34",
		".main":                    ".main@50",
		"#main":                    "#main@51",
		"get":                      "get@52",
		"ONE_ONLY":                 "one_only@53",
		"function one_only":        "one_only@53",
		"store.put":                "Store.Put@5",
		"":                         "",
		".":                        "",
		"::":                       "",
		"nothing":                  "",
		"Store.nothing":            "",
		"other.Put":                "",
		"other.Receiver.Close":     "",
		strings.Repeat("a.", 9999): "",
	} {
		found, near := o.Find(query)
		if have := o.names(found); have != want {
			t.Errorf("%q is %q, not %q", query, have, want)
		}
		if len(found) > 0 && near != nil || len(near) > maxNear {
			t.Errorf("%q: near are %q", query, near)
		}
	}
}

// TestFindBelowTheFirst: what the first symbol holds is found as any other.
func TestFindBelowTheFirst(t *testing.T) {
	o := parse(t, "1-9 namespace shapes\n\t2-4 object impl_Point\n\t\t3-3 method Point:area\n\t5-5 class Point")
	if found, _ := o.Find("shapes.Point.area"); o.names(found) != "Point.area@3" {
		t.Errorf("found %q", o.names(found))
	}
}

// TestPathsBelowTheFirst: names in what the first symbol holds are told apart
// by its own container.
func TestPathsBelowTheFirst(t *testing.T) {
	o := parse(t, "1-9 method T:M\n\t2-3 function inner\n10-19 method U:M\n\t11-12 function inner")
	if got := strings.Join(o.Paths([]int{1, 3}), " "); got != "T.M.inner U.M.inner" {
		t.Errorf("told apart as %s", got)
	}
}

func TestWhatPathNamesIsFound(t *testing.T) {
	o := parse(t, `
1-9 class A
	2-2 method f
	3-5 class B
		4-4 field g
10-20 string T
	11-12 string a.b/c
	13-14 string x::y
30-33 object o
	31-31 key k
	32-33 array l`)
	for i := range o.Symbols {
		if found, _ := o.Find(o.Path(i)); !slices.Equal(found, []int{i}) {
			t.Errorf("%q names %v, not %d", o.Path(i), found, i)
		}
	}
}

func TestAnnouncementsGiveWayToTheDefinition(t *testing.T) {
	o := parse(t, "1-1 function f\n2-2 function f\n3-5 function f\n6-7 function g\n8-9 function g")
	o.Symbols[0].bodied, o.Symbols[1].bodied = false, false
	for query, want := range map[string]string{"f": "f@3", "g": "g@6 g@8"} {
		if found, _ := o.Find(query); o.names(found) != want {
			t.Errorf("%q is %s, not %s", query, o.names(found), want)
		}
	}
	o = parse(t, "1-3 function f\n4-4 function f\n5-5 method A:f\n6-9 function g\n10-19 function g\n20-20 function g")
	o.Symbols[1].bodied, o.Symbols[5].bodied = false, false
	for query, want := range map[string]string{"f": "f@1", "g": "g@6 g@10 g@20"} {
		if found, _ := o.Find(query); o.names(found) != want {
			t.Errorf("%q is %s, not %s", query, o.names(found), want)
		}
	}
}

func TestNearestNames(t *testing.T) {
	o := parse(t, `
1-9 class Store
	2-2 method Get
	3-3 method GetAll
	4-4 method Delete
10-10 function unrelated
11-11 function Gets`)
	for query, want := range map[string]string{
		"Gett": "Store.Get Gets", "Store.Deletee": "Store.Delete", "all": "Store.GetAll", "zzzz": "", "stor": "Store",
	} {
		_, near := o.Find(query)
		if have := strings.Join(near, " "); have != want {
			t.Errorf("near to %q is %q, not %q", query, have, want)
		}
	}
	o = parse(t, "1-1 function Foo\n2-2 function foo\n3-3 function food")
	if found, near := o.Find("FOO"); len(found) > 0 || strings.Join(near, " ") != "Foo foo food" {
		t.Errorf("two names that differ in case: %v, near %q", found, near)
	}
}

func TestMatch(t *testing.T) {
	o := parse(t, `
1-9 class Store
	2-2 method Get
	3-3 method GetAll
10-10 function getStore`)
	for query, want := range map[string]string{
		"get": "Store.Get@2 Store.GetAll@3 getStore@10", "store getall": "Store.GetAll@3",
		"Store.Get": "Store.Get@2 Store.GetAll@3 getStore@10", "gal": "Store.GetAll@3", "xyz": "", "": "", "...": "", "�": "",
	} {
		if have := o.names(o.Match(query)); have != want {
			t.Errorf("%q matches %q, not %q", query, have, want)
		}
	}
}

// TestDeclarationsInAdvanceGiveWay, as a grammar finds them, before and after
// the definition.
func TestDeclarationsInAdvanceGiveWay(t *testing.T) {
	o := New(t.Context(), syntax.ByName("c"), []byte("int f(int);\nint f(int a)\n{\n  return a;\n}\nint g(int);\n"))
	for query, want := range map[string]int{"f": 2, "g": 6} {
		if found, _ := o.Find(query); len(found) != 1 || o.Symbols[found[0]].StartLine != want {
			t.Errorf("%s is %s", query, o.names(found))
		}
	}
}

// TestNamesOutsideOfTheirDefinition, cut off with it, stand at its beginning.
func TestNamesOutsideOfTheirDefinition(t *testing.T) {
	src := []byte("one\ntwo f\nthree\n")
	line := linesOf(src).at
	for _, tt := range []struct{ name, want text.Span }{
		{text.Span{Start: 8, End: 9}, text.Span{Start: 8, End: 9}},
		{text.Span{Start: 4, End: 7}, text.Span{Start: 4, End: 7}},
		{text.Span{Start: 0, End: 3}, text.Span{Start: 4, End: 4}},
		{text.Span{Start: 9, End: 10}, text.Span{Start: 4, End: 4}},
		{text.Span{Start: 12, End: 13}, text.Span{Start: 4, End: 4}},
	} {
		d := syntax.Definition{Name: "f", Span: text.Span{Start: 4, End: 9}, Head: 4, Body: 9, NameSpan: tt.name, Parent: -1}
		if got := symbolOf(nil, src, line, &d); got.NameSpan != tt.want || got.StartLine != 2 || got.EndLine != 2 || got.bodied {
			t.Errorf("%v: %+v", tt.name, got)
		}
	}
}
