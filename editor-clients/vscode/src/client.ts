import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { EventEmitter, commands, window, workspace } from "vscode";
import type { CancellationToken, Disposable, LogOutputChannel } from "vscode";

import { NoBinary, findBinary } from "./binary";
import type { Binary } from "./binary";
import { DocumentStates } from "./documents";
import type { ToolName } from "./generated/tools";
import { plain } from "./plain";
import type * as protocol from "./protocol";
import { Restarts } from "./restarts";
import { layers } from "./settings";
import { Tabs } from "./tabs";
import type { Gravity, Listener, Next, Wire } from "./wire";

export type Status =
  | { kind: "starting" }
  | { kind: "running"; version: string; readOnly: boolean }
  /** `why`: a sentence for the person. */
  | { kind: "stopped"; why: string };

export interface Places {
  extensionPath: string;
  version: string;
}

/** The window's server, from its start to its end, and everything that is said to it. */
export class AgentClient implements Disposable {
  readonly #restarts = new Restarts();
  readonly #documents = new DocumentStates((s) => {
    this.#client?.notify("agent/documentState", s);
  });
  readonly #tabs = new Tabs((t) => {
    this.#client?.notify("agent/tabs", t);
  });
  readonly #changed = new EventEmitter<Status>();
  readonly #shown = new Set<string>();
  readonly #listeners: Disposable[];
  #status: Status = { kind: "stopped", why: "It was not started yet." };
  #client: Wire | undefined;
  #process: ChildProcess | undefined;
  #binary: Promise<Binary> | undefined;
  #ending = "";
  /** Grows when a server is stopped: what was begun before does not count then. */
  #generation = 0;

  readonly onDidChangeStatus = this.#changed.event;

  constructor(
    private readonly places: Places,
    private readonly listener: Listener,
    private readonly log: LogOutputChannel,
  ) {
    this.#listeners = [
      workspace.onDidChangeConfiguration((event) => {
        this.#configure(event.affectsConfiguration.bind(event));
      }),
      workspace.onDidGrantWorkspaceTrust(() => this.restart()),
    ];
  }

  get status(): Status {
    return this.#status;
  }

  /** The program that runs, or would; undefined when there is none. */
  binary(): Promise<Binary | undefined> {
    return this.#find().catch(() => undefined);
  }

  /** Does not throw: what goes wrong is told to the person and stands in the status. */
  async start(): Promise<void> {
    const generation = this.#generation;
    this.#set({ kind: "starting" });
    try {
      const [binary, wire] = await Promise.all([this.#find(), loadWire()]);
      if (generation === this.#generation) {
        this.#client = this.#create(wire.Wire, binary);
        await this.#client.start();
      }
    } catch (error) {
      if (generation !== this.#generation || this.#client) {
        this.log.error(String(error)); // the handler of its end has told the person
      } else {
        this.#tellOfBinary(error);
      }
    }
  }

  async stop(): Promise<void> {
    const client = this.#client;
    const generation = ++this.#generation;
    this.#client = undefined;
    this.#binary = undefined;
    this.#documents.forgetAll();
    if (client?.running) {
      await client.stop().catch((error: unknown) => {
        this.log.warn(String(error));
      });
    } else if (client) {
      this.#process?.kill(); // the library cannot stop what is still starting
    }
    if (generation === this.#generation) {
      this.#set({ kind: "stopped", why: "It was stopped." });
    }
  }

  /** With a clean record: it may end five times again. Of several at once the last one counts. */
  async restart(): Promise<void> {
    const stopped = this.stop();
    const generation = this.#generation;
    await stopped;
    if (generation === this.#generation) {
      this.#restarts.reset();
      await this.start();
    }
  }

  dispose(): void {
    this.#documents.dispose();
    this.#tabs.dispose();
    this.#listeners.forEach((listener) => {
      listener.dispose();
    });
    void this.stop().finally(() => {
      this.#changed.dispose();
    });
  }

  /**
   * Calls a tool, as an assistant does. What was typed before is in what the tool sees.
   *
   * @throws when there is no server; a tool that refuses gives a result with `isError`
   */
  async call<N extends ToolName>(
    call: protocol.ToolCall<N>,
    token?: CancellationToken,
  ): Promise<protocol.ToolResult<N>> {
    const client = await this.#running();
    return (await client.call(call, token)) as protocol.ToolResult<N>;
  }

  /** Asks the server for what is no tool. @throws when there is no server, or it refuses */
  async ask<M extends keyof protocol.Requests>(
    method: M,
    params: protocol.Requests[M]["params"],
  ): Promise<protocol.Requests[M]["result"]> {
    return (await this.#running()).ask(method, params);
  }

  /** Waits while the server starts, or comes back. */
  async #running(): Promise<Wire> {
    const until = Date.now() + 10_000;
    while (this.#status.kind === "starting" && Date.now() < until) {
      await sleep(20);
    }
    if (this.#status.kind !== "running" || !this.#client) {
      const why = this.#status.kind === "stopped" ? this.#status.why : "It does not answer.";
      throw new Error(`agent-lsp is not running. ${why}`);
    }
    return this.#client;
  }

  #find(): Promise<Binary> {
    this.#binary ??= findBinary({
      setting: workspace.getConfiguration("agentLSP").get<unknown>("server.path", ""),
      extension: this.places.extensionPath,
      path: process.env.PATH ?? "",
      version: this.places.version,
      platform: process.platform,
      arch: process.arch,
    });
    return this.#binary;
  }

  #tellOfBinary(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#set({ kind: "stopped", why: message });
    if (!this.#once(message)) {
      return;
    }
    const bySetting = error instanceof NoBinary && error.bySetting;
    const action = bySetting ? "Open Setting" : "Set Path…";
    void window.showErrorMessage(plain(message), action).then((chosen) => {
      if (chosen === action) {
        void commands.executeCommand("workbench.action.openSettings", "agentLSP.server.path");
      }
    });
  }

  #create(wire: typeof Wire, binary: Binary): Wire {
    const readOnly = !workspace.isTrusted;
    const args = readOnly ? ["lsp", "--read-only"] : ["lsp"];
    const generation = this.#generation;
    return new wire({
      listener: this.listener,
      documents: this.#documents,
      log: this.log,
      spawn: () => this.#spawn(binary, args),
      settings: () => this.#settings(),
      show: (gravity, message) => {
        this.#show(gravity, message);
      },
      state: (state) => {
        if (generation !== this.#generation) {
          return;
        }
        if (state === "running") {
          this.#set({ kind: "running", version: binary.version, readOnly });
          this.#tabs.tell();
        } else {
          this.#set({ kind: "starting" });
        }
      },
      closed: () => this.#closed(generation),
      stopped: () => generation !== this.#generation,
    });
  }

  #spawn(binary: Binary, args: string[]): ChildProcess {
    this.#ending = "";
    const folder = workspace.workspaceFolders?.find((f) => f.uri.scheme === "file");
    const child = spawn(binary.path, args, {
      ...(folder && { cwd: folder.uri.fsPath }),
      windowsHide: true,
    });
    child.on("error", (error) => {
      this.#ending = error.message;
    });
    child.on("exit", (code, signal) => {
      this.#ending = signal ? `by signal ${signal}` : `with exit code ${String(code)}`;
    });
    this.#process = child;
    this.log.info(`started ${binary.path} ${args.join(" ")} (version ${binary.version})`);
    return child;
  }

  /** The server ended, unasked unless it is one of before. */
  async #closed(generation: number): Promise<Next> {
    const stopped = { restart: false, why: "the server was stopped" };
    if (generation !== this.#generation) {
      return stopped;
    }
    this.#documents.forgetAll();
    this.#set({ kind: "starting" });
    await sleep(20); // how the process ended is told a moment after its pipes are
    const verdict = this.#restarts.ended(performance.now());
    const how = `the server ended ${this.#ending || "unexpectedly"}`;
    if (!verdict.restart) {
      const why = `${how}, ${verdict.ends} times within a minute. It is not started again.`;
      this.#giveUp(why);
      return { restart: false, why };
    }
    if (verdict.first) {
      this.#tellWithLog(window.showWarningMessage, `agent-lsp: ${how} and is being started again.`);
    }
    await sleep(verdict.delay);
    return generation === this.#generation
      ? { restart: true, why: `${how}; starting it again` }
      : stopped;
  }

  #giveUp(why: string): void {
    this.#set({ kind: "stopped", why });
    void window.showErrorMessage(`agent-lsp: ${why}`, "Restart", "Show Log").then((chosen) => {
      if (chosen === "Restart") {
        void this.restart();
      } else if (chosen === "Show Log") {
        this.log.show();
      }
    });
  }

  #show(gravity: Gravity, message: string): void {
    if (gravity === "log") {
      this.log.info(message);
    } else if (this.#once(message)) {
      this.#tellWithLog(showers[gravity], message);
    }
  }

  #tellWithLog(
    show: (message: string, action: string) => Thenable<string | undefined>,
    message: string,
  ): void {
    void show(plain(message), "Show Log").then((chosen) => {
      if (chosen !== undefined) {
        this.log.show();
      }
    });
  }

  /** Whether a message is new in this window: a server that starts again says the same again. */
  #once(message: string): boolean {
    const fresh = !this.#shown.has(message);
    this.#shown.add(message);
    return fresh;
  }

  #settings(): unknown {
    const configuration = workspace.getConfiguration("agentLSP");
    return layers((key) => configuration.inspect(key));
  }

  #configure(affects: (section: string) => boolean): void {
    if (affects("agentLSP.server.path")) {
      void this.restart();
    } else if (affects("agentLSP")) {
      this.#client?.notify("workspace/didChangeConfiguration", { settings: this.#settings() });
    }
  }

  #set(status: Status): void {
    this.#status = status;
    this.#changed.fire(status);
  }
}

/**
 * The library behind the connection takes longer to load than all the rest: it is loaded after
 * `activate` has returned, while the program is looked for.
 */
async function loadWire(): Promise<typeof import("./wire")> {
  await setImmediate();
  return import("./wire");
}

const showers = {
  error: window.showErrorMessage,
  warning: window.showWarningMessage,
  info: window.showInformationMessage,
};
