package syntax

// elispFunction is for what the grammar knows to define one.
var elispFunction = Rule{Kind: Function, Name: "name", Body: "#2", Deep: true}

var langElisp = &Language{
	Name: "elisp", Aliases: []string{"emacs-lisp"}, Extensions: []string{"el"}, Shebangs: []string{"emacs"}, Comments: semicolonComments,
	rules: Rules{
		"source_file": {}, "function_definition": elispFunction, "macro_definition": elispFunction,
		"special_form": {
			Name: "<symbol>", Deep: true, Body: "#1",
			Cases: []Case{{`"defvar"`, Variable}, {`"defconst"`, Constant}},
		},
		"list": {
			Callee: "#0", Name: "#1/#0 | #1", Body: "#3", Deep: true,
			Calls: map[string]Call{
				"defun": {Kind: Function}, "defmacro": {Kind: Function}, "cl-defun": {Kind: Function}, "cl-defmacro": {Kind: Function},
				"cl-defmethod": {Kind: Function}, "cl-defgeneric": {Kind: Function}, "cl-defsubst": {Kind: Function},
				"define-inline": {Kind: Function}, "defalias": {Kind: Function}, "ert-deftest": {Kind: Function},
				"define-minor-mode": {Kind: Function}, "define-globalized-minor-mode": {Kind: Function}, "define-derived-mode": {Kind: Function},
				"defcustom": {Kind: Variable}, "defvar-local": {Kind: Variable}, "defvar-keymap": {Kind: Variable}, "defface": {Kind: Variable},
				"cl-defstruct": {Kind: Struct}, "defclass": {Kind: Class}, "defgroup": {Kind: Module},
			},
		},
	},
}
