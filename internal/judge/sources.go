package judge

// A source is a place with files in one language.
type source struct {
	language string // the name in package syntax
	root     string // see roots
	under    string // only files below this folder; "." is all
	suffixes string // of file names, separated by blanks
	skip     string // regular expression: paths that are not taken
	take     int    // at most as many files, spread evenly over the sorted paths
}

// skipped are files that are no fair example anywhere: data of tests of
// compilers and formatters, some of it broken on purpose.
const skipped = `(^|/)(testdata|tests?/data|fixtures|node_modules|badsyntax[^/]*|bad_[^/]*)(/|$)`

const maxFileBytes = 300 << 10

// sources names the files that outlines are judged on. Where a language has
// fewer than 150 in a place, all are taken.
var sources = []source{
	{"go", "go", "src", ".go", `(^|/)testdata/|/internal/types/|\.pb\.go$`, 170},
	{"go", "thrift", "lib/go", ".go", ``, 20},

	{"python", "python", ".", ".py", `(^|/)(test|tests|lib2to3/tests|idlelib/idle_test|dist-packages|site-packages)/`, 150},
	{"python", "thrift", "lib/py/src", ".py", ``, 20},
	{"python", "flatbuffers", ".", ".py", ``, 30},

	{"ruby", "ruby", ".", ".rb", ``, 160},
	{"ruby", "thrift", "lib/rb", ".rb", ``, 40},

	{"php", "thrift", ".", ".php", ``, 200},
	{"php", "flatbuffers", ".", ".php", ``, 100},

	{"c", "thrift", "lib/c_glib", ".c .h", ``, 90},
	{"c", "thrift", "lib/rb/ext", ".c .h", ``, 20},
	{"c", "go", "src", ".c .h", `(^|/)testdata/|textflag|funcdata`, 40},
	{"c", "grammars", ".", ".c .h", `(^|/)(parser\.c|(tree_sitter/)?parser\.h|bindings\.h)$|^(cpp|yaml)/|/`, 40},
	{"c", "grammars", ".", "scanner.c", ``, 25},

	{"cpp", "thrift", "lib/cpp", ".cpp .h", ``, 80},
	{"cpp", "thrift", "compiler/cpp", ".cc .h", ``, 40},
	{"cpp", "flatbuffers", ".", ".cpp .cc .h", `^(swift|ts|grpc/examples/swift)/`, 80},

	{"java", "jdk", "java.base", ".java", `(^|/)package-info\.java$`, 120},
	{"java", "thrift", "lib/java", ".java", ``, 40},
	{"java", "flatbuffers", ".", ".java", ``, 40},

	{"rust", "rust", "library", ".rs", `(^|/)(stdarch|portable-simd|backtrace)/crates/.*/tests?/`, 150},
	{"rust", "thrift", "lib/rs", ".rs", ``, 20},
	{"rust", "flatbuffers", ".", ".rs", ``, 30},

	{"csharp", "thrift", ".", ".cs", ``, 120},
	{"csharp", "flatbuffers", ".", ".cs", ``, 100},

	{"javascript", "npm", "jquery/src", ".js", ``, 30},
	{"javascript", "npm", "moment/src", ".js", ``, 40},
	{"javascript", "npm", "undici/lib", ".js", ``, 80},
	{"javascript", "npm", "typescript/lib", ".js", ``, 10},
	{"javascript", "thrift", "lib", ".js", `\.min\.js$`, 50},

	{"typescript", "npm", "typescript/lib", ".d.ts", ``, 30},
	{"typescript", "npm", "@types/node", ".d.ts", ``, 20},
	{"typescript", "npm", "rxjs/src", ".ts", ``, 80},
	{"typescript", "npm", "zod/src", ".ts", ``, 60},
	{"typescript", "flatbuffers", ".", ".ts", ``, 30},
	{"typescript", "thrift", "lib", ".ts", ``, 10},
}
