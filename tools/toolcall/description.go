package toolcall

import (
	"github.com/agent-lsp/agent-lsp/buffers"
	"github.com/agent-lsp/agent-lsp/internal/text"
)

// FileState is where a text comes from and how it stands to the disk.
type FileState struct {
	Path        string         `json:"path"`
	URI         string         `json:"uri"`
	Source      buffers.Source `json:"source" jsonschema:"buffer: from the editor, saved or not; disk: nobody has it open"`
	Version     *int32         `json:"version,omitempty" jsonschema:"The editor's version of the document."`
	Dirty       bool           `json:"dirty" jsonschema:"The editor has unsaved changes."`
	DiskChanged bool           `json:"disk_changed,omitzero" jsonschema:"The file on disk is another than the one that the editor opened or saved."`
	DiskHash    string         `json:"disk_hash,omitempty" jsonschema:"Hash of the file on disk, where it changed."`
	Diverged    bool           `json:"diverged,omitzero" jsonschema:"Both: unsaved changes, and another file on disk."`
	OutOfSync   bool           `json:"unsure,omitzero" jsonschema:"The text may differ from the editor's; edits are refused until it is known."`
}

// TextFormat is what sort of text a file holds, and how it stands in bytes.
type TextFormat struct {
	ContentType      ContentType `json:"content_type,omitempty"`
	Language         string      `json:"language,omitempty"`
	Encoding         string      `json:"encoding,omitempty"`
	EncodingDetected bool        `json:"encoding_detected,omitzero" jsonschema:"The encoding was guessed; new text must be ASCII."`
	Lossy            bool        `json:"lossy,omitzero" jsonschema:"The bytes cannot be made again from the text; edits are refused."`
	EOL              string      `json:"eol,omitempty" jsonschema:"lf, crlf, cr, mixed or none"`
	BOM              bool        `json:"bom,omitzero"`
	FinalNewline     *bool       `json:"final_newline,omitempty"`
}

// Form tells for a header how the text stands in bytes, where that is not as
// UTF-8 without mark, in lines that end with LF.
func (f *TextFormat) Form() string {
	form := ""
	if f.BOM || f.EncodingDetected || f.Lossy || f.Encoding != "" && f.Encoding != string(text.EncodingUTF8) {
		form = "; encoding: " + f.Encoding
	}
	if f.BOM {
		form += " with byte-order mark"
	}
	if f.EOL != "" && f.EOL != text.None.String() && f.EOL != text.LF.String() {
		form += "; line ends: " + f.EOL
	}
	return form
}

// Extent is how much a file holds, and which bytes.
type Extent struct {
	SizeBytes   int64  `json:"size_bytes" jsonschema:"Length of the file on disk."`
	TextBytes   *int   `json:"text_bytes,omitempty" jsonschema:"Length of the text in UTF-8, without mark."`
	TotalLines  *int   `json:"total_lines,omitempty"`
	ContentHash string `json:"content_hash" jsonschema:"SHA-256 of the bytes on disk, or that saving would write. It guards edits."`
}

// Description is what is true of a file whatever part of it is asked for.
type Description struct {
	FileState
	TextFormat
	Extent
	Notes []string
}

// Describe returns what is true of a file. The content's type and language are
// left out: they are of interest where the content is.
func Describe(f *buffers.File) Description {
	d := Description{
		FileState: FileState{
			Path: f.Path.Rel, URI: f.Path.URI, Source: f.Source,
			Dirty: f.Dirty, DiskChanged: f.DiskChanged, Diverged: f.Diverged(),
		},
		Extent: Extent{SizeBytes: f.SizeBytes, ContentHash: f.Hash.String()},
	}
	if f.DiskChanged && f.DiskHash != nil {
		d.DiskHash = f.DiskHash.String()
	}
	if doc := f.Document; doc != nil {
		d.Version = &doc.Version
		if doc.OutOfSync != "" {
			d.OutOfSync = true
			d.Notes = append(d.Notes, "The editor's text may differ from this: "+doc.OutOfSync+".")
		}
	}
	if f.Altered {
		d.Notes = append(d.Notes, "The editor changed the text when it opened or saved the file (its line ends, perhaps); saving would write other bytes than the file has.")
	}
	if f.NotebookOpen {
		d.Notes = append(d.Notes, "The editor shows this file as a notebook; this is what is on disk, and what was not saved is missing. Edits are refused while it is open.")
	}
	if f.Unsynced {
		d.Notes = append(d.Notes, "The editor shows this file but does not tell its text; this is what is on disk, and what was not saved is missing. Edits are refused while it is open.")
	}
	if f.Binary {
		return d
	}
	length, lines := f.Content.Len(), f.Content.Lines()
	d.TextBytes, d.TotalLines, d.FinalNewline = &length, &lines, &f.FinalNewline
	d.EOL, d.BOM, d.Lossy = f.EOL.String(), f.Format.BOM, f.Lossy
	d.Encoding, d.EncodingDetected = string(f.Format.Encoding), f.Detected
	if f.Unknown {
		d.Encoding = "unknown"
	}
	return d
}

// Mark is the state for a header, where that is other than a file on disk.
func (s *FileState) Mark() string {
	if s.Source == buffers.FromDisk {
		return ""
	}
	return " [" + s.State() + "]"
}

// State returns where the text comes from and how that stands to
// the disk.
func (s *FileState) State() string {
	if s.Source == buffers.FromDisk {
		return "disk"
	}
	state := "buffer"
	if s.OutOfSync {
		state += ", unsure"
	}
	if s.Dirty {
		state += ", unsaved changes"
	}
	switch {
	case s.DiskChanged && s.DiskHash == "":
		state += ", the file is gone from disk"
	case s.DiskChanged:
		state += ", the file changed on disk"
	}
	return state
}

// LineRange is lines of a text, 1-based and inclusive.
type LineRange struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// ByteRange is bytes of a text, half open.
type ByteRange struct {
	Start int `json:"start"`
	End   int `json:"end"`
}
