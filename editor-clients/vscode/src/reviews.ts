import { setTimeout as sleep } from "node:timers/promises";
import { EventEmitter, ProgressLocation, ThemeIcon, commands, window, workspace } from "vscode";
import type { CancellationToken, Disposable, QuickInputButton, QuickPickItem, Uri } from "vscode";

import type { Diffs, Shown } from "./diffs";
import { plain } from "./plain";
import type { Proposals } from "./proposals";
import type { Allowance, ConfirmEditParams, ConfirmEditResult } from "./protocol";
import { questionOf, titleOf } from "./question";

/** An edit that waits for the person's consent. */
export interface Review {
  title: string;
  params: ConfirmEditParams;
}

interface Waiting extends Review {
  shown?: Shown | undefined;
  /** By path: what the person can edit first. */
  texts: Map<string, Uri>;
  /** Says in its message how many more wait. */
  tellMore?: (more: number) => void;
  decided: Promise<ConfirmEditResult>;
  decide(result: ConfirmEditResult): void;
}

const LINKS = [
  "[Apply](command:agentLsp.applyReviewed)",
  "[Reject…](command:agentLsp.rejectReviewed)",
  "[More…](command:agentLsp.moreReviewed)",
].join(" · ");

const QUIET = 1000; // ms without typing, before a diff takes the place of what is typed in

/** Names of the decisions beyond yes and no. */
const allowances: Record<Allowance, string> = {
  allowFile: "$(check) Apply, and Do Not Ask Again for This File",
  allowSession: "$(check-all) Apply, and Do Not Ask Again in This Session",
};

/**
 * Edits that wait for consent, in the order in which they came. There is one message, of the first
 * one, which says how many more there are; all are in one list.
 */
export class Reviews implements Disposable {
  readonly #queue: Waiting[] = [];
  readonly #changed = new EventEmitter<void>();
  readonly #typing: Disposable;
  #typed = 0;

  readonly onDidChange = this.#changed.event;

