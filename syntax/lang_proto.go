package syntax

var langProto = &Language{
	Name: "proto", Aliases: []string{"proto3", "protobuf", "proto2"}, Extensions: []string{"proto", "protodevel"},
	Comments: slashComments,
	lines:    definitionsOfProto,
	rules: Rules{
		"source_file": {},
		"message":     {Kind: Struct, Name: "<message_name>", Body: "<message_body>"}, "message_body": {},
		"field":       {Kind: Field, Name: "<identifier>", Leaf: true},
		"map_field":   {Kind: Field, Name: "<identifier>", Leaf: true},
		"oneof":       {Kind: Struct, Name: "<identifier>", Body: `"{"`},
		"oneof_field": {Kind: Field, Name: "<identifier>", Leaf: true},
		"enum":        {Kind: Enum, Name: "<enum_name>", Body: "<enum_body>"}, "enum_body": {},
		"enum_field": {Kind: EnumMember, Name: "<identifier>", Leaf: true},
		"service":    {Kind: Interface, Name: "<service_name>", Body: `"{"`},
		"rpc":        {Kind: Method, Name: "<rpc_name>", Body: `"{"`, Leaf: true},
	},
}
