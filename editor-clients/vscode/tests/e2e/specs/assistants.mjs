import { Workbench, until } from "../workbench.mjs";

export default async function ({ check, use }) {
  const files = { "a.txt": "one\n" };
  const settings = { "agentLSP.assistants": "tools", "chat.disableAIFeatures": false };
  const w = use(await Workbench.start({ files, settings }));
  await w.show("a.txt");
  await w.type("typed ");
  await until(async () => (await w.readTool("a.txt")).dirty);
  const names = () =>
    w.probe((vscode) =>
      vscode.lm.tools.map((t) => t.name).filter((n) => n.startsWith("agent-lsp_")),
    );
  const tools = await until(async () => {
    const list = await names();
    return list.length > 0 && list;
  });
  check(
    "the tools are the editor's own",
    tools.includes("agent-lsp_read_file") && tools.includes("agent-lsp_edit_file"),
    tools,
  );
  const result = await w.probe(async (vscode) => {
    const r = await vscode.lm.invokeTool("agent-lsp_read_file", {
      input: { path: "a.txt" },
      toolInvocationToken: undefined,
    });
    return r.content[0].value;
  });
  check("and see unsaved text", /1\|typed one/.test(result), result);

  // VS Code lists what package.json declares; the condition there hides it from chats.
  w.settings({ "chat.disableAIFeatures": false });
  const invoke = (vscode) =>
    vscode.lm
      .invokeTool("agent-lsp_read_file", {
        input: { path: "a.txt" },
        toolInvocationToken: undefined,
      })
      .then(
        () => "",
        (e) => e.message,
      );
  const gone = await until(() => w.probe(invoke));
  check("as an MCP server they are not the editor's own as well", gone, gone);

  const server = async (vscode) => {
    await vscode.commands.executeCommand(
      "workbench.mcp.startServer",
      "agent-lsp.agent-lsp/agent-lsp",
      {
        waitForLiveTools: true,
      },
    );
    return vscode.lm.tools.map((t) => t.name).find((n) => /^mcp_.*read_file$/.test(n));
  };
  const name = await until(() => w.probe(server), 20_000);
  check("agent mode has the tools of the MCP server", name, name);
  const seen = await w.probe(async (vscode, name) => {
    const r = await vscode.lm.invokeTool(name, {
      input: { path: "a.txt" },
      toolInvocationToken: undefined,
    });
    return JSON.stringify(r.content);
  }, name);
  check("which sees unsaved text, as it finds the window's session", /typed one/.test(seen), seen);
  const status = w.page.locator("#agent-lsp\\.agent-lsp\\.agentLsp\\.status");
  check(
    "the status bar names who is attached",
    await until(async () => !/Agents/.test(await status.innerText())),
    await status.innerText(),
  );
  await w.picture("attached");

  await w.probe((vscode) => void vscode.commands.executeCommand("agentLsp.copyConfiguration"));
  await w.page.locator(".quick-input-widget input").waitFor();
  await w.picture("copy-configuration");
  await w.page.keyboard.type("Codex");
  await w.page.keyboard.press("Enter");
  check(
    "the configuration for an assistant is copied",
    await until(async () => (await w.messages()).some((m) => /Copied/.test(m))),
    await w.messages(),
  );

  const refused = await w.probe((vscode) =>
    vscode.commands
      .executeCommand("agent-lsp.call", { name: "no_such_tool" })
      .catch((e) => e.message),
  );
  check(
    "agent-lsp.call names the tools where there is none of that name",
    /no tool "no_such_tool"; the tools are read_file/.test(refused),
    refused,
  );
}
