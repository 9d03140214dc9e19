import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { EventEmitter, commands, window, workspace } from "vscode";
import type { CancellationToken, Disposable, LogOutputChannel } from "vscode";
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  Message,
  MessageType,
  RevealOutputChannelOn,
  ShowMessageNotification,
  State,
} from "vscode-languageclient/node";
import type {
  ClientCapabilities,
  CloseHandlerResult,
  DynamicFeature,
  LanguageClientOptions,
  MessageTransports,
  ShowMessageParams,
  StaticFeature,
} from "vscode-languageclient/node";

import { applyEdit } from "./apply";
import { NoBinary, findBinary } from "./binary";
import type { Binary } from "./binary";
import { DocumentStates } from "./documents";
import type { ToolName } from "./generated/tools";
import { plain } from "./plain";
import * as protocol from "./protocol";
import { answerRequests } from "./requests";
import { Restarts } from "./restarts";
import { layers } from "./settings";
import { Tabs } from "./tabs";

export type Status =
  | { kind: "starting" }
  | { kind: "running"; version: string; readOnly: boolean }
  /** `why`: a sentence for the person. */
  | { kind: "stopped"; why: string };

/** Who is told of what the server sends. */
export interface Listener {
  confirm(
    params: protocol.ConfirmEditParams,
    token: CancellationToken,
  ): Promise<protocol.ConfirmEditResult>;
  activity(params: protocol.ActivityParams): void;
  clients(params: protocol.ClientsParams): void;
}

export interface Places {
  extensionPath: string;
  version: string;
}

/** The window's server, from its start to its end, and everything that is said to it. */
export class AgentClient implements Disposable {
  readonly #restarts = new Restarts();
  readonly #documents = new DocumentStates((s) => {
    this.#notify(protocol.documentState, s);
  });
  readonly #tabs = new Tabs((t) => {
    this.#notify(protocol.tabs, t);
  });
  readonly #changed = new EventEmitter<Status>();
  readonly #shown = new Set<string>();
  readonly #listeners: Disposable[];
  #status: Status = { kind: "stopped", why: "It was not started yet." };
  #client: LanguageClient | undefined;
  #binary: Binary | undefined;
  #ending = "";
  /** Grows when a server is stopped: what is still to be said of its end does not count then. */
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
  async binary(): Promise<Binary | undefined> {
    this.#binary ??= await this.#find();
    return this.#binary;
  }

  /** Does not throw: what goes wrong is told to the person and stands in the status. */
  async start(): Promise<void> {
    this.#set({ kind: "starting" });
    const binary = await this.binary();
    if (!binary) {
      return;
    }
    const client = this.#create(binary);
    this.#client = client;
    try {
      await client.start();
    } catch (error) {
      this.log.error(String(error)); // the handler of its end has told the person
    }
  }

  async stop(): Promise<void> {
    const client = this.#client;
    this.#generation++;
    this.#client = undefined;
    this.#binary = undefined;
    this.#documents.forgetAll();
    await client?.stop().catch((error: unknown) => {
      this.log.warn(String(error));
    });
    this.#set({ kind: "stopped", why: "It was stopped." });
  }

  /** With a clean record: it may end five times again. */
  async restart(): Promise<void> {
    await this.stop();
    this.#restarts.reset();
    await this.start();
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
    const result = token
      ? await client.sendRequest(protocol.callTool, call, token)
      : await client.sendRequest(protocol.callTool, call);
    return result as protocol.ToolResult<N>;
  }

  /** Waits while the server starts, or comes back. */
  async #running(): Promise<LanguageClient> {
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

  async #find(): Promise<Binary | undefined> {
    try {
      return await findBinary({
        setting: workspace.getConfiguration("agentLsp").get<string>("server.path", ""),
        extension: this.places.extensionPath,
        path: process.env.PATH ?? "",
        version: this.places.version,
        platform: process.platform,
        arch: process.arch,
      });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#set({ kind: "stopped", why: message });
      this.#tellOfBinary(message, error instanceof NoBinary && error.bySetting);
      return undefined;
    }
  }

  #tellOfBinary(message: string, bySetting: boolean): void {
    if (!this.#once(message)) {
      return;
    }
    const action = bySetting ? "Open Setting" : "Set Path…";
    void window.showErrorMessage(plain(message), action).then((chosen) => {
      if (chosen === action) {
        void commands.executeCommand("workbench.action.openSettings", "agentLsp.server.path");
      }
    });
  }

  #create(binary: Binary): LanguageClient {
    const readOnly = !workspace.isTrusted;
    const args = readOnly ? ["lsp", "--read-only"] : ["lsp"];
    const client = new Wire(
      "agentLsp",
      "agent-lsp",
      () => Promise.resolve(this.#spawn(binary, args)),
      this.#options(),
    );
    answerRequests(client);
    client.onRequest(protocol.confirmEdit, (params, token) => this.listener.confirm(params, token));
    client.onNotification(protocol.activity, (params) => {
      this.listener.activity(params);
    });
    client.onNotification(protocol.clients, (params) => {
      this.listener.clients(params);
    });
    client.onShowMessage = ({ type, message }) => {
      this.#show(type, message);
    };
    client.onDidChangeState(({ newState }) => {
      if (this.#client !== client) {
        return;
      }
      if (newState === State.Running) {
        this.#set({ kind: "running", version: binary.version, readOnly });
        this.#tabs.tell();
      } else if (newState === State.Starting) {
        this.#set({ kind: "starting" });
      }
    });
    return client;
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
    this.log.info(`started ${binary.path} ${args.join(" ")} (version ${binary.version})`);
    return child;
  }

  #options(): LanguageClientOptions {
    const generation = this.#generation;
    return {
      documentSelector: [
        { scheme: "file" },
        { scheme: "untitled" },
        // Of cells it counts that they are open: their notebook is then not edited as a file.
        { scheme: "vscode-notebook-cell" },
      ],
      initializationOptions: () => this.#settings(),
      outputChannel: this.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => this.#closed(generation),
      },
      initializationFailedHandler: () => false,
      middleware: {
        didOpen: (document, next) => {
          const sent = next(document);
          this.#documents.tell(document);
          return sent;
        },
        didChange: (event, next) => {
          const sent = next(event);
          this.#documents.changed(event.document);
          return sent;
        },
        didSave: (document, next) => {
          const sent = next(document);
          this.#documents.tell(document);
          return sent;
        },
        didClose: (document, next) => {
          this.#documents.forget(document);
          return next(document);
        },
        workspace: { handleApplyEdit: (params) => applyEdit(params) },
      },
    };
  }

  /** The server ended unasked. */
  async #closed(generation: number): Promise<CloseHandlerResult> {
    this.#documents.forgetAll();
    this.#set({ kind: "starting" });
    await sleep(20); // how the process ended is told a moment after its pipes are
    const verdict = this.#restarts.ended(performance.now());
    const how = `the server ended ${this.#ending || "unexpectedly"}`;
    if (!verdict.restart) {
      return this.#giveUp(
        `${how}, ${verdict.ends} times within a minute. It is not started again.`,
      );
    }
    if (verdict.first) {
      this.#tellWithLog(window.showWarningMessage, `agent-lsp: ${how} and is being started again.`);
    }
    await sleep(verdict.delay);
    if (generation !== this.#generation) {
      return { action: CloseAction.DoNotRestart, handled: true, message: `${how}; it was stopped` };
    }
    return { action: CloseAction.Restart, handled: true, message: `${how}; starting it again` };
  }

  #giveUp(why: string): CloseHandlerResult {
    this.#set({ kind: "stopped", why });
    void window.showErrorMessage(`agent-lsp: ${why}`, "Restart", "Show Log").then((chosen) => {
      if (chosen === "Restart") {
        void this.restart();
      } else if (chosen === "Show Log") {
        this.log.show();
      }
    });
    return { action: CloseAction.DoNotRestart, handled: true, message: why };
  }

  #show(type: MessageType, message: string): void {
    if (!this.#once(message)) {
      return;
    }
    switch (type) {
      case MessageType.Error:
        this.#tellWithLog(window.showErrorMessage, message);
        break;
      case MessageType.Warning:
        this.#tellWithLog(window.showWarningMessage, message);
        break;
      case MessageType.Info:
        this.#tellWithLog(window.showInformationMessage, message);
        break;
      default:
        this.log.info(message);
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
    const configuration = workspace.getConfiguration("agentLsp");
    return layers((key) => configuration.inspect(key));
  }

  #configure(affects: (section: string) => boolean): void {
    if (affects("agentLsp.server.path")) {
      void this.restart();
    } else if (affects("agentLsp")) {
      this.#notify("workspace/didChangeConfiguration", { settings: this.#settings() });
    }
  }

  /** What is sent while no server runs is not needed: a new one is told everything anew. */
  #notify(type: string | { method: string }, params: object): void {
    const method = typeof type === "string" ? type : type.method;
    if (this.#client?.state !== State.Running && this.#client?.state !== State.Starting) {
      return;
    }
    this.#client.sendNotification(method, params).catch((error: unknown) => {
      this.log.debug(`${method}: ${String(error)}`);
    });
  }

  #set(status: Status): void {
    this.#status = status;
    this.#changed.fire(status);
  }
}

