/** VS Code's ranges and diagnostics as LSP has them: VS Code's own JSON of a range is an array. */
import { DiagnosticSeverity } from "vscode";
import type { Diagnostic, Range } from "vscode";
import type { Range as WireRange } from "vscode-languageclient/node";

import type * as protocol from "./protocol";

const severities = {
  [DiagnosticSeverity.Error]: 1,
  [DiagnosticSeverity.Warning]: 2,
  [DiagnosticSeverity.Information]: 3,
  [DiagnosticSeverity.Hint]: 4,
} as const;

export function wireDiagnostic(
  uri: string,
  d: Diagnostic,
): protocol.DiagnosticsResult["items"][number] {
  const code = typeof d.code === "object" ? d.code.value : d.code;
  return {
    uri,
    range: wireRange(d.range),
    severity: severities[d.severity],
    message: d.message,
    ...(d.source !== undefined && { source: d.source }),
    ...(code !== undefined && { code }),
  };
}

export function wireRange(range: Range): WireRange {
  return {
    start: { line: range.start.line, character: range.start.character },
    end: { line: range.end.line, character: range.end.character },
  };
}
