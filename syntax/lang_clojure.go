package syntax

var langClojure = &Language{
	Name: "clojure", Aliases: []string{"clj", "clojurescript", "edn"}, Extensions: []string{"clj", "cljs", "cljc", "edn", "bb"},
	Shebangs: []string{"bb", "clojure"}, Comments: semicolonComments,
	rules: Rules{
		"source": {}, "read_cond_lit": {}, "splicing_read_cond_lit": {},
		"list_lit": {
			Callee: "value:sym_lit", Name: "#1/name | #1", Body: "#3", Deep: true,
			Calls: map[string]Call{
				"ns": {Kind: Namespace}, "def": {Kind: Constant}, "defonce": {Kind: Constant},
				"defn": {Kind: Function}, "defn-": {Kind: Function}, "defmacro": {Kind: Function}, "defmulti": {Kind: Function},
				"defmethod": {Kind: Function}, "definline": {Kind: Function}, "deftest": {Kind: Function}, "s/fdef": {Kind: Function},
				"defprotocol": {Kind: Interface}, "definterface": {Kind: Interface},
				"defrecord": {Kind: Struct}, "deftype": {Kind: Struct},
			},
		},
	},
}
