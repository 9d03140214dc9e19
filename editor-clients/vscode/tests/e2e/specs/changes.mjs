// What assistants changed, by hunk: seen in the text and in a list, kept and undone.
import { Workbench, sleep, until } from "../workbench.mjs";

export default async function ({ check, equal, use }) {
  const lines = Array.from({ length: 40 }, (_, i) => `line ${i + 1}`);
  const files = { "a.txt": `${lines.join("\n")}\n`, "b.txt": "b\n", "old.txt": "old\n" };
  const w = use(await Workbench.start({ files }));
  const { page } = w;
  await w.show("a.txt");
  const edit = async (path, edits) => {
    const { content_hash } = await w.readTool(path);
    const result = await w.call("edit_file", { path, expected_hash: content_hash, edits });
    if (result.isError) throw new Error(JSON.stringify(result));
    return result;
  };
  const replace = (old_text, new_text) => ({ old_text, new_text });
  await edit("a.txt", [
    replace("line 3\n", "third line\n"),
    replace("line 10\nline 11\n", ""),
    replace("line 20\n", "line 20\nmore\nand more\n"),
  ]);
  const lenses = page.locator(".codelens-decoration a");
  await until(async () => (await lenses.count()) >= 9);
  const titles = await lenses.allInnerTexts();
  check(
    "code lenses offer keep and undo",
    titles.filter((t) => /Keep/.test(t)).length === 3,
    titles,
  );
  check("and say how much changed", /\+1 −1/.test(titles.join()), titles);
  await sleep(300);
  await w.picture("changes");

  await w.run("agentLsp.changes.focus");
  const rows = page.locator(".pane-body .monaco-list-row");
  check(
    "the file is listed",
    await until(async () => /a\.txt.*3 changes/s.test((await rows.allInnerTexts()).join())),
    await rows.allInnerTexts(),
  );
  await page
    .locator(".pane-body .monaco-list-row", { hasText: "3 changes" })
    .locator(".monaco-tl-twistie")
    .click();
  check(
    "with its changes",
    await until(async () =>
      /Line 3.*Line 10.*Line 19–20/s.test((await rows.allInnerTexts()).join()),
    ),
    await rows.allInnerTexts(),
  );
  await w.picture("changes-list");

  // The cursor goes from change to change.
  const line = () => w.probe((vscode) => vscode.window.activeTextEditor.selection.active.line + 1);
  await w.show("a.txt");
  await w.probe((vscode) => {
    vscode.window.activeTextEditor.selection = new vscode.Selection(0, 0, 0, 0);
  });
  await w.run("agentLsp.nextChange");
  equal("the next change", await line(), 3);
  await w.run("agentLsp.nextChange");
  equal("the one after it", await line(), 10);
  await w.run("agentLsp.previousChange");
  equal("and back", await line(), 3);

  // Typing above moves all of it.
  await w.type("typed\n");
  await w.probe((vscode) => {
    vscode.window.activeTextEditor.selection = new vscode.Selection(3, 0, 3, 0);
  });
  await w.run("agentLsp.undoChange");
  const undone = await until(async () => {
    const text = await w.text("a.txt");
    return text.startsWith("typed\nline 1\nline 2\nline 3\nline 4") && text;
  });
  check(
    "undo puts back what stood there, and leaves what was typed",
    undone,
    await w.text("a.txt"),
  );
  check(
    "the other changes are still there",
    await until(async () => (await lenses.count()) === 6),
    await lenses.allInnerTexts(),
  );
  await lenses.filter({ hasText: "Keep" }).first().click();
  check(
    "a click keeps one",
    await until(async () => (await lenses.count()) === 3),
    await lenses.allInnerTexts(),
  );
  equal("which changes nothing", (await w.text("a.txt")).includes("line 10"), false);

  // Of a selection just its lines.
  await w.probe((vscode) => {
    const { document } = vscode.window.activeTextEditor;
    const at = document.getText().split("\n").indexOf("more");
    vscode.window.activeTextEditor.selection = new vscode.Selection(at, 0, at + 1, 0);
  });
  await w.run("agentLsp.undoChange");
  check(
    "undo of selected lines",
    await until(async () => /line 20\nand more\nline 21/.test(await w.text("a.txt"))),
    await w.text("a.txt"),
  );

  // Files that were created and deleted, in the list and in the activity.
  await w.readTool("b.txt");
  await w.readTool("old.txt");
  const patch = [
    "*** Begin Patch",
    "*** Update File: b.txt",
    "@@",
    "-b",
    "+bee",
    "*** Add File: new.txt",
    "+new",
    "*** Delete File: old.txt",
    "*** End Patch",
    "",
  ].join("\n");
  const patched = await w.call("apply_patch", { patch });
  check("a patch", !patched.isError, patched);
  await w.run("agentLsp.changes.focus");
  check(
    "created and deleted files are listed",
    await until(async () => {
      const text = (await rows.allInnerTexts()).join("\n");
      return /new\.txt\s*created/.test(text) && /old\.txt\s*deleted/.test(text);
    }),
    await rows.allInnerTexts(),
  );
  await w.run("agentLsp.activity.focus");
  await until(async () => /3 files/.test((await rows.allInnerTexts()).join()));
  await page.locator(".pane-body .monaco-list-row", { hasText: "3 files" }).click();
  await page.locator(".tab", { hasText: "apply patch (Tester)" }).waitFor();
  await sleep(1000);
  await w.picture("activity-files");
  equal("the diff of the row shows all files", await page.locator(".multiDiffEntry").count(), 3);
  // All at once; the person's own line stays.
  await w.run("workbench.action.closeActiveEditor");
  await w.show("a.txt");
  await w.probe((vscode) => void vscode.commands.executeCommand("agentLsp.undoAll"));
  await page.locator(".monaco-dialog-box").waitFor();
  await w.picture("undo-all");
  await page.locator(".monaco-dialog-box .monaco-button", { hasText: "Undo All" }).click();
  check(
    "undo all",
    await until(() => w.read("b.txt") === "b\n" && w.exists("old.txt") && !w.exists("new.txt")),
    [w.read("b.txt"), w.exists("old.txt"), w.exists("new.txt")],
  );
  check("leaves what was typed", (await w.text("a.txt")).startsWith("typed\nline 1"), null);
  check(
    "and nothing is left to review",
    await until(async () => (await lenses.count()) === 0),
    await lenses.allInnerTexts(),
  );
}
