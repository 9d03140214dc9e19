import { QuickPickItemKind, commands, env, window, workspace } from "vscode";
import type { Disposable, QuickPickItem } from "vscode";

import { changeHandlers } from "./changeCommands";
import { canRevert } from "./activityLog";
import type { ActivityLog, Entry } from "./activityLog";
import type { ActivityView, Node } from "./activityView";
import { checkCall } from "./api";
import type { Changes } from "./changes";
import { restoreCheckpoint } from "./checkpoints";
import type { AgentClient } from "./client";
import type { Diffs, Shown } from "./diffs";
import type { Pages } from "./pages";
import { locate } from "./paths";
import { plain } from "./plain";
import { sendDiagnostics, sendFile, sendSelection } from "./point";
import { run } from "./program";
import type { ActivityFile } from "./protocol";
import type { Reviews } from "./reviews";

/** What the commands work with. */
export interface Parts {
  client: AgentClient;
  log: ActivityLog;
  view: ActivityView;
  diffs: Diffs;
  reviews: Reviews;
  changes: Changes;
  pages: Pages;
  showLog: () => void;
}

/** Diffs of changes that are shown, by id. */
type Open = Map<string, Shown>;

export function registerCommands(parts: Parts): Disposable[] {
  const { client, log, view, diffs, reviews } = parts;
  const open: Open = new Map();
  const handlers: Record<string, (argument?: unknown) => unknown> = {
    "agent-lsp.call": (argument) => client.call(checkCall(argument)),
    "agentLsp.showMenu": () => showMenu(parts),
    "agentLsp.showEdits": () => showEdits(parts, open),
    "agentLsp.revertEdit": (node) => revertEdit(parts, open, entryOf(node)),
    "agentLsp.openEntry": (node) => openEntry(parts, open, entryOf(node), fileOf(node)),
    "agentLsp.review": (node) => reviews.review(reviewOf(node)),
    "agentLsp.applyReviewed": (node) => reviews.apply(reviewOf(node)),
    "agentLsp.rejectReviewed": (node) => reviews.reject(reviewOf(node)),
    "agentLsp.moreReviewed": (node) => reviews.more(reviewOf(node)),
    "agentLsp.applyShown": () => reviews.apply(),
    "agentLsp.rejectShown": () => reviews.reject(),
    "agentLsp.moreShown": () => reviews.more(),
    "agentLsp.listEdits": () => {
      view.listEdits(true);
    },
    "agentLsp.listAll": () => {
      view.listEdits(false);
    },
    "agentLsp.restoreCheckpoint": () => restoreCheckpoint(client, diffs),
    "agentLsp.clearHistory": () => clearHistory(parts),
    "agentLsp.sendSelection": () => sendSelection(client),
    "agentLsp.sendFile": (resource) => sendFile(client, resource),
    "agentLsp.sendDiagnostics": () => sendDiagnostics(client),
    ...changeHandlers(parts),
    "agentLsp.clearActivity": () => {
      log.clear();
      view.refresh();
    },
    "agentLsp.doctor": () => doctor(parts),
    "agentLsp.copyConfiguration": () => copyConfiguration(parts),
    "agentLsp.restart": () => client.restart(),
    "agentLsp.showLog": parts.showLog,
  };
  return Object.entries(handlers).map(([id, handler]) =>
    commands.registerCommand(id, async (argument?: unknown) => {
      if (id === "agent-lsp.call") {
        return handler(argument); // its caller is told what goes wrong
      }
      try {
        return await handler(argument);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        void window.showErrorMessage(plain(`agent-lsp: ${why}`));
        return undefined;
      }
    }),
  );
}

/** Commands get a tree's node from its menus, and other things from other places. */
function isNode(argument: unknown): argument is Node {
  return (
    typeof argument === "object" &&
    argument !== null &&
    ("entry" in argument || "review" in argument)
  );
}

function entryOf(argument: unknown): Entry | undefined {
  return isNode(argument) && "entry" in argument ? argument.entry : undefined;
}

function fileOf(argument: unknown): ActivityFile | undefined {
  return isNode(argument) && "entry" in argument ? argument.file : undefined;
}

function reviewOf(argument: unknown) {
  return isNode(argument) && "review" in argument ? argument.review : undefined;
}

async function showMenu({ client, reviews }: Parts): Promise<void> {
  const { status } = client;
  const items: (QuickPickItem & { command?: string })[] = [
    ...(reviews.waiting.length > 0
      ? [{ label: "$(diff) Review Waiting Edit", command: "agentLsp.review" }]
      : []),
    { label: "$(list-unordered) Show Agent Activity", command: "agentLsp.activity.focus" },
    { label: "$(diff-multiple) Show Agent Edits", command: "agentLsp.showEdits" },
    { label: "$(arrow-down) Next Change of an Assistant", command: "agentLsp.nextChange" },
    { label: "$(history) Restore a Checkpoint…", command: "agentLsp.restoreCheckpoint" },
    { label: "", kind: QuickPickItemKind.Separator },
    { label: "$(copy) Copy MCP Configuration for…", command: "agentLsp.copyConfiguration" },
    { label: "$(pulse) Doctor", command: "agentLsp.doctor" },
    { label: "$(output) Show Log", command: "agentLsp.showLog" },
    { label: "$(debug-restart) Restart", command: "agentLsp.restart" },
  ];
  const placeHolder =
    status.kind === "running"
      ? `agent-lsp ${status.version} is running`
      : status.kind === "starting"
        ? "agent-lsp is starting"
        : status.why;
  const chosen = await window.showQuickPick(items, { title: "Agent LSP", placeHolder });
  if (chosen?.command !== undefined) {
    await commands.executeCommand(chosen.command);
  }
}

