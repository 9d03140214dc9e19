import { Workbench, sleep, until } from "../workbench.mjs";

export default async function ({ check, equal, use }) {
  const files = {
    "src/greet.go": 'package main\n\nfunc greet() string {\n\treturn "hello"\n}\n',
    "notes.md": "# Notes\n\nbuy milk\n",
    ".env": "TOKEN=1\n",
  };
  const w = use(await Workbench.start({ files }));
  await w.show("src/greet.go");
  const page = w.page;
  await w.run("agentLsp.activity.focus");
  await page.locator(".pane-body .welcome-view").last().waitFor();
  await w.picture("welcome");

  await w.call("grep_files", { pattern: "milk" });
  const read = await w.readTool("src/greet.go");
  await w.call("read_file", { path: ".env" });
  const edit = await w.call("edit_file", {
    path: "src/greet.go",
    expected_hash: read.content_hash,
    old_text: "hello",
    new_text: "good morning",
    save: "never",
  });
  check("an edit", !edit.isError, edit);
  // The agent and its turn head the list.
  const all = page.locator(".pane-body .monaco-list-row");
  const rows = page.locator(".pane-body .monaco-list-row[aria-level='2']");
  await until(async () => (await rows.count()) >= 4);
  const labels = await rows.allInnerTexts();
  const expected = [
    /greet\.go.*modified/s,
    /\.env.*permission denied/s,
    /greet\.go.*lines 1-5/s,
    /1 hit/,
  ];
  check(
    "the tree tells of the edit, the refusal, the read and the search, newest first",
    labels.length === expected.length && expected.every((e, at) => e.test(labels[at])),
    labels,
  );
  check(
    "and by whom",
    /Tester/.test((await all.allInnerTexts()).join()),
    await all.allInnerTexts(),
  );

  await rows.first().click();
  await page.locator(".monaco-diff-editor").waitFor();
  await sleep(500);
  await w.picture("activity");
  const diff = await page.locator(".monaco-diff-editor").innerText();
  check("a click on an edit shows its diff", /hello/.test(diff) && /good.morning/.test(diff), diff);

  await rows.first().hover();
  await rows.first().locator(".action-label[aria-label*='Revert']").click();
  check(
    "the arrow reverts it",
    await until(async () => (await w.text("src/greet.go")) === files["src/greet.go"]),
    await w.text("src/greet.go"),
  );
  check(
    "the diff is closed then",
    await until(async () => (await page.locator(".monaco-diff-editor").count()) === 0),
    null,
  );
  check(
    "and the entry says so",
    await until(async () => /reverted/.test((await rows.allInnerTexts()).join(" "))),
    await rows.allInnerTexts(),
  );
  await w.picture("reverted");

  const twice = await w
    .run("agentLsp.revertEdit", { entry: { id: edit.structuredContent.id } })
    .then(() => w.messages());
  check(
    "reverting twice is refused with the reason",
    await until(async () => /taken back already/.test((await w.messages()).join())),
    twice,
  );

  await w.probe((vscode) => void vscode.commands.executeCommand("agentLsp.doctor"));
  check(
    "Doctor opens its findings",
    await until(() =>
      w.probe((vscode) =>
        /doctor --root/.test(vscode.window.activeTextEditor?.document.getText() ?? ""),
      ),
    ),
    null,
  );
  equal(
    "which are no file that would have to be saved",
    await w.probe((vscode) => vscode.window.activeTextEditor.document.isUntitled),
    false,
  );
  await w.run("agentLsp.listEdits");
  check(
    "edits can be listed alone",
    await until(async () => (await rows.count()) === 2),
    await rows.allInnerTexts(),
  );
  await w.run("agentLsp.listAll");
  await w.run("agentLsp.clearActivity");
  check(
    "the list can be cleared",
    await until(async () => (await rows.count()) === 0),
    await rows.allInnerTexts(),
  );
}
