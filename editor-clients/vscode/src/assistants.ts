/** Offers the tools to the editor's own chat: as an MCP server, or as tools of the editor. */
import * as vscode from "vscode";

import type { AgentClient } from "./client";
import type { ToolInputs, ToolName } from "./generated/tools";
import type { Content, ToolResult } from "./protocol";

/** Of the tools' names in package.json, because all extensions share one list. */
const PREFIX = "agent-lsp_";

type Choice = "mcp" | "tools" | "off";

/** Never both ways at once: an assistant would see each tool twice. */
export class Assistants implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #listeners: { dispose(): void }[];
  #tools: vscode.Disposable[] = [];

  constructor(
    private readonly client: AgentClient,
    private readonly version: string,
    /** Names of the tools that package.json declares: only those can be registered. */
    private readonly declared: readonly string[],
  ) {
    this.#listeners = [
      this.#changed,
      vscode.lm.registerMcpServerDefinitionProvider("agentLsp.mcp", {
        onDidChangeMcpServerDefinitions: this.#changed.event,
        provideMcpServerDefinitions: () => this.#servers(),
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration("agentLSP.assistants")) {
          this.#update();
        }
      }),
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        this.#changed.fire();
      }),
    ];
    this.#update();
  }

  dispose(): void {
    [...this.#listeners, ...this.#tools].forEach((d) => {
      d.dispose();
    });
  }

  #update(): void {
    this.#tools.forEach((tool) => {
      tool.dispose();
    });
    this.#tools = choice() === "tools" ? this.declared.map((name) => this.#register(name)) : [];
    this.#changed.fire();
  }

  async #servers(): Promise<vscode.McpStdioServerDefinition[]> {
    const binary = choice() === "mcp" ? await this.client.binary() : undefined;
    if (!binary) {
      return [];
    }
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(
      (f) => f.uri.scheme === "file",
    );
    const roots = folders.flatMap((f) => ["--root", f.uri.fsPath]);
    const server = new vscode.McpStdioServerDefinition(
      "agent-lsp",
      binary.path,
      ["mcp", ...roots],
      {},
      this.version,
    );
    const [first] = folders;
    if (first) {
      server.cwd = first.uri;
    }
    return [server];
  }

  #register(declared: string): vscode.Disposable {
    const name = declared.replace(PREFIX, "") as ToolName;
    return vscode.lm.registerTool<ToolInputs[ToolName]>(declared, {
      invoke: async ({ input }, token) => {
        const call = { name, arguments: input, client: { name: "Chat" } };
        return new vscode.LanguageModelToolResult(partsOf(await this.client.call(call, token)));
      },
    });
  }
}

function choice(): Choice {
  const value = vscode.workspace.getConfiguration("agentLSP").get<unknown>("assistants");
  return value === "tools" || value === "off" ? value : "mcp";
}

/** What the model reads: the header and the text of a file, which come apart. */
function partsOf(result: ToolResult): vscode.LanguageModelTextPart[] {
  const { content } = result.structuredContent as { content?: unknown };
  const texts = result.content.map(textOf);
  if (typeof content === "string") {
    texts.splice(1, 0, content);
  }
  return [new vscode.LanguageModelTextPart(texts.join("\n\n"))];
}

function textOf(part: Content): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "image":
      return `(an image, ${part.mimeType}, which cannot be handed over this way)`;
    case "resource":
      return `(${part.resource.uri}, which cannot be handed over this way)`;
  }
}