  constructor(
    private readonly diffs: Diffs,
    private readonly proposals: Proposals,
  ) {
    this.#typing = workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.scheme === "file" || document.isUntitled) {
        this.#typed = Date.now();
      }
    });
  }

  dispose(): void {
    this.#typing.dispose();
    for (const waiting of [...this.#queue]) {
      waiting.decide({ decision: "reject", reason: "the editor was closed" });
    }
    this.#changed.dispose();
  }

  get waiting(): readonly Review[] {
    return this.#queue;
  }

  /** Resolves when the person decided, or the server does not want to know any more. */
  ask(params: ConfirmEditParams, token: CancellationToken): Promise<ConfirmEditResult> {
    const { promise, resolve } = resolvable<ConfirmEditResult>();
    const waiting: Waiting = {
      params,
      title: titleOf(params),
      texts: new Map(),
      decided: promise,
      decide: (result) => {
        withdrawn.dispose();
        this.#remove(waiting);
        resolve(result);
      },
    };
    const withdrawn = token.onCancellationRequested(() => {
      waiting.decide({ decision: "reject", reason: "it was withdrawn" });
    });
    this.#queue.push(waiting);
    this.#update();
    if (this.#queue.length === 1) {
      this.#present(waiting);
    }
    return promise;
  }

  /** Shows the diff of a review; of several that wait the person chooses one. */
  async review(given?: Review): Promise<void> {
    const chosen =
      this.#find(given) ?? (this.#queue.length > 1 ? await this.#pick() : this.#queue[0]);
    if (chosen) {
      await this.#show(chosen);
    }
  }

  /** @param review by default the one whose diff is looked at, else the first */
  async apply(review?: Review): Promise<void> {
    const waiting = this.#find(review) ?? this.#current();
    const files = waiting && (await this.#edited(waiting));
    waiting?.decide(files?.length ? { decision: "edited", files } : { decision: "apply" });
  }

  /** Asks for a reason, which the assistant is told; a dismissed question leaves all as it is. */
  async reject(review?: Review): Promise<void> {
    const waiting = this.#find(review) ?? this.#current();
    if (!waiting) {
      return;
    }
    const reason = await window.showInputBox({
      title: `Reject: ${waiting.title}`,
      prompt: "What should the assistant know? It is told this. You may leave it empty.",
      ignoreFocusOut: true,
    });
    if (reason !== undefined) {
      waiting.decide({ decision: "reject", ...(reason && { reason }) });
    }
  }

  /** Everything else that can be decided. */
  async more(review?: Review): Promise<void> {
    const waiting = this.#find(review) ?? this.#current();
    if (!waiting) {
      return;
    }
    const items: (QuickPickItem & { run: () => unknown })[] = [
      { label: "$(diff) Show the Diff", run: () => this.#show(waiting) },
      {
        label: "$(edit) Edit First",
        detail: "Change the right side of the diff; Apply then takes your text.",
        run: () => this.#show(waiting),
      },
      ...(waiting.params.allow ?? []).map((decision) => ({
        label: allowances[decision],
        run: () => {
          waiting.decide({ decision });
        },
      })),
      ...(this.#queue.length > 1
        ? [
            {
              label: `$(list-unordered) All ${this.#queue.length} That Wait…`,
              run: () => this.review(),
            },
          ]
        : []),
    ];
    const placeHolder = waiting.params.reason && `Asked because: ${waiting.params.reason}`;
    const chosen = await window.showQuickPick(items, {
      title: waiting.title,
      ...(placeHolder && { placeHolder }),
    });
    await chosen?.run();
  }

  #find(review: Review | undefined): Waiting | undefined {
    return review && this.#queue.find((w) => w === review);
  }

  #current(): Waiting | undefined {
    return this.#queue.find((w) => w.shown?.active()) ?? this.#queue[0];
  }

  /** All that wait in one list, each of which can be decided there. */
  #pick(): Promise<Waiting | undefined> {
    const yes: QuickInputButton = { iconPath: new ThemeIcon("check"), tooltip: "Apply" };
    const no: QuickInputButton = { iconPath: new ThemeIcon("thumbsdown"), tooltip: "Reject…" };
    const pick = window.createQuickPick<QuickPickItem & { waiting: Waiting }>();
    pick.title = "Edits That Wait for You";
    pick.placeholder = "Show a diff, or decide with the buttons";
    const fill = () => {
      pick.items = this.#queue.map((waiting) => ({
        waiting,
        label: waiting.title,
        ...(waiting.params.reason && { description: waiting.params.reason }),
        buttons: [yes, no],
      }));
      if (this.#queue.length === 0) {
        pick.hide();
      }
    };
    fill();
    const listener = this.onDidChange(fill);
    const { promise, resolve } = resolvable<Waiting | undefined>();
    pick.onDidTriggerItemButton(({ item, button }) => {
      void (button === yes ? this.apply(item.waiting) : this.reject(item.waiting));
    });
    pick.onDidAccept(() => {
      resolve(pick.selectedItems[0]?.waiting);
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      listener.dispose();
      pick.dispose();
    });
    pick.show();
    return promise;
  }

  async #show(waiting: Waiting, preserveFocus = false): Promise<void> {
    const files = await Promise.all(
      waiting.params.files.map(async (file) => ({
        ...file,
        text: await this.#text(waiting, file),
      })),
    );
    // Of several files the tab itself says how many.
    const title = files.length > 1 ? waiting.title.replace(/ \d+ files$/, "") : waiting.title;
    waiting.shown = await this.diffs.show(title, files, "wanted", { preserveFocus });
    if (!this.#queue.includes(waiting)) {
      await waiting.shown.close(); // it was decided meanwhile
    }
  }

  async #text(waiting: Waiting, { path, text }: { path: string; text?: string }) {
    if (text === undefined) {
      return undefined;
    }
    const uri = waiting.texts.get(path) ?? (await this.proposals.add(path, text));
    waiting.texts.set(path, uri);
    return uri;
  }

  async #edited({ texts }: Waiting): Promise<{ path: string; text: string }[]> {
    const files = await Promise.all(
      [...texts].map(async ([path, uri]) => ({ path, text: await this.proposals.edited(uri) })),
    );
    return files.flatMap(({ path, text }) => (text === undefined ? [] : [{ path, text }]));
  }

  #present(waiting: Waiting): void {
    // Of the messages that VS Code has, only one of this kind can be taken away again when the
    // person decides elsewhere. It has one line, whose end is cut: what can be done stands first.
    const location = ProgressLocation.Notification;
    const title = `${LINKS} · ${plain(questionOf(waiting.params))}`;
    void window.withProgress({ location, title }, (progress) => {
      waiting.tellMore = (more) => {
        progress.report({ message: more > 0 ? `${more} more` : "" });
      };
      waiting.tellMore(this.#queue.length - 1);
      return waiting.decided;
    });
    if (workspace.getConfiguration("agentLSP").get<boolean>("review.openDiff", true)) {
      void this.#showWhenQuiet(waiting);
    }
  }

  async #showWhenQuiet(waiting: Waiting): Promise<void> {
    while (Date.now() - this.#typed < QUIET) {
      await sleep(QUIET / 4);
    }
    if (this.#queue[0] === waiting && !waiting.shown) {
      await this.#show(waiting, true);
    }
  }

  #remove(waiting: Waiting): void {
    const at = this.#queue.indexOf(waiting);
    if (at < 0) {
      return;
    }
    this.#queue.splice(at, 1);
    void this.#close(waiting);
    this.#update();
    const [next] = this.#queue;
    if (at === 0 && next) {
      this.#present(next);
    }
  }

  async #close({ shown, texts }: Waiting): Promise<void> {
    for (const uri of texts.values()) {
      await this.proposals.edited(uri); // saved, its tab closes without a question
    }
    await shown?.close();
    for (const uri of texts.values()) {
      this.proposals.remove(uri);
    }
  }

  #update(): void {
    void commands.executeCommand("setContext", "agentLsp.reviewing", this.#queue.length > 0);
    this.#queue[0]?.tellMore?.(this.#queue.length - 1);
    this.#changed.fire();
  }
}

function resolvable<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((r) => (resolve = r));
  return { promise, resolve };
}
