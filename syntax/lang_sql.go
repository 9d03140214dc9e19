package syntax

const (
	sqlName   = "<object_reference>/name"
	sqlSchema = "<object_reference>/schema"
)

var langSQL = &Language{
	Name: "sql", Aliases: []string{"plsql", "pgsql", "postgres", "mysql", "tsql", "sqlite", "mssql"},
	Extensions: []string{"sql", "ddl", "psql", "pgsql", "plsql", "pls", "pks", "pkb", "mysql", "tsql"},
	Comments:   sqlComments,
	spellings:  []Spelling{{Now: "AUTOINCREMENT"}, {Now: "autoincrement"}}, // SQLite's
	lines:      definitionsOfSQL,
	rules: Rules{
		"program": {}, "statement": {}, "transaction": {}, "block": {},

		"create_table":       {Kind: Struct, Name: sqlName, Scope: sqlSchema, Body: "<column_definitions>"},
		"column_definitions": {},
		"column_definition":  {Kind: Field, Name: "name", Leaf: true},

		"create_view":              {Kind: Class, Name: sqlName, Scope: sqlSchema, Body: "<create_query>", Leaf: true},
		"create_materialized_view": {Kind: Class, Name: sqlName, Scope: sqlSchema, Body: "<create_query>", Leaf: true},
		"create_function":          {Kind: Function, Name: sqlName, Scope: sqlSchema, Body: "<function_body>", Leaf: true},
		"create_trigger":           {Kind: Event, Name: sqlName, Scope: sqlSchema, Leaf: true},
		"create_index":             {Kind: Key, Name: "column", Leaf: true},
		"create_schema":            {Kind: Namespace, Name: "<identifier>", Leaf: true},
		"create_database":          {Kind: Namespace, Name: "<identifier>", Leaf: true},
		"create_sequence":          {Kind: Variable, Name: sqlName, Scope: sqlSchema, Leaf: true},

		"create_type":   {Kind: Class, Name: sqlName, Scope: sqlSchema, Cases: []Case{{"<enum_elements>", Enum}}},
		"enum_elements": {Kind: EnumMember, Name: "enum_element+", Each: true},
	},
}
