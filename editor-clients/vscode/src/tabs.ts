import {
  TabInputCustom,
  TabInputNotebook,
  TabInputText,
  TabInputTextDiff,
  window,
  workspace,
} from "vscode";
import type { Disposable, Tab, Uri } from "vscode";

import type { TabsParams } from "./protocol";

// A tab's document comes to the extension a moment after the tab.
const SETTLE = 500; // ms

/**
 * Tells the server of tabs that show a file whose text VS Code keeps to itself: files over 50 MB,
 * notebooks, and files that were changed in an editor which is none for text.
 */
export class Tabs implements Disposable {
  readonly #listeners: Disposable[];
  /** Files that were seen without their text, in a tab that is still there. */
  #unsynced = new Set<string>();
  #told = "[]";
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly send: (tabs: TabsParams) => void) {
    const soon = () => {
      this.#soon();
    };
    this.#listeners = [
      window.tabGroups.onDidChangeTabs(soon),
      workspace.onDidOpenTextDocument(soon),
      workspace.onDidOpenNotebookDocument(soon),
      workspace.onDidCloseNotebookDocument(soon),
    ];
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#listeners.forEach((listener) => {
      listener.dispose();
    });
  }

  /** A server has just started: it knows of no tab. */
  tell(): void {
    this.#told = "[]";
    this.#soon();
  }

  #soon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#update();
    }, SETTLE);
  }

  #update(): void {
    const unsynced = [...this.#files(), ...notebooks()];
    const news = JSON.stringify(unsynced);
    if (news !== this.#told) {
      this.#told = news;
      this.send({ unsynced });
    }
  }

  /**
   * A tab that was restored and not looked at since has no document either, but shows what its file
   * holds and nothing unsaved: it counts only once it was active or is dirty.
   */
  #files(): TabsParams["unsynced"] {
    const synced = new Set(workspace.textDocuments.map((d) => d.uri.toString()));
    const now = new Set<string>();
    for (const tab of window.tabGroups.all.flatMap((group) => group.tabs)) {
      for (const uri of filesOf(tab)) {
        const name = uri.toString();
        const loaded = tab.isActive || tab.isDirty || this.#unsynced.has(name);
        if (uri.scheme === "file" && loaded && !synced.has(name)) {
          now.add(name);
        }
      }
    }
    this.#unsynced = now;
    return [...now].map((uri) => ({ uri, notebook: false }));
  }
}

function filesOf(tab: Tab): Uri[] {
  const { input } = tab;
  if (input instanceof TabInputText) {
    return [input.uri];
  }
  if (input instanceof TabInputTextDiff) {
    return [input.original, input.modified];
  }
  return input instanceof TabInputCustom && tab.isDirty ? [input.uri] : [];
}

function notebooks(): TabsParams["unsynced"] {
  const shown = window.tabGroups.all
    .flatMap((group) => group.tabs)
    .flatMap((tab) => (tab.input instanceof TabInputNotebook ? [tab.input.uri] : []));
  const uris = [...workspace.notebookDocuments.map((n) => n.uri), ...shown];
  const names = uris.filter((uri) => uri.scheme === "file").map((uri) => uri.toString());
  return [...new Set(names)].map((uri) => ({ uri, notebook: true }));
}
