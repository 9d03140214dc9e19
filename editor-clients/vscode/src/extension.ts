import { Uri, env, window } from "vscode";
import type { ExtensionContext } from "vscode";

import { ActivityLog, clientName } from "./activityLog";
import { ActivityView } from "./activityView";
import { apiOf } from "./api";
import type { Api } from "./api";
import { Assistants } from "./assistants";
import { ChangeMarks } from "./changeMarks";
import { Changes } from "./changes";
import { ChangesView } from "./changesView";
import { AgentClient } from "./client";
import { registerCommands } from "./commands";
import { Diffs } from "./diffs";
import { Follow } from "./follow";
import { Pages } from "./pages";
import { Proposals } from "./proposals";
import type { ClientsParams } from "./protocol";
import { Reviews } from "./reviews";
import { StatusBar } from "./statusBar";

interface Manifest {
  version: string;
  contributes: { languageModelTools: { name: string }[] };
}

/** The tool that tells of changes; that it was called is of no interest. */
const HISTORY = "edit_history";

let stop: (() => Promise<void>) | undefined;

export function activate(context: ExtensionContext): Api {
  const begin = performance.now();
  const { version, contributes } = context.extension.packageJSON as Manifest;
  const channel = window.createOutputChannel("Agent LSP", { log: true });
  const log = new ActivityLog();
  const diffs = new Diffs();
  const proposals = new Proposals();
  const reviews = new Reviews(diffs, proposals);
  const pages = new Pages();
  const follow = new Follow();
  const view = new ActivityView(log, reviews);
  const statusBar = new StatusBar();
  let clients: ClientsParams["clients"] = [];
  const client = new AgentClient(
    { extensionPath: context.extensionPath, version },
    {
      confirm: (params, token) => reviews.ask(params, token),
      activity: (params) => {
        if (params.tool !== HISTORY) {
          log.add(params, new Date(), env.appName);
          view.refresh();
        }
      },
      clients: (params) => {
        clients = params.clients;
        update();
      },
      reviewChanged: (params) => {
        changes.note(params);
      },
      follow: (params) => {
        if (clientName(params.client) !== env.appName) {
          follow.note(params); // not what the person does
        }
      },
    },
    channel,
  );
  const changes = new Changes(client, (message) => {
    channel.warn(message);
  });
  // Changes outlive the window and the server.
  const recall = async () => {
    const { structuredContent } = await client.call({ name: HISTORY, arguments: {} });
    log.recall(structuredContent.edits ?? [], env.appName);
    view.refresh();
  };
  const update = () => {
    const waiting = reviews.waiting.length;
    statusBar.update({ status: client.status, clients, waiting });
  };
  context.subscriptions.push(
    channel,
    diffs,
    proposals,
    reviews,
    pages,
    follow,
    changes,
    new ChangeMarks(changes, Uri.joinPath(context.extensionUri, "media")),
    new ChangesView(changes),
    view,
    statusBar,
    client,
    client.onDidChangeStatus(({ kind }) => {
      clients = kind === "running" ? clients : [];
      if (kind === "running" && log.entries.length === 0) {
        recall().catch((error: unknown) => {
          channel.warn(String(error));
        });
      }
      update();
    }),
    reviews.onDidChange(update),
    new Assistants(
      client,
      version,
      contributes.languageModelTools.map((tool) => tool.name),
    ),
    ...registerCommands({
      client,
      log,
      view,
      diffs,
      reviews,
      changes,
      pages,
      showLog: () => {
        channel.show();
      },
    }),
  );
  stop = () => client.stop();
  void client.start();
  channel.info(`activated in ${(performance.now() - begin).toFixed(1)} ms`);
  return apiOf(client);
}

export async function deactivate(): Promise<void> {
  await stop?.();
}
