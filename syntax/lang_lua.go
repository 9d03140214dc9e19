package syntax

import (
	"bytes"
	"strings"
)

// luaBlock is a part of a script that may be gone through or not: what it
// assigns is nobody else's concern, but what it makes a function is.
var luaBlock = Rule{Kind: Function, Name: "<comment>/<comment>", Deep: true}

// luaBody is where the head of a function ends.
const luaBody = `body | "end"`

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
	rules: Rules{
		"chunk": {}, "block": {Deep: true}, "return_statement": {},
		"function_declaration": {
			Kind: Function, Name: "name", Body: luaBody, Cases: []Case{{"name:method_index_expression", Method}}, Read: readLuaMethod, Deep: true,
		},
		"variable_declaration": {Kind: Variable, Name: "<variable_list>/name+", Wrap: true, Deep: true},
		"assignment_statement": {
			Kind: Variable, Read: readLuaVariable, Deep: true, Opening: "local",
			Name:  "<variable_list>/name:bracket_index_expression/field:string/content | <variable_list>/name+",
			Scope: "<variable_list>/name:bracket_index_expression/table",
			Body:  "<expression_list>/value:function_definition/body | <expression_list>/value:function_definition/\"end\" | <expression_list>/value:table_constructor",
			Cases: []Case{{"<expression_list>/value:function_definition", Function}, {"<variable_list>/name:dot_index_expression", Field}},
		},
		"expression_list": {Deep: true}, "table_constructor": {},
		"field": {
			Kind: Function, Only: "value:function_definition", Name: "name:string/content | name:identifier", Deep: true,
			Body: "value:function_definition/body | value:function_definition/\"end\"",
		},
		"function_definition": luaBlock,
		"function_call": {
			Callee: "name:identifier", Calls: luaTests, Deep: true,
			Only: "arguments/<function_definition>", Name: "arguments/<string>/content", Body: "arguments/<function_definition>",
		},
		"arguments":    {Deep: true},
		"if_statement": luaBlock, "elseif_statement": luaBlock, "else_statement": luaBlock, "do_statement": luaBlock,
		"while_statement": luaBlock, "repeat_statement": luaBlock, "for_statement": luaBlock,
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
