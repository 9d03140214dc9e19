package syntax

import (
	"bytes"
	"strings"
)

// luaBlock is a part of a script that may be gone through or not: what it
// assigns is nobody else's concern, but what it makes a function is.
var luaBlock = Rule{Kind: Function, Name: "<comment>/<comment>", Deep: true}

// luaBodies are where the heads of names end that are given functions or
// tables.
const luaBodies = "value:function/<function_body> | value:function/<function_end> | value:tableconstructor"

// luaTests are the functions that tests are declared by.
var luaTests = map[string]Call{
	"describe": {Kind: Function}, "context": {Kind: Function}, "insulate": {Kind: Function}, "expose": {Kind: Function},
	"it": {Kind: Function}, "spec": {Kind: Function}, "test": {Kind: Function}, "pending": {Kind: Function},
}

var langLua = &Language{
	Name: "lua", Aliases: []string{"luau"}, Extensions: []string{"lua", "luau", "rockspec", "wlua"}, FileNames: []string{".luacheckrc", ".luacov"},
	Shebangs: []string{"lua", "luajit", "luau", "texlua"},
	Comments: Comments{Line: []string{"--"}, Block: [][2]string{
		{"--[[", "]]"}, {"--[=[", "]=]"}, {"--[==[", "]==]"},
	}},
	Separator: ".",
	older: []Spelling{
		{Now: "<const>"}, {Now: "<close>"}, {Now: "goto *"}, {Now: "::*::"},
		{Now: "---", Then: "--"}, // the grammar takes these for something of their own
	},
	// A semicolon behind the last statement of a block.
	recasts: []Recast{{Marks: []string{";"}, Find: `(;)\s*(?:(?:end|else|elseif|until)\b|\z)`}},
	rules: Rules{
		"program": {}, "function_body": {Deep: true}, "return_statement": {}, "module_return_statement": {},
		"function_statement": {
			Kind: Function, Name: "name", Body: "<function_body>", Cases: []Case{{"name/<table_colon>", Method}}, Read: readLuaMethod, Deep: true,
		},
		"variable_declaration": {
			Kind: Variable, Name: "name/<string>/content | name+", Scope: "name/<string>/^/#0", Body: luaBodies, Read: readLuaVariable, Deep: true,
			Cases: []Case{{"value:function", Function}, {"name/#1", Field}},
		},
		"tableconstructor": {}, "fieldlist": {},
		"field":    {Kind: Function, Only: "value:function", Name: "name/content | name | <string>/content", Body: luaBodies, Deep: true},
		"function": luaBlock,
		"function_call": {
			Callee: "prefix:identifier", Calls: luaTests, Deep: true,
			Only: "args/<function>", Name: "args/<string>/content", Body: "args/<function>",
		},
		"function_arguments": {Deep: true}, "table_argument": {Deep: true},
		"if_statement": luaBlock, "do_statement": luaBlock, "while_statement": luaBlock, "repeat_statement": luaBlock, "for_statement": luaBlock,
	},
}

// readLuaMethod turns "Shelf:put" into what is divided like all other names.
func readLuaMethod(_ []byte, kind Kind, name string) (Kind, string) {
	return kind, strings.ReplaceAll(name, ":", ".")
}

// readLuaVariable tells of "local LIMIT <const> = 64" that LIMIT is a constant.
func readLuaVariable(node []byte, kind Kind, name string) (Kind, string) {
	_, rest, _ := bytes.Cut(node, []byte(name))
	if kind == Variable && bytes.HasPrefix(bytes.TrimLeft(rest, " \t"), []byte("<const>")) {
		kind = Constant
	}
	return kind, name
}
