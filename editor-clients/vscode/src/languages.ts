/**
 * What language servers know of the text as it is now, by the commands that VS Code offers for it.
 * They do not tell who answers, nor whether anybody does.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { CodeActionKind, Position, Range, Uri, commands, languages, workspace } from "vscode";
import type {
  CallHierarchyIncomingCall,
  CallHierarchyItem,
  CallHierarchyOutgoingCall,
  CodeAction,
  Location,
  LocationLink,
  WorkspaceEdit,
} from "vscode";
import type { LanguageClient, Position as WirePosition } from "vscode-languageclient/node";

import { find } from "./apply";
import * as protocol from "./protocol";
import { wireRange } from "./wireRange";

const BY = ["VS Code"];
const ENCODING = "utf-16";

export function answerLanguages(client: LanguageClient): void {
  client.onRequest(protocol.references, (params) => over(params, () => references(params)));
  client.onRequest(protocol.rename, (params) => over(params, () => rename(params)));
  client.onRequest(protocol.codeActions, (params) => over(params, () => codeActions(params)));
  // VS Code asks who wants to hear of it by itself, when the file is renamed.
  client.onRequest(protocol.willRename, () => ({ edits: [], versions: versions() }));
}

function versions(): Record<string, number> {
  return Object.fromEntries(workspace.textDocuments.map((d) => [d.uri.toString(), d.version]));
}

/** Asks about a document that is at the version the server saw, and tells what changed meanwhile. */
async function over<A extends protocol.LanguageAnswer>(
  params: protocol.SubjectParams,
  ask: () => Promise<A>,
): Promise<A | protocol.LanguageAnswer> {
  const before = versions();
  if (params.version !== undefined && find(params.uri)?.version !== params.version) {
    return { by: [], changed: true };
  }
  const answer = await ask();
  const now = versions();
  const changed = Object.entries(before).some(([uri, version]) => now[uri] !== version);
  return { ...answer, versions: before, changed };
}

/** An error's message, as a server words its refusal. */
function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function at(position: WirePosition): Position {
  return new Position(position.line, position.character);
}

type Found = Location | LocationLink;

const relations: Record<string, string> = {
  references: "vscode.executeReferenceProvider",
  definition: "vscode.executeDefinitionProvider",
  type_definition: "vscode.executeTypeDefinitionProvider",
  implementations: "vscode.executeImplementationProvider",
};

async function references(params: protocol.ReferencesParams): Promise<protocol.ReferencesResult> {
  const uri = Uri.parse(params.uri, true);
  const place = at(params.position);
  const command = relations[params.relation];
  try {
    const locations = command
      ? await locate(command, uri, place)
      : await calls(params.relation, uri, place);
    const answered = locations.length > 0 || (await isKnown(uri, place));
    return { by: answered ? BY : [], locations };
  } catch (error) {
    return { by: [], locations: [], refused: words(error) };
  }
}

/** Whether some server knows what stands at a place: then that nothing was found is an answer. */
async function isKnown(uri: Uri, place: Position): Promise<boolean> {
  return (await locate("vscode.executeDefinitionProvider", uri, place)).length > 0;
}

async function locate(command: string, uri: Uri, place: Position): Promise<protocol.WirePlace[]> {
  const found = await commands.executeCommand<Found[] | undefined>(command, uri, place);
  return (found ?? []).map((item) =>
    "targetUri" in item
      ? wirePlace(item.targetUri, item.targetSelectionRange ?? item.targetRange)
      : wirePlace(item.uri, item.range),
  );
}

function wirePlace(uri: Uri, range: Range): protocol.WirePlace {
  return { uri: uri.toString(), range: wireRange(range), encoding: ENCODING };
}

