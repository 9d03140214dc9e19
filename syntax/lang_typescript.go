package syntax

var tsConstructor = map[string]Kind{"constructor": Constructor}

var tsRules = jsRules.and(Rules{
	"abstract_class_declaration": {Kind: Class, Name: "name"},
	"interface_declaration":      {Kind: Interface, Name: "name"},
	"interface_body":             {},
	"type_alias_declaration":     {Kind: Class, Name: "name", Body: "value:object_type"},
	"object_type":                {},
	"intersection_type":          {},
	"type_annotation":            {},
	"enum_declaration":           {Kind: Enum, Name: "name"},
	"enum_body":                  {Kind: EnumMember, Name: "name+", Each: true},
	"enum_assignment":            {Kind: EnumMember, Name: "name"},
	"function_signature":         {Kind: Function, Name: "name"},

	"internal_module": {Kind: Namespace, Name: "name"},
	"module":          {Kind: Namespace, Name: "name", Cases: []Case{{"name:string", Module}}},
	"ambient_declaration": { // declare global { … }
		Kind: Module, Name: `"global"`, Only: `"global"`, Body: "<statement_block>", Wrap: true,
	},

	"public_field_definition": {
		Kind: Property, Name: "<ERROR>/#-1 | name", Body: "value/body | value:object",
		Cases: []Case{{"value:" + jsFunctions, Method}},
	},
	"property_signature":        {Kind: Property, Name: "name"},
	"method_signature":          {Kind: Method, Name: "name", Callee: "name", Kinds: tsConstructor},
	"abstract_method_signature": {Kind: Method, Name: "name"},
	"formal_parameters":         {Deep: true},
	"required_parameter":        tsParameter,
	"optional_parameter":        tsParameter,

	"as_expression": {}, "satisfies_expression": {}, "non_null_expression": {},
})

// tsParameter is a parameter of a constructor that is a property, too.
var tsParameter = Rule{
	Kind: Property, Name: "pattern:identifier", Hoist: true,
	Only: `<accessibility_modifier> | <override_modifier> | "readonly"`,
}

var tsSpellings = []Spelling{
	{Now: "(using ", Then: "(const "},
	{Now: "default abstract class<", Then: "default          class<"},
	{Now: "default abstract class {", Then: "default          class {"},
	{Now: "default abstract class extends ", Then: "default          class extends "},
}

var langTypeScript = &Language{
	Name: "typescript", Extensions: []string{"ts", "mts", "cts"}, Shebangs: []string{"ts-node", "tsx", "deno", "bun"},
	Comments: jsComments, spellings: tsSpellings,
	rules: tsRules.and(Rules{"type_assertion": {}}),
}

var langTypeScriptReact = &Language{
	Name: "typescriptreact", Extensions: []string{"tsx"},
	Comments: jsComments, spellings: tsSpellings, rules: tsRules.and(jsxRules),
}
