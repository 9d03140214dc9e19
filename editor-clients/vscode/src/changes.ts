/** What assistants changed and the person has neither kept nor undone yet, as the server has it. */
import { EventEmitter, Range, Uri, workspace } from "vscode";
import type { Disposable, TextDocument, TextDocumentContentChangeEvent } from "vscode";

import type { AgentClient } from "./client";
import type { Hunk, HunkParams, ReviewChangedParams, ReviewedFile, UndoResult } from "./protocol";

/** A hunk, with its lines where they are now. */
export interface Change extends Omit<Hunk, "range"> {
  /** First line, 0-based. */
  start: number;
  /** Exclusive; equal to `start` where lines were only removed. */
  end: number;
}

export interface ChangedFile extends Omit<ReviewedFile, "hunks" | "uri"> {
  uri: Uri;
  hunks: Change[];
}

const SOON = 100; // ms, in which news are gathered
const FEW = 8; // files that are asked for one by one; of more all are

export class Changes implements Disposable {
  readonly #changed = new EventEmitter<void>();
  readonly #listeners: { dispose(): void }[];
  #files = new Map<string, ChangedFile>();
  #news = new Set<string>();
  #all = false;
  #timer: NodeJS.Timeout | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(
    private readonly client: AgentClient,
    private readonly warn: (message: string) => void,
  ) {
    this.#listeners = [
      this.#changed,
      client.onDidChangeStatus(({ kind }) => {
        if (kind === "running") {
          this.#all = true;
          this.#soon();
        } else if (kind === "stopped") {
          this.#files.clear();
          this.#changed.fire();
        }
      }),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        this.#move(document, contentChanges);
      }),
    ];
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#listeners.forEach((listener) => {
      listener.dispose();
    });
  }

  get files(): readonly ChangedFile[] {
    return [...this.#files.values()];
  }

  of(uri: Uri): ChangedFile | undefined {
    return this.#files.get(uri.toString());
  }

  /** `agent/review/changed` */
  note({ files }: ReviewChangedParams): void {
    for (const { uri } of files) {
      this.#news.add(Uri.parse(uri, true).toString());
    }
    this.#soon();
  }

  async keep(which: HunkParams): Promise<number> {
    const { kept } = await this.client.ask("agent/review/keep", which);
    this.#decided(which);
    return kept;
  }

  async undo(which: HunkParams): Promise<UndoResult> {
    const result = await this.client.ask("agent/review/undo", which);
    this.#decided(which);
    return result;
  }

  /** Of a part of a hunk the server tells nothing. */
  #decided({ uri }: HunkParams): void {
    if (uri !== undefined) {
      this.note({ files: [{ uri, hunks: 0 }] });
    }
  }

  #soon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#fetch().catch((error: unknown) => {
        this.warn(`agent/review/list: ${String(error)}`);
      });
    }, SOON);
  }

  async #fetch(): Promise<void> {
    const all = this.#all || this.#news.size > FEW;
    const news = [...this.#news];
    this.#all = false;
    this.#news.clear();
    if (all) {
      const { files } = await this.client.ask("agent/review/list", {});
      this.#files = new Map(files.map((f) => [Uri.parse(f.uri, true).toString(), here(f)]));
    } else {
      for (const uri of news) {
        const { files } = await this.client.ask("agent/review/list", { uri });
        const [file] = files;
        if (file && file.hunks.length + (file.status === "changed" ? 0 : 1) > 0) {
          this.#files.set(uri, here(file));
        } else {
          this.#files.delete(uri);
        }
      }
    }
    this.#askAgain();
    this.#changed.fire();
  }

  /** Of documents that are ahead of what the server knew, once they rest. */
  #askAgain(): void {
    for (const document of workspace.textDocuments) {
      const file = this.of(document.uri);
      if (file?.version !== undefined && file.version !== document.version) {
        this.#news.add(document.uri.toString());
        this.#soon();
      }
    }
  }

  /** Lines came or went: what stands below them moves. VS Code moves the decorations itself. */
  #move(document: TextDocument, changes: readonly TextDocumentContentChangeEvent[]): void {
    const file = this.of(document.uri);
    if (!file) {
      return;
    }
    for (const { range, text } of changes) {
      const more = (text.match(/\n/g)?.length ?? 0) - (range.end.line - range.start.line);
      if (more !== 0) {
        file.hunks.forEach((hunk) => {
          shift(hunk, range, more);
        });
      }
    }
    file.version = document.version;
  }
}

function shift(hunk: Change, range: Range, more: number): void {
  if (range.end.line < hunk.start || (range.end.line === hunk.start && range.end.character === 0)) {
    hunk.start += more;
    hunk.end += more;
  } else if (range.start.line < hunk.end) {
    hunk.end = Math.max(hunk.start, hunk.end + more);
  }
}

function here(file: ReviewedFile): ChangedFile {
  const hunks = file.hunks.map(({ range, ...hunk }) => ({
    ...hunk,
    start: range.start.line,
    end: range.end.line,
  }));
  hunks.sort((a, b) => a.start - b.start);
  return { ...file, uri: Uri.parse(file.uri, true), hunks };
}

/** The lines of a hunk in a document; of removed ones the place where they were. */
export function rangeOf({ start, end }: Change): Range {
  return new Range(start, 0, Math.max(start, end - 1), 0);
}

/** What a file held before assistants changed it, as far as that is not kept. */
export function before(text: string, hunks: readonly Change[]): string {
  const lines = text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
  const out: string[] = [];
  let at = 0;
  for (const { start, end, removed } of hunks) {
    out.push(...lines.slice(at, start), removed);
    at = end;
  }
  return out.concat(lines.slice(at)).join("");
}
