/**
 * The connection to a server: all that needs vscode-languageclient. That takes longer to load than
 * the rest of the extension, so this is a bundle of its own, which `client.ts` alone loads.
 */
import type { ChildProcess } from "node:child_process";
import type { CancellationToken, LogOutputChannel } from "vscode";
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
  DynamicFeature,
  LanguageClientOptions,
  MessageTransports,
  ShowMessageParams,
  StaticFeature,
} from "vscode-languageclient/node";

import { applyEdit } from "./apply";
import type { DocumentStates } from "./documents";
import * as protocol from "./protocol";
import { answerRequests } from "./requests";

export type Gravity = "error" | "warning" | "info" | "log";

/** What is to be done about a server that ended unasked, and a sentence for the log. */
export interface Next {
  restart: boolean;
  why: string;
}

/** Who is told of what the server sends. */
export interface Listener {
  confirm(
    params: protocol.ConfirmEditParams,
    token: CancellationToken,
  ): Promise<protocol.ConfirmEditResult>;
  activity(params: protocol.ActivityParams): void;
  clients(params: protocol.ClientsParams): void;
  reviewChanged(params: protocol.ReviewChangedParams): void;
  follow(params: protocol.FollowParams): void;
}

/** What a connection works with; the functions are called by it. */
export interface Ends {
  listener: Listener;
  documents: DocumentStates;
  log: LogOutputChannel;
  /** Starts the server's process. */
  spawn(): ChildProcess;
  settings(): unknown;
  show(gravity: Gravity, message: string): void;
  state(state: "starting" | "running"): void;
  closed(): Promise<Next>;
  /** Whether this connection was given up: what becomes of it is of no interest. */
  stopped(): boolean;
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

export class Wire extends LanguageClient {
  constructor(private readonly ends: Ends) {
    super("agentLsp", "agent-lsp", () => Promise.resolve(ends.spawn()), optionsOf(ends));
    answerRequests(this);
    const { listener } = ends;
    this.onRequest(protocol.confirmEdit, (params, token) => listener.confirm(params, token));
    this.onNotification(protocol.activity, (params) => {
      listener.activity(params);
    });
    this.onNotification(protocol.clients, (params) => {
      listener.clients(params);
    });
    this.onNotification(protocol.reviewChanged, (params) => {
      listener.reviewChanged(params);
    });
    this.onNotification(protocol.follow, (params) => {
      listener.follow(params);
    });
    this.onDidChangeState(({ newState }) => {
      if (newState === State.Running) {
        ends.state("running");
      } else if (newState === State.Starting) {
        ends.state("starting");
      }
    });
  }

  get running(): boolean {
    return this.state === State.Running;
  }

  call(call: protocol.ToolCall, token?: CancellationToken): Promise<protocol.ToolResult> {
    return token
      ? this.sendRequest(protocol.callTool, call, token)
      : this.sendRequest(protocol.callTool, call);
  }

  ask<M extends keyof protocol.Requests>(
    method: M,
    params: protocol.Requests[M]["params"],
  ): Promise<protocol.Requests[M]["result"]> {
    return this.sendRequest(method, params);
  }

  /** What is sent while no server runs is not needed: a new one is told everything anew. */
  notify(method: string, params: object): void {
    if (this.state !== State.Running && this.state !== State.Starting) {
      return;
    }
    this.sendNotification(method, params).catch((error: unknown) => {
      this.ends.log.debug(`${method}: ${String(error)}`);
    });
  }

  // A server that is stopped while it starts is no fault to tell the person of.
  override error(message: string, data?: unknown, show?: boolean | "force"): void {
    super.error(message, data, this.ends.stopped() ? false : show);
  }

  // The server tells of wrong settings before the library would let a handler of ours listen.
  protected override async createMessageTransports(encoding: string): Promise<MessageTransports> {
    const transports = await super.createMessageTransports(encoding);
    const listen = transports.reader.listen.bind(transports.reader);
    transports.reader.listen = (callback) =>
      listen((message) => {
        if (Message.isNotification(message) && message.method === SHOW_MESSAGE) {
          const { type, message: text } = message.params as unknown as ShowMessageParams;
          this.ends.show(gravityOf(type), text);
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

function optionsOf(ends: Ends): LanguageClientOptions {
  const { documents, log } = ends;
  return {
    documentSelector: [
      { scheme: "file" },
      { scheme: "untitled" },
      // Of cells it counts that they are open: their notebook is then not edited as a file.
      { scheme: "vscode-notebook-cell" },
    ],
    initializationOptions: () => ends.settings(),
    outputChannel: log,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: async () => {
        const { restart, why } = await ends.closed();
        const action = restart ? CloseAction.Restart : CloseAction.DoNotRestart;
        return { action, handled: true, message: why };
      },
    },
    initializationFailedHandler: () => false,
    middleware: {
      didOpen: (document, next) => {
        const sent = next(document);
        documents.tell(document);
        return sent;
      },
      didChange: (event, next) => {
        const sent = next(event);
        documents.changed(event.document);
        return sent;
      },
      didSave: (document, next) => {
        const sent = next(document);
        documents.tell(document);
        return sent;
      },
      didClose: (document, next) => {
        documents.forget(document);
        return next(document);
      },
      workspace: { handleApplyEdit: (params) => applyEdit(params) },
    },
  };
}

function gravityOf(type: MessageType): Gravity {
  switch (type) {
    case MessageType.Error:
      return "error";
    case MessageType.Warning:
      return "warning";
    case MessageType.Info:
      return "info";
    default:
      return "log";
  }
}
