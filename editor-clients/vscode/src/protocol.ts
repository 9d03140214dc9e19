/**
 * What the server and the extension say to each other beyond LSP: see docs/protocol.md.
 * The tools themselves are in generated/tools.ts.
 */
import { NotificationType, RequestType, RequestType0 } from "vscode-languageclient/node";
import type { Diagnostic, Range } from "vscode-languageclient/node";

import type { ToolInputs, ToolName, ToolOutputs } from "./generated/tools";

/** On whose behalf a tool is called. */
export interface Client {
  name: string;
  id?: string;
}

export interface ToolCall<N extends ToolName = ToolName> {
  name: N;
  arguments: ToolInputs[N];
  client?: Client;
}

/** A part of an answer, as MCP has it. */
export type Content =
  | { type: "text"; text: string }
  | { type: "image"; mimeType: string; data: string }
  | { type: "resource"; resource: { uri: string; mimeType?: string; blob?: string } };

export interface ToolError {
  kind: string;
  message: string;
  hint?: string;
}

/** The text of a file stands in `structuredContent.content`; `content` holds the header. */
export interface ToolResult<N extends ToolName = ToolName> {
  content: Content[];
  structuredContent: Partial<ToolOutputs[N]> & { error?: ToolError };
  isError?: boolean;
}

export const callTool = new RequestType<ToolCall, ToolResult, void>("agent/tools/call");

/** What this client offers, in `capabilities.experimental.agentLsp`. */
export const abilities = {
  save: true,
  reload: true,
  resync: true,
  diagnostics: true,
  editorState: true,
  confirmEdit: true,
  activity: true,
} as const;

export interface DocumentParams {
  uri: string;
}

export interface SaveResult {
  saved: boolean;
  reason?: string;
}
export const save = new RequestType<DocumentParams, SaveResult, void>("agent/save");

export interface ReloadResult {
  reloaded: boolean;
  reason?: string;
}
export const reload = new RequestType<DocumentParams, ReloadResult, void>("agent/reload");

export interface ResyncResult {
  version: number;
  text: string;
}
export const resync = new RequestType<DocumentParams, ResyncResult, void>("agent/resync");

export interface DiagnosticsResult {
  items: (Diagnostic & DocumentParams)[];
}
export const diagnostics = new RequestType<Partial<DocumentParams>, DiagnosticsResult, void>(
  "agent/diagnostics",
);

export interface EditorStateResult {
  active: string | null;
  visible: string[];
  selections: { uri: string; ranges: Range[] }[];
}
export const editorState = new RequestType0<EditorStateResult, void>("agent/editorState");

export interface ConfirmEditParams {
  client: string | Client;
  tool: string;
  /** `diff` is unified. */
  files: { path: string; diff: string }[];
}
export interface ConfirmEditResult {
  decision: "apply" | "reject";
  reason?: string;
}
export const confirmEdit = new RequestType<ConfirmEditParams, ConfirmEditResult, void>(
  "agent/confirmEdit",
);

export interface ActivityParams {
  client: string | Client;
  tool: string;
  path?: string;
  summary: string;
  /** Of an edit: what `revert_edit` takes. */
  id?: string;
  /** Of an edit: all of its files, unified. */
  diff?: string;
  error?: string | ToolError;
}
export const activity = new NotificationType<ActivityParams>("agent/activity");

export interface ClientsParams {
  clients: { name: string; since: string }[];
}
export const clients = new NotificationType<ClientsParams>("agent/clients");

export interface DocumentStateParams {
  uri: string;
  version: number;
  dirty: boolean;
  encoding?: string;
  bom?: boolean;
  text_hash?: string;
}
export const documentState = new NotificationType<DocumentStateParams>("agent/documentState");

export interface TabsParams {
  /** What the editor shows without telling its text; replaces what was told before. */
  unsynced: { uri: string; notebook: boolean }[];
}
export const tabs = new NotificationType<TabsParams>("agent/tabs");
