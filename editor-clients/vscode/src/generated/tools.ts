// Made by scripts/generate.mjs; do not edit.

/** The arguments of each tool. */
export interface ToolInputs {
  /** Read a file as the editor shows it, unsaved changes included: a page, a symbol, lines or bytes. The answer's hash guards edits. Without a range: a first page (of logs the end and errors), or the outline of large source. symbol: a definition by name, Type.method, heading/path or keys.path[2]; without path wherever it is. start_byte and max_bytes page large files, offset and limit by line. */
  read_file: {
    /** File to read: relative to the workspace root, absolute, or a file:// or untitled: URI. path:12 reads the definition around line 12. With symbol it may be left out: the one definition of that name in the workspace. */
    path?: string;
    /** First line to read, 1-based. */
    start_line?: number;
    /** Last line to read, inclusive. */
    end_line?: number;
    /** First byte of a window, 0-based; the start of its line is taken. */
    start_byte?: number;
    /** Size of the window (default 65536, at most 262144); in other modes a further limit. */
    max_bytes?: number;
    /** First line of a page, 0-based. */
    offset?: number;
    /** Number of lines of a page. */
    limit?: number;
    /** Read this definition, with its comments: name, Type.method, path/of/headings, or a path of keys as in jobs.build.steps[2]. */
    symbol?: string;
    /** Read the rows of a csv or tsv that have these values, by column; row is a row's number, from 1, where no column has that name. */
    where?: Record<string, string>;
    /** How far a byte window is widened: to whole lines (lines), or further to whole definitions (syntax, the default). A range of lines is widened with syntax alone. */
    expand?: "syntax" | "lines";
    /** numbered (N|line, the default), plain (the exact text, the default with symbol) or xml. */
    format?: "numbered" | "plain" | "xml";
    /** Whether an outline is added: of what is not shown, where the answer is truncated (auto, the default), always, or never. */
    outline?: "auto" | "always" | "never";
    /** The hash of a text that you still have: nothing is sent where it is current, and only what changed since where that is shorter. */
    if_hash?: string;
    /** Return a binary file as base64. */
    allow_binary?: boolean;
    /** Read a file on disk in this encoding instead of the detected one. */
    encoding?: string;
    /** Several reads in one call, each with arguments as above; path, format, outline, expand and encoding beside them are of those that give none, max_bytes is of the whole answer. */
    reads?: Array<{
      /** File to read: relative to the workspace root, absolute, or a file:// or untitled: URI. path:12 reads the definition around line 12. With symbol it may be left out: the one definition of that name in the workspace. */
      path?: string;
      /** First line to read, 1-based. */
      start_line?: number;
      /** Last line to read, inclusive. */
      end_line?: number;
      /** First byte of a window, 0-based; the start of its line is taken. */
      start_byte?: number;
      /** Size of the window (default 65536, at most 262144); in other modes a further limit. */
      max_bytes?: number;
      /** First line of a page, 0-based. */
      offset?: number;
      /** Number of lines of a page. */
      limit?: number;
      /** Read this definition, with its comments: name, Type.method, path/of/headings, or a path of keys as in jobs.build.steps[2]. */
      symbol?: string;
      /** Read the rows of a csv or tsv that have these values, by column; row is a row's number, from 1, where no column has that name. */
      where?: Record<string, string>;
      /** How far a byte window is widened: to whole lines (lines), or further to whole definitions (syntax, the default). A range of lines is widened with syntax alone. */
      expand?: "syntax" | "lines";
      /** numbered (N|line, the default), plain (the exact text, the default with symbol) or xml. */
      format?: "numbered" | "plain" | "xml";
      /** Whether an outline is added: of what is not shown, where the answer is truncated (auto, the default), always, or never. */
      outline?: "auto" | "always" | "never";
      /** The hash of a text that you still have: nothing is sent where it is current, and only what changed since where that is shorter. */
      if_hash?: string;
      /** Return a binary file as base64. */
      allow_binary?: boolean;
      /** Read a file on disk in this encoding instead of the detected one. */
      encoding?: string;
    }>;
  };
  /** Search all files, unsaved changes included, as grep does: by RE2 regular expression, or literal text. Answers lines, the definition around each, and hashes for edits. Narrow by path and globs; output "files" or "count" where much is expected; last: so many hits from the end. */
  grep_files: {
    /** Regular expression in RE2 syntax; without multiline it is held against each line. */
    pattern: string;
    /** Folder or file to search; all workspace folders by default. */
    path?: string;
    /** Only files that one of these globs takes: *.go at any depth, src/** /*.ts below the workspace folder. */
    include?: Array<string>;
    /** No files that one of these globs takes. */
    exclude?: Array<string>;
    /** The pattern is plain text. */
    literal?: boolean;
    /** smart (default): case counts if the pattern has an upper-case letter. */
    case?: "smart" | "sensitive" | "insensitive";
    /** Whole words only. */
    word?: boolean;
    /** Matches may reach over line ends; (?s) lets . match them. */
    multiline?: boolean;
    /** Lines to show around each hit. */
    context?: number;
    /** Lines to show before each hit; context counts where it is absent. */
    before?: number;
    /** Lines to show after each hit; context counts where it is absent. */
    after?: number;
    /** definition: the whole definition around each hit, once; of a large one the lines around the hit. */
    show?: "definition";
    /** So many hits from the end, as of a log. */
    last?: number;
    /** lines (default), files (their names), or count (hits by file). */
    output?: "lines" | "files" | "count";
    /** Most hits, or files, to answer; 100 by default. */
    max_results?: number;
    /** From the last answer, to go on after it; all else as it was. */
    cursor?: string;
    /** Name the definition around each hit; by default for up to 20 files. */
    symbols?: boolean;
    /** Also hidden files and those that .gitignore and .ignore leave out. */
    include_ignored?: boolean;
  };
  /** Find what uses or defines a symbol, by the editor's language server: no comments, no namesakes. Name it by symbol, or by line and text. */
  references: {
    /** A file that defines or uses it. */
    path: string;
    /** Name of a definition in the file, as read_file takes it. */
    symbol?: string;
    /** Or the line, from 1, where text stands. */
    line?: number;
    /** The name on that line, or enough of the line to tell which: Close, f.Close, Close(err. */
    text?: string;
    /** What to find; references by default, the declaration among them. */
    relation?: string;
    /** Most lines to answer; 100 by default. */
    max_results?: number;
    /** From the last answer, to go on after it; all else as it was. */
    cursor?: string;
  };
  /** List definitions (functions, classes …) of a file or folder by container, cheaper than reading. query finds names anywhere: "Type.method", "usr serv". Then read_file symbol. */
  outline: {
    /** File or folder to outline: relative to the workspace root ("." is everything), absolute, or a file:// or untitled: URI. With query it may be left out. */
    path?: string;
    /** Deepest level to show; 0 is the top. */
    depth?: number;
    /** Only these kinds: function, method, constructor, class, struct, interface, enum, field, property, constant, variable, module, namespace, object, key, string (headings) … */
    kinds?: Array<string>;
    /** Only symbols with names like this, in any case. */
    query?: string;
    /** Show signatures, a line each, however many there are; without it they stand where they take up to 1 KiB in all, else names. */
    signatures?: boolean;
  };
  /** List the files and folders in a folder, large ones with sizes, and what is open in the editor; depth shows a tree. Files by name: find_files. */
  list_directory: {
    /** Folder to list: relative to the workspace root (the default is the root itself; with several roots, their list), absolute, or a file:// URI. */
    path?: string;
    /** How many levels to show: 1 (the default) is the folder's own entries. Levels that do not fit the limit as a whole are left out. */
    depth?: number;
    /** How many entries to show at most; the default is 200. */
    limit?: number;
    /** Go on behind a page: the cursor that its answer gave. */
    cursor?: string;
    /** Show what ignore files and hidden names leave out, too. */
    include_ignored?: boolean;
  };
  /** Find files by name: by glob ("*.go" at any depth, "src/** /*.{ts,tsx}" below the root; newest first), or words matched loosely ("user serv" finds src/UserService.ts; best first; 'exact ^start end$ !not). Ignored and hidden files are not found. */
  find_files: {
    /** A glob, when it holds one of * ? [ {: without a slash it is held against names, with one against paths below the root; after a ! all others are found. Else words, all of which must match. */
    pattern: string;
    /** Only below this folder. */
    path?: string;
    /** How many files to show at most; the default is 100 for a glob; for words what is plainly meant, else 10. */
    limit?: number;
    /** Find what ignore files and hidden names leave out, too. */
    include_ignored?: boolean;
  };
  /** Show which files the person has open in the editor: with unsaved changes, visible, active, and what is selected. Begin here when the person says "this file" or "this function". Each hash guards edit_file at once. */
  open_files: {
    /** read: what others changed since you read it, as diffs. */
    since?: string;
  };
  /** Errors and warnings of the editor's language servers and linters. Without path, or for a folder: counts by file; for a file: each; with since: what an edit broke and mended. Only "settled" is about exactly this text; "pending": ask again. */
  diagnostics: {
    /** A file, for its diagnostics; a folder, for the counts of the files below; without it, the counts of all files. */
    path?: string;
    /** Id of an edit, from its answer: what became new and what is gone since, over all files. */
    since?: string;
    /** How long language servers have to get done with the present text, at most 30,000 ms. */
    wait_ms?: number;
  };
  /** Edit a file in the editor as one undo step: replace old_text by new_text, a definition by its symbol, or lines. expected_hash guards it: a changed file is refused. old_text must occur exactly once, or give near_line or replace_all. symbol with new_text replaces a definition with its comments; place inserts beside it. start_line, end_line replace lines; end_line = start_line - 1 inserts. All edits refer to one text. The answer's hash is good for the next. */
  edit_file: {
    /** File to change: relative to the workspace root, absolute, or a file:// or untitled: URI. */
    path: string;
    /** The hash of the text that the edits refer to. Without it edits by old_text refer to what you last read of the file; edits of lines need it. */
    expected_hash?: string;
    /** The text to replace, exactly as it stands. */
    old_text?: string;
    /** What replaces it; empty deletes. */
    new_text?: string;
    /** Replace every occurrence. */
    replace_all?: boolean;
    /** Of several occurrences take the one nearest to this line. */
    near_line?: number;
    /** Instead of old_text: the definition to replace, with its comments and attributes: name, Type.method, or path/of/headings/or/keys. */
    symbol?: string;
    /** Insert new_text before or after symbol instead, in its indentation. */
    place?: "before" | "after";
    /** Instead of old_text: first line to replace, 1-based. */
    start_line?: number;
    /** Last line to replace, inclusive. */
    end_line?: number;
    /** Instead of a single edit several, each with the same arguments; they must not overlap. */
    edits?: Array<{
      /** The text to replace, exactly as it stands. */
      old_text?: string;
      /** What replaces it; empty deletes. */
      new_text?: string;
      /** Replace every occurrence. */
      replace_all?: boolean;
      /** Of several occurrences take the one nearest to this line. */
      near_line?: number;
      /** Instead of old_text: the definition to replace, with its comments and attributes: name, Type.method, or path/of/headings/or/keys. */
      symbol?: string;
      /** Insert new_text before or after symbol instead, in its indentation. */
      place?: "before" | "after";
      /** Instead of old_text: first line to replace, 1-based. */
      start_line?: number;
      /** Last line to replace, inclusive. */
      end_line?: number;
    }>;
    /** When the text is another than that of expected_hash: refuse (reject, the default) or merge the edit into the present text (merge). */
    on_stale?: "reject" | "merge";
    /** Answer with the diff and change nothing. */
    dry_run?: boolean;
    /** Whether an open file is saved: auto (the default: if it had no unsaved changes), always, never. Closed files are always written. */
    save?: "auto" | "always" | "never";
    /** The encoding of a file on disk, where it was only detected and the new text is not ASCII. */
    encoding?: string;
  };
  /** Create a file, with the folders it is in, or replace the whole text of one. Without expected_hash it only creates. With the hash that read_file gave it replaces that text: prefer edit_file for a part. A file that is open in the editor is changed there, as one undo step. */
  write_file: {
    /** File to write: relative to the workspace root, absolute, or a file:// URI. */
    path: string;
    /** The whole text, as it is to be. */
    content: string;
    /** The content_hash of the text to replace; leave it out to create a file. */
    expected_hash?: string;
    /** When the text is another than that of expected_hash: refuse (reject, the default) or merge what is changed (merge). */
    on_stale?: "reject" | "merge";
    /** Answer with the diff and change nothing. */
    dry_run?: boolean;
    /** Whether an open file is saved: auto (the default: if it had no unsaved changes), always, never. Closed files are always written. */
    save?: "auto" | "always" | "never";
    /** The encoding of a new file, or of one on disk whose encoding was only detected; UTF-8 by default. */
    encoding?: string;
  };
  /** Edit, add, delete, move several files by one patch, all or nothing. Read them first. A unified or git diff, or "*** Begin Patch" … "*** End Patch" with "*** Update File: PATH" ("*** Move to: PATH"; hunks: "@@ line of the function", then lines with blank, - or +), "*** Add File: PATH" and "*** Delete File: PATH". */
  apply_patch: {
    /** The patch; its paths are relative to the workspace root. */
    patch: string;
    /** By path, the content_hash; by default that of your last read_file. */
    expected_hashes?: Record<string, string>;
    /** When a text is another by now: reject (the default) or merge. */
    on_stale?: "reject" | "merge";
    /** Answer with the diff and change nothing. */
    dry_run?: boolean;
    /** Save open files: auto (the default: those without unsaved changes), always, never. */
    save?: "auto" | "always" | "never";
  };
  /** Replace a regular expression (RE2), or literal text, in all files at once, as sed does; all or nothing. A wrong expected_count, or more than max_count, changes nothing: the error tells the right one. */
  replace_in_files: {
    /** Regular expression in RE2 syntax, held against each line, or against the whole text where it holds \n. It must not match the empty text. */
    pattern: string;
    /** What replaces each match: $1, ${1} and ${name} are groups, $0 is the match, $$ a dollar; with literal it stands for itself. */
    replacement: string;
    /** Pattern and replacement are plain text. */
    literal?: boolean;
    /** Only files that one of these globs takes: *.go at any depth, src/** /*.ts below the workspace folder. */
    include?: Array<string>;
    /** No files that one of these globs takes. */
    exclude?: Array<string>;
    /** How many matches there are in all files together, or lines that have one, as grep_files counts; with another number nothing is changed. Required but for a dry run, or with max_count. */
    expected_count?: number;
    /** Where the number is not known: how many matches there may be at most; with more, or none, nothing is changed. */
    max_count?: number;
    /** Answer with the counts and the diff, and change nothing. */
    dry_run?: boolean;
    /** Save open files: auto (the default: those without unsaved changes), always, never. */
    save?: "auto" | "always" | "never";
  };
  /** Rename a symbol everywhere, by the language server; all or nothing. Named as for references. */
  rename_symbol: {
    /** A file that defines or uses it. */
    path: string;
    /** Name of a definition in the file, as read_file takes it. */
    symbol?: string;
    /** Or the line, from 1, where text stands. */
    line?: number;
    /** The name on that line, or enough of the line to tell which. */
    text?: string;
    /** What it is called from now on. */
    new_name: string;
    /** Answer with the diff and change nothing. */
    dry_run?: boolean;
    /** Save open files: auto (the default: those without unsaved changes), always, never. */
    save?: "auto" | "always" | "never";
  };
  /** What language servers offer for a line or file: quickfix, refactor, source.organizeImports, source.fixAll. apply does one. */
  code_action: {
    path: string;
    /** The line, from 1; without it and diagnostic the whole file. */
    line?: number;
    /** Words of the message of a diagnostic of the file, in place of line. */
    diagnostic?: string;
    /** Only actions of this kind, such as quickfix, refactor, source.organizeImports. */
    kind?: string;
    /** The title of the action to apply. */
    apply?: string;
    /** With apply: answer with the diff and change nothing. */
    dry_run?: boolean;
    /** Save open files: auto (the default: those without unsaved changes), always, never. */
    save?: "auto" | "always" | "never";
  };
  /** Show what was edited and reverted in this session, newest first, with diffs. */
  edit_history: {
    /** Show this change only. */
    id?: string;
    /** Show changes of this file only. */
    path?: string;
    /** How many changes to show; 20 by default. */
    limit?: number;
  };
  /** Undo an edit of this session by the hash or id that its answer gave: texts as they were, created files deleted, deleted and moved ones back. What was changed since stays; on the same lines it is merge_conflict. */
  revert_edit: {
    /** The change: its id, or the hash that its answer gave. */
    id: string;
    /** Answer with the diff and change nothing. */
    dry_run?: boolean;
    /** Whether an open file is saved: auto (the default: if it had no unsaved changes), always, never. */
    save?: "auto" | "always" | "never";
  };
  /** For hosts that run commands themselves: keep a command's whole output, and get the part of it that tells what happened. Lines that tell of errors come before noise, in order, with marks where something was left out. The whole streams are then files under /.outputs/ for read_file and grep_files. */
  persist_output: {
    /** Names the kept files, as the host's id of the call; made fit for a file's name and unique. Made up when absent. */
    id?: string;
    /** All that the command wrote to its standard output. */
    stdout?: string;
    /** All that it wrote to its standard error. */
    stderr?: string;
    /** The command's exit code. */
    exit_code?: number;
    /** How much is shown: silent (200 bytes), concise (2 KiB, the default), normal (8 KiB), verbose (16 KiB), full (at most 256 KiB). */
    output?: "concise" | "silent" | "normal" | "verbose" | "full";
  };
}

