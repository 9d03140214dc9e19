/** Giving an assistant something to look at: it is told by `open_files`, and `@path#L1-L4` is copied. */
import { Uri, env, languages, window, workspace } from "vscode";

import type { AgentClient } from "./client";
import { plain } from "./plain";
import type { Requests } from "./protocol";
import { wireDiagnostic, wireRange } from "./wireRange";

type What = Requests["agent/point"]["params"];

/** Of the active editor what is selected; without a selection the file. */
export async function sendSelection(client: AgentClient): Promise<void> {
  const editor = window.activeTextEditor;
  const range = editor && !editor.selection.isEmpty && { range: wireRange(editor.selection) };
  await send(client, editor && { uri: editor.document.uri.toString(), ...range });
}

/** @param resource as the explorer's menu gives it */
export async function sendFile(client: AgentClient, resource: unknown): Promise<void> {
  const uri = resource instanceof Uri ? resource : window.activeTextEditor?.document.uri;
  await send(client, uri && { uri: uri.toString() });
}

/** What is reported of the active file, of the selected lines where there are some. */
export async function sendDiagnostics(client: AgentClient): Promise<void> {
  const editor = window.activeTextEditor;
  const uri = editor?.document.uri;
  const all = uri ? languages.getDiagnostics(uri) : [];
  const selection = editor?.selection;
  const here = all.filter(
    (d) => !selection || selection.isEmpty || d.range.intersection(selection),
  );
  if (uri && here.length === 0) {
    void window.showInformationMessage("Nothing is reported of this place.");
    return;
  }
  const diagnostics = here.map((d) => wireDiagnostic(String(uri), d));
  const range = selection && !selection.isEmpty && { range: wireRange(selection) };
  await send(client, uri && { uri: uri.toString(), diagnostics, ...range });
}

async function send(client: AgentClient, what: What | undefined): Promise<void> {
  if (!what) {
    void window.showInformationMessage("No file is shown that could be sent.");
    return;
  }
  const { text } = await client.ask("agent/point", what);
  await env.clipboard.writeText(text);
  const shown = text.length > 60 ? workspace.asRelativePath(Uri.parse(what.uri, true)) : text;
  window.setStatusBarMessage(plain(`$(check) ${shown} is told to assistants, and copied`), 5000);
}
