import {
  EventEmitter,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
  commands,
  window,
} from "vscode";
import type { Disposable, TreeDataProvider, TreeView } from "vscode";

import { summary } from "./changeMarks";
import type { Change, ChangedFile, Changes } from "./changes";

export interface ChangeNode {
  file: ChangedFile;
  hunk?: Change;
}

const SHOWN = 500; // hunks of a file that are listed

/** The *Agent Changes* tree: files that assistants changed, and in each what they changed. */
export class ChangesView implements TreeDataProvider<ChangeNode>, Disposable {
  readonly #changed = new EventEmitter<void>();
  readonly #view: TreeView<ChangeNode>;
  readonly #listener: Disposable;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(private readonly changes: Changes) {
    this.#view = window.createTreeView("agentLsp.changes", { treeDataProvider: this });
    this.#listener = changes.onDidChange(() => {
      const value = changes.files.length;
      const tooltip = `${value} file${value === 1 ? "" : "s"} changed by assistants`;
      this.#view.badge = value > 0 ? { value, tooltip } : undefined;
      void commands.executeCommand("setContext", "agentLsp.hasChanges", value > 0);
      this.#changed.fire();
    });
  }

  dispose(): void {
    this.#listener.dispose();
    this.#view.dispose();
    this.#changed.dispose();
  }

  getChildren(node?: ChangeNode): ChangeNode[] {
    if (!node) {
      return this.changes.files.map((file) => ({ file }));
    }
    const { file } = node;
    return node.hunk ? [] : file.hunks.slice(0, SHOWN).map((hunk) => ({ file, hunk }));
  }

  getTreeItem({ file, hunk }: ChangeNode): TreeItem {
    return hunk ? hunkItem(file, hunk) : fileItem(file);
  }
}

const colours = {
  changed: "gitDecoration.modifiedResourceForeground",
  created: "gitDecoration.addedResourceForeground",
  deleted: "gitDecoration.deletedResourceForeground",
  moved: "gitDecoration.renamedResourceForeground",
};
const icons = { changed: "edit", created: "new-file", deleted: "trash", moved: "arrow-right" };

function fileItem(file: ChangedFile): TreeItem {
  const parts = file.path.split("/");
  const state =
    file.hunks.length > 0 ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.None;
  const item = new TreeItem(parts.pop() ?? file.path, state);
  const count = file.hunks.length > 1 ? `${file.hunks.length} changes` : "";
  const status = file.status === "changed" ? count : file.status;
  item.id = file.uri.toString();
  item.description = [status, parts.join("/")].filter(Boolean).join(" · ");
  item.tooltip = file.from === undefined ? file.path : `${file.path}, from ${file.from}`;
  item.iconPath = new ThemeIcon(icons[file.status], new ThemeColor(colours[file.status]));
  item.contextValue = "changedFile";
  item.command = { command: "agentLsp.showChanges", title: "Show", arguments: [{ file }] };
  return item;
}

function hunkItem(file: ChangedFile, hunk: Change): TreeItem {
  const lines = hunk.end > hunk.start + 1 ? `${hunk.start + 1}–${hunk.end}` : `${hunk.start + 1}`;
  const item = new TreeItem(`Line ${lines}`);
  item.id = `${file.uri.toString()} ${hunk.id}`;
  item.description = summary(hunk);
  item.contextValue = "change";
  item.iconPath = new ThemeIcon(hunk.end > hunk.start ? "diff-modified" : "diff-removed");
  item.command = { command: "agentLsp.goToChange", title: "Go to", arguments: [{ file, hunk }] };
  return item;
}
