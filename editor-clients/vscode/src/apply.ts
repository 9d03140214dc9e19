/** `workspace/applyEdit`: an edit lands on the very text that it was made for, or not at all. */
import { Position, Range, TextEdit, Uri, WorkspaceEdit, window, workspace } from "vscode";
import type { TextDocument } from "vscode";
import type {
  ApplyWorkspaceEditParams,
  ApplyWorkspaceEditResult,
  TextEdit as WireEdit,
  WorkspaceEdit as WireWorkspaceEdit,
} from "vscode-languageclient/node";

import { change as changeBeside } from "./cursor";

type DocumentChange = NonNullable<WireWorkspaceEdit["documentChanges"]>[number];

/**
 * The client library's own way takes an edit of a document that is not open, and does not say why
 * it refuses a version. Here nothing waits between the check and the handing over; VS Code checks
 * the version that is handed over once more, where the text is.
 */
export async function applyEdit(
  params: ApplyWorkspaceEditParams,
): Promise<ApplyWorkspaceEditResult> {
  const edit = new WorkspaceEdit();
  for (const [index, change] of changesOf(params.edit).entries()) {
    const problem = add(edit, change);
    if (problem !== undefined) {
      return { applied: false, failureReason: problem, failedChange: index };
    }
  }
  if ((await changeShown(edit)) ?? (await workspace.applyEdit(edit))) {
    return { applied: true };
  }
  return { applied: false, failureReason: "VS Code did not apply it: the text changed meanwhile" };
}

/**
 * Makes the changes of one document that is shown, where the person's cursor is.
 *
 * @returns undefined when it has to be made another way
 */
async function changeShown(edit: WorkspaceEdit): Promise<boolean | undefined> {
  const [only] = edit.entries();
  const editors = window.visibleTextEditors.filter(
    (e) => e.document.uri.toString() === only?.[0].toString(),
  );
  const [first] = editors;
  if (!only || !first || edit.size > 1) {
    return undefined;
  }
  const { version } = first.document;
  const changes = only[1].map(({ range, newText }) => ({ range, text: newText }));
  if (await changeBeside(editors, changes)) {
    return true;
  }
  return first.document.version === version ? undefined : false;
}

function changesOf(edit: WireWorkspaceEdit): DocumentChange[] {
  return (
    edit.documentChanges ??
    Object.entries(edit.changes ?? {}).map(([uri, edits]) => ({
      textDocument: { uri, version: null },
      edits,
    }))
  );
}

/** Adds a change to what is to be made; the reason when it cannot be. */
function add(edit: WorkspaceEdit, change: DocumentChange): string | undefined {
  if ("kind" in change) {
    return addFileOperation(edit, change);
  }
  const { uri, version } = change.textDocument;
  const document = find(uri);
  if (!document) {
    return `${uri} is not open in the editor`;
  }
  if (version !== null && version !== document.version) {
    return `version ${version} is not the present one, ${document.version}`;
  }
  const edits = change.edits.filter((e): e is WireEdit => "newText" in e);
  edit.set(
    document.uri,
    edits.map((e) => TextEdit.replace(range(e), e.newText)),
  );
  return undefined;
}

type FileOperation = Extract<DocumentChange, { kind: string }>;

function addFileOperation(edit: WorkspaceEdit, change: FileOperation): string | undefined {
  switch (change.kind) {
    case "create":
      edit.createFile(Uri.parse(change.uri, true), { ...change.options });
      return undefined;
    case "rename":
      edit.renameFile(Uri.parse(change.oldUri, true), Uri.parse(change.newUri, true), {
        ...change.options,
      });
      return undefined;
    case "delete":
      edit.deleteFile(Uri.parse(change.uri, true), { ...change.options });
      return undefined;
  }
}

/** The open document of an address, however its characters are escaped. */
export function find(uri: string): TextDocument | undefined {
  const wanted = Uri.parse(uri, true).toString();
  return workspace.textDocuments.find((d) => d.uri.toString() === wanted);
}

function range(edit: WireEdit): Range {
  const { start, end } = edit.range;
  return new Range(
    new Position(start.line, start.character),
    new Position(end.line, end.character),
  );
}
