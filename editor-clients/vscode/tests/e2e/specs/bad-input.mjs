import fs from "node:fs";
import { Workbench, sleep, until } from "../workbench.mjs";

const TABS = Number(process.env.TABS ?? 60); // 500 take a minute to open

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const notebook = JSON.stringify({
  cells: [
    { cell_type: "code", source: ["x = 1"], metadata: {}, outputs: [], execution_count: null },
  ],
  metadata: {},
  nbformat: 4,
  nbformat_minor: 5,
});

/** A tab for each of the files first, first + 1 ... up to end. */
async function openTabs(vscode, [folder, first, end]) {
  for (let i = first; i < end; i++) {
    const options = { preview: false, preserveFocus: true };
    await vscode.window.showTextDocument(vscode.Uri.file(`${folder}/${i}.txt`), options);
  }
}

export default async function ({ check, equal, use }) {
  const files = {
    "a.txt": "one\n",
    "picture.png": png,
    "data.bin": Buffer.from([0, 1, 2, 3]),
    "note.ipynb": notebook,
    "dir/c.txt": "three\n",
    "big.log": "x".repeat(99).concat("\n").repeat(600_000), // 60 MB
  };
  for (let i = 0; i < TABS; i++) files[`many/${i}.txt`] = `file ${i}\n`;
  const settings = {
    "agentLSP.read.outlineThresholdBytes": "many",
    "agentLSP.policy.private": 7,
    "agentLSP.edits.confirm": "perhaps",
  };
  const w = use(await Workbench.start({ files, settings }));
  await w.show("a.txt");
  const told = await until(async () => {
    const m = await w.messages();
    return m.length >= 3 && m;
  }, 5000);
  check("settings of a wrong type are told of", told?.length === 3, await w.messages());
  await w.picture("wrong-settings");
  await w.clearMessages();
  await w.run("agentLsp.restart");
  equal("reads work all the same", (await w.readTool("a.txt")).content, "one\n");
  await sleep(500);
  equal("and the same is not told twice", await w.messages(), []);
  w.settings({});

  for (const name of ["picture.png", "data.bin"]) {
    await w.probe(
      (vscode, file) =>
        vscode.commands.executeCommand("vscode.open", vscode.Uri.file(file)).then(() => null),
      w.path(name),
    );
    await sleep(300);
  }
  equal(
    "an image in a tab is read from disk",
    (await w.call("read_file", { path: "picture.png" })).content.some((c) => c.type === "image"),
    true,
  );
  equal(
    "a binary file in a tab says what it is",
    (await w.call("read_file", { path: "data.bin" })).structuredContent.error?.kind,
    "binary_file",
  );

  await w.probe(async (vscode, file) => {
    const n = await vscode.workspace.openNotebookDocument(vscode.Uri.file(file));
    await vscode.window.showNotebookDocument(n);
    const edit = new vscode.WorkspaceEdit();
    edit.set(n.cellAt(0).document.uri, [
      vscode.TextEdit.insert(new vscode.Position(0, 0), "y = 2\n"),
    ]);
    await vscode.workspace.applyEdit(edit);
  }, w.path("note.ipynb"));
  const cells = await until(async () => {
    const r = await w.readTool("note.ipynb", { start_line: 1 });
    return r.notes?.some((n) => /shows this file as a notebook/.test(n)) && r;
  });
  check(
    "an open notebook is read from disk, and the answer says so",
    cells?.source === "disk",
    cells,
  );
  const refused = await w.call("edit_file", {
    path: "note.ipynb",
    expected_hash: cells.content_hash,
    old_text: "x = 1",
    new_text: "x = 2",
  });
  equal("and is not edited as text", refused.structuredContent.error?.kind, "notebook_open");
  await w.run("workbench.action.revertAndCloseActiveEditor");

  await w.probe(
    (vscode, file) =>
      vscode.commands.executeCommand("vscode.open", vscode.Uri.file(file)).then(() => null),
    w.path("big.log"),
  );
  const big = await until(async () => {
    const r = await w.readTool("big.log");
    return r.notes?.some((n) => /does not tell its text/.test(n)) && r;
  }, 30_000);
  check(
    "a file of 60 MB is read from disk, and the answer says so",
    big?.source === "disk",
    big ?? (await w.readTool("big.log")).notes,
  );
  await w.page.locator(".monaco-button", { hasText: "Open Anyway" }).click();
  await w.page.locator(".editor-instance .view-line").first().waitFor({ timeout: 60_000 });
  await w.picture("big-file");
  const bigEdit = await w.call("edit_file", {
    path: "big.log",
    expected_hash: big.content_hash,
    edits: [{ start_line: 1, end_line: 1, new_text: "y\n" }],
  });
  equal("and is not edited behind its tab", bigEdit.structuredContent.error?.kind, "not_applied");
  check("opened anyway it is not synchronised", (await w.text("big.log")) === undefined, null);
  await w.run("workbench.action.closeActiveEditor");
  await until(async () => !(await w.readTool("big.log")).notes?.length);
  const closed = await w.call("edit_file", {
    path: "big.log",
    expected_hash: big.content_hash,
    edits: [{ start_line: 1, end_line: 1, new_text: "y\n" }],
  });
  check("after closing the tab it is edited on disk", !closed.isError, closed);

  for (let i = 0; i < TABS; i += 20) {
    await w.probe(openTabs, [w.path("many"), i, Math.min(i + 20, TABS)]);
  }
  const known = async () => (await w.call("open_files")).structuredContent.files.length;
  check("documents in many tabs are known", (await known()) >= TABS, await known());
  const begin = Date.now();
  process.kill(w.servers()[0], "SIGKILL");
  check("and by the next server", await until(async () => (await known()) >= TABS), await known());
  console.log(`     ${Date.now() - begin} ms until a new server knew ${TABS} documents`);

  await w.clearMessages(); // that the server had ended
  await w.show("dir/c.txt");
  await w.type("typed ");
  await until(async () => (await w.readTool("dir/c.txt")).dirty);
  await w.probe(
    async (vscode, [from, to]) => {
      const edit = new vscode.WorkspaceEdit();
      edit.renameFile(vscode.Uri.file(from), vscode.Uri.file(to));
      await vscode.workspace.applyEdit(edit);
    },
    [w.path("dir"), w.path("renamed")],
  );
  const moved = await until(async () => {
    const r = await w.readTool("renamed/c.txt");
    return r.source === "buffer" && r;
  });
  equal("unsaved text goes along when a folder is renamed", moved.content, "typed three\n");
  equal("nothing is at the old name", (await w.readTool("dir/c.txt")).error?.kind, "not_found");

  fs.renameSync(w.folder, `${w.folder}-moved`);
  const away = [await w.readTool(`many/${TABS - 1}.txt`), await w.readTool("renamed/c.txt")];
  equal(
    "open text is read when the project was renamed away",
    away.map((r) => r.content),
    [`file ${TABS - 1}\n`, "typed three\n"],
  );
  const kept = await w.call("edit_file", {
    path: "renamed/c.txt",
    expected_hash: away[1].content_hash,
    old_text: "three",
    new_text: "3",
  });
  equal(
    "and edited, in the editor alone",
    [kept.isError ?? false, await w.text("renamed/c.txt"), fs.existsSync(w.folder)],
    [false, "typed 3\n", false],
  );
  equal("without a message", await w.messages(), []);
  fs.renameSync(`${w.folder}-moved`, w.folder);
}
