/** Shows unified diffs in the native diff editor. */
import {
  EventEmitter,
  TabInputTextDiff,
  Uri,
  ViewColumn,
  commands,
  window,
  workspace,
} from "vscode";
import type { Disposable, Tab, TextDocumentContentProvider, TextDocumentShowOptions } from "vscode";

import { apply, excerpt, parse, unapply } from "./diff";
import type { FileDiff } from "./diff";
import { locate, textOf } from "./paths";

export const SCHEME = "agent-lsp-review";

/** One file of a change that is shown. */
interface Sides {
  name: string;
  before: Uri;
  after: Uri;
}

/** A change as it is shown: the tabs that it opened can be closed again. */
export interface Shown {
  /** Whether the active tab is of it. */
  active(): boolean;
  close(): Promise<void>;
}

/** `wanted`: the texts are before it. `made`: they are after it, perhaps with later changes. */
export type Moment = "wanted" | "made";

/**
 * Both sides are documents of their own, never the file: to show a change must not open a document,
 * because then the edit would have to land in it.
 */
export class Diffs implements TextDocumentContentProvider, Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changed = new EventEmitter<Uri>();
  readonly #listeners: Disposable[];
  #number = 0;

  readonly onDidChange = this.#changed.event;

  constructor() {
    this.#listeners = [
      workspace.registerTextDocumentContentProvider(SCHEME, this),
      workspace.onDidCloseTextDocument((d) => this.#texts.delete(d.uri.toString())),
    ];
  }

  dispose(): void {
    this.#listeners.forEach((listener) => {
      listener.dispose();
    });
    this.#changed.dispose();
  }

  provideTextDocumentContent(uri: Uri): string {
    return this.#texts.get(uri.toString()) ?? "";
  }

  /** @param files their diffs, by path; where there is a `text`, it can be edited */
  async show(
    title: string,
    files: { path: string; diff: string; text?: Uri | undefined }[],
    moment: Moment,
    options: TextDocumentShowOptions = {},
  ): Promise<Shown> {
    const number = ++this.#number;
    const sides = (await Promise.all(files.map((f) => this.#sides(number, f, moment)))).flat();
    const [only] = sides;
    if (sides.length === 1 && only) {
      await commands.executeCommand("vscode.diff", only.before, only.after, title, {
        preview: true,
        viewColumn: ViewColumn.Active,
        ...options,
      });
    } else {
      const list = sides.map((s) => [locate(s.name) ?? Uri.file(s.name), s.before, s.after]);
      await commands.executeCommand("vscode.changes", title, list);
    }
    return {
      active: () => isOf(window.tabGroups.activeTabGroup.activeTab, number),
      close: () => closeTabs(number),
    };
  }

  /** A text that can be shown, under the name of a file. */
  hold(name: string, text: string): Uri {
    return this.#document(++this.#number, "text", name, text);
  }

  async #sides(
    number: number,
    { path, diff, text }: { path: string; diff: string; text?: Uri | undefined },
    moment: Moment,
  ): Promise<Sides[]> {
    const parts = parse(diff);
    return Promise.all(
      parts.map(async (part) => {
        const name = parts.length === 1 ? path : (part.newName ?? part.oldName ?? path);
        const { before, after } = await textsOf(name, part, moment);
        return {
          name,
          before: this.#document(number, "before", name, before),
          after: text ?? this.#document(number, "after", name, after),
        };
      }),
    );
  }

  #document(number: number, side: string, name: string, text: string): Uri {
    const uri = Uri.from({
      scheme: SCHEME,
      path: name.startsWith("/") ? name : `/${name.replace(/^\w+:/, "")}`,
      query: `${number}-${side}`,
    });
    this.#texts.set(uri.toString(), text);
    return uri;
  }
}

/** The whole texts where they can be had, else what the diff shows of them. */
async function textsOf(
  name: string,
  part: FileDiff,
  moment: Moment,
): Promise<{ before: string; after: string }> {
  const uri = locate(name);
  const now = uri && (await textOf(uri));
  if (moment === "wanted") {
    const before = now ?? "";
    const after = apply(before, part);
    return after === undefined ? excerpt(part) : { before, after };
  }
  const after = now ?? "";
  const before = unapply(after, part);
  return before === undefined ? excerpt(part) : { before, after };
}

async function closeTabs(number: number): Promise<void> {
  const tabs = window.tabGroups.all.flatMap((group) => group.tabs);
  await window.tabGroups.close(tabs.filter((tab) => isOf(tab, number)));
}

function isOf(tab: Tab | undefined, number: number): boolean {
  // The API has no name yet for the tabs of several diffs, but shows what is in them.
  const { input } = (tab ?? {}) as { input?: { textDiffs?: TabInputTextDiff[] } | undefined };
  const diffs = input instanceof TabInputTextDiff ? [input] : (input?.textDiffs ?? []);
  return diffs.some(
    ({ original }) => original.scheme === SCHEME && original.query.startsWith(`${number}-`),
  );
}
