package read

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/media"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
	"github.com/agent-lsp/agent-lsp/tools/wording"
)

// Call is what read_file is called with: one read, or several at once. Then
// what stands beside them counts for those that do not say it themselves.
type Call struct {
	Input
	Reads []Input `json:"reads,omitempty" brief:"several, each as here" shown:"path,symbol" jsonschema:"Several reads in one call, each with arguments as above; path, format, outline, expand and encoding beside them are of those that give none, max_bytes is of the whole answer."`
}

const (
	// maxReadsOfCall is how many reads a call may hold.
	maxReadsOfCall = 1000
	// leastShare is how many bytes a read gets at least that has no room as a
	// whole; where there is not that much for each, the last of these are left out.
	leastShare = 4 << 10
)

// readPart is one of several reads.
type readPart struct {
	in     Input
	out    *Output
	err    error
	shown  toolcall.Rendering
	size   int  // of it as rendered, in bytes, without blocks
	blocks int  // bytes of images and documents
	left   bool // out, for want of room
}

// runReads answers several reads, each as if it were alone, in their order: the
// good ones beside the bad ones. Where all of it is more than an answer holds,
// the largest are shortened to the same size.
func runReads(ctx context.Context, env *toolcall.Env, call Call, semaphore *media.Semaphore) (*Output, error) {
	list, err := call.list()
	if err != nil {
		return nil, err
	}
	most := cmp.Or(env.Client.Room, maxWindowBytes)
	if n := toolcall.NumberOr(call.MaxBytes, 0); n > 0 {
		most = min(most, n)
	}
	s := several{env: env, semaphore: semaphore, parts: make([]readPart, len(list)), room: most - toolcall.HeaderBytes}
	for i := range list {
		s.parts[i].in = list[i]
	}
	if err := s.read(ctx); err != nil {
		return nil, err
	}
	if len(s.parts) == 1 && s.parts[0].err != nil {
		return nil, s.parts[0].err
	}
	return &Output{several: &s}, nil
}

// list returns the reads, with what stands beside them.
func (c Call) list() ([]Input, error) {
	beside := c.Input
	beside.Path, beside.Format, beside.Outline, beside.Expand, beside.Encoding, beside.MaxBytes = "", "", "", "", "", nil
	switch {
	case len(c.Reads) == 0:
		return nil, fault.New(fault.InvalidParams, `"reads" is empty`).Advise(`Give "path", or what to read.`)
	case len(c.Reads) > maxReadsOfCall:
		return nil, fault.New(fault.InvalidParams, "%d reads in one call; at most %d are taken", len(c.Reads), maxReadsOfCall)
	case !reflect.DeepEqual(beside.Given(), Input{}):
		return nil, fault.New(fault.InvalidParams, `what to read stands in each of "reads", and not beside them`)
	case c.Path != "" && !slices.ContainsFunc(c.Reads, func(in Input) bool { return in.Path == "" }):
		return nil, fault.New(fault.InvalidParams, `give either "path" or "reads"`).
			Advise(`"path" beside "reads" is that of the reads without one, and all have one.`)
	}
	list := slices.Clone(c.Reads)
	for i := range list {
		in := &list[i]
		in.Path, in.Format, in.Encoding = cmp.Or(in.Path, c.Path), cmp.Or(in.Format, c.Format), cmp.Or(in.Encoding, c.Encoding)
		in.Outline, in.Expand = cmp.Or(in.Outline, c.Outline), cmp.Or(in.Expand, c.Expand)
	}
	return list, nil
}

// several are reads on their way to one answer.
type several struct {
	env       *toolcall.Env
	semaphore *media.Semaphore
	parts     []readPart
	room      int // bytes that all of them may take
	blocks    int // bytes of the images and documents so far
}

// read reads all parts, and those that are too large once more, as far as there
// is room.
func (s *several) read(ctx context.Context) error {
	kept := 0
	for i := range s.parts {
		p := &s.parts[i]
		if err := s.readPart(ctx, p, s.room); err != nil {
			return err
		}
		if kept += p.size; kept > 2*s.room { // it is read once more
			s.drop(p)
		}
	}
	level := s.level()
	for i := range s.parts {
		p, room := &s.parts[i], level
		if p.size <= level {
			room = s.room
		}
		if p.left || p.size <= level && (p.out != nil || p.err != nil) {
			continue
		}
		if err := s.readPart(ctx, p, room); err != nil {
			return err
		}
	}
	for i := len(s.parts) - 1; i > 0 && s.size() > s.room; i-- { // a file changed, or is of long lines
		s.leave(&s.parts[i])
	}
	for i := range s.parts {
		if out := s.parts[i].out; out != nil {
			out.seen()
		}
	}
	return nil
}

// drop forgets what was read of a part.
func (s *several) drop(p *readPart) {
	s.blocks -= p.blocks
	p.out, p.shown, p.blocks = nil, toolcall.Rendering{}, 0
}

// leave leaves a part out.
func (s *several) leave(p *readPart) {
	s.drop(p)
	p.err, p.size, p.left = nil, 0, true
}

func (s *several) size() (sum int) {
	for i := range s.parts {
		sum += s.parts[i].size
	}
	return sum
}

