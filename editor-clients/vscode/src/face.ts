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
  const lines = [
    `agent-lsp ${status.version}${status.readOnly ? ", read-only: this folder is not trusted" : ""}`,
    clients.length > 0 ? "Attached:" : "No assistant is attached",
    ...clients.map((c) => `${c.name}, since ${timeOf(c.since)}`),
  ];
  const icon = status.readOnly ? "$(lock)" : clients.length > 0 ? "$(eye)" : "$(eye-closed)";
  return { text: `${icon} ${whoOf(clients)}`, tooltip: lines.join("\n"), grave: "none" };
}

/** Programs that are attached before they said who they are have this name. */
const UNNAMED = "unnamed";

function whoOf(clients: Facts["clients"]): string {
  const [first, ...more] = clients;
  if (!first) {
    return "Agents";
  }
  if (more.length > 0) {
    return `${clients.length} assistants`;
  }
  return first.name === UNNAMED ? "1 assistant" : first.name;
}

function timeOf(since: string): string {
  const time = new Date(since);
  return Number.isNaN(time.valueOf()) ? since : time.toLocaleTimeString();
}
