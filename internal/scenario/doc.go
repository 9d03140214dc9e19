// Package scenario runs scenarios: small text files that say what stands on
// disk, what a person does in an editor, what an assistant calls, and what it
// must be answered. The same file runs over every [Surface].
//
// # A scenario file
//
// It is a txtar archive under testdata/scenarios. The comment at the top is a
// script, one command a line. The sections are:
//
//	-- dir/name.txt --   a file of the workspace before the script starts
//	-- @name --          a text that the script names, see below
//	-- want/CALL --      the answer to a call, as rendered, in the order of the script
//	-- disk/FILE --      the file at the end, when the server changed it
//	-- buffer/FILE --    the buffer at the end, when the server changed it
//
// `make update` writes the last three kinds. What it
// writes is read and judged before it is committed.
//
// Whatever a scenario does not mention must not change: at the end every file
// must be as the script itself left it, unless a disk section says otherwise,
// and every buffer that the server edited needs a buffer section.
//
// # The script
//
// A word is bare or a Go string ("a\r\n"). FILE is a path below the workspace,
// a path that starts with $WORK (the workspace) or $TMP (the folder that holds
// it), or an untitled: URI. L:C is a line and a column, both from 1, columns
// in characters. TEXT is a word, or <@name for a section. JSON may go on over
// several lines. Lines that start with # are comments.
//
// Before anything else:
//
//	root NAME=DIR          a workspace folder; without any, $WORK is the only one
//	editor KIND KEY=VALUE  KIND is client (default: ours, alters nothing), plain
//	                       (no requests of ours), vscode, neovim; keys: encodings=utf-8,…
//	                       line-rule=lf|any, versions=no (no versioned edits), state=no,
//	                       files=rename,delete|no (file operations in edits),
//	                       questions=no (no window/showMessageRequest),
//	                       without=ABILITY,… (of agent/…)
//	settings JSON          settings of the workspace
//	machine JSON           settings that the editor vouches for
//
// The disk, behind the editor's back, after the server has seen what was told:
//
//	write FILE TEXT        create or overwrite
//	fill FILE N TEXT       N copies of TEXT, in which %d is the copy's number from 1
//	append FILE N TEXT     the same, after what the file holds
//	hex FILE DIGITS…       bytes
//	mkdir DIR, remove FILE, chmod FILE MODE, truncate FILE SIZE (sparse)
//	times TIME [FILE…]     when these were changed (RFC 3339); all files and folders
//	link FILE TARGET, hardlink FILE OLD, fifo FILE, socket FILE
//
// The person at the editor:
//
//	open FILE [LANGUAGE]   as UTF-8, or by its mark
//	open-as FILE ENCODING  iso-8859-1, utf-16le, utf-16be
//	open-text FILE TEXT [LANGUAGE]  with this text whatever the disk says
//	type FILE L:C TEXT, delete FILE L:C-L:C, replace FILE L:C-L:C TEXT
//	replace-all FILE TEXT  told without a range
//	undo FILE, save FILE, reload FILE, close FILE
//	hold FILE, flush FILE  between them changes are collected for one notification
//	state FILE [JSON]      agent/documentState, with members replaced
//	look FILE [L:C-L:C…]   the active document, with what is selected; show FILE: visible
//	diagnose FILE L:C-L:C SEVERITY MESSAGE [SOURCE [CODE]]  what a language server told
//	roots NAME=DIR…        the workspace folders from now on
//	config JSON            workspace/didChangeConfiguration's settings
//	notify METHOD JSON     any notification
//	servers METHOD JSON    what the editor answers from then on when it is asked for what
//	                       language servers know, see fakeeditor.Behaviour.Languages
//	behave WORD…           misbehave, see behave.go; behave well ends it
//	await METHOD           until the server has sent one more of these
//	release                let go what behave held back, and hold no more
//	sure FILE              until the server is sure of the document again
//
// The assistant:
//
//	call TOOL JSON         its answer is a want section
//	begin TOOL JSON        call and do not wait; finish takes the answer, cancel cancels
//	page FILE JSON         read_file from byte 0 by next_start_byte; the pages together
//	                       must be the text, and each must keep the paging rules
//	request METHOD JSON    any request of the editor; its answer is a want section
//	messages               warnings and errors that the editor was shown, as a want section
//	told METHOD            the params of all that the server sent with it, as a want section
//	let NAME WORD          for ${NAME}
//	expect …               see expect.go
//
// In all words and JSON: $WORK, $TMP, ${NAME}, ${hash:FILE} (of what saving
// would write, when open), ${disk_hash:FILE}, ${uri:FILE}, ${version:FILE},
// ${text:NAME} (section @NAME) and ${last.a.b} (a member of the last answer's
// structuredContent).
//
// # What is checked without being asked
//
// The package counts lines and hashes bytes itself, with the simplest code
// that can, and compares every read_file answer with that: see oracle.go.
// Nothing that the server sends may break the protocol.
package scenario