// level returns the size to which the parts are shortened that are larger, so that
// all have room. Where that is too little the last of the larger ones are left
// out.
func (s *several) level() int {
	for {
		share, larger := s.share()
		if share >= leastShare || larger == 0 {
			return share
		}
		s.leave(&s.parts[larger])
	}
}

// share returns the size that all parts may have which are larger, and the last of
// these, 0 where that is the first of all.
func (s *several) share() (share, larger int) {
	var sizes []int
	for i := range s.parts {
		if !s.parts[i].left {
			sizes = append(sizes, s.parts[i].size)
		}
	}
	slices.Sort(sizes)
	room := s.room
	for i, size := range sizes {
		share = room / (len(sizes) - i)
		if size > share {
			break
		}
		room -= size
		share = s.room
	}
	for i := range s.parts {
		if s.parts[i].size > share {
			larger = i
		}
	}
	return share, larger
}

// readPart reads one part within room. The error is that of ctx: what else is
// wrong stands in the part.
func (s *several) readPart(ctx context.Context, p *readPart, room int) error {
	in := p.in.Given()
	in.client, in.shared = s.env.Client, true
	in.client.Room = room
	p.out, p.err = toolcall.Retry(s.env, func() (*Output, error) { return readAny(ctx, s.env, in, s.semaphore) })
	if ctx.Err() != nil {
		return fault.From(ctx.Err())
	}
	s.blocks, p.blocks = s.blocks-p.blocks, 0
	if p.err == nil {
		for _, b := range p.out.blocks {
			p.blocks += len(b.Data)
		}
		if s.blocks+p.blocks > media.MaxBytes {
			p.err = fault.New(fault.FileTooLarge, "the images and documents of the call are over %d bytes with this one", media.MaxBytes).
				At(p.out.Path).Advise("Read it in a call of its own.")
		}
	}
	if p.err != nil {
		p.out, p.blocks, p.shown = nil, 0, toolcall.Failure(p.err, s.env.ShowHash).Rendering
	} else {
		p.shown = p.out.Render(s.env.ShowHash)
	}
	s.blocks += p.blocks
	p.size = len(partMark) + len(p.shown.Header) + len(p.shown.Body) + len(p.shown.After) + len("\n\n\n\n\n\n")
	return nil
}

// partMark stands before the header of each of several reads.
const partMark = "=== "

// render puts the answers below each other.
func (s *several) render() toolcall.Rendering {
	bad, left := 0, s.leftOut()
	shown := len(s.parts) - len(left)
	var r toolcall.Rendering
	var b strings.Builder
	for i := range s.parts {
		p := &s.parts[i]
		if p.err != nil {
			bad++
		}
		if p.left {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(partMark + p.shown.Header)
		for _, part := range [...]string{p.shown.Body, p.shown.After} {
			if part != "" {
				b.WriteString("\n\n" + strings.TrimSuffix(part, "\n"))
			}
		}
		r.Blocks = append(r.Blocks, p.shown.Blocks...)
	}
	r.Summary, r.After = wording.Plural(shown, "read", "reads"), b.String()
	if bad > 0 {
		r.Summary += fmt.Sprintf(", %d failed", bad)
	}
	if bad > 0 || len(left) > 0 {
		r.Header = r.Summary
	}
	if len(left) > 0 {
		r.Header += "; no room for reads[" + ranges(left) + "]: call again with these"
	}
	return r
}

// leftOut returns the places of the parts for which there was no room.
func (s *several) leftOut() (left []int) {
	for i := range s.parts {
		if s.parts[i].left {
			left = append(left, i)
		}
	}
	return left
}

// ranges writes ascending numbers: "1, 4-7".
func ranges(numbers []int) string {
	var parts []string
	for i := 0; i < len(numbers); {
		end := i + 1
		for end < len(numbers) && numbers[end] == numbers[end-1]+1 {
			end++
		}
		part := strconv.Itoa(numbers[i])
		if end > i+1 {
			part += "-" + strconv.Itoa(numbers[end-1])
		}
		parts, i = append(parts, part), end
	}
	return strings.Join(parts, ", ")
}

// readsOutput is the structured result of several reads.
type readsOutput struct {
	Reads   []any    `json:"reads"`
	LeftOut []int    `json:"left_out,omitempty"`
	Notes   []string `json:"notes,omitempty"`
}

func (s *several) structured(notes []string) readsOutput {
	out := readsOutput{Notes: notes, LeftOut: s.leftOut(), Reads: make([]any, len(s.parts))}
	for i := range s.parts {
		switch p := &s.parts[i]; {
		case p.left:
			out.Reads[i] = struct{}{}
		case p.err != nil:
			out.Reads[i] = map[string]any{"error": toolcall.ErrorFields(fault.From(p.err))}
		default:
			out.Reads[i] = p.out
		}
	}
	return out
}

// shareOf returns how many bytes of content one of several reads may have, most
// for one alone.
func (in Input) shareOf(most int) int {
	if !in.shared {
		return most
	}
	return min(most, cmp.Or(in.client.RoomFor(most), most))
}
