/**
 * `agent/documentState`: what the text alone does not say. The server needs the encoding to compute
 * the hash that the file has or would have, and a hash of the mirrored text now and then to notice
 * if the two sides ever disagree.
 */
import { createHash } from "node:crypto";
import { workspace } from "vscode";
import type { Disposable, TextDocument } from "vscode";

import { describeEncoding } from "./encoding";
import type { DocumentStateParams } from "./protocol";

const HASH_LIMIT = 1 << 20; // characters; hashing this much takes some 3 ms
const HASH_EVERY = 64; // changes
const REST = 2000; // ms without a change, after which the texts are compared

interface Told {
  /** What was told last, to send no news once only. */
  state: string;
  changes: number;
  resting?: NodeJS.Timeout;
}

export class DocumentStates implements Disposable {
  readonly #told = new Map<string, Told>();
  readonly #listener: Disposable;

  /** @param send tells the server, which mirrors the document at its present version */
  constructor(private readonly send: (state: DocumentStateParams) => void) {
    // VS Code tells of a new dirty flag or encoding by an event without changes of the text.
    this.#listener = workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length === 0) {
        this.#news(document);
      }
    });
  }

  dispose(): void {
    this.#listener.dispose();
    this.forgetAll();
  }

  /** After didOpen and didSave: always, with a hash. */
  tell(document: TextDocument): void {
    const told = this.#of(document);
    clearTimeout(told.resting);
    const state = describe(document);
    told.state = key(state);
    const end = document.lineAt(document.lineCount - 1).range.end;
    if (document.offsetAt(end) <= HASH_LIMIT) {
      const digest = createHash("sha256").update(document.getText()).digest("hex");
      state.text_hash = `sha256:${digest}`;
    }
    this.send(state);
  }

  /** After didChange. */
  changed(document: TextDocument): void {
    const told = this.#of(document);
    told.changes++;
    if (told.changes % HASH_EVERY === 0) {
      this.tell(document);
      return;
    }
    this.#news(document);
    clearTimeout(told.resting);
    told.resting = setTimeout(() => {
      this.tell(document);
    }, REST);
  }

  /** After didClose. */
  forget(document: TextDocument): void {
    const uri = document.uri.toString();
    clearTimeout(this.#told.get(uri)?.resting);
    this.#told.delete(uri);
  }

  /** The server that was told is gone. */
  forgetAll(): void {
    for (const told of this.#told.values()) {
      clearTimeout(told.resting);
    }
    this.#told.clear();
  }

  #of(document: TextDocument): Told {
    const uri = document.uri.toString();
    const told = this.#told.get(uri) ?? { state: "", changes: 0 };
    this.#told.set(uri, told);
    return told;
  }

  #news(document: TextDocument): void {
    const told = this.#told.get(document.uri.toString());
    const state = describe(document);
    if (told && told.state !== key(state)) {
      told.state = key(state);
      this.send(state);
    }
  }
}

function describe(document: TextDocument): DocumentStateParams {
  return {
    uri: document.uri.toString(),
    version: document.version,
    dirty: document.isDirty,
    ...describeEncoding(document.encoding),
  };
}

/** What makes two states news of each other. */
function key(state: DocumentStateParams): string {
  return `${String(state.dirty)} ${state.encoding ?? ""} ${String(state.bom)}`;
}