async function calls(relation: string, uri: Uri, place: Position): Promise<protocol.WirePlace[]> {
  const items = await commands.executeCommand<CallHierarchyItem[] | undefined>(
    "vscode.prepareCallHierarchy",
    uri,
    place,
  );
  const found: protocol.WirePlace[] = [];
  for (const item of items ?? []) {
    if (relation === "callers") {
      const incoming = await commands.executeCommand<CallHierarchyIncomingCall[] | undefined>(
        "vscode.provideIncomingCalls",
        item,
      );
      for (const call of incoming ?? []) {
        found.push(...call.fromRanges.map((range) => wirePlace(call.from.uri, range)));
      }
    } else {
      const outgoing = await commands.executeCommand<CallHierarchyOutgoingCall[] | undefined>(
        "vscode.provideOutgoingCalls",
        item,
      );
      found.push(...(outgoing ?? []).map(({ to }) => wirePlace(to.uri, to.selectionRange)));
    }
  }
  return found;
}

async function rename(params: protocol.RenameParams): Promise<protocol.EditResult> {
  try {
    const edit = await commands.executeCommand<WorkspaceEdit | undefined>(
      "vscode.executeDocumentRenameProvider",
      Uri.parse(params.uri, true),
      at(params.position),
      params.newName,
    );
    return edit && edit.size > 0 ? editResult(edit) : { by: [] };
  } catch (error) {
    return { by: BY, refused: words(error) };
  }
}

/** VS Code shows extensions the edits of texts alone; one with more is not made in part. */
function editResult(edit: WorkspaceEdit): protocol.EditResult {
  const entries = edit.entries();
  if (edit.size > entries.length) {
    return { by: BY, found: true, refused: "it renames files, too, which VS Code does not tell" };
  }
  const changes = Object.fromEntries(
    entries.map(([uri, edits]) => [
      uri.toString(),
      edits.map((e) => ({ range: wireRange(e.range), newText: e.newText })),
    ]),
  );
  return { by: BY, found: true, edit: { changes }, encoding: ENCODING };
}

const RESOLVED = 100; // actions whose edits are asked for when one is to be applied

async function codeActions(
  params: protocol.CodeActionsParams,
): Promise<protocol.CodeActionsResult> {
  const { start, end } = params.range;
  try {
    const offered = await commands.executeCommand<CodeAction[] | undefined>(
      "vscode.executeCodeActionProvider",
      Uri.parse(params.uri, true),
      new Range(at(start), at(end)),
      params.kind === undefined ? undefined : CodeActionKind.Empty.append(params.kind).value,
      params.title === undefined ? undefined : RESOLVED,
    );
    const chosen = offered?.find((action) => action.title === params.title);
    if (chosen?.edit) {
      return editResult(chosen.edit);
    } else if (chosen) {
      const command = chosen.command?.command;
      return { by: BY, found: true, ...(command !== undefined && { command }) };
    }
    const actions = (offered ?? []).map((action) => ({
      title: action.title,
      by: "VS Code",
      ...(action.kind && { kind: action.kind.value }),
      ...(action.disabled && { disabled: action.disabled.reason }),
    }));
    return { by: BY, actions };
  } catch (error) {
    return { by: [], refused: words(error) };
  }
}

const QUIET = 250;

/**
 * Waits until servers have read the text and no diagnostics came for a moment. VS Code does not
 * tell of which version diagnostics are: so this is no proof.
 */
export async function awaitDiagnostics(uri: string | undefined, patience: number): Promise<void> {
  const last = Date.now() + patience;
  let quietSince = Date.now();
  const listening = languages.onDidChangeDiagnostics(() => {
    quietSince = Date.now();
  });
  try {
    if (uri !== undefined) {
      const symbols = commands.executeCommand(
        "vscode.executeDocumentSymbolProvider",
        Uri.parse(uri, true),
      );
      await Promise.race([Promise.resolve(symbols).catch(() => undefined), sleep(patience)]);
      quietSince = Date.now();
    }
    while (Date.now() < last && Date.now() < quietSince + QUIET) {
      await sleep(Math.min(QUIET, last - Date.now()) / 5);
    }
  } finally {
    listening.dispose();
  }
}
