// What the person gives an assistant to look at, following it, and going back.
import { Workbench, sleep, until } from "../workbench.mjs";

export default async function ({ check, equal, use }) {
  const files = { "a.txt": "one\ntwo\nthree\n", "b.txt": "b\n", "c.txt": "c\n" };
  const w = use(await Workbench.start({ files, settings: { "agentLSP.follow": true } }));
  const { page } = w;
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await w.show("a.txt");
  await w.readTool("a.txt");
  await w.probe((vscode) => {
    vscode.window.activeTextEditor.selection = new vscode.Selection(1, 0, 2, 5);
  });
  await w.run("agentLsp.sendSelection");
  equal(
    "a selection is copied as hosts write it",
    await w.probe((vscode) => vscode.env.clipboard.readText()),
    "@a.txt#L2-L3",
  );
  const open = JSON.stringify(await w.call("open_files"));
  check("and open_files tells it", /pointed at by the person/.test(open), open);

  await w.readTool("b.txt");
  const seen = () =>
    w.probe((vscode) => vscode.window.visibleTextEditors.map((e) => e.document.fileName).join());
  check(
    "what is read is shown",
    await until(async () => /b\.txt/.test(await seen())),
    await seen(),
  );
  await sleep(500);
  await w.picture("follow");
  check(
    "the cursor stays where it is",
    await w.probe((vscode) => vscode.window.activeTextEditor.document.fileName.endsWith("a.txt")),
    null,
  );

  const edit = async (path, old_text, new_text) => {
    const { content_hash } = await w.readTool(path);
    return w.call("edit_file", { path, expected_hash: content_hash, old_text, new_text });
  };
  await edit("a.txt", "two", "2");
  await edit("c.txt", "c", "sea");
  await w.type("typed\n");
  await w.probe((vscode) => void vscode.commands.executeCommand("agentLsp.restoreCheckpoint"));
  const items = page.locator(".quick-input-list .monaco-list-row");
  await items.first().waitFor();
  await w.picture("checkpoints");
  await page.keyboard.press("End");
  await items.last().click();
  const message = page.locator(".notification-toast", { hasText: "Go back to" });
  await message.waitFor();
  await sleep(700);
  await w.picture("checkpoint-diff");
  equal("the diff is shown first", w.read("c.txt"), "sea\n");
  await message.locator(".monaco-button", { hasText: "Restore" }).click();
  check("then files go back", await until(() => w.read("c.txt") === "c\n"), w.read("c.txt"));
  check(
    "and what was typed stays",
    await until(async () => (await w.text("a.txt")) === "typed\none\ntwo\nthree\n"),
    await w.text("a.txt"),
  );

  // What was done before the window was opened anew is listed, and can be reverted.
  await edit("b.txt", "b", "bee");
  await w.open();
  await until(async () => !(await w.readTool("b.txt")).error);
  await w.run("agentLsp.activity.focus");
  const row = page.locator(".pane-body .monaco-list-row", { hasText: /b\.txt\s*modified/ }).first();
  await row.waitFor();
  await w.picture("before");
  await row.hover();
  await row.locator(".action-label[aria-label*='Revert']").click();
  check(
    "a change of before is reverted",
    await until(() => w.read("b.txt") === "b\n"),
    await w.messages(),
  );

  await w.run("workbench.action.openSettings", "@ext:agent-lsp.agent-lsp");
  const names = page.locator(".setting-item-category");
  await names.first().waitFor();
  check(
    "the settings page spells the name",
    (await names.allInnerTexts()).every((name) => name.startsWith("Agent LSP")),
    await names.allInnerTexts(),
  );
  await w.picture("settings");
}
