import type { ToolOutputs } from "./generated/tools";
import type { ActivityFile, ActivityParams, Client } from "./protocol";

/** Something that an assistant did, or was refused. */
export interface Entry {
  /** Grows with each entry. */
  number: number;
  /** Absent for what was done before this window was opened. */
  time?: Date;
  client: string;
  tool: string;
  summary: string;
  path?: string;
  /** Of a change that was made. */
  id?: string;
  /** Of a change, also one that was only tried, unified. */
  diff?: string;
  /** Of a change: all of its files. */
  files: ActivityFile[];
  /** Calls of one client and one turn have the same. */
  group: string;
  error?: string;
  reverted?: boolean;
}

/** What one assistant did in one turn, newest first. */
export interface Group {
  /** That of its oldest entry, which stays when more is done. */
  number: number;
  client: string;
  /** When it began; absent for what was done before this window was opened. */
  time?: Date;
  entries: Entry[];
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

  /** @param edits whether changes alone */
  groups(edits: boolean): Group[] {
    const groups: Group[] = [];
    let key: string | undefined;
    for (const entry of edits ? this.edits : this.#entries) {
      if (entry.group !== key) {
        groups.push({ number: 0, client: entry.client, entries: [] });
        key = entry.group;
      }
      const group = groups.at(-1);
      group?.entries.push(entry);
      Object.assign(group ?? {}, { number: entry.number, time: entry.time });
    }
    return groups;
  }

  /** @param editor the editor's own name, under which the person's commands are told */
  add(params: ActivityParams, time: Date, editor: string): Entry {
    const client = clientName(params.client);
    const entry: Entry = {
      number: ++this.#number,
      time,
      client: client === editor ? "You" : client,
      tool: params.tool,
      summary: params.summary,
      files: params.files ?? [],
      group: `${client} ${JSON.stringify(params.group ?? "")}`,
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

  /** Changes of before, which the server remembers, newest first. */
  recall(edits: readonly PastEdit[], editor: string): void {
    const past = edits.filter((edit) => edit.command === undefined);
    for (const { id, tool, client = "An assistant", files, reverted_by } of past.toReversed()) {
      const [first] = files;
      const entry: Entry = {
        number: ++this.#number,
        client: client === editor ? "You" : client,
        tool,
        summary: files.map((f) => `${f.path}: ${f.action}`).join(", "),
        id,
        files: files.map(({ action, ...file }) => ({ ...file, status: action })),
        group: `${client} before`,
        reverted: reverted_by !== undefined,
      };
      if (first && files.length === 1) {
        entry.path = first.path;
      }
      this.#entries = [entry, ...this.#entries];
    }
  }

  clear(): void {
    this.#entries = [];
  }
}

/** Whether an entry is a change that was made. */
export function isEdit(entry: Entry): boolean {
  return entry.error === undefined && entry.id !== undefined;
}

type PastEdit = ToolOutputs["edit_history"]["edits"][number];

export interface Label {
  label: string;
  /** What was done with it, in few words. */
  detail: string;
}

/** An entry in two parts that fit in a narrow list. The first line of an answer is its summary. */
export function labelOf(entry: Entry): Label {
  const [file, ...more] = entry.files;
  if (entry.error === undefined && file && more.length > 0) {
    const detail = entry.reverted ? "reverted" : entry.tool.replaceAll("_", " ");
    return { label: `${more.length + 1} files`, detail };
  }
  const name = entry.path?.split("/").at(-1);
  if (entry.error !== undefined) {
    const kind = /^\w+(?=:)/.exec(entry.error)?.[0] ?? "failed";
    return { label: name ?? entry.tool, detail: kind.replaceAll("_", " ") };
  }
  if (name === undefined || name === "") {
    const label = entry.summary.split(/; | \(/)[0] ?? "";
    return { label, detail: entry.tool.replaceAll("_", " ") };
  }
  const said = entry.summary.replace(`${entry.path ?? ""}: `, "").replace(/ *\[.*$/, "");
  return { label: name, detail: entry.reverted ? "reverted" : said };
}

export function canRevert(entry: Entry): boolean {
  return isEdit(entry) && entry.reverted !== true;
}

/** The name of a client, however it was told. */
export function clientName(client: string | Client): string {
  return (typeof client === "string" ? client : client.name) || "An assistant";
}
