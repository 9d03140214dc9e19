import { Workbench, sleep, until } from "../workbench.mjs";

export default async function ({ check, equal, use }) {
  const files = {
    "a.txt": "one\ntwo\nthree\n",
    "b.txt": "b\n",
    ".vscode/tasks.json": '{\n  "version": "2.0.0"\n}\n',
  };
  const w = use(await Workbench.start({ files }));
  const { page } = w;
  await w.show("a.txt");
  const edit = async (path, old_text, new_text) => {
    const { content_hash } = await w.readTool(path);
    return w.call("edit_file", { path, expected_hash: content_hash, old_text, new_text });
  };
  const message = () => page.locator(".notification-toast", { hasText: "wants to change" });

  // A protected file.
  let answer = edit(".vscode/tasks.json", "2.0.0", "2.1.0");
  await message().first().waitFor();
  await page.locator(".monaco-diff-editor").waitFor();
  await sleep(700);
  await w.picture("review");
  equal("a protected file waits for consent", w.read(".vscode/tasks.json").includes("2.0.0"), true);
  check(
    "the status bar says so",
    (await page.locator(".statusbar-item", { hasText: "Review edit" }).count()) === 1,
    null,
  );
  await page.locator(".editor-actions .action-label", { hasText: "Apply" }).click();
  let result = await answer;
  check(
    "the button in the diff's title applies it",
    !result.isError && w.read(".vscode/tasks.json").includes("2.1.0"),
    result,
  );
  check(
    "the diff is closed again",
    await until(async () => (await page.locator(".monaco-diff-editor").count()) === 0),
    null,
  );

  answer = edit(".vscode/tasks.json", "2.1.0", "3.0.0");
  await message().locator("a", { hasText: "Reject" }).click();
  await page.locator(".quick-input-widget input").waitFor();
  await w.picture("reject");
  await page.keyboard.type("we stay on 2");
  await page.keyboard.press("Enter");
  result = await answer;
  equal("a rejected edit", result.structuredContent.error?.kind, "rejected_by_user");
  check("tells the reason", /we stay on 2/.test(JSON.stringify(result)), result);
  equal("and changes nothing", w.read(".vscode/tasks.json").includes("2.1.0"), true);

  // Everything is asked, and several ask at once.
  w.settings({ "agentLSP.edits.confirm": "always" });
  await until(() =>
    w.probe(
      (vscode) => vscode.workspace.getConfiguration("agentLSP").get("edits.confirm") === "always",
    ),
  );
  await sleep(300);
  await w.clearMessages();
  const many = [edit("a.txt", "two", "2"), edit("b.txt", "b", "c")];
  await message().first().waitFor();
  await page.locator(".monaco-diff-editor").waitFor();
  await sleep(1000);
  equal("two ask, one message is shown", await message().count(), 1);
  equal("an open document waits too", await w.text("a.txt"), "one\ntwo\nthree\n");
  await w.run("agentLsp.activity.focus");
  await until(
    async () =>
      (await page.locator(".pane-body .monaco-list-row", { hasText: "waits for you" }).count()) ===
      2,
  );
  await w.picture("two-reviews");
  await w.run("agentLsp.applyReviewed");
  await sleep(500);
  await w.run("agentLsp.applyReviewed");
  const results = await Promise.all(many);
  check(
    "both land",
    results.every((r) => !r.isError),
    results,
  );
  equal("in the document", await w.text("a.txt"), "one\n2\nthree\n");
  await w.show("a.txt");
  await w.run("undo");
  equal("as one undo step", await w.text("a.txt"), "one\ntwo\nthree\n");

  // Several files in one call: one question, all diffs in one editor.
  await w.readTool("a.txt");
  await w.readTool("b.txt");
  const patch = [
    "*** Begin Patch",
    "*** Update File: a.txt",
    "@@",
    "-three",
    "+3",
    "*** Update File: b.txt",
    "@@",
    "-c",
    "+d",
    "*** End Patch",
    "",
  ].join("\n");
  answer = w.call("apply_patch", { patch });
  await message().first().waitFor();
  await page.locator(".tab", { hasText: "wants to change" }).waitFor();
  await sleep(1000);
  await w.picture("review-files");
  await page.locator(".editor-actions .action-label", { hasText: "Apply" }).click();
  result = await answer;
  check(
    "both files are changed",
    !result.isError && (await w.text("a.txt")) === "one\ntwo\n3\n",
    result,
  );
  const tabs = page.locator(".tab", { hasText: "wants to change" });
  check(
    "the diffs are closed",
    await until(async () => (await tabs.count()) === 0),
    await tabs.allInnerTexts(),
  );
  await w.probe((vscode) => void vscode.commands.executeCommand("agentLsp.showEdits"));
  await page.locator(".quick-input-list .monaco-list-row").first().waitFor();
  await w.picture("show-edits");
  await page.keyboard.press("Enter");
  const diffs = page.locator(".multiDiffEditor .monaco-diff-editor, .monaco-diff-editor");
  check(
    "Show Agent Edits shows what was changed",
    await until(async () => (await diffs.count()) > 0),
    null,
  );

  // The assistant does not want to know any more.
  await w.run("workbench.action.files.saveAll");
  await w.run("workbench.action.closeAllEditors");
  await w.clearMessages();
  const { content_hash } = await w.readTool("b.txt");
  await w.probe(
    (vscode, [hash], state) => {
      const { exports } = vscode.extensions.getExtension("agent-lsp.agent-lsp");
      state.source = new vscode.CancellationTokenSource();
      const call = {
        name: "edit_file",
        arguments: { path: "b.txt", expected_hash: hash, old_text: "d", new_text: "e" },
      };
      void exports.call(call, state.source.token).catch(() => undefined);
    },
    [content_hash],
  );
  await page.locator(".tab", { hasText: "wants to change b.txt" }).waitFor();
  await w.probe((vscode, _, state) => state.source.cancel());
  check(
    "a withdrawn question goes away",
    await until(async () => (await tabs.count()) === 0),
    await tabs.allInnerTexts(),
  );
  const item = page.locator(".statusbar-item", { hasText: "Review edit" });
  check("also from the status bar", await until(async () => (await item.count()) === 0), null);
}
