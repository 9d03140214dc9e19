import {
  EventEmitter,
  MarkdownString,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
  commands,
  window,
} from "vscode";
import type { Disposable, TreeDataProvider, TreeView } from "vscode";

import { canRevert, clientName, isEdit, labelOf } from "./activityLog";
import type { ActivityLog, Entry, Group } from "./activityLog";
import { readOnlyTools } from "./generated/tools";
import { locate } from "./paths";
import type { ActivityFile } from "./protocol";
import type { Review, Reviews } from "./reviews";

export type Node = { review: Review } | { group: Group } | { entry: Entry; file?: ActivityFile };

/**
 * The *Agent Activity* tree: what waits for consent, then what was done, newest first, by assistant
 * and turn; below a change of several files there is each of them.
 */
export class ActivityView implements TreeDataProvider<Node>, Disposable {
  readonly #changed = new EventEmitter<void>();
  readonly #view: TreeView<Node>;
  readonly #listener: Disposable;
  #timer: NodeJS.Timeout | undefined;
  #editsOnly = false;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(
    private readonly log: ActivityLog,
    private readonly reviews: Reviews,
  ) {
    this.#view = window.createTreeView("agentLsp.activity", { treeDataProvider: this });
    this.#listener = reviews.onDidChange(() => {
      const waiting = reviews.waiting.length;
      this.#view.badge =
        waiting > 0 ? { value: waiting, tooltip: `${waiting} waiting for you` } : undefined;
      this.refresh();
    });
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#listener.dispose();
    this.#view.dispose();
    this.#changed.dispose();
  }

  /** Soon: assistants can do much in a moment. */
  refresh(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#changed.fire();
    }, 100);
  }

  /** Has changes alone be listed, or all. */
  listEdits(only: boolean): void {
    this.#editsOnly = only;
    void commands.executeCommand("setContext", "agentLsp.editsOnly", only);
    this.#changed.fire();
  }

  getChildren(node?: Node): Node[] {
    if (!node) {
      const groups = this.log.groups(this.#editsOnly).map((group) => ({ group }));
      return [...this.reviews.waiting.map((review) => ({ review })), ...groups];
    }
    if ("group" in node) {
      return node.group.entries.map((entry) => ({ entry }));
    }
    if ("entry" in node && !node.file && node.entry.files.length > 1) {
      const { entry } = node;
      return entry.files.map((file) => ({ entry, file }));
    }
    return [];
  }

  getTreeItem(node: Node): TreeItem {
    if ("review" in node) {
      return reviewItem(node.review);
    }
    if ("group" in node) {
      return groupItem(node.group);
    }
    return node.file ? fileItem(node.entry, node.file) : entryItem(node.entry);
  }
}

function groupItem({ number, client, time, entries }: Group): TreeItem {
  const item = new TreeItem(client, TreeItemCollapsibleState.Expanded);
  const edits = entries.filter(isEdit).length;
  const calls = `${entries.length} call${entries.length === 1 ? "" : "s"}`;
  const changed = edits > 0 ? `, ${edits} edit${edits === 1 ? "" : "s"}` : "";
  item.id = `group ${number}`;
  item.description = [calls + changed, clock(time) ?? "before"].join(" · ");
  item.iconPath = new ThemeIcon(client === "You" ? "account" : "hubot");
  item.contextValue = "group";
  return item;
}

function fileItem(entry: Entry, file: ActivityFile): TreeItem {
  const parts = file.path.split("/");
  const item = new TreeItem(parts.pop() ?? file.path);
  item.id = `${entry.number} ${file.path}`;
  item.description = [file.status, parts.join("/")].filter(Boolean).join(" · ");
  item.tooltip = file.from === undefined ? file.path : `${file.path}, from ${file.from}`;
  item.contextValue = "entryFile";
  item.command = { command: "agentLsp.openEntry", title: "Open", arguments: [{ entry, file }] };
  return item;
}

function reviewItem(review: Review): TreeItem {
  const { files, client, reason, tool } = review.params;
  const [first] = files;
  const name = files.length === 1 ? first?.path.split("/").at(-1) : undefined;
  const item = new TreeItem(name ?? `${files.length} files`);
  item.description = `waits for you · ${clientName(client)}`;
  item.iconPath = new ThemeIcon("bell-dot", new ThemeColor("list.warningForeground"));
  item.contextValue = "review";
  item.tooltip = `${review.title}, by ${tool}${reason ? ` (${reason})` : ""}`;
  item.command = { command: "agentLsp.review", title: "Review", arguments: [{ review }] };
  item.accessibilityInformation = { label: `${review.title}, waits for you` };
  return item;
}

function entryItem(entry: Entry): TreeItem {
  const { label, detail } = labelOf(entry);
  const several = entry.files.length > 1;
  const item = new TreeItem(
    label,
    several ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.None,
  );
  item.id = String(entry.number);
  item.description = [detail, clock(entry.time)].filter(Boolean).join(" · ");
  item.iconPath = iconOf(entry);
  item.contextValue = canRevert(entry) ? "edit" : "entry";
  item.tooltip = tooltipOf(entry);
  if (entry.diff !== undefined || (entry.path !== undefined && locate(entry.path))) {
    item.command = { command: "agentLsp.openEntry", title: "Open", arguments: [{ entry }] };
  }
  return item;
}

function iconOf(entry: Entry): ThemeIcon {
  if (entry.error !== undefined) {
    return new ThemeIcon("error", new ThemeColor("list.errorForeground"));
  }
  if (isEdit(entry)) {
    return entry.reverted
      ? new ThemeIcon("discard")
      : new ThemeIcon("edit", new ThemeColor("gitDecoration.modifiedResourceForeground"));
  }
  if (/grep|find/.test(entry.tool)) {
    return new ThemeIcon("search");
  }
  if (/list|outline|open_files/.test(entry.tool)) {
    return new ThemeIcon("list-tree");
  }
  return new ThemeIcon(readOnlyTools.has(entry.tool) ? "eye" : "tools");
}

function tooltipOf(entry: Entry): MarkdownString {
  const text = new MarkdownString();
  text.appendText(`${entry.summary}\n`);
  text.appendText(
    `${entry.client}, ${entry.tool}${entry.time ? `, ${entry.time.toLocaleTimeString()}` : ""}\n`,
  );
  if (entry.diff !== undefined) {
    text.appendCodeblock(entry.diff.split("\n").slice(0, 30).join("\n"), "diff");
  }
  return text;
}

function clock(time: Date | undefined): string | undefined {
  return time?.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}
