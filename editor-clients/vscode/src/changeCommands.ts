/** Keep and undo: of a hunk, of lines that are selected, of a file, of all. */
import { Range, Uri, commands, window, workspace } from "vscode";
import type { TextEditor } from "vscode";

import { holds } from "./changeMarks";
import { before, rangeOf } from "./changes";
import type { Change, ChangedFile, Changes } from "./changes";
import type { Diffs } from "./diffs";
import { textOf } from "./paths";
import { plain } from "./plain";
import type { HunkParams } from "./protocol";
import { wireRange } from "./wireRange";

interface Parts {
  changes: Changes;
  diffs: Diffs;
}

type Handlers = Record<string, (argument?: unknown) => unknown>;

export function changeHandlers(parts: Parts): Handlers {
  const { changes } = parts;
  return {
    "agentLsp.keepChange": (argument) => keep(changes, whichOf(changes, argument)),
    "agentLsp.undoChange": (argument) => undo(changes, whichOf(changes, argument)),
    "agentLsp.keepFile": (argument) => keep(changes, fileOf(changes, argument)),
    "agentLsp.undoFile": (argument) => undo(changes, fileOf(changes, argument)),
    "agentLsp.keepAll": () => keep(changes, {}),
    "agentLsp.undoAll": () => undoAll(changes),
    "agentLsp.nextChange": () => go(changes, 1),
    "agentLsp.previousChange": () => go(changes, -1),
    "agentLsp.goToChange": (argument) => goTo(argument),
    "agentLsp.showChanges": (argument) => showFile(parts, argument),
  };
}

/** What commands are given: a tree's node, or what lenses and hovers have. */
interface Given {
  file?: ChangedFile;
  hunk?: Change | string;
  uri?: Uri | string;
}

function given(argument: unknown): Given {
  return typeof argument === "object" && argument !== null ? argument : {};
}

function uriOf({ file, uri }: Given): Uri | undefined {
  if (file) {
    return file.uri;
  }
  return typeof uri === "string" ? Uri.parse(uri, true) : uri;
}

/** A hunk that was pointed at, else those that the cursor or the selection is in. */
function whichOf(changes: Changes, argument: unknown): HunkParams | undefined {
  const { hunk, ...rest } = given(argument);
  const uri = uriOf(rest);
  if (uri && hunk !== undefined) {
    return { uri: uri.toString(), hunks: [typeof hunk === "string" ? hunk : hunk.id] };
  }
  const editor = window.activeTextEditor;
  const file = editor && changes.of(editor.document.uri);
  return file && selected(file, editor);
}

/** Where something is selected, just those lines of the hunks. */
function selected(file: ChangedFile, { selection }: TextEditor): HunkParams | undefined {
  const uri = file.uri.toString();
  if (!selection.isEmpty) {
    const last = selection.end.character === 0 ? selection.end.line : selection.end.line + 1;
    return { uri, range: wireRange(new Range(selection.start.line, 0, last, 0)) };
  }
  const hunk = file.hunks.find((h) => holds(h, selection.active.line));
  return hunk && { uri, hunks: [hunk.id] };
}

function fileOf(changes: Changes, argument: unknown): HunkParams | undefined {
  const uri = uriOf(given(argument)) ?? window.activeTextEditor?.document.uri;
  return uri && changes.of(uri) ? { uri: uri.toString() } : undefined;
}

const NOTHING = "There is no change of an assistant here.";

async function keep(changes: Changes, which: HunkParams | undefined): Promise<void> {
  if (!which) {
    void window.showInformationMessage(NOTHING);
    return;
  }
  await changes.keep(which);
}

async function undo(changes: Changes, which: HunkParams | undefined): Promise<void> {
  if (!which) {
    void window.showInformationMessage(NOTHING);
    return;
  }
  const { failed } = await changes.undo(which);
  const [first] = failed ?? [];
  if (first) {
    const many = (failed?.length ?? 0) > 1 ? `${failed?.length ?? 0} changes were` : "It was";
    void window.showWarningMessage(`${many} not undone: ${plain(first.reason)}`);
  }
}

async function undoAll(changes: Changes): Promise<void> {
  const count = changes.files.length;
  const yes = "Undo All";
  const question = `Undo what assistants changed in ${count} file${count === 1 ? "" : "s"}?`;
  const detail = "What you changed yourself stays. It can be reverted from Agent Activity.";
  const answer =
    count > 0 && (await window.showWarningMessage(question, { modal: true, detail }, yes));
  if (answer === yes) {
    await undo(changes, {});
  }
}

/** The next hunk of the file, else the first of the next file. */
async function go(changes: Changes, step: 1 | -1): Promise<void> {
  const files = changes.files.filter((f) => f.hunks.length > 0 && f.status !== "deleted");
  const editor = window.activeTextEditor;
  const here =
    editor && files.findIndex((f) => f.uri.toString() === editor.document.uri.toString());
  const line = editor?.selection.active.line ?? 0;
  const inFile = here === undefined || here < 0 ? undefined : files[here];
  const sorted = step > 0 ? inFile?.hunks : inFile?.hunks.toReversed();
  const hunk = sorted?.find((h) => (step > 0 ? h.start > line : h.start < line));
  if (inFile && hunk) {
    await reveal(inFile, hunk);
    return;
  }
  const next = files[((here ?? -1) + step + files.length) % Math.max(1, files.length)];
  const first = step > 0 ? next?.hunks[0] : next?.hunks.at(-1);
  if (next && first) {
    await reveal(next, first);
  } else {
    void window.showInformationMessage("No change of an assistant waits for review.");
  }
}

async function goTo(argument: unknown): Promise<void> {
  const { file, hunk } = given(argument);
  if (file && typeof hunk === "object") {
    await reveal(file, hunk);
  }
}

async function reveal(file: ChangedFile, hunk: Change): Promise<void> {
  const { start } = rangeOf(hunk);
  await window.showTextDocument(file.uri, { selection: new Range(start, start) });
}

/** The file as it is, which can be edited, beside what it held before the assistants. */
async function showFile({ changes, diffs }: Parts, argument: unknown): Promise<void> {
  const uri = uriOf(given(argument)) ?? window.activeTextEditor?.document.uri;
  const file = uri && changes.of(uri);
  if (!file) {
    void window.showInformationMessage(NOTHING);
    return;
  }
  const now = (await textOf(file.uri)) ?? "";
  const old = diffs.hold(file.path, before(now, file.hunks));
  const title = `${workspace.asRelativePath(file.uri)} (before assistants ↔ now)`;
  const after = file.status === "deleted" ? diffs.hold(file.path, "") : file.uri;
  await commands.executeCommand("vscode.diff", old, after, title, { preview: true });
}