/** The features that are used. The library would offer the server all of LSP. */
const features = new Set([
  "textDocument/didOpen",
  "textDocument/didChange",
  "textDocument/didClose",
  "textDocument/didSave",
  "textDocument/documentSymbol",
  "textDocument/foldingRange",
  "textDocument/selectionRange",
  "workspace/symbol",
  "workspace/didChangeWorkspaceFolders",
]);

const SHOW_MESSAGE = ShowMessageNotification.method;

class Wire extends LanguageClient {
  onShowMessage: (params: ShowMessageParams) => void = () => undefined;

  // The server tells of wrong settings before the library would let a handler of ours listen.
  protected override async createMessageTransports(encoding: string): Promise<MessageTransports> {
    const transports = await super.createMessageTransports(encoding);
    const listen = transports.reader.listen.bind(transports.reader);
    transports.reader.listen = (callback) =>
      listen((message) => {
        if (Message.isNotification(message) && message.method === SHOW_MESSAGE) {
          this.onShowMessage(message.params as unknown as ShowMessageParams);
        } else {
          callback(message);
        }
      });
    return transports;
  }

  override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
    const method = "registrationType" in feature ? feature.registrationType.method : undefined;
    if (method === undefined || features.has(method)) {
      super.registerFeature(feature);
    }
  }

  protected override fillInitializeParams(
    params: Parameters<LanguageClient["fillInitializeParams"]>[0],
  ): void {
    super.fillInitializeParams(params);
    const capabilities: ClientCapabilities = params.capabilities;
    capabilities.experimental = { agentLsp: protocol.abilities };
  }
}
