import { QuickPickItemKind, commands, env, window, workspace } from "vscode";
import type { Disposable, QuickPickItem } from "vscode";

import { canRevert } from "./activityLog";
import type { ActivityLog, Entry } from "./activityLog";
import type { ActivityView, Node } from "./activityView";
import { checkCall } from "./api";
import type { AgentClient } from "./client";
import type { Diffs } from "./diffs";
import { locate } from "./paths";
import { plain } from "./plain";
import { run } from "./program";
import type { Reviews } from "./reviews";

/** What the commands work with. */
export interface Parts {
  client: AgentClient;
  log: ActivityLog;
  view: ActivityView;
  diffs: Diffs;
  reviews: Reviews;
  showLog: () => void;
}

export function registerCommands(parts: Parts): Disposable[] {
  const { client, log, view, reviews } = parts;
  const handlers: Record<string, (argument?: unknown) => unknown> = {
    "agent-lsp.call": (argument) => client.call(checkCall(argument)),
    "agentLsp.showMenu": () => showMenu(parts),
    "agentLsp.showEdits": () => showEdits(parts),
    "agentLsp.revertEdit": (node) => revertEdit(parts, entryOf(node)),
    "agentLsp.openEntry": (node) => openEntry(parts, entryOf(node)),
    "agentLsp.review": () => reviews.show(),
    "agentLsp.applyReviewed": (node) => {
      reviews.apply(reviewOf(node));
    },
    "agentLsp.rejectReviewed": (node) => reviews.reject(reviewOf(node)),
    "agentLsp.clearActivity": () => {
      log.clear();
      view.refresh();
    },
    "agentLsp.doctor": () => doctor(parts),
    "agentLsp.copyConfiguration": () => copyConfiguration(parts),
    "agentLsp.restart": () => client.restart(),
    "agentLsp.showLog": parts.showLog,
  };
  return Object.entries(handlers).map(([id, handler]) => commands.registerCommand(id, handler));
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
    description: `${entry.client} · ${entry.time.toLocaleTimeString()}`,
    ...(entry.reverted && { detail: "reverted" }),
  }));
  const chosen = await window.showQuickPick(items, { title, matchOnDescription: true });
  return chosen?.entry;
}

async function showEdits(parts: Parts): Promise<void> {
  const entry = await pickEdit(parts.log.edits, "Agent Edits");
  if (entry) {
    await openEntry(parts, entry);
  }
}

/** The diff of an edit; the file of anything else. */
async function openEntry({ diffs }: Parts, entry: Entry | undefined): Promise<void> {
  if (!entry) {
    return;
  }
  if (entry.diff !== undefined) {
    const title = `${entry.path ?? entry.summary} (${entry.client})`;
    await diffs.show(title, [{ path: entry.path ?? "", diff: entry.diff }], "made");
    return;
  }
  const uri = entry.path === undefined ? undefined : locate(entry.path);
  if (uri) {
    await commands.executeCommand("vscode.open", uri);
  }
}

async function revertEdit(parts: Parts, given: Entry | undefined): Promise<void> {
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
}

async function doctor({ client }: Parts): Promise<void> {
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
  const document = await workspace.openTextDocument({ content, language: "log" });
  await window.showTextDocument(document, { preview: true });
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