interface EditItem extends QuickPickItem {
  entry: Entry;
}

async function pickEdit(edits: readonly Entry[], title: string): Promise<Entry | undefined> {
  if (edits.length === 0) {
    void window.showInformationMessage("Assistants have changed nothing in this window.");
    return undefined;
  }
  const items = edits.map((entry): EditItem => ({
    entry,
    label: entry.summary,
    description: [entry.client, entry.time?.toLocaleTimeString()].filter(Boolean).join(" · "),
    ...(entry.reverted && { detail: "reverted" }),
  }));
  const chosen = await window.showQuickPick(items, { title, matchOnDescription: true });
  return chosen?.entry;
}

async function showEdits(parts: Parts, open: Open): Promise<void> {
  const entry = await pickEdit(parts.log.edits, "Agent Edits");
  if (entry) {
    await openEntry(parts, open, entry);
  }
}

/** The diff of an edit, or of one of its files; the file of anything else. */
async function openEntry(
  { diffs }: Parts,
  open: Open,
  entry: Entry | undefined,
  file?: ActivityFile,
): Promise<void> {
  const files = entry ? diffsOf(entry).filter((f) => !file || f.path === file.path) : [];
  if (entry && files.length > 0) {
    const [first] = files;
    const what = files.length > 1 ? entry.tool.replaceAll("_", " ") : first?.path; // VS Code counts
    const shown = await diffs.show(`${what ?? entry.summary} (${entry.client})`, files, "made");
    if (entry.id !== undefined) {
      open.set(entry.id, shown);
    }
    return;
  }
  const uri = entry?.path === undefined ? undefined : locate(entry.path);
  if (uri) {
    await commands.executeCommand("vscode.open", uri);
  }
}

/** Of all files of a change, created and deleted ones too. */
function diffsOf(entry: Entry): { path: string; diff: string }[] {
  const files = entry.files.map(({ path, diff }) => ({ path, diff: diff ?? "" }));
  const told = files.filter(({ diff }) => diff !== "");
  return told.length === 0 && entry.diff !== undefined
    ? [{ path: entry.path ?? "", diff: entry.diff }]
    : told;
}

async function revertEdit(parts: Parts, open: Open, given: Entry | undefined): Promise<void> {
  const { client, log, view } = parts;
  const revertible = log.edits.filter(canRevert);
  const entry = given ?? (await pickEdit(revertible, "Revert Agent Edit"));
  if (entry?.id === undefined) {
    return;
  }
  const result = await client.call({ name: "revert_edit", arguments: { id: entry.id } });
  if (result.isError) {
    const { error } = result.structuredContent;
    const why = [error?.message, error?.hint].filter(Boolean).join(". ");
    void window.showErrorMessage(`The edit was not reverted: ${plain(why)}`);
    return;
  }
  entry.reverted = true;
  view.refresh();
  await open.get(entry.id)?.close(); // it would show a change that is not there any more
  open.delete(entry.id);
}

async function clearHistory({ client, log, view }: Parts): Promise<void> {
  const yes = "Forget All";
  const question = "Forget what assistants changed in this workspace?";
  const detail = "Changes stay as they are. They can no longer be reviewed, reverted or blamed.";
  if ((await window.showWarningMessage(question, { modal: true, detail }, yes)) === yes) {
    await client.ask("agent/history/clear", {});
    log.clear();
    view.refresh();
  }
}

async function doctor({ client, pages }: Parts): Promise<void> {
  const binary = await client.binary();
  if (!binary) {
    const { status } = client;
    void window.showErrorMessage(status.kind === "stopped" ? status.why : "There is no server.");
    return;
  }
  const root = workspace.workspaceFolders?.find((f) => f.uri.scheme === "file")?.uri.fsPath;
  const args = root === undefined ? ["doctor"] : ["doctor", "--root", root];
  const { stdout, stderr, code } = await run(binary.path, args, root);
  const content = `$ ${binary.path} ${args.join(" ")}\n\n${stdout}${stderr}\n${
    code === 0 ? "Nothing is wrong." : "Something is wrong: see above."
  }\n`;
  await pages.show("agent-lsp doctor", content);
}

/** Assistants that `agent-lsp setup` knows the configuration of. */
const hosts: Record<string, string> = {
  claude: "Claude Code",
  codex: "Codex",
  copilot: "Copilot CLI",
  gemini: "Gemini CLI",
  qwen: "Qwen Code",
  cursor: "Cursor",
  opencode: "opencode",
  crush: "Crush",
  amp: "Amp",
  vscode: "VS Code",
  zed: "Zed",
};

async function copyConfiguration({ client }: Parts): Promise<void> {
  const binary = await client.binary();
  if (!binary) {
    return;
  }
  const items = Object.entries(hosts).map(([host, label]) => ({ label, description: host, host }));
  const chosen = await window.showQuickPick(items, { title: "Copy MCP Configuration for…" });
  if (!chosen) {
    return;
  }
  const { stdout, stderr, code } = await run(binary.path, ["setup", chosen.host]);
  if (code !== 0) {
    void window.showErrorMessage(
      `agent-lsp setup ${chosen.host}: ${plain(stderr.trim() || stdout.trim())}`,
    );
    return;
  }
  await env.clipboard.writeText(stdout);
  void window.showInformationMessage(`Copied. Paste it into the configuration of ${chosen.label}.`);
}
