import type { Status } from "./client";
import type { ClientsParams } from "./protocol";

/** What the status bar item tells of. */
export interface Facts {
  status: Status;
  clients: ClientsParams["clients"];
  /** Edits that wait for consent. */
  waiting: number;
}

export interface Face {
  text: string;
  tooltip: string;
  grave: "none" | "warning" | "error";
}

export function faceOf({ status, clients, waiting }: Facts): Face {
  if (status.kind === "starting") {
    return { text: "$(sync~spin) Agents", tooltip: "agent-lsp is starting", grave: "none" };
  }
  if (status.kind === "stopped") {
    return { text: "$(circle-slash) Agents", tooltip: status.why, grave: "error" };
  }
  if (waiting > 0) {
    const edits = waiting === 1 ? "An edit waits" : `${waiting} edits wait`;
    return { text: "$(bell-dot) Review edit", tooltip: `${edits} for you`, grave: "warning" };
  }
  const [only] = clients;
  const who =
    clients.length === 1 && only
      ? only.name
      : clients.length > 1
        ? `${clients.length} assistants`
        : "Agents";
  const lines = [
    `agent-lsp ${status.version}${status.readOnly ? ", read-only: this folder is not trusted" : ""}`,
    clients.length > 0 ? "Attached:" : "No assistant is attached",
    ...clients.map((c) => `${c.name}, since ${timeOf(c.since)}`),
  ];
  const icon = status.readOnly ? "$(lock)" : clients.length > 0 ? "$(eye)" : "$(eye-closed)";
  return { text: `${icon} ${who}`, tooltip: lines.join("\n"), grave: "none" };
}

function timeOf(since: string): string {
  const time = new Date(since);
  return Number.isNaN(time.valueOf()) ? since : time.toLocaleTimeString();
}
