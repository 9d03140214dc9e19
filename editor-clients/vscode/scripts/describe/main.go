package main

import (
	"encoding/json"
	"log"
	"os"

	"github.com/agent-lsp/agent-lsp/internal/settings"
	"github.com/agent-lsp/agent-lsp/internal/text"
	"github.com/agent-lsp/agent-lsp/internal/wire"
	"github.com/agent-lsp/agent-lsp/tools"
)

type description struct {
	Tools     []tool            `json:"tools"`
	Settings  []setting         `json:"settings"`
	Defaults  settings.Settings `json:"defaults"`
	Encodings []string          `json:"encodings"`
}

type tool struct {
	Name     string        `json:"name"`
	Doc      string        `json:"doc"`
	ReadOnly bool          `json:"readOnly"`
	Input    wire.RawValue `json:"input"`
	Output   wire.RawValue `json:"output"`
}

type setting struct {
	Key  string `json:"key"`
	Type string `json:"type"`
	Rule string `json:"rule"`
	Doc  string `json:"doc"`
}

// vscodeEncodings are VS Code's names of the encodings that it can open and
// save files in.
var vscodeEncodings = []string{
	"utf8", "utf8bom", "utf16le", "utf16be", "windows1252", "iso88591", "iso88593", "iso885915", "macroman", "cp437",
	"windows1256", "iso88596", "windows1257", "iso88594", "iso885914", "windows1250", "iso88592", "cp852", "windows1251",
	"cp866", "cp1125", "iso88595", "koi8r", "koi8u", "iso885913", "windows1253", "iso88597", "windows1255", "iso88598",
	"iso885910", "iso885916", "windows1254", "iso88599", "windows1258", "gbk", "gb18030", "cp950", "big5hkscs", "shiftjis",
	"eucjp", "euckr", "windows874", "iso885911", "koi8ru", "koi8t", "gb2312", "cp865", "cp850",
}

func main() {
	d := description{Defaults: settings.Default()}
	for _, t := range tools.All() {
		if !t.Local {
			d.Tools = append(d.Tools, tool{t.Name, t.Doc, t.ReadOnly, t.InputSchema, t.OutputSchema()})
		}
	}
	for _, s := range settings.Table() {
		d.Settings = append(d.Settings, setting{s.Key, s.Type, s.Rule, s.Doc})
	}
	for _, name := range vscodeEncodings {
		if _, ok := text.ParseEncoding(name); ok {
			d.Encodings = append(d.Encodings, name)
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(d); err != nil {
		log.Fatal(err)
	}
}
