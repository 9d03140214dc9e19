/**
 * What the server and the extension say to each other beyond LSP: see docs/protocol.md.
 * The tools themselves are in generated/tools.ts.
 */
import { NotificationType, RequestType, RequestType0 } from "vscode-languageclient/node";
import type { Diagnostic, Position, Range, WorkspaceEdit } from "vscode-languageclient/node";

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
  settled: true,
  references: true,
  rename: true,
  codeActions: true,
  editorState: true,
  confirmEdit: true,
  decisions: true,
  activity: true,
  review: true,
  follow: true,
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

export interface DiagnosticsParams extends Partial<DocumentParams> {
  /** How long language servers have to get done; 0: nobody is asked. */
  wait_ms?: number;
}
export interface DiagnosticsResult {
  items: (Diagnostic & DocumentParams)[];
  /** VS Code does not tell which text diagnostics are about. */
  state: "unknown";
}
export const diagnostics = new RequestType<DiagnosticsParams, DiagnosticsResult, void>(
  "agent/diagnostics",
);

/** A document that language servers are asked about, at the version that the server saw. */
export interface SubjectParams extends DocumentParams {
  version?: number;
}
export interface LanguageAnswer {
  /** Who answered; nobody knows the language where it is empty. */
  by: string[];
  /** Why it is refused, in the words of who does. */
  refused?: string;
  /** Whether some document changed until the answer was there. */
  changed?: boolean;
  /** Versions of the open documents that the answer is about. */
  versions?: Record<string, number>;
}
export interface WirePlace extends DocumentParams {
  range: Range;
  encoding: string;
}

export interface ReferencesParams extends SubjectParams {
  position: Position;
  relation: string;
}
export interface ReferencesResult extends LanguageAnswer {
  locations: WirePlace[];
}
export const references = new RequestType<
  ReferencesParams,
  ReferencesResult | LanguageAnswer,
  void
>("agent/references");

export interface RenameParams extends SubjectParams {
  position: Position;
  newName: string;
}
export interface EditResult extends LanguageAnswer {
  edit?: WorkspaceEdit;
  encoding?: string;
  /** Whether there is such an action. */
  found?: boolean;
  /** What only the server can run. */
  command?: string;
}
export const rename = new RequestType<RenameParams, EditResult | LanguageAnswer, void>(
  "agent/rename",
);

export const willRename = new RequestType<
  object,
  { edits: EditResult[]; versions: Record<string, number> },
  void
>("agent/willRename");

export interface CodeActionsParams extends SubjectParams {
  range: Range;
  kind?: string;
  /** Of the one that is to be applied. */
  title?: string;
}
export interface CodeActionsResult extends EditResult {
  actions?: { title: string; kind?: string; by: string; disabled?: string }[];
}
export const codeActions = new RequestType<
  CodeActionsParams,
  CodeActionsResult | LanguageAnswer,
  void
>("agent/codeActions");

export interface EditorStateResult {
  active: string | null;
  visible: string[];
  selections: { uri: string; ranges: Range[] }[];
}
export const editorState = new RequestType0<EditorStateResult, void>("agent/editorState");

/** Decisions that are offered only where `allow` has them. */
export type Allowance = "allowFile" | "allowSession";

export interface ConfirmEditParams {
  client: string | Client;
  tool: string;
  /** Why it is asked. */
  reason?: string;
  allow?: Allowance[];
  /** `diff` is unified; `text` is what the file would hold, absent where it is deleted. */
  files: { path: string; diff: string; text?: string }[];
}
export interface ConfirmEditResult {
  decision: "apply" | "reject" | "edited" | Allowance;
  reason?: string;
  /** Of what was edited: what the files shall hold instead. */
  files?: { path: string; text: string }[];
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
  /** Of an edit: all of its files, created and deleted ones too. */
  files?: ActivityFile[];
  /** Calls of one client and one turn have the same. */
  group?: unknown;
  error?: string | ToolError;
}
export interface ActivityFile {
  path: string;
  uri?: string;
  /** created, modified, deleted or moved */
  status: string;
  diff?: string;
  from?: string;
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

/** Lines that assistants changed, and that the person neither kept nor undid yet. */
export interface Hunk {
  id: string;
  /** Whole lines as they are; empty where lines were only removed. */
  range: Range;
  /** The lines that stood there before. */
  removed: string;
  clients: string[];
  edits: string[];
  time: string;
}
export interface ReviewedFile {
  uri: string;
  path: string;
  /** Of an open document: what the ranges refer to. */
  version?: number;
  status: "changed" | "created" | "deleted" | "moved";
  from?: string;
  hunks: Hunk[];
}
export interface ReviewListResult {
  files: ReviewedFile[];
  /** Hunks that are left out. */
  more?: number;
}
/** Which hunks; all without members. */
export interface HunkParams {
  uri?: string;
  hunks?: string[];
  range?: Range;
}
export interface KeepResult {
  kept: number;
}
export interface UndoResult {
  undone: number;
  id?: string;
  failed?: { id: string; reason: string }[];
}
export interface ReviewChangedParams {
  files: { uri: string; hunks: number }[];
}
export const reviewChanged = new NotificationType<ReviewChangedParams>("agent/review/changed");

export interface FollowParams {
  uri: string;
  range?: Range;
  client: string | Client;
  kind: "read" | "edit";
}
export const follow = new NotificationType<FollowParams>("agent/follow");

export interface Checkpoint {
  id: string;
  time: string;
  client?: string;
  reason: string;
  files: number;
}
export interface RestoreResult {
  files: { path: string; diff: string }[];
  id?: string;
  failed?: { path: string; reason: string }[];
}

/** Requests to the server beyond tools: what they take, and what they give. */
export interface Requests {
  "agent/review/list": { params: DocumentParams | object; result: ReviewListResult };
  "agent/review/keep": { params: HunkParams; result: KeepResult };
  "agent/review/undo": { params: HunkParams; result: UndoResult };
  "agent/checkpoint/list": { params: object; result: { checkpoints: Checkpoint[] } };
  "agent/checkpoint/restore": { params: { id: string; dry_run?: boolean }; result: RestoreResult };
  "agent/history/clear": { params: object; result: object };
  "agent/point": {
    params: { uri: string; range?: Range; diagnostics?: unknown[] };
    result: { text: string };
  };
}