/** The structured answer of each tool; members that say nothing are left out. */
export interface ToolOutputs {
  read_file: {
    path?: string;
    uri?: string;
    /** buffer: from the editor, saved or not; disk: nobody has it open */
    source?: string;
    /** The editor's version of the document. */
    version?: number;
    /** The editor has unsaved changes. */
    dirty?: boolean;
    /** The file on disk is another than the one that the editor opened or saved. */
    disk_changed?: boolean;
    /** Hash of the file on disk, where it changed. */
    disk_hash?: string;
    /** Both: unsaved changes, and another file on disk. */
    diverged?: boolean;
    /** The text may differ from the editor's; edits are refused until it is known. */
    unsure?: boolean;
    content?: string;
    content_base64?: string;
    /** Instead of content: what changed since the text of if_hash, as hunks of a unified diff. */
    changes?: string;
    /** if_hash is current; there is no content. */
    not_modified?: boolean;
    content_type?: string;
    language?: string;
    encoding?: string;
    /** The encoding was guessed; new text must be ASCII. */
    encoding_detected?: boolean;
    /** The bytes cannot be made again from the text; edits are refused. */
    lossy?: boolean;
    /** lf, crlf, cr, mixed or none */
    eol?: string;
    bom?: boolean;
    final_newline?: boolean;
    /** offset, tail, lines, bytes, symbol, rows, outline, image, document or binary */
    read_mode?: string;
    /** Length of the file on disk. */
    size_bytes?: number;
    /** Length of the text in UTF-8, without mark. */
    text_bytes?: number;
    total_lines?: number;
    /** SHA-256 of the bytes on disk, or that saving would write. It guards edits. */
    content_hash?: string;
    lines_shown?: {
      start: number;
      end: number;
    };
    bytes_shown?: {
      start: number;
      end: number;
    };
    /** The window that was asked for. */
    requested_bytes?: {
      start: number;
      end: number;
    };
    /** The window in whole lines. */
    rounded_bytes?: {
      start: number;
      end: number;
    };
    /** Whether the window was widened to a definition, and which; the definition that symbol named. */
    expansion?: {
      applied: boolean;
      kind?: string;
      name?: string;
      reason?: string;
    };
    /** There is more; see the next_ and prev_ members. */
    truncated?: boolean;
    eof?: boolean;
    next_start_byte?: number;
    prev_start_byte?: number;
    next_offset?: number;
    prev_offset?: number;
    /** max_bytes was larger than a window can be. */
    clamped?: boolean;
    /** The content begins or ends inside a line that is too long for the window. */
    partial_line?: boolean;
    /** What the text defines, in read_mode outline; else what of it is not shown. Cut by depth. */
    outline?: Array<{
      name: string;
      /** As in LSP, in lower case: function, method, class, struct, string (a heading), key … */
      kind: string;
      /** Name of what it belongs to. */
      container?: string;
      /** Its head as written, in one line. */
      signature: string;
      /** With leading comments and decorators. */
      start_line: number;
      end_line: number;
      start_byte: number;
      end_byte: number;
      /** 0 at the top; what a symbol holds follows it, one deeper. */
      depth: number;
    }>;
    /** Of a log: the last errors before what is shown, each once. */
    errors?: Array<{
      /** Where it came last: its last line. */
      line: number;
      /** How often it came, whatever numbers it names. */
      count: number;
      text: string;
    }>;
    notes?: Array<string>;
    /** Of several reads: what each of them gave, in their order; an error where one failed. */
    reads?: Array<Record<string, never>>;
    /** Of several reads: those for which there was no room, by their places from 0; what they gave is empty. */
    left_out?: Array<number>;
  };
  grep_files: {
    output: "lines" | "files" | "count";
    files: Array<{
      path: string;
      uri: string;
      source: string;
      /** The editor has unsaved changes. */
      dirty?: boolean;
      disk_changed?: boolean;
      /** The text may differ from the editor's. */
      unsure?: boolean;
      /** Guards an edit of what was found. */
      content_hash: string;
      /** Hits in the file, for count. */
      count?: number;
      hits?: Array<{
        line: number;
        /** Where a match ends that reaches over lines. */
        end_line?: number;
        /** Of the match's start, in bytes from 1. */
        column: number;
        /** Offset of the match's start in the text. */
        byte: number;
        /** The line; a long one is cut around the match. */
        text: string;
        cut_before?: boolean;
        cut_after?: boolean;
        /** The definition around it; read_file takes it. */
        symbol?: string;
        /** The definition that the hit and those after it are in, with show. */
        definition?: {
          start_line: number;
          end_line: number;
          /** Its lines; absent where it is too large to be shown as a whole. */
          text?: string;
        };
        /** The lines before, with context. */
        before?: Array<string>;
        after?: Array<string>;
      }>;
    }>;
    /** Hits, or files, in this answer. */
    results: number;
    /** There are hits before the last that were asked for. */
    earlier?: boolean;
    /** Files and documents in question. */
    searched: number;
    /** Places that policy keeps from agents. */
    hidden?: number;
    /** There are more; go on by cursor. */
    more: boolean;
    cursor?: string;
    notes?: Array<string>;
  };
  references: {
    /** Who answered: language servers, or text. */
    by: string;
    /** What a language server is busy with: there may be more when it is done. */
    pending?: string;
    /** Places in all, where a language server told them; several may stand on one line. */
    total?: number;
    files: Array<{
      path: string;
      uri: string;
      source: string;
      /** The editor has unsaved changes. */
      dirty?: boolean;
      disk_changed?: boolean;
      /** The text may differ from the editor's. */
      unsure?: boolean;
      /** Guards an edit of what was found. */
      content_hash: string;
      /** Hits in the file, for count. */
      count?: number;
      hits?: Array<{
        line: number;
        /** Where a match ends that reaches over lines. */
        end_line?: number;
        /** Of the match's start, in bytes from 1. */
        column: number;
        /** Offset of the match's start in the text. */
        byte: number;
        /** The line; a long one is cut around the match. */
        text: string;
        cut_before?: boolean;
        cut_after?: boolean;
        /** The definition around it; read_file takes it. */
        symbol?: string;
        /** The definition that the hit and those after it are in, with show. */
        definition?: {
          start_line: number;
          end_line: number;
          /** Its lines; absent where it is too large to be shown as a whole. */
          text?: string;
        };
        /** The lines before, with context. */
        before?: Array<string>;
        after?: Array<string>;
      }>;
    }>;
    /** Hits, or files, in this answer. */
    results: number;
    /** There are hits before the last that were asked for. */
    earlier?: boolean;
    /** Files and documents in question. */
    searched: number;
    /** Places that policy keeps from agents. */
    hidden?: number;
    /** There are more; go on by cursor. */
    more: boolean;
    cursor?: string;
    notes?: Array<string>;
  };
  outline: {
    path: string;
    uri?: string;
    /** buffer: from the editor, saved or not; disk: nobody has it open */
    source?: string;
    /** The editor's version of the document. */
    version?: number;
    /** The editor has unsaved changes. */
    dirty?: boolean;
    /** The file on disk is another than the one that the editor opened or saved. */
    disk_changed?: boolean;
    /** Hash of the file on disk, where it changed. */
    disk_hash?: string;
    /** Both: unsaved changes, and another file on disk. */
    diverged?: boolean;
    /** The text may differ from the editor's; edits are refused until it is known. */
    unsure?: boolean;
    content_type?: string;
    language?: string;
    encoding?: string;
    /** The encoding was guessed; new text must be ASCII. */
    encoding_detected?: boolean;
    /** The bytes cannot be made again from the text; edits are refused. */
    lossy?: boolean;
    /** lf, crlf, cr, mixed or none */
    eol?: string;
    bom?: boolean;
    final_newline?: boolean;
    /** Length of the file on disk. */
    size_bytes?: number;
    /** Length of the text in UTF-8, without mark. */
    text_bytes?: number;
    total_lines?: number;
    /** SHA-256 of the bytes on disk, or that saving would write. It guards edits. */
    content_hash?: string;
    /** How the symbols were found: grammar, json, keywords (a guess) or none */
    method?: string;
    /** How many symbols suit the call. */
    total: number;
    /** Of one file. */
    symbols?: Array<{
      name: string;
      /** As in LSP, in lower case: function, method, class, struct, string (a heading), key … */
      kind: string;
      /** Name of what it belongs to. */
      container?: string;
      /** Its head as written, in one line. */
      signature: string;
      /** With leading comments and decorators. */
      start_line: number;
      end_line: number;
      start_byte: number;
      end_byte: number;
      /** 0 at the top; what a symbol holds follows it, one deeper. */
      depth: number;
    }>;
    /** Of a folder: its files, in order; of a query: the best first. */
    files?: Array<{
      path: string;
      content_hash?: string;
      /** The editor has unsaved changes. */
      dirty?: boolean;
      /** How many of its symbols suit the call. */
      total: number;
      symbols: Array<{
        name: string;
        /** As in LSP, in lower case: function, method, class, struct, string (a heading), key … */
        kind: string;
        /** Name of what it belongs to. */
        container?: string;
        /** Its head as written, in one line. */
        signature: string;
        /** With leading comments and decorators. */
        start_line: number;
        end_line: number;
        start_byte: number;
        end_byte: number;
        /** 0 at the top; what a symbol holds follows it, one deeper. */
        depth: number;
      }>;
    }>;
    /** How many files of the folder are not outlined. */
    more_files?: number;
    /** Some symbols are not shown; narrow the call. */
    truncated: boolean;
    notes?: Array<string>;
  };
  list_directory: {
    path: string;
    uri?: string;
    entries: Array<{
      name: string;
      /** file, directory, symlink or other */
      type: string;
      /** In a tree: 0 at the top; what a directory holds follows it, one deeper. */
      depth?: number;
      /** Of a file, in bytes. */
      size?: number;
      modified?: string;
      /** What a symbolic link says. */
      target?: string;
      /** To name it by, where its name is not UTF-8. */
      uri?: string;
      /** The editor has it open. */
      open?: boolean;
      /** The editor has unsaved changes of it. */
      dirty?: boolean;
      /** It exists in the editor only. */
      unsaved?: boolean;
      ignored?: boolean;
    }>;
    /** How many entries the folder has, besides those left out. */
    total: number;
    /** How many entries are left out because of ignore files or hidden names. */
    ignored?: number;
    /** How many entries the policy keeps from agents. */
    hidden?: number;
    /** How many levels are shown, where that is less than was asked for. */
    depth?: number;
    /** There are more entries: go on with cursor. */
    more?: boolean;
    cursor?: string;
    notes?: Array<string>;
  };
  find_files: {
    /** Of a glob the newest first, of words the best first. */
    files: Array<{
      path: string;
      size: number;
      modified?: string;
      /** The editor has it open. */
      open?: boolean;
      /** The editor has unsaved changes of it. */
      dirty?: boolean;
      /** It exists in the editor only. */
      unsaved?: boolean;
    }>;
    /** How many files match. */
    total: number;
    /** Some are not shown: narrow the pattern, or raise limit. */
    more?: boolean;
    notes?: Array<string>;
  };
  open_files: {
    /** Files that others changed since you read them. */
    changed?: Array<{
      path: string;
      by: string;
      /** Left out where the text that was read is no longer remembered. */
      diff?: string;
    }>;
    /** What the person pointed at for you, the latest first. */
    pointed?: Array<{
      path: string;
      /** The first and the last, from 1; left out for the whole file. */
      lines?: Array<number>;
      problems?: Array<string>;
    }>;
    /** The active file first, then what is visible, then what is unsaved. */
    files: Array<{
      path: string;
      uri: string;
      /** buffer: from the editor, saved or not; disk: nobody has it open */
      source: string;
      /** The editor's version of the document. */
      version?: number;
      /** The editor has unsaved changes. */
      dirty: boolean;
      /** The file on disk is another than the one that the editor opened or saved. */
      disk_changed?: boolean;
      /** Hash of the file on disk, where it changed. */
      disk_hash?: string;
      /** Both: unsaved changes, and another file on disk. */
      diverged?: boolean;
      /** The text may differ from the editor's; edits are refused until it is known. */
      unsure?: boolean;
      /** Which editor has it open, where several are asked. */
      editor?: string;
      language?: string;
      total_lines: number;
      /** SHA-256 of the bytes that saving would write. It guards edits. */
      content_hash: string;
      /** The person works in it. */
      active?: boolean;
      visible?: boolean;
      selections?: Array<{
        start_line: number;
        /** 1-based, in bytes; that of the end is behind the last byte. */
        start_column: number;
        end_line: number;
        end_column: number;
      }>;
    }>;
    total: number;
    /** How many open files the policy keeps from agents. */
    hidden?: number;
    notes?: Array<string>;
  };
  diagnostics: {
    path?: string;
    /** Of the file's present text. It guards edits. */
    content_hash?: string;
    errors: number;
    warnings: number;
    infos?: number;
    hints?: number;
    /** The worst first. */
    files?: Array<{
      path: string;
      /** Whose counts these are, where several editors are asked. */
      editor?: string;
      errors: number;
      warnings: number;
      infos?: number;
      hints?: number;
    }>;
    /** In the order of their lines. */
    items?: Array<{
      start_line: number;
      /** 1-based, in bytes; that of the end is behind the last byte. */
      start_column: number;
      end_line: number;
      end_column: number;
      /** error, warning, info or hint */
      severity: string;
      message: string;
      source?: string;
      code?: string;
      /** The first line that it is about. */
      text: string;
    }>;
    truncated?: boolean;
    /** settled: about exactly the present text; pending: some server is not done with it; unknown: some server does not say. */
    state?: string;
    /** The servers that are not done, or do not say. */
    waiting?: Array<string>;
    /** With since: what is new and what is gone. */
    since?: {
      /** settled: this is all; pending: servers are not done; unknown: some do not say */
      state: string;
      new?: Array<{
        path: string;
        /** 1-based; of a mended one as of before the edit. */
        line: number;
        severity: string;
        message: string;
        source?: string;
      }>;
      gone?: Array<{
        path: string;
        /** 1-based; of a mended one as of before the edit. */
        line: number;
        severity: string;
        message: string;
        source?: string;
      }>;
    };
    notes?: Array<string>;
  };
  edit_file: {
    /** Names this change for edit_history and revert_edit. */
    id?: string;
    files: Array<{
      path: string;
      /** Where the file was, when it was moved. */
      from?: string;
      /** modified, created, deleted, moved or unchanged */
      action: string;
      /** buffer: changed in the editor; disk: on disk */
      source: string;
      /** Hash of the text that was edited. */
      previous_hash?: string;
      /** Hash of the text as it is now; good for the next edit. */
      content_hash?: string;
      /** Unified diff of all that changed; of files that were created or deleted there is none. */
      diff?: string;
      /** The edit was made for an older text and merged into the present one. */
      merged?: boolean;
      /** The file on disk holds the text. */
      saved: boolean;
      /** How literally old_text was found: exact, line_endings, trailing_blanks or indentation; guess: where the symbol ends. */
      match?: string;
      /** How many occurrences were replaced, where it may be several. */
      replacements?: number;
      notes?: Array<string>;
    }>;
    dry_run?: boolean;
    /** How many matches of the pattern were replaced. */
    replacements?: number;
    notes?: Array<string>;
    /** What the change broke and mended, as far as it is known by now. */
    diagnostics?: {
      /** settled: this is all; pending: servers are not done; unknown: some do not say */
      state: string;
      new?: Array<{
        path: string;
        /** 1-based; of a mended one as of before the edit. */
        line: number;
        severity: string;
        message: string;
        source?: string;
      }>;
      gone?: Array<{
        path: string;
        /** 1-based; of a mended one as of before the edit. */
        line: number;
        severity: string;
        message: string;
        source?: string;
      }>;
    };
    /** Actions that can be applied by their titles. */
    offered?: Array<{
      title: string;
      kind?: string;
      by: string;
      /** Why it cannot be applied now. */
      disabled?: string;
    }>;
  };
  write_file: {
    /** Names this change for edit_history and revert_edit. */
    id?: string;
    files: Array<{
      path: string;
      /** Where the file was, when it was moved. */
      from?: string;
      /** modified, created, deleted, moved or unchanged */
      action: string;
      /** buffer: changed in the editor; disk: on disk */
      source: string;
      /** Hash of the text that was edited. */
      previous_hash?: string;
      /** Hash of the text as it is now; good for the next edit. */
      content_hash?: string;
      /** Unified diff of all that changed; of files that were created or deleted there is none. */
      diff?: string;
      /** The edit was made for an older text and merged into the present one. */
      merged?: boolean;
      /** The file on disk holds the text. */
      saved: boolean;
      /** How literally old_text was found: exact, line_endings, trailing_blanks or indentation; guess: where the symbol ends. */
      match?: string;
      /** How many occurrences were replaced, where it may be several. */
      replacements?: number;
      notes?: Array<string>;
    }>;
    dry_run?: boolean;
    /** How many matches of the pattern were replaced. */
    replacements?: number;
    notes?: Array<string>;
    /** What the change broke and mended, as far as it is known by now. */
    diagnostics?: {
      /** settled: this is all; pending: servers are not done; unknown: some do not say */
      state: string;
      new?: Array<{
        path: string;
        /** 1-based; of a mended one as of before the edit. */
        line: number;
        severity: string;
        message: string;
        source?: string;
      }>;
      gone?: Array<{
        path: string;
        /** 1-based; of a mended one as of before the edit. */
        line: number;
        severity: string;
        message: string;
        source?: string;
      }>;
    };
    /** Actions that can be applied by their titles. */
    offered?: Array<{
      title: string;
      kind?: string;
      by: string;
      /** Why it cannot be applied now. */
      disabled?: string;
    }>;
  };
  apply_patch: {
    /** Names this change for edit_history and revert_edit. */
    id?: string;
    files: Array<{
      path: string;
      /** Where the file was, when it was moved. */
      from?: string;
      /** modified, created, deleted, moved or unchanged */
      action: string;
      /** buffer: changed in the editor; disk: on disk */
      source: string;
      /** Hash of the text that was edited. */
      previous_hash?: string;
      /** Hash of the text as it is now; good for the next edit. */
      content_hash?: string;
      /** Unified diff of all that changed; of files that were created or deleted there is none. */
      diff?: string;
      /** The edit was made for an older text and merged into the present one. */
      merged?: boolean;
      /** The file on disk holds the text. */
      saved: boolean;
      /** How literally old_text was found: exact, line_endings, trailing_blanks or indentation; guess: where the symbol ends. */
      match?: string;
      /** How many occurrences were replaced, where it may be several. */
      replacements?: number;
      notes?: Array<string>;
    }>;
    dry_run?: boolean;
    /** How many matches of the pattern were replaced. */
    replacements?: number;
    notes?: Array<string>;
    /** What the change broke and mended, as far as it is known by now. */
    diagnostics?: {
      /** settled: this is all; pending: servers are not done; unknown: some do not say */
      state: string;
      new?: Array<{
        path: string;
        /** 1-based; of a mended one as of before the edit. */
        line: number;
        severity: string;
        message: string;
        source?: string;
      }>;
      gone?: Array<{
        path: string;
        /** 1-based; of a mended one as of before the edit. */
        line: number;
        severity: string;
        message: string;
        source?: string;
      }>;
    };
    /** Actions that can be applied by their titles. */
    offered?: Array<{
      title: string;
      kind?: string;
      by: string;
      /** Why it cannot be applied now. */
      disabled?: string;
    }>;
  };
  replace_in_files: {
    /** Names this change for edit_history and revert_edit. */
    id?: string;
    files: Array<{
      path: string;
      /** Where the file was, when it was moved. */
      from?: string;
      /** modified, created, deleted, moved or unchanged */
      action: string;
      /** buffer: changed in the editor; disk: on disk */
      source: string;
      /** Hash of the text that was edited. */
      previous_hash?: string;
      /** Hash of the text as it is now; good for the next edit. */
      content_hash?: string;
      /** Unified diff of all that changed; of files that were created or deleted there is none. */
      diff?: string;
      /** The edit was made for an older text and merged into the present one. */
      merged?: boolean;
      /** The file on disk holds the text. */
      saved: boolean;
      /** How literally old_text was found: exact, line_endings, trailing_blanks or indentation; guess: where the symbol ends. */
      match?: string;
      /** How many occurrences were replaced, where it may be several. */
      replacements?: number;
      notes?: Array<string>;
    }>;
    dry_run?: boolean;
    /** How many matches of the pattern were replaced. */
    replacements?: number;
    notes?: Array<string>;
    /** What the change broke and mended, as far as it is known by now. */
    diagnostics?: {
      /** settled: this is all; pending: servers are not done; unknown: some do not say */
      state: string;
      new?: Array<{
        path: string;
        /** 1-based; of a mended one as of before the edit. */
        line: number;
        severity: string;
        message: string;
        source?: string;
      }>;
      gone?: Array<{
        path: string;
        /** 1-based; of a mended one as of before the edit. */
        line: number;
        severity: string;
        message: string;
        source?: string;
      }>;
    };
    /** Actions that can be applied by their titles. */
    offered?: Array<{
      title: string;
      kind?: string;
      by: string;
      /** Why it cannot be applied now. */
      disabled?: string;
    }>;
  };
  rename_symbol: {
    /** Names this change for edit_history and revert_edit. */
    id?: string;
    files: Array<{
      path: string;
      /** Where the file was, when it was moved. */
      from?: string;
      /** modified, created, deleted, moved or unchanged */
      action: string;
      /** buffer: changed in the editor; disk: on disk */
      source: string;
      /** Hash of the text that was edited. */
      previous_hash?: string;
      /** Hash of the text as it is now; good for the next edit. */
      content_hash?: string;
      /** Unified diff of all that changed; of files that were created or deleted there is none. */
      diff?: string;
      /** The edit was made for an older text and merged into the present one. */
      merged?: boolean;
      /** The file on disk holds the text. */
      saved: boolean;
      /** How literally old_text was found: exact, line_endings, trailing_blanks or indentation; guess: where the symbol ends. */
      match?: string;
      /** How many occurrences were replaced, where it may be several. */
      replacements?: number;
      notes?: Array<string>;
    }>;
    dry_run?: boolean;
    /** How many matches of the pattern were replaced. */
    replacements?: number;
    notes?: Array<string>;
    /** What the change broke and mended, as far as it is known by now. */
    diagnostics?: {
      /** settled: this is all; pending: servers are not done; unknown: some do not say */
      state: string;
      new?: Array<{
        path: string;
        /** 1-based; of a mended one as of before the edit. */
        line: number;
        severity: string;
        message: string;
        source?: string;
      }>;
      gone?: Array<{
        path: string;
        /** 1-based; of a mended one as of before the edit. */
        line: number;
        severity: string;
        message: string;
        source?: string;
      }>;
    };
    /** Actions that can be applied by their titles. */
    offered?: Array<{
      title: string;
      kind?: string;
      by: string;
      /** Why it cannot be applied now. */
      disabled?: string;
    }>;
  };
  code_action: {
    /** Names this change for edit_history and revert_edit. */
    id?: string;
    files: Array<{
      path: string;
      /** Where the file was, when it was moved. */
      from?: string;
      /** modified, created, deleted, moved or unchanged */
      action: string;
      /** buffer: changed in the editor; disk: on disk */
      source: string;
      /** Hash of the text that was edited. */
      previous_hash?: string;
      /** Hash of the text as it is now; good for the next edit. */
      content_hash?: string;
      /** Unified diff of all that changed; of files that were created or deleted there is none. */
      diff?: string;
      /** The edit was made for an older text and merged into the present one. */
      merged?: boolean;
      /** The file on disk holds the text. */
      saved: boolean;
      /** How literally old_text was found: exact, line_endings, trailing_blanks or indentation; guess: where the symbol ends. */
      match?: string;
      /** How many occurrences were replaced, where it may be several. */
      replacements?: number;
      notes?: Array<string>;
    }>;
    dry_run?: boolean;
    /** How many matches of the pattern were replaced. */
    replacements?: number;
    notes?: Array<string>;
    /** What the change broke and mended, as far as it is known by now. */
    diagnostics?: {
      /** settled: this is all; pending: servers are not done; unknown: some do not say */
      state: string;
      new?: Array<{
        path: string;
        /** 1-based; of a mended one as of before the edit. */
        line: number;
        severity: string;
        message: string;
        source?: string;
      }>;
      gone?: Array<{
        path: string;
        /** 1-based; of a mended one as of before the edit. */
        line: number;
        severity: string;
        message: string;
        source?: string;
      }>;
    };
    /** Actions that can be applied by their titles. */
    offered?: Array<{
      title: string;
      kind?: string;
      by: string;
      /** Why it cannot be applied now. */
      disabled?: string;
    }>;
  };
  edit_history: {
    edits: Array<{
      id: string;
      tool: string;
      client?: string;
      /** The editor did not say whether it made the change. */
      outcome_unknown?: boolean;
      /** The call failed; these files could not be put back. */
      partially_applied?: boolean;
      /** The change that took this one back. */
      reverted_by?: string;
      /** Not an edit: these files changed on disk while a command of the client's host ran. */
      command?: {
        line: string;
        /** RFC 3339. */
        began: string;
        /** Left out where the end was not told: the files are those of the time until the client's next command. */
        ended?: string;
        /** Other commands ran at the same time, or were not told to have ended, and may have changed them. */
        beside_others?: boolean;
        /** The files before it were not known: those that were written since are listed, not those that were deleted. */
        by_time_only?: boolean;
        /** How many more changed. */
        more_files?: number;
      };
      files: Array<{
        path: string;
        from?: string;
        action: string;
        previous_hash?: string;
        content_hash?: string;
        diff?: string;
      }>;
    }>;
    /** There are older changes; a larger limit shows them. */
    more?: boolean;
    notes?: Array<string>;
  };
  revert_edit: {
    /** Names this change for edit_history and revert_edit. */
    id?: string;
    files: Array<{
      path: string;
      /** Where the file was, when it was moved. */
      from?: string;
      /** modified, created, deleted, moved or unchanged */
      action: string;
      /** buffer: changed in the editor; disk: on disk */
      source: string;
      /** Hash of the text that was edited. */
      previous_hash?: string;
      /** Hash of the text as it is now; good for the next edit. */
      content_hash?: string;
      /** Unified diff of all that changed; of files that were created or deleted there is none. */
      diff?: string;
      /** The edit was made for an older text and merged into the present one. */
      merged?: boolean;
      /** The file on disk holds the text. */
      saved: boolean;
      /** How literally old_text was found: exact, line_endings, trailing_blanks or indentation; guess: where the symbol ends. */
      match?: string;
      /** How many occurrences were replaced, where it may be several. */
      replacements?: number;
      notes?: Array<string>;
    }>;
    dry_run?: boolean;
    /** How many matches of the pattern were replaced. */
    replacements?: number;
    notes?: Array<string>;
    /** What the change broke and mended, as far as it is known by now. */
    diagnostics?: {
      /** settled: this is all; pending: servers are not done; unknown: some do not say */
      state: string;
      new?: Array<{
        path: string;
        /** 1-based; of a mended one as of before the edit. */
        line: number;
        severity: string;
        message: string;
        source?: string;
      }>;
      gone?: Array<{
        path: string;
        /** 1-based; of a mended one as of before the edit. */
        line: number;
        severity: string;
        message: string;
        source?: string;
      }>;
    };
    /** Actions that can be applied by their titles. */
    offered?: Array<{
      title: string;
      kind?: string;
      by: string;
      /** Why it cannot be applied now. */
      disabled?: string;
    }>;
  };
  persist_output: {
    /** What is shown of the standard output: all of it, or lines that tell of errors, and the first and last. */
    stdout: string;
    /** What is shown of the standard error. */
    stderr: string;
    /** 128 and the number of the signal, when one ended it. */
    exit_code?: number;
    /** The exit code is 0, and the time was not over. */
    success?: boolean;
    /** The signal that ended the command. */
    signal?: string;
    /** The command was ended because its time was over. */
    timed_out?: boolean;
    /** The file with the whole standard output (standard error, when there is no other), for read_file. */
    full_output?: string;
    /** Lines of that file. */
    total_lines: number;
    /** The files with the whole standard output and standard error, in this order. */
    output_files?: Array<string>;
    /** What is shown is not all. */
    truncated?: boolean;
    notes?: Array<string>;
  };
}

export type ToolName = keyof ToolInputs;

export const toolNames: readonly ToolName[] = [
  "read_file",
  "grep_files",
  "references",
  "outline",
  "list_directory",
  "find_files",
  "open_files",
  "diagnostics",
  "edit_file",
  "write_file",
  "apply_patch",
  "replace_in_files",
  "rename_symbol",
  "code_action",
  "edit_history",
  "revert_edit",
  "persist_output",
];

/** Tools of which no call changes anything. */
export const readOnlyTools: ReadonlySet<string> = new Set([
  "read_file",
  "grep_files",
  "references",
  "outline",
  "list_directory",
  "find_files",
  "open_files",
  "diagnostics",
  "edit_history",
  "persist_output",
]);
