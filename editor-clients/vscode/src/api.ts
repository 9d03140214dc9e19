/**
 * For other extensions: the command `agent-lsp.call`, and what this extension's `activate` returns.
 *
 * ```ts
 * const result = await vscode.commands.executeCommand<ToolResult<"read_file">>("agent-lsp.call", {
 *   name: "read_file",
 *   arguments: { path: "src/main.ts", start_line: 1, end_line: 40 },
 *   client: { name: "My Extension" },
 * });
 * if (!result.isError) console.log(result.structuredContent.content);
 * ```
 */
import type { CancellationToken } from "vscode";

import type { AgentClient, Status } from "./client";
import { toolNames } from "./generated/tools";
import type { ToolName } from "./generated/tools";
import type { ToolCall, ToolResult } from "./protocol";

export type { ToolInputs, ToolName, ToolOutputs } from "./generated/tools";
export type { Client, Content, Status, ToolCall, ToolError, ToolResult };

type Client = NonNullable<ToolCall["client"]>;
type Content = ToolResult["content"][number];
type ToolError = NonNullable<ToolResult["structuredContent"]["error"]>;

export interface Api {
  call<N extends ToolName>(call: ToolCall<N>, token?: CancellationToken): Promise<ToolResult<N>>;
  readonly status: Status;
}

export function apiOf(client: AgentClient): Api {
  return {
    call: (call, token) => client.call(call, token),
    get status() {
      return client.status;
    },
  };
}

/** The argument of `agent-lsp.call`, which anybody may have made. @throws TypeError */
export function checkCall(argument: unknown): ToolCall {
  if (typeof argument !== "object" || argument === null) {
    throw new TypeError("agent-lsp.call takes one argument, {name, arguments, client?}");
  }
  const call = argument as Partial<ToolCall>;
  if (typeof call.name !== "string" || !toolNames.includes(call.name)) {
    throw new TypeError(
      `agent-lsp.call: there is no tool ${JSON.stringify(call.name)}; the tools are ${toolNames.join(", ")}`,
    );
  }
  return { ...call, arguments: call.arguments ?? {} } as ToolCall;
}
