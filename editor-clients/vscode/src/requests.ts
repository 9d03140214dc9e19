/** What the server may ask of the editor. */
import { setTimeout as sleep } from "node:timers/promises";
import { Uri, languages, window, workspace } from "vscode";
import type { TextDocument } from "vscode";
import { ErrorCodes, ResponseError } from "vscode-languageclient/node";
import type { LanguageClient } from "vscode-languageclient/node";

import { find } from "./apply";
import { answerLanguages, awaitDiagnostics } from "./languages";
import * as protocol from "./protocol";
import { wireDiagnostic, wireRange } from "./wireRange";

const NOT_OPEN = "not open in the editor";

export function answerRequests(client: LanguageClient): void {
  client.onRequest(protocol.save, ({ uri }) => save(uri));
  client.onRequest(protocol.reload, ({ uri }) => reload(uri));
  client.onRequest(protocol.resync, ({ uri }) => resync(uri));
  client.onRequest(protocol.diagnostics, (params) => diagnostics(params));
  answerLanguages(client);
  client.onRequest(protocol.editorState, editorState);
}

/** As the person would save it, formatters included, but without questions. */
async function save(uri: string): Promise<protocol.SaveResult> {
  const document = find(uri);
  if (!document) {
    return { saved: false, reason: NOT_OPEN };
  }
  if (document.isUntitled) {
    return { saved: false, reason: "the document has no file name" };
  }
  const saved = await document.save();
  return saved && !document.isDirty ? { saved } : { saved: false, reason: "VS Code did not save" };
}

// The server waits 500 ms.
const RELOAD_PATIENCE = 450;
const RELOAD_STEP = 25;

/**
 * VS Code reloads documents without unsaved changes by itself when it sees that their file changed,
 * and offers no way to ask for it: so this waits until it has.
 */
async function reload(uri: string): Promise<protocol.ReloadResult> {
  const document = find(uri);
  if (!document || document.isUntitled) {
    return { reloaded: false, reason: NOT_OPEN };
  }
  for (let waited = 0; waited <= RELOAD_PATIENCE; waited += RELOAD_STEP) {
    if (document.isDirty) {
      return { reloaded: false, reason: "the document has unsaved changes" };
    }
    if (await holdsFile(document)) {
      return { reloaded: true };
    }
    await sleep(RELOAD_STEP);
  }
  return { reloaded: false, reason: "VS Code did not read the file again" };
}

/** Line ends aside, which VS Code makes alike. */
async function holdsFile(document: TextDocument): Promise<boolean> {
  const bytes = await Promise.resolve(workspace.fs.readFile(document.uri)).catch(() => undefined);
  if (!bytes) {
    return false;
  }
  const text = await workspace.decode(bytes, { encoding: document.encoding });
  return alike(text) === alike(document.getText());
}

function alike(text: string): string {
  return text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
}

function resync(uri: string): protocol.ResyncResult | ResponseError {
  const document = find(uri);
  if (!document) {
    return new ResponseError(ErrorCodes.InvalidParams, NOT_OPEN);
  }
  return { version: document.version, text: document.getText() };
}

async function diagnostics({
  uri,
  wait_ms,
}: protocol.DiagnosticsParams): Promise<protocol.DiagnosticsResult> {
  if (wait_ms) {
    await awaitDiagnostics(uri, wait_ms);
  }
  const all =
    uri === undefined
      ? languages.getDiagnostics()
      : ([[Uri.parse(uri, true), languages.getDiagnostics(Uri.parse(uri, true))]] as const);
  const items = all.flatMap(([of, list]) => list.map((d) => wireDiagnostic(of.toString(), d)));
  return { items, state: "unknown" };
}

function editorState(): protocol.EditorStateResult {
  const shown = window.visibleTextEditors;
  return {
    active: window.activeTextEditor?.document.uri.toString() ?? null,
    visible: [...new Set(shown.map((editor) => editor.document.uri.toString()))],
    selections: shown.map((editor) => ({
      uri: editor.document.uri.toString(),
      ranges: editor.selections.map(wireRange),
    })),
  };
}
