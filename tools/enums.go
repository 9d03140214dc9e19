package tools

import (
	"reflect"

	"github.com/agent-lsp/agent-lsp/tools/change"
	"github.com/agent-lsp/agent-lsp/tools/locate"
	"github.com/agent-lsp/agent-lsp/tools/read"
	"github.com/agent-lsp/agent-lsp/tools/schema"
)

// enums are the string types with a closed list of values.
var enums = schema.Enums{
	reflect.TypeFor[read.ExpandMode]():  values(read.ExpandSyntax, read.ExpandLines),
	reflect.TypeFor[read.RenderStyle](): values(read.Numbered, read.PlainText, read.XMLStyle),
	reflect.TypeFor[change.SaveMode]():  values(change.SaveAuto, change.SaveAlways, change.SaveNever),
	reflect.TypeFor[outputLevel]():      values(outputConcise, outputSilent, outputNormal, outputVerbose, outputFull),
	reflect.TypeFor[read.OutlineMode](): values(read.OutlineAuto, read.OutlineAlways, read.OutlineNever),
	reflect.TypeFor[grepCase]():         values(caseSmart, caseSensitive, caseInsensitive),
	reflect.TypeFor[grepWhat]():         values(outputLines, outputFiles, outputCount),
	reflect.TypeFor[grepShow]():         values(showDefinition),
	reflect.TypeFor[change.StaleMode](): values(change.StaleReject, change.StaleMerge),
	reflect.TypeFor[locate.PlaceMode](): values(locate.PlaceBefore, locate.PlaceAfter),
}

func values[T ~string](all ...T) []string {
	list := make([]string, len(all))
	for i, v := range all {
		list[i] = string(v)
	}
	return list
}
