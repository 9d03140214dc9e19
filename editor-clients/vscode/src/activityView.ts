import { EventEmitter, MarkdownString, ThemeColor, ThemeIcon, TreeItem, window } from "vscode";
import type { Disposable, TreeDataProvider, TreeView } from "vscode";

import { canRevert, isEdit, labelOf } from "./activityLog";
import type { ActivityLog, Entry } from "./activityLog";
import { readOnlyTools } from "./generated/tools";
import { locate } from "./paths";
import type { Review, Reviews } from "./reviews";

export type Node = { review: Review } | { entry: Entry };

/** The *Agent Activity* tree: what waits for consent, then what was done, newest first. */
export class ActivityView implements TreeDataProvider<Node>, Disposable {
  readonly #changed = new EventEmitter<void>();
  readonly #view: TreeView<Node>;
  readonly #listener: Disposable;
  #timer: NodeJS.Timeout | undefined;

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

  getChildren(node?: Node): Node[] {
    if (node) {
      return [];
    }
    return [
      ...this.reviews.waiting.map((review) => ({ review })),
      ...this.log.entries.map((entry) => ({ entry })),
    ];
  }

  getTreeItem(node: Node): TreeItem {
    return "review" in node ? reviewItem(node.review) : entryItem(node.entry);
  }
}

function reviewItem(review: Review): TreeItem {
  const item = new TreeItem(review.title);
  item.description = "waits for you";
  item.iconPath = new ThemeIcon("bell-dot", new ThemeColor("list.warningForeground"));
  item.contextValue = "review";
  item.tooltip = `${review.title}, by ${review.params.tool}`;
  item.command = { command: "agentLsp.review", title: "Review" };
  item.accessibilityInformation = { label: `${review.title}, waits for you` };
  return item;
}

function entryItem(entry: Entry): TreeItem {
  const { label, detail } = labelOf(entry);
  const item = new TreeItem(label);
  item.id = String(entry.number);
  item.description = `${detail} · ${entry.client} · ${clock(entry.time)}`;
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
  text.appendText(`${entry.client}, ${entry.tool}, ${entry.time.toLocaleTimeString()}\n`);
  if (entry.diff !== undefined) {
    text.appendCodeblock(entry.diff.split("\n").slice(0, 30).join("\n"), "diff");
  }
  return text;
}

function clock(time: Date): string {
  return time.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}
