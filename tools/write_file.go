package tools

import (
	"context"
	"strings"

	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/tools/change"
	"github.com/agent-lsp/agent-lsp/tools/locate"
	"github.com/agent-lsp/agent-lsp/tools/read"
	"github.com/agent-lsp/agent-lsp/tools/toolcall"
)

var writeFile = tool[writeInput, *change.Output]{
	name: "write_file",
	doc: `Create a file, with the folders it is in, or replace the whole text of one. Without expected_hash it only creates. ` +
		`With the hash that read_file gave it replaces that text: prefer edit_file for a part. ` +
		`A file that is open in the editor is changed there, as one undo step.`,
	changes:  true,
	about:    aboutPath,
	once:     true,
	terminal: Terminal{Arguments: []string{"path"}, Stdin: []string{"content"}},
	run:      runWriteFile,
}

type writeInput struct {
	Path         string           `json:"path" jsonschema:"File to write: relative to the workspace root, absolute, or a file:// URI."`
	Content      string           `json:"content" brief:"the whole text" jsonschema:"The whole text, as it is to be."`
	ExpectedHash string           `json:"expected_hash,omitempty" brief:"of the text to replace; none to create" jsonschema:"The content_hash of the text to replace; leave it out to create a file."`
	OnStale      change.StaleMode `json:"on_stale,omitempty" jsonschema:"When the text is another than that of expected_hash: refuse (reject, the default) or merge what is changed (merge)."`
	DryRun       bool             `json:"dry_run,omitempty" jsonschema:"Answer with the diff and change nothing."`
	Save         change.SaveMode  `json:"save,omitempty" brief:"-" jsonschema:"Whether an open file is saved: auto (the default: if it had no unsaved changes), always, never. Closed files are always written."`
	Encoding     string           `json:"encoding,omitempty" brief:"UTF-8 by default" jsonschema:"The encoding of a new file, or of one on disk whose encoding was only detected; UTF-8 by default."`
}

func runWriteFile(ctx context.Context, env *toolcall.Env, in writeInput) (*change.Output, error) {
	forced, err := read.EncodingArgument(in.Encoding)
	if err != nil {
		return nil, err
	}
	lastRead := env.ReadGuards && in.ExpectedHash == "" && env.HasRead(in.Path)
	if in.ExpectedHash == "" && !lastRead {
		out, err := in.request(forced, change.FileRequest{Kind: change.KindCreate, Path: in.Path, Content: in.Content}).Run(ctx, env)
		if e := fault.From(err); e != nil && e.Kind == fault.AlreadyExists && e.Details["dangling"] == nil {
			err = e.Advise("Read it and give its hash as expected_hash to replace it, or choose another name.")
		}
		return out, err
	}
	note := ""
	find := func(t text.Text) ([]diff.Edit, locate.Match, error) {
		content := in.Content
		note = ""
		if t.EOL() == text.CRLF && strings.Contains(content, "\n") && !strings.Contains(content, "\r") {
			content = strings.ReplaceAll(content, "\n", "\r\n")
			note = "The lines were given CRLF ends, as all lines of the file have them."
		}
		return diff.Compute(t.String(), text.New(content).String()), locate.MatchNone, nil
	}
	out, err := in.request(forced, change.FileRequest{Kind: change.KindEdit, Path: in.Path, Expected: in.ExpectedHash, LastRead: lastRead, Find: find}).Run(ctx, env)
	switch e := fault.From(err); {
	case e != nil && e.Kind == fault.NotFound && e.Details["dangling"] == nil:
		return nil, e.Advise(`Leave "expected_hash" out to create it.`)
	case err == nil && note != "":
		out.Files[0].Notes = append(out.Files[0].Notes, note)
	}
	return out, err
}

func (in writeInput) request(encoding text.Encoding, w change.FileRequest) change.Request {
	return change.Request{
		Tool: "write_file", OnStale: in.OnStale, DryRun: in.DryRun, Save: in.Save, Encoding: encoding, Named: true, Files: []change.FileRequest{w},
	}
}
