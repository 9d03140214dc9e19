package read

import (
	"cmp"
	"context"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/media"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

// Limits of one answer, in bytes of text unless said otherwise.
const (
	defaultWindowBytes = 64 << 10
	// maxWindowBytes caps windows and line ranges, and raw bytes of binaries.
	maxWindowBytes = 256 << 10
	// MaxPageBytes caps a rendered page.
	MaxPageBytes = 50 << 10
	// MaxPageLine is where a page cuts a line, in characters.
	MaxPageLine = 2000
)

// Input is one read as a caller names it.
type Input struct {
	Path        string            `json:"path,omitempty" jsonschema:"File to read: relative to the workspace root, absolute, or a file:// or untitled: URI. path:12 reads the definition around line 12. With symbol it may be left out: the one definition of that name in the workspace."`
	StartLine   *uint64           `json:"start_line,omitempty" brief:"1-based" jsonschema:"First line to read, 1-based."`
	EndLine     *uint64           `json:"end_line,omitempty" brief:"inclusive" jsonschema:"Last line to read, inclusive."`
	StartByte   *uint64           `json:"start_byte,omitempty" jsonschema:"First byte of a window, 0-based; the start of its line is taken."`
	MaxBytes    *uint64           `json:"max_bytes,omitempty" brief:"to 262144" jsonschema:"Size of the window (default 65536, at most 262144); in other modes a further limit."`
	Offset      *uint64           `json:"offset,omitempty" jsonschema:"First line of a page, 0-based."`
	Limit       *uint64           `json:"limit,omitempty" jsonschema:"Number of lines of a page."`
	Symbol      string            `json:"symbol,omitempty" jsonschema:"Read this definition, with its comments: name, Type.method, path/of/headings, or a path of keys as in jobs.build.steps[2]."`
	Where       map[string]string `json:"where,omitempty" brief:"csv rows: {column: value}" jsonschema:"Read the rows of a csv or tsv that have these values, by column; row is a row's number, from 1, where no column has that name."`
	Expand      ExpandMode        `json:"expand,omitempty" brief:"-" jsonschema:"How far a byte window is widened: to whole lines (lines), or further to whole definitions (syntax, the default). A range of lines is widened with syntax alone."`
	Format      RenderStyle       `json:"format,omitempty" jsonschema:"numbered (N|line, the default), plain (the exact text, the default with symbol) or xml."`
	Outline     OutlineMode       `json:"outline,omitempty" brief:"-" jsonschema:"Whether an outline is added: of what is not shown, where the answer is truncated (auto, the default), always, or never."`
	IfHash      string            `json:"if_hash,omitempty" brief:"what changed since" jsonschema:"The hash of a text that you still have: nothing is sent where it is current, and only what changed since where that is shorter."`
	AllowBinary bool              `json:"allow_binary,omitempty" brief:"-" jsonschema:"Return a binary file as base64."`
	Encoding    string            `json:"encoding,omitempty" brief:"-" jsonschema:"Read a file on disk in this encoding instead of the detected one."`

	client toolcall.Client
	found  bool // by its symbol alone
	shared bool // one of several: what it asks for is kept within the client's room, too
}

// Output is what read_file gives. Byte ranges are half open, line ranges
// inclusive and 1-based.
type Output struct {
	toolcall.FileState
	Content       *string `json:"content,omitempty"`
	ContentBase64 string  `json:"content_base64,omitempty"`
	Changes       string  `json:"changes,omitempty" jsonschema:"Instead of content: what changed since the text of if_hash, as hunks of a unified diff."`
	NotModified   bool    `json:"not_modified,omitzero" jsonschema:"if_hash is current; there is no content."`
	toolcall.TextFormat
	ReadMode Mode `json:"read_mode" jsonschema:"offset, tail, lines, bytes, symbol, rows, outline, image, document or binary"`
	toolcall.Extent
	LinesShown     *toolcall.LineRange   `json:"lines_shown,omitempty"`
	BytesShown     *toolcall.ByteRange   `json:"bytes_shown,omitempty"`
	RequestedBytes *toolcall.ByteRange   `json:"requested_bytes,omitempty" jsonschema:"The window that was asked for."`
	RoundedBytes   *toolcall.ByteRange   `json:"rounded_bytes,omitempty" jsonschema:"The window in whole lines."`
	Expansion      *expansion            `json:"expansion,omitempty" jsonschema:"Whether the window was widened to a definition, and which; the definition that symbol named."`
	Truncated      bool                  `json:"truncated" jsonschema:"There is more; see the next_ and prev_ members."`
	EOF            bool                  `json:"eof,omitzero"`
	NextStartByte  *int                  `json:"next_start_byte,omitempty"`
	PrevStartByte  *int                  `json:"prev_start_byte,omitempty"`
	NextOffset     *int                  `json:"next_offset,omitempty"`
	PrevOffset     *int                  `json:"prev_offset,omitempty"`
	Clamped        bool                  `json:"clamped,omitzero" jsonschema:"max_bytes was larger than a window can be."`
	PartialLine    bool                  `json:"partial_line,omitzero" jsonschema:"The content begins or ends inside a line that is too long for the window."`
	Outline        []toolcall.SymbolItem `json:"outline,omitempty" jsonschema:"What the text defines, in read_mode outline; else what of it is not shown. Cut by depth."`
	Errors         []logError            `json:"errors,omitempty" jsonschema:"Of a log: the last errors before what is shown, each once."`
	Notes          []string              `json:"notes,omitempty"`
	// Reads and LeftOut are those of a [readsOutput].
	Reads   []map[string]any `json:"reads,omitempty" jsonschema:"Of several reads: what each of them gave, in their order; an error where one failed."`
	LeftOut []int            `json:"left_out,omitempty" jsonschema:"Of several reads: those for which there was no room, by their places from 0; what they gave is empty."`

	found       bool   // the caller has to be told which file this is
	numbered    bool   // lines have their numbers
	errorText   string // Errors, rendered
	since       string // hash of the text that changes are counted from
	blocks      []toolcall.Block
	named       string   // the whole name of the symbol that is read; "" where the caller gave that
	outlineText string   // Outline, rendered
	symbols     int      // how many the text has
	imageSize   string   // of an image that is sent, in pixels: "800x600"
	rendered    string   // what of a notebook is shown as its cells; else ""
	seen        func()   // notes that the caller was shown this
	several     *several // what the call asked for instead of one
}

// Optional are the members that several reads have not beside them, but each for
// itself.
func (*Output) Optional() []string {
	return []string{"path", "uri", "source", "dirty", "read_mode", "size_bytes", "content_hash", "truncated"}
}

// Mode is the way in which a file was read.
type Mode string

// The modes.
const (
	modeOffset   Mode = "offset"
	modeTail     Mode = "tail"
	modeLines    Mode = "lines"
	modeBytes    Mode = "bytes"
	modeSymbol   Mode = "symbol"
	modeRows     Mode = "rows"
	modeOutline  Mode = "outline"
	modeImage    Mode = "image"
	ModeDocument Mode = "document"
	modeBinary   Mode = "binary"
)

// expansion says whether a window was widened to a definition.
type expansion struct {
	Applied bool   `json:"applied"`
	Kind    string `json:"kind,omitempty"`
	Name    string `json:"name,omitempty"`
	Reason  string `json:"reason,omitempty"`
}

// Split returns the output without its content, and the content.
func (o *Output) Split() (rest any, content string, present bool) {
	if o.several != nil {
		return o.several.structured(o.Notes), "", false
	}
	if o.Content == nil {
		return o, "", false
	}
	r := *o
	r.Content = nil
	return &r, *o.Content, true
}

// Given returns the arguments without the zeros that some hosts send for what is
// not given. A start_byte or an offset of 0 with another argument of its mode, or
// alone, is the begin of the file.
func (in Input) Given() Input {
	in.StartByte, in.MaxBytes = givenBy(in.StartByte, in.MaxBytes)
	in.Offset, in.Limit = givenBy(in.Offset, in.Limit)
	if toolcall.NumberOr(in.StartLine, 0) == 0 && toolcall.NumberOr(in.EndLine, 0) == 0 {
		in.StartLine, in.EndLine = nil, nil
	}
	if in.Symbol != "" && in.Format == "" {
		in.Format = PlainText // the header tells its lines
	}
	return in
}

// givenBy returns where something starts and its size, of which 0 is none: then a
// start of 0 is not given either.
func givenBy(start, size *uint64) (*uint64, *uint64) {
	if size != nil && *size == 0 {
		return toolcall.NonZero(start), nil
	}
	return start, size
}

// Run answers a call of read_file. The semaphore bounds how much that is no text is
// worked on at a time.
func Run(ctx context.Context, env *toolcall.Env, call Call, semaphore *media.Semaphore) (*Output, error) {
	in := call.Input.Given()
	if len(call.Reads) > 0 || call.Reads != nil && in.Path == "" && in.Symbol == "" {
		return runReads(ctx, env, call, semaphore)
	}
	in.client = env.Client
	return toolcall.Retry(env, func() (*Output, error) { return readAny(ctx, env, in, semaphore) })
}

func readOnce(ctx context.Context, env *toolcall.Env, in Input, semaphore *media.Semaphore) (*Output, error) {
	forced, err := EncodingArgument(in.Encoding)
	if err != nil {
		return nil, err
	}
	f, err := env.File(ctx, in.Path, forced)
	if err != nil {
		return nil, err
	}
	d := toolcall.Describe(f)
	out := &Output{
		FileState: d.FileState, TextFormat: d.TextFormat, Extent: d.Extent, Notes: d.Notes,
		found: in.found || in.shared, numbered: in.Format != PlainText,
	}
	if f.Document != nil {
		in.noteOnBuffer(env, f, out)
	}
	var had text.Hash // what the caller says it has
	if in.IfHash != "" {
		if had, _, err = env.HashNamed("if_hash", in.IfHash, f); err != nil {
			return nil, err
		}
	}
	mode := MediaMode(f)
	switch {
	case had == f.Hash:
		out.NotModified = true
		out.ReadMode = cmp.Or(mode, in.mode())
		in.noteRead(env, f, out)
		return out, nil
	case mode == modeBinary, mode != "" && in.AllowBinary:
		err = readBinary(f, in, out)
	case mode == modeImage:
		err = readImage(ctx, semaphore, f, out)
	case mode == ModeDocument:
		err = readDocument(ctx, semaphore, env.Compiled, f, in, out)
	case in.wantsCells(f):
		err = newReading(ctx, env, f, in, out).cells(ctx, semaphore)
	default:
		err = newReading(ctx, env, f, in, out).run()
	}
	if err != nil {
		return nil, err
	}
	if err := f.Err(); err != nil {
		return nil, fault.From(err).At(f.Path.Rel)
	}
	if in.Encoding == "" {
		env.Remember(f)
		if mode == "" && out.rendered == "" {
			out.shorten(env, f, had)
		}
	}
	in.noteRead(env, f, out)
	return out, nil
}

// noteRead remembers that the caller knows the file's text, by the name that
// was asked for and by its own: of one of several reads once it is sure to be shown.
func (in Input) noteRead(env *toolcall.Env, f *buffers.File, out *Output) {
	whole := out.ReadMode != ModeDocument && out.Content != nil && out.BytesShown != nil && *out.BytesShown == toolcall.ByteRange{Start: 0, End: f.Content.Len()}
	keys, hash := []string{f.Path.Key()}, f.Hash
	if asked, err := env.Snapshot.Resolve(in.Path); err == nil && asked.Key() != f.Path.Key() {
		keys = append(keys, asked.Key())
	}
	out.seen = func() {
		for _, key := range keys {
			env.Reads.Note(env.Client, key, hash, whole)
		}
	}
	if !in.shared {
		out.seen()
	}
}

// noteOnBuffer reports what of the call counts otherwise for an open document.
func (in Input) noteOnBuffer(env *toolcall.Env, f *buffers.File, out *Output) {
	if in.Encoding != "" {
		out.Notes = append(out.Notes, `"encoding" counts for files that are not open in the editor.`)
	}
	asked, err := env.Snapshot.Resolve(in.Path)
	if err == nil && asked.Key() != f.Path.Key() {
		out.Notes = append(out.Notes, asked.Rel+" is open in the editor under this other name.")
	}
}

// mode is the first mode that the arguments ask for.
func (in Input) mode() Mode {
	switch {
	case len(in.Where) > 0:
		return modeRows
	case in.Symbol != "":
		return modeSymbol
	case in.StartLine != nil || in.EndLine != nil:
		return modeLines
	case in.StartByte != nil || in.MaxBytes != nil:
		return modeBytes
	}
	return modeOffset
}

// run answers a part of a text, or its outline.
func (r *reading) run() error {
	r.out.ContentType, r.out.Language = toolcall.Classify(r.File)
	r.out.ReadMode = r.in.mode()
	r.noteOnModes()
	if r.outlineInstead() || r.wantsSummary() && r.readLog() {
		return r.err
	}
	if err := r.content(); err != nil {
		return cmp.Or(r.err, err)
	}
	r.outlineBeside()
	return r.err
}

func (r *reading) content() error {
	switch r.out.ReadMode {
	case modeRows:
		return r.readRows()
	case modeSymbol:
		return r.readSymbol()
	case modeLines:
		if r.in.Expand == ExpandSyntax {
			return r.readWidened()
		}
		return readLines(r.Content, r.in, r.out)
	case modeBytes:
		return readWindow(r.Content, r.in, r.out, r.widen)
	}
	return readPage(r.Content, r.in, r.out)
}

// noteOnModes reports which arguments do not count beside others.
func (r *reading) noteOnModes() {
	in, mode := r.in, r.out.ReadMode
	switch {
	case mode == modeRows && (in.Symbol != "" || in.StartLine != nil || in.EndLine != nil || in.StartByte != nil):
		r.note(`Symbols and ranges do not count beside "where".`)
		return
	case mode == modeRows:
		return
	case mode == modeSymbol && (in.StartLine != nil || in.EndLine != nil || in.StartByte != nil || in.Offset != nil || in.Limit != nil):
		r.note(`Ranges and pages do not count beside "symbol".`)
		return
	case mode != modeOffset && (in.Offset != nil || in.Limit != nil):
		r.note(`"offset" and "limit" count only without a range of lines or bytes.`)
	}
	if mode == modeLines && in.StartByte != nil {
		r.note(`"start_byte" counts only without a range of lines.`)
	}
}

func (r *reading) note(note string) { r.out.Notes = append(r.out.Notes, note) }

// EncodingArgument returns the encoding of that name; "" for "".
func EncodingArgument(name string) (text.Encoding, error) {
	if name == "" {
		return "", nil
	}
	enc, ok := text.ParseEncoding(name)
	if !ok {
		return "", fault.New(fault.InvalidParams, "unknown encoding %q", name).
			Advise(`Names are like "utf-8", "utf-16le", "windows-1252", "shift_jis".`)
	}
	return enc, nil
}

// WholeBytes is what reading the whole file would have cost.
func (o *Output) WholeBytes() int64 {
	if o.TextBytes != nil {
		return int64(*o.TextBytes)
	}
	return o.SizeBytes
}
