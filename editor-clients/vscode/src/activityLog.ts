import { clientName } from "./protocol";
import type { ActivityParams } from "./protocol";

/** Something that an assistant did, or was refused. */
export interface Entry {
  /** Grows with each entry. */
  number: number;
  time: Date;
  client: string;
  tool: string;
  summary: string;
  path?: string;
  /** Of an edit that can be reverted. */
  id?: string;
  /** Of an edit, unified. */
  diff?: string;
  error?: string;
  reverted?: boolean;
}

const LIMIT = 500; // entries; the oldest are forgotten

/** What assistants did in this window, newest first. */
export class ActivityLog {
  #entries: Entry[] = [];
  #number = 0;

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** Edits that landed, newest first. */
  get edits(): readonly Entry[] {
    return this.#entries.filter(isEdit);
  }

  add(params: ActivityParams, time: Date): Entry {
    const entry: Entry = {
      number: ++this.#number,
      time,
      client: clientName(params.client),
      tool: params.tool,
      summary: params.summary,
    };
    if (params.path !== undefined) {
      entry.path = params.path;
    }
    if (params.id !== undefined) {
      entry.id = params.id;
    }
    if (params.diff !== undefined && params.diff !== "") {
      entry.diff = params.diff;
    }
    if (params.error !== undefined) {
      entry.error =
        typeof params.error === "string"
          ? params.error
          : `${params.error.kind}: ${params.error.message}`;
    }
    this.#entries = [entry, ...this.#entries].slice(0, LIMIT);
    return entry;
  }

  clear(): void {
    this.#entries = [];
  }
}

/** Whether an entry is a change that was made. */
export function isEdit(entry: Entry): boolean {
  return entry.error === undefined && entry.diff !== undefined;
}

export function canRevert(entry: Entry): boolean {
  return isEdit(entry) && entry.id !== undefined && entry.reverted !== true;
}
