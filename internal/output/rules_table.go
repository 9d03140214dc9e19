package output

// rules is what is known of the output of tools. The first rule that a line
// fits counts, so noise stands before errors, and a tool's own form before
// words that many use. Each has a sample under testdata/samples.
var rules = []rule{
	// Lines that have an error's words in what they name.
	{tool: "cargo", weight: noise, has: "Compiling |Downloading |Downloaded |Checking |Fresh |Adding |Documenting ", is: `^\s*(Compiling|Downloading|Downloaded|Checking|Fresh|Adding|Documenting) \S+ v?\d`},
	{tool: "maven, gradle", weight: noise, has: "Download", is: `^(\[INFO\] )?Download(ing|ed)? (from )?\S`},
	{tool: "maven", weight: noise, has: "[ERROR]", is: `^\[ERROR\] *($|-> \[Help|To see the full|Re-run Maven|For more info|After correcting|\[Help \d)`},
	{tool: "go", weight: noise, has: "go: downloading |go: finding |go: extracting |go: added "},
	{tool: "go", weight: noise, has: "--- PASS|--- SKIP|=== RUN|=== PAUSE|=== CONT|=== NAME", is: `^\s*(--- (PASS|SKIP):|=== (RUN|PAUSE|CONT|NAME))`},
	{tool: "go", weight: noise, has: "ok  \t", is: "^ok  \t"},
	{tool: "tests that passed", weight: noise, has: "... ok|... ignored|PASSED|✓|√|PASS ", is: `^(test .* \.\.\. (ok|ignored)|.*\bPASSED\b.*|\s*[✓√] .*|PASS .*)$`, not: `\b(FAILED|ERROR)\b`},
	{tool: "junit xml", weight: noise, has: "<testcase ", is: `^\s*<testcase [^>]*(/>|></testcase>)$`},
	{tool: "compilers' command lines", weight: noise, has: " -c | -o | -I", is: `^(\S*/)?(\S+-)?(cc|gcc|g\+\+|c\+\+|clang|clang\+\+|ld|ar|rustc|javac|libtool)(-[\d.]+)?:? -?\S`, not: `^\S*ld:|: (fatal )?error: `},
	{tool: "cmake, ninja", weight: noise, has: "] ", is: `^\[ *\d+(%|/\d+)\] (Building|Linking|Built|Generating|Scanning|Compiling|Creating|Running|CXX|CC|Performing)\b`},
	{tool: "cmake", weight: noise, has: "-- ", is: `^-- (Performing Test|Looking for|Check if|Could NOT find|Found) `},
	{tool: "counts of nothing", weight: noise, has: "0 error|no error|0 fail|0 Error|Errors: 0|errors: 0|failed: 0|0 warning|0 problem|No error|failures: 0|Failures: 0, E", not: `\b[1-9]\d* (error|fail|warning|problem)|(Failures|Errors): [1-9]`, is: `\b([0nN]o?) (error|fail|warning|problem|Error)|(?i:errors|failures|failed): 0\b`},

	// Go.
	{tool: "go race", weight: grave, has: "WARNING: DATA RACE", back: `^={10,}$`, until: `^={10,}$`},
	{tool: "go panic", weight: grave, has: "panic: ", is: `^(\t?panic: |.*: panic: )`, then: "^(\t|goroutine \\d|\\[signal |\\[recovered|created by |panic: |\tpanic: |\\S+\\(.*\\)$|$)"},
	{tool: "go runtime", weight: grave, has: "fatal error: ", is: `^fatal error: `, not: `\.h:|\.h'`, then: "^(\t|goroutine \\d|\\[signal |runtime|created by |\\S+\\(.*\\)$|$)"},
	{tool: "go test", weight: grave, has: "--- FAIL", is: `^\s*--- FAIL: `, back: `^\s+\S`, then: `^\s`},
	{tool: "go test -v", weight: grave, has: "_test.go:", is: `^\s+\S+_test\.go:\d+: .*\b(want|wanted|expected|got|unexpected|mismatch|should|diff)\b`, then: `^\s{8}`, lines: 20},
	{tool: "go test", weight: summary, has: "FAIL\t", is: "^FAIL\t"},
	{tool: "go build, vet", weight: grave, has: ".go:", is: `^(vet: )?\S+\.go:\d+:\d+: `, back: `^# \S`, then: "^\t"},
	{tool: "go", weight: grave, has: "go: |go.mod:|package ", is: `^(go: \S|(\S*/)?go\.mod:\d+: |package \S+ is not in std)`, then: "^\t"},
	{tool: "go", weight: summary, has: "exit status ", is: `^exit status [1-9]`},

	// C and C++. Java's and Kotlin's compilers write the same form.
	{tool: "sanitizers", weight: grave, has: "==ERROR: |: runtime error: |==WARNING: ", is: `^=+\d+=+(ERROR|WARNING): |: runtime error: `, then: `^(\s+[#\w]|$|[A-Z]+ of size|[\w ]+ (by|here)|0x)`},
	{tool: "sanitizers", weight: summary, has: "SUMMARY: ", is: `^SUMMARY: \w+Sanitizer`},
	{tool: "gcc, clang, javac, kotlinc", weight: grave, has: "error: ", is: `^\S[^:]*(:\d+)?(:\d+)?: (fatal |internal compiler )?error: `, not: `^(error|fatal|npm|git|make)`,
		back: `^(In file included from|\s+from |\S[^:]*: (In|At) )`, then: `^(\s|\S[^:]*:\d+:\d+: note: )`, lines: 24},
	{tool: "gcc, clang, javac", weight: warning, has: "warning: ", is: `^\S[^:]*(:\d+)?(:\d+)?: warning: `, not: `^warning: `, back: `^\S[^:]*: (In|At) `, then: `^\s`, lines: 8},
	{tool: "ld", weight: grave, has: "undefined reference to|multiple definition of|cannot find -l|Undefined symbols for|duplicate symbol", back: `: in function `, then: `^\s`, lines: 8},
	{tool: "ld", weight: summary, has: "ld returned |linker command failed"},

	// Rust.
	{tool: "rustc", weight: grave, has: "error[E|error: ", is: `^error(\[E\d+\])?: `, then: `^(\s*(\||\d+ \||\.\.\.|-->|=|:::)|help: |note: |\s+\S)`, lines: 40},
	{tool: "rustc", weight: warning, has: "warning: ", is: `^warning: `, then: `^(\s*(\||\d+ \||\.\.\.|-->|=|:::)|help: |note: |\s+\S)`, lines: 20},
	{tool: "rust panic", weight: grave, has: "panicked at ", is: `^thread '.*' .*panicked at |^thread '.*' panicked at `, back: `^---- .* ----$`, until: `^($|note: run with|stack backtrace:)`, lines: 40},
	{tool: "cargo test", weight: summary, has: " ... FAILED|test result: FAILED", is: `^test .* \.\.\. FAILED|^test result: FAILED`},
	{tool: "cargo test", weight: summary, has: "failures:", is: `^failures:$`, then: `^    \S`},
	{tool: "rust backtrace", weight: warning, has: "stack backtrace:", is: `^stack backtrace:`, then: `^\s`},

	// Python.
	{tool: "python", weight: grave, has: "Traceback (most recent call last)", is: `^\s*(\+ Exception Group )?Traceback \(most recent call last\)`, until: `^([^\s|+]|$)`},
	{tool: "python", weight: grave, has: "During handling of the above exception|was the direct cause of the following", lines: 1, upto: `\S`},
	{tool: "pytest", weight: grave, has: "E  ", is: `^E  `, back: `^(>|\s)`, then: `^(E  |$|\S+:\d+: )`},
	{tool: "pytest", weight: summary, has: "____", is: `^_{3,} .* _{3,}$`, lines: 2, upto: `^(_{3,} |={3,} )`},
	{tool: "pytest", weight: summary, has: "FAILED |ERROR ", is: `^(FAILED|ERROR) \S+(::| -|$)`},
	{tool: "pytest", weight: summary, has: " failed| error", is: `^=+ .*\d+ (failed|errors?)\b.* =+$`},
	{tool: "pytest", weight: noise, has: "====", is: `^=+ .* =+$`},
	{tool: "unittest", weight: grave, has: "FAIL: |ERROR: ", is: `^(FAIL|ERROR): \w+ \(`, lines: 1, then: `^-+$`},
	{tool: "unittest", weight: summary, has: "FAILED (", is: `^FAILED \(`},

	// Java and its builds.
	{tool: "java", weight: grave, has: "Exception in thread|Caused by: ", is: `^(Exception in thread "|Caused by: )`, then: `^(\s+(at |\.\.\. \d|Suppressed: )|Caused by: )`, lines: 30},
	{tool: "maven", weight: grave, has: "[ERROR] ", is: `^\[ERROR\] `, then: `^(\[ERROR\]  ?\s|\s)`, lines: 24},
	{tool: "maven", weight: warning, has: "[WARNING] ", is: `^\[WARNING\] `},
	{tool: "maven", weight: summary, has: "BUILD FAILURE|FAILURE ["},
	{tool: "kotlin, gradle", weight: grave, has: "e: ", is: `^e: `, then: `^\s`, lines: 8},
	{tool: "kotlin, gradle", weight: warning, has: "w: ", is: `^w: `},
	{tool: "gradle", weight: grave, has: "* What went wrong:", is: `^\* What went wrong:`, upto: `^(\* (Try|Get)|$)`, lines: 24},
	{tool: "gradle", weight: grave, has: " FAILED", is: `^\S.* > .*FAILED$`, then: `^\s+\S`, lines: 24},
	{tool: "gradle", weight: summary, has: " FAILED|FAILURE: Build failed|BUILD FAILED", is: `^(> Task \S+ FAILED|FAILURE: Build|BUILD FAILED)`},

	// JavaScript and TypeScript.
	{tool: "tsc", weight: grave, has: "error TS|error\x1b TS", is: `\berror TS\d+: `, then: `^(\s|\d+ +\S|$)`, lines: 8},
	{tool: "eslint", weight: grave, has: " error ", is: `^\s+\d+:\d+\s+error\s`, back: `^(\s+\d+:\d+\s|\S+$)`},
	{tool: "eslint", weight: warning, has: " warning ", is: `^\s+\d+:\d+\s+warning\s`},
	{tool: "eslint", weight: summary, has: " problem", is: `^✖ [1-9]`},
	{tool: "vitest", weight: grave, has: "FAIL  ", is: `^\s*FAIL  \S.* > `, upto: `^(\s*FAIL  |⎯|\s*Test Files )`, lines: 30},
	{tool: "junit xml", weight: grave, has: "<failure|<error ", is: `^\s*(<testcase .*)?<(failure|error)[ >]`, back: `^\s*<testcase [^>]*[^/]>$`, upto: `^\s*</(failure|error|testcase)>`, lines: 12},
	{tool: "junit xml", weight: summary, has: "<testsuite ", is: `^\s*<testsuite .*(failures|errors)="[1-9]`},
	{tool: "jest, vitest", weight: grave, has: "●", is: `^\s+● `, upto: `^(\s+● |(PASS|FAIL) |Tests?:|Test Suites:)`, lines: 40},
	{tool: "jest, vitest", weight: summary, has: "FAIL ", is: `^\s*FAIL +\S`},
	{tool: "jest", weight: summary, has: "Tests: |Test Suites: ", is: `^(Tests|Test Suites):.* failed`},
	{tool: "mocha", weight: grave, has: ") ", is: `^\s+\d+\) \S.*$`, then: `^\s+\S|^$`, lines: 16},
	{tool: "node test runner", weight: grave, has: "not ok ", is: `^\s*not ok \d+`, then: `^\s+\S`, lines: 40},
	{tool: "npm", weight: grave, has: "npm ERR!|npm error", is: `^npm (ERR!|error)`, then: `^npm (ERR!|error)`, lines: 30},
	{tool: "npm", weight: warning, has: "npm WARN|npm warn", is: `^npm (WARN|warn)`},
	{tool: "pnpm, yarn", weight: grave, has: "ERR_PNPM_|error Command failed|YN0"},
	{tool: "node, java, python", weight: grave, has: "Error|Exception|Failure", is: `^\s*(Uncaught |\[cause\]: )?([\w$]+\.)*[A-Z]\w*(Error|Exception|Failure)( \[\w+\])?(:|$)|^Error( \[\w+\])?: `,
		back: `^(\s*\^+\s*$|$|\s+\S|\S+\.[cm]?[jt]sx?:\d+$|\s+File ")`, then: `^(\s+(at |\.\.\. \d|\[|code:|errno:|syscall:|path:|requireStack:|generatedMessage|actual:|expected:|operator:|\})|Caused by: |\})`, lines: 30},

	// Builds.
	{tool: "make", weight: summary, has: ": *** ", is: `^\S*make(\[\d+\])?: \*\*\* `},
	{tool: "cmake", weight: grave, has: "CMake Error", is: `^CMake Error`, then: `^(  |$)`, lines: 16},
	{tool: "cmake", weight: warning, has: "CMake Warning|CMake Deprecation Warning", is: `^CMake (Deprecation )?Warning`, then: `^(  |$)`, lines: 8},
	{tool: "cmake", weight: summary, has: "Configuring incomplete"},
	{tool: "ninja", weight: summary, has: "FAILED: |ninja: ", is: `^(FAILED: |ninja: (build stopped|error|fatal))`},
	{tool: "docker", weight: grave, has: "Dockerfile:", is: `^\S*Dockerfile\S*:\d+$`, then: `^(-{10,}|\s*\d+ \|)`},
	{tool: "docker", weight: grave, has: " ERROR", is: `^(#\d+|=>) .*ERROR`},
	{tool: "docker", weight: grave, has: "------", is: `^------$`, then: `^( > |\d+\.\d+ )`, upto: `^-{4,}`, lines: 30},
	{tool: "apt", weight: grave, has: "E: ", is: `(^|\d )E: \S`},

	// Git and the shell.
	{tool: "git, cargo, docker", weight: grave, has: "fatal: |error: |ERROR: ", is: `^(fatal|error|ERROR): `, then: `^(\t|\s|hint: )`, lines: 16},
	{tool: "git", weight: likely, has: "CONFLICT (|! [rejected]|! [remote rejected]|Automatic merge failed|remote: error", then: `^hint: `},
	{tool: "shell", weight: grave, has: ": command not found|: No such file or directory|: Permission denied|: not found|: Is a directory|: syntax error|: Syntax error|: unbound variable|: Connection refused|: No space left|: Cannot allocate|: Address already in use"},
	{tool: "shell", weight: grave, has: "Segmentation fault|Aborted|Killed|Bus error|Illegal instruction|core dumped|Terminated", is: `(^|: |\) )(Segmentation fault|Aborted|Killed|Bus error|Illegal instruction|Terminated)|\(core dumped\)`},

	// Words that all kinds of programs use.
	{tool: "any", weight: likely, has: "rror:|rror]|rror>|rror)|rror\"|rror[|rror |RROR|atal:|atal]|atal |ATAL|anic:|anic]|anic |PANIC|xception:|xception |ritical:|ritical]|CRITICAL", is: `(?i:(^|[\s\[(<>:"=])(error|fatal|panic|critical|exception)(["\])>]|\[\w+\])?( ?:| - |"?,| in | at |\]))|(^|[^-_\w])(ERROR|FATAL|CRITICAL|PANIC)([^-_\w]|$)`, then: `^(\s+at |\s*\^)`, lines: 12},
	{tool: "any", weight: likely, has: "ssertion|ssert failed|nhandled|imed out|ut of memory|OOM|tack overflow", is: `(?i)\b(assertion|assert failed|unhandled|timed out|out of memory|oom-?kill|stack overflow)`},
	{tool: "any", weight: summary, has: "ailed|AILED|FAIL|ailure|nable to|annot |ould not|nvalid |efused|enied|bort", is: `\b(FAILED|FAIL|FAILURE|[Ff]ailed|[Ff]ailure|[Uu]nable to|[Cc]annot|[Cc]ould not|[Ii]nvalid|refused|denied|[Aa]bort(ed|ing))\b`},
	{tool: "any", weight: warning, has: "arning|WARN", is: `(?i)\bwarn(ing)?\b`},
	{tool: "any", weight: warning, has: "xpected|ctual|eceived|want|left:|right:", is: `^\s*([Ee]xpected|[Aa]ctual|[Rr]eceived|got|want|left|right)\b`},
}
