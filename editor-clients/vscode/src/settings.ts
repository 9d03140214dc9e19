import { serverSettings } from "./generated/settings";

/** What `WorkspaceConfiguration.inspect` tells of a setting, as far as it counts here. */
export interface Inspected {
  globalValue?: unknown;
  workspaceValue?: unknown;
  workspaceFolderValue?: unknown;
}

/** The server's settings by who set them: see docs/settings.md. */
export interface Layers {
  /** May come from the opened folder. */
  agentLsp: Record<string, unknown>;
  /** The person's own. */
  agentLspMachine: Record<string, unknown>;
}

/** Only what somebody set is sent: defaults are the server's. */
export function layers(inspect: (key: string) => Inspected | undefined): Layers {
  const out: Layers = { agentLsp: {}, agentLspMachine: {} };
  for (const { key, machine } of serverSettings) {
    const found = inspect(key);
    if (found?.globalValue !== undefined) {
      out.agentLspMachine[key] = found.globalValue;
    }
    const here = found?.workspaceFolderValue ?? found?.workspaceValue;
    if (here !== undefined && !machine) {
      out.agentLsp[key] = here;
    }
  }
  return out;
}
