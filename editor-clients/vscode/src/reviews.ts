import { setTimeout as sleep } from "node:timers/promises";
import { EventEmitter, ProgressLocation, commands, window, workspace } from "vscode";
import type { CancellationToken, Disposable } from "vscode";

import { clientName } from "./activityLog";
import type { Diffs, Shown } from "./diffs";
import { plain } from "./plain";
import type { ConfirmEditParams, ConfirmEditResult } from "./protocol";

/** An edit that waits for the person's consent. */
export interface Review {
  title: string;
  params: ConfirmEditParams;
}

interface Waiting extends Review {
  shown?: Shown | undefined;
  decided: Promise<ConfirmEditResult>;
  decide(result: ConfirmEditResult): void;
}

/** For the one that is shown. */
const links = [
  "[Apply](command:agentLsp.applyReviewed)",
  "[Reject…](command:agentLsp.rejectReviewed)",
  "[Show Diff](command:agentLsp.review)",
].join(" · ");

const QUIET = 1000; // ms without typing, before a diff takes the place of what is typed in

/**
 * Edits that wait for consent, in the order in which they came. Only the first is shown: one message
 * and one diff at a time, however many assistants ask.
 */
export class Reviews implements Disposable {
  readonly #queue: Waiting[] = [];
  readonly #changed = new EventEmitter<void>();
  readonly #typing: Disposable;
  #typed = 0;

  readonly onDidChange = this.#changed.event;

  constructor(private readonly diffs: Diffs) {
    this.#typing = workspace.onDidChangeTextDocument(() => {
      this.#typed = Date.now();
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

  /** Shows the diff of the first one that waits. */
  async show(preserveFocus = false): Promise<void> {
    const [first] = this.#queue;
    if (!first) {
      return;
    }
    first.shown = await this.diffs.show(first.title, first.params.files, "wanted", {
      preserveFocus,
    });
    if (!this.#queue.includes(first)) {
      await first.shown.close(); // it was decided meanwhile
    }
  }

  /** @param review by default the one that is shown */
  apply(review: Review | undefined = this.#queue[0]): void {
    this.#queue.find((w) => w === review)?.decide({ decision: "apply" });
  }

  /** Asks for a reason, which the assistant is told; a dismissed question leaves all as it is. */
  async reject(review: Review | undefined = this.#queue[0]): Promise<void> {
    const waiting = this.#queue.find((w) => w === review);
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

  #present(waiting: Waiting): void {
    // Of the messages that VS Code has, only one of this kind can be taken away again when the
    // person decides elsewhere.
    const location = ProgressLocation.Notification;
    const title = `${plain(waiting.title)}: ${links}`;
    void window.withProgress({ location, title }, () => waiting.decided);
    if (workspace.getConfiguration("agentLsp").get<boolean>("review.openDiff", true)) {
      void this.#showWhenQuiet(waiting);
    }
  }

  async #showWhenQuiet(waiting: Waiting): Promise<void> {
    while (Date.now() - this.#typed < QUIET) {
      await sleep(QUIET / 4);
    }
    if (this.#queue[0] === waiting && !waiting.shown) {
      await this.show(true);
    }
  }

  #remove(waiting: Waiting): void {
    const at = this.#queue.indexOf(waiting);
    if (at < 0) {
      return;
    }
    this.#queue.splice(at, 1);
    void waiting.shown?.close();
    this.#update();
    const [next] = this.#queue;
    if (at === 0 && next) {
      this.#present(next);
    }
  }

  #update(): void {
    void commands.executeCommand("setContext", "agentLsp.reviewing", this.#queue.length > 0);
    this.#changed.fire();
  }
}

function titleOf({ client, files }: ConfirmEditParams): string {
  const [first] = files;
  const what = files.length === 1 && first ? first.path : `${files.length} files`;
  return `${clientName(client)} wants to change ${what}`;
}

function resolvable<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((r) => (resolve = r));
  return { promise, resolve };
}
