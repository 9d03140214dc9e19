// More changes than anybody reviews one by one: bounded work, and typing goes on.
import { Workbench, until } from "../workbench.mjs";

export default async function ({ check, equal, use }) {
  const lines = Array.from({ length: 24_000 }, (_, i) => `line ${i + 1}`);
  const w = use(await Workbench.start({ files: { "m.txt": `${lines.join("\n")}\n` } }));
  await w.show("m.txt");
  const { content_hash } = await w.readTool("m.txt", { start_line: 1, end_line: 2 });
  const changed = lines.map((line, i) => (i % 2 === 0 ? `${line} changed` : line)).join("\n");
  await w.call("write_file", {
    path: "m.txt",
    content: `${changed}\n`,
    expected_hash: content_hash,
  });
  // On a busy machine VS Code takes longer than the server waits; the edit lands all the same.
  check(
    "12,000 lines are changed",
    await until(async () => (await w.text("m.txt")) === `${changed}\n`, 30_000),
    null,
  );
  const rows = w.page.locator(".pane-body .monaco-list-row");
  check(
    "the file is listed",
    await until(async () => {
      await w.run("agentLsp.changes.focus"); // the list is there once there is something in it
      return /m\.txt.*changes/s.test((await rows.allInnerTexts()).join());
    }, 60_000),
    await rows.allInnerTexts(),
  );
  equal("without a line above each", await w.page.locator(".codelens-decoration").count(), 0);
  await w.show("m.txt");
  await w.type("");
  await w.page.keyboard.type("abcdefghijklmnopqrstuvwxyz");
  check(
    "what is typed is there",
    await until(async () => (await w.text("m.txt")).startsWith("abcdefghijklmnopqrstuvwxyzline 1")),
    (await w.text("m.txt")).slice(0, 40),
  );
  await w.run("agentLsp.nextChange");
  const line = await w.probe((vscode) => vscode.window.activeTextEditor.selection.active.line + 1);
  check("the next change is found", line > 1 && line <= 3, line);
  await w.picture("many");
}
