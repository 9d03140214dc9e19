package tools

import (
	"context"
	"strings"

	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/diff"
	"github.com/agent-lsp/agent-lsp/internal/fault"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/workspace"
)

var writeFile = tool[writeInput, *changeOutput]{
	name: "write_file",
	doc: `Create a file, with the folders it is in, or replace all of one. Without expected_hash it only creates. ` +
		`With the content_hash that read_file gave it replaces that text, and nothing else: prefer edit_file for changes of a part. ` +
		`A file that is open in the editor is changed there, as one undo step.`,
	changes: true,
	run:     runWriteFile,
}

type writeInput struct {
	Path         string    `json:"path" jsonschema:"File to write: relative to the workspace root, absolute, or a file:// URI."`
	Content      string    `json:"content" jsonschema:"The whole text, as it is to be."`
	ExpectedHash string    `json:"expected_hash,omitempty" jsonschema:"The content_hash of the text to replace; leave it out to create a file."`
	OnStale      staleMode `json:"on_stale,omitempty" jsonschema:"When the text is another than that of expected_hash: refuse (reject, the default) or merge what is changed (merge)."`
	DryRun       bool      `json:"dry_run,omitempty" jsonschema:"Answer with the diff and change nothing."`
	Save         saveMode  `json:"save,omitempty" jsonschema:"Whether an open file is saved: auto (the default: if it had no unsaved changes), always, never. Closed files are always written."`
	Encoding     string    `json:"encoding,omitempty" jsonschema:"The encoding of a new file, or of one on disk whose encoding was only detected; UTF-8 by default."`
}

func runWriteFile(ctx context.Context, env *Env, in writeInput) (*changeOutput, error) {
	forced, err := encodingArgument(in.Encoding)
	if err != nil {
		return nil, err
	}
	p, err := env.Snapshot.Resolve(in.Path)
	if err != nil {
		return nil, err
	}
	f, err := env.fileAt(ctx, p, forced)
	switch {
	case fault.KindOf(err) == fault.NotFound && in.ExpectedHash == "":
		return in.create(env, p, forced)
	case fault.KindOf(err) == fault.NotFound:
		return nil, fault.From(err).Advise(`Leave "expected_hash" out to create it.`)
	case err != nil:
		return nil, err
	case in.ExpectedHash == "":
		return nil, fault.New(fault.AlreadyExists, "there is a file of that name; nothing was changed").At(f.Path.Rel).
			Advise("Read it and give its content_hash as expected_hash to replace it, or choose another name.").
			With("actual", f.Hash.String())
	}
	edit := editInput{
		Path: in.Path, ExpectedHash: in.ExpectedHash, OnStale: in.OnStale,
		DryRun: in.DryRun, Save: in.Save, Encoding: in.Encoding,
	}
	content, note := in.Content, ""
	if f.EOL == text.CRLF && strings.Contains(content, "\n") && !strings.Contains(content, "\r") {
		content = strings.ReplaceAll(content, "\n", "\r\n")
		note = "The lines were given CRLF ends, as all lines of the file have them."
	}
	out, err := edit.make(ctx, env, forced, func(t text.Text) ([]diff.Edit, matchRung, error) {
		return diff.Compute(t.String(), text.New(content).String()), matchNone, nil
	})
	if err == nil && note != "" {
		out.Files[0].Notes = append(out.Files[0].Notes, note)
	}
	return out, err
}

// create makes a new file on disk.
func (in writeInput) create(env *Env, p workspace.Path, forced text.Encoding) (*changeOutput, error) {
	if p.Untitled() {
		return nil, fault.New(fault.InvalidParams, "an untitled document cannot be created").At(p.Rel).Advise("Name a file.")
	}
	c := change{file: &buffers.File{Path: p}, edits: []diff.Edit{{New: text.New(in.Content).String()}}}
	c.fresh = diff.Apply(c.old, c.edits)
	if err := c.staysText(); err != nil {
		return nil, fault.From(err).At(p.Rel)
	}
	format := text.Format{Encoding: text.EncodingUTF8}
	if forced != "" {
		format.Encoding = forced
	}
	raw, err := format.Encode(c.fresh)
	if err != nil {
		return nil, fault.From(err).At(p.Rel)
	}
	hash := text.HashBytes(raw)
	done := changedFile{Path: p.Rel, Action: actionCreated, Source: buffers.FromDisk, ContentHash: hash.String()}
	if in.DryRun {
		err = fault.From(env.Snapshot.Gate.CheckWrite(p))
	} else {
		err = in.createOnDisk(env, p, raw, &done)
	}
	if e := fault.From(err); e != nil {
		return nil, e
	}
	env.Texts.Remember(p.Key(), hash, c.fresh)
	return &changeOutput{Files: []changedFile{done}, DryRun: in.DryRun}, nil
}

func (in writeInput) createOnDisk(env *Env, p workspace.Path, raw []byte, done *changedFile) error {
	written, err := env.Snapshot.Gate.Create(p, raw)
	if env.Catalog != nil {
		env.Catalog.Touched(p)
	}
	if err != nil {
		return fault.From(err).At(p.Rel)
	}
	done.Saved, done.Notes = true, written.Notes
	return nil
}
