package syntax

// rubyTests are the calls by which test libraries, and Rake, define things.
var rubyTests = Call{Kind: Function}

var langRuby = &Language{
	holdsText: true,
	Name:      "ruby", Extensions: []string{"rb", "rake", "gemspec", "ru", "rbw", "podspec", "jbuilder", "thor"},
	FileNames: []string{"gemfile", "rakefile", "guardfile", "capfile", "vagrantfile", "podfile", "brewfile", "fastfile", "dangerfile"},
	Shebangs:  []string{"ruby", "jruby", "macruby", "rake"},
	Comments:  Comments{Line: []string{"#"}, Block: [][2]string{{"=begin", "=end"}}},
	Separator: "::",

	rules: Rules{
		"program": {}, "body_statement": {},
		"class":            {Kind: Class, Name: "name"},
		"module":           {Kind: Module, Name: "name"},
		"singleton_class":  {},
		"method":           {Kind: Method, Free: Function, Name: "name"},
		"singleton_method": {Kind: Method, Name: "name", Scope: "object:constant,scope_resolution"},
		"alias":            {Kind: Method, Name: "name", Trim: ":", Cases: []Case{{"name:global_variable", Variable}}},
		"assignment": {
			Kind: Constant, Name: "left:constant,class_variable,instance_variable,global_variable", Body: "right",
			Callee: "right:call/receiver",
			Kinds:  map[string]Kind{"Struct": Class, "Class": Class, "Data": Class, "Module": Module},
			Cases: []Case{
				{"left:class_variable", Field}, {"left:instance_variable", Field}, {"left:global_variable", Variable},
			},
		},
		"call": {
			Deep: true, Callee: "method", Trim: ":", Body: "block",
			Name: "arguments/<simple_symbol,string,constant,scope_resolution>+ | arguments/<pair>/key",
			Calls: map[string]Call{
				"attr_accessor": {Kind: Property, All: true}, "attr_reader": {Kind: Property, All: true},
				"attr_writer": {Kind: Property, All: true}, "attr": {Kind: Property, All: true},
				"alias_method": {Kind: Method}, "define_method": {Kind: Method}, "define_singleton_method": {Kind: Method},
				"describe": rubyTests, "context": rubyTests, "it": rubyTests, "specify": rubyTests, "feature": rubyTests,
				"scenario": rubyTests, "test": rubyTests, "should": rubyTests, "shared_examples": rubyTests,
				"shared_context": rubyTests, "shared_examples_for": rubyTests, "task": rubyTests, "multitask": rubyTests,
				"namespace": {Kind: Namespace},
			},
		},
		"heredoc_body": {Tail: true},
		// The ways to definitions within.
		"argument_list": {}, "do_block": {}, "block": {}, "block_body": {}, "begin": {}, "rescue": {}, "ensure": {},
		"if": {}, "unless": {}, "elsif": {}, "else": {}, "then": {}, "case": {}, "when": {},
		"if_modifier": {}, "unless_modifier": {}, "parenthesized_statements": {},
	},
}
