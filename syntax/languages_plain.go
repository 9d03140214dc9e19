package syntax

// Comment marks that many languages share.
var (
	slashComments     = Comments{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}}}
	hashComments      = Comments{Line: []string{"#"}}
	semicolonComments = Comments{Line: []string{";"}}
	percentComments   = Comments{Line: []string{"%"}}
	dashComments      = Comments{Line: []string{"--"}}
	tagComments       = Comments{Block: [][2]string{{"<!--", "-->"}}}
	pascalComments    = Comments{Line: []string{"//"}, Block: [][2]string{{"{", "}"}, {"(*", "*)"}}}
)

// plainLanguages are the languages without a grammar. Their definitions are
// found by keywords.
var plainLanguages = []*Language{
	{Name: "ada", Extensions: []string{"ada", "adb", "ads"}, Comments: dashComments, Separator: "."},
	{Name: "asciidoc", Extensions: []string{"adoc", "asciidoc"}, Comments: slashComments},
	{
		Name: "asm", Aliases: []string{"assembly", "nasm", "masm", "gas"}, Extensions: []string{"s", "asm", "nasm"},
		Comments: Comments{Line: []string{";", "#", "//"}, Block: [][2]string{{"/*", "*/"}}},
	},
	{Name: "awk", Extensions: []string{"awk"}, Shebangs: []string{"awk", "gawk", "mawk", "nawk"}, Comments: hashComments},
	{
		Name: "bat", Aliases: []string{"batch", "dosbatch"}, Extensions: []string{"bat", "cmd"},
		Comments: Comments{Line: []string{"::", "rem ", "REM ", "Rem ", "@rem ", "@REM "}},
	},
	{
		Name: "coffeescript", Aliases: []string{"coffee"}, Extensions: []string{"coffee"}, FileNames: []string{"cakefile"},
		Shebangs: []string{"coffee"}, Comments: Comments{Line: []string{"#"}, Block: [][2]string{{"###", "###"}}},
	},
	{Name: "crystal", Extensions: []string{"cr"}, Shebangs: []string{"crystal"}, Comments: hashComments, Separator: "::"},
	{Name: "csv", Extensions: []string{"csv"}},
	{
		Name: "d", Extensions: []string{"d", "di"}, Shebangs: []string{"rdmd", "dub"},
		Comments: Comments{Line: []string{"//"}, Block: [][2]string{{"/*", "*/"}, {"/+", "+/"}}},
	},
	{Name: "dart", Extensions: []string{"dart"}, Shebangs: []string{"dart"}, Comments: slashComments},
	{
		// What stands above the line that names a file belongs to it.
		Name: "diff", Aliases: []string{"patch", "git-diff"}, Extensions: []string{"diff", "patch"},
		Comments: Comments{Line: []string{"diff ", "index ", "--- ", "new file ", "old mode ", "new mode ", "similarity "}},
	},
	{Name: "editorconfig", FileNames: []string{".editorconfig"}, Comments: Comments{Line: []string{"#", ";"}}},
	{
		Name: "fortran", Aliases: []string{"fortran-modern", "fortranfreeform", "fortran_fixed-form"},
		Extensions: []string{"f90", "f95", "f03", "f08", "f", "for", "f77"}, Comments: Comments{Line: []string{"!", "C ", "c "}},
	},
	{
		Name: "fsharp", Aliases: []string{"fs"}, Extensions: []string{"fs", "fsi", "fsx"},
		Comments: Comments{Line: []string{"//"}, Block: [][2]string{{"(*", "*)"}}},
	},
	{Name: "go.mod", Aliases: []string{"gomod"}, Extensions: []string{"mod"}, FileNames: []string{"go.mod"}, Comments: slashComments},
	{Name: "go.sum", Aliases: []string{"gosum"}, FileNames: []string{"go.sum", "go.work.sum"}},
	{Name: "go.work", Aliases: []string{"gowork"}, FileNames: []string{"go.work"}, Comments: slashComments},
	{Name: "glsl", Aliases: []string{"hlsl", "wgsl"}, Extensions: []string{"glsl", "vert", "frag", "comp", "hlsl", "wgsl"}, Comments: slashComments},
	{
		Name: "haskell", Extensions: []string{"hs", "lhs", "hsc"}, Shebangs: []string{"runhaskell", "runghc", "stack"},
		Comments: Comments{Line: []string{"--"}, Block: [][2]string{{"{-", "-}"}}},
	},
	{
		Name: "ignore", Aliases: []string{"gitignore"}, FileNames: []string{".gitignore", ".ignore", ".dockerignore", ".npmignore", ".gitattributes"},
		Comments: hashComments,
	},
	{
		Name: "ini", Aliases: []string{"cfg", "systemd", "git-config"}, Extensions: []string{"ini", "cfg", "conf", "service", "desktop"},
		FileNames: []string{".gitconfig", ".npmrc"}, Comments: Comments{Line: []string{";", "#"}},
	},
	{
		// Comments are no part of JSON, and stand in many a file all the same.
		Name: "json", Extensions: []string{"json", "webmanifest", "geojson", "ipynb"}, FileNames: []string{".prettierrc", "composer.lock"},
		Comments: slashComments,
	},
	{Name: "json5", Extensions: []string{"json5"}, Comments: slashComments},
	{
		Name: "jsonc", Aliases: []string{"hujson"}, Extensions: []string{"jsonc", "code-workspace"},
		FileNames: []string{"tsconfig.json", "jsconfig.json", ".eslintrc.json", "devcontainer.json"}, Comments: slashComments,
	},
	{Name: "jsonl", Aliases: []string{"ndjson"}, Extensions: []string{"jsonl", "ndjson"}},
	{
		Name: "julia", Extensions: []string{"jl"}, Shebangs: []string{"julia"}, Separator: ".",
		Comments: Comments{Line: []string{"#"}, Block: [][2]string{{"#=", "=#"}, {`"""`, `"""`}}},
	},
	{Name: "less", Extensions: []string{"less"}, Comments: slashComments},
	{
		Name: "lisp", Aliases: []string{"commonlisp", "common-lisp"}, Extensions: []string{"lisp", "lsp", "cl"}, Shebangs: []string{"sbcl"},
		Comments: Comments{Line: []string{";"}, Block: [][2]string{{"#|", "|#"}}},
	},
	{Name: "log", Extensions: []string{"log", "out"}},
	{
		Name: "makefile", Aliases: []string{"make"}, Extensions: []string{"mk", "mak", "make"},
		FileNames: []string{"makefile", "gnumakefile", "bsdmakefile"}, Shebangs: []string{"make"}, Comments: hashComments,
	},
	{
		Name: "nim", Extensions: []string{"nim", "nims", "nimble"}, Shebangs: []string{"nim"},
		Comments: Comments{Line: []string{"#"}, Block: [][2]string{{"#[", "]#"}}},
	},
	{Name: "objective-c", Aliases: []string{"objc", "objective-cpp", "objectivec"}, Extensions: []string{"m", "mm"}, Comments: slashComments},
	{
		Name: "pascal", Aliases: []string{"objectpascal", "delphi"}, Extensions: []string{"pas", "pp", "dpr", "lpr"},
		Comments: pascalComments, Separator: ".",
	},
	{Name: "perl", Extensions: []string{"pl", "pm", "t", "psgi"}, Shebangs: []string{"perl"}, Comments: hashComments, Separator: "::"},
	{Name: "plaintext", Aliases: []string{"text", "txt"}, Extensions: []string{"txt", "text"}},
	{
		Name: "powershell", Aliases: []string{"ps1", "pwsh"}, Extensions: []string{"ps1", "psm1", "psd1"}, Shebangs: []string{"pwsh", "powershell"},
		Comments: Comments{Line: []string{"#"}, Block: [][2]string{{"<#", "#>"}}},
	},
	{Name: "prisma", Extensions: []string{"prisma"}, Comments: slashComments},
	{Name: "restructuredtext", Aliases: []string{"rst"}, Extensions: []string{"rst", "rest"}},
	{
		Name: "scheme", Aliases: []string{"racket"}, Extensions: []string{"scm", "ss", "rkt", "sld"}, Shebangs: []string{"guile", "racket"},
		Comments: Comments{Line: []string{";"}, Block: [][2]string{{"#|", "|#"}}},
	},
	{Name: "scss", Aliases: []string{"sass"}, Extensions: []string{"scss"}, Comments: slashComments},
	{Name: "solidity", Extensions: []string{"sol"}, Comments: slashComments},
	{Name: "tcl", Extensions: []string{"tcl", "tm"}, Shebangs: []string{"tclsh", "wish", "expect"}, Comments: hashComments, Separator: "::"},
	{Name: "tex", Aliases: []string{"latex", "context"}, Extensions: []string{"tex", "sty", "cls", "ltx"}, Comments: percentComments},
	{Name: "thrift", Extensions: []string{"thrift"}, Comments: Comments{Line: []string{"//", "#"}, Block: slashComments.Block}},
	{Name: "tsv", Extensions: []string{"tsv", "tab"}},
	{Name: "vb", Aliases: []string{"visualbasic", "vba"}, Extensions: []string{"vb", "bas", "vbs"}, Comments: Comments{Line: []string{"'"}}},
	{
		Name: "verilog", Aliases: []string{"systemverilog"}, Extensions: []string{"v", "vh", "sv", "svh"},
		Comments: slashComments,
	},
	{Name: "vhdl", Extensions: []string{"vhd", "vhdl"}, Comments: dashComments},
	{Name: "vim", Aliases: []string{"viml", "vimscript"}, Extensions: []string{"vim"}, FileNames: []string{".vimrc", "vimrc", "_vimrc"}, Comments: Comments{Line: []string{`"`, "#"}}},
	{Name: "zig", Extensions: []string{"zig", "zon"}, Comments: Comments{Line: []string{"//"}}},
}
